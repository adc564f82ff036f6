//! Failing integration tests: only the test becomes smaller, and the result goes into the package. It fails there, by
//! the command that the report names, and passes once the bug is mended; the report says where that is.

use crate::support::failing_test::run;
use crate::support::price_list::{mend, reduced, reproduce};
use crate::support::{Finished, Reduction, Running, World, exit_code, read_tree, signal};
use serde_json::Value;

/// Few, and what makes one file of several.
const PASSES: &str = "keep_slice,delete_items,delete_statements,merge_files";
const COMMAND: &str = "cargo test --test orders an_order_with_the_price_of_ten -- --exact";

#[test]
fn the_result_is_a_test_of_the_package_that_passes_once_the_bug_is_mended() {
    let args = ["--test", "orders", "the_price_of_ten"];
    let (world, reduction) = reduced(&[&args[..], &["--passes", PASSES]].concat());
    assert!(reduction.is_single_file(), "{}", reduction.code());
    assert!(!world.beside("out/reduced").exists());
    assert_eq!(reduction.summary()["reproduce"], COMMAND);
    assert!(reduction.number("tokens_after") <= 330);
    world.write("tests/orders.rs", reduction.code());
    let shown = reproduce(&world, &reduction, 101);
    for text in ["left: Some(5571)", "right: Some(5436)"] {
        assert!(shown.everything().contains(text), "no `{text}` in\n{shown}");
    }
    mend(&world);
    let shown = reproduce(&world, &reduction, 0);
    assert!(shown.everything().contains("1 passed"), "{shown}");
    says_where_to_look(&reduction);
    let kinds = reduction.summary()["kinds"].as_array().expect("a list");
    let is_joint = |kind: &&Value| kind["kind"] == "joint compilation";
    assert!(kinds.iter().any(|kind| is_joint(&kind)), "{kinds:#?}");
}

/// Whoever stops a search waits for the check of its result, and for nothing else that is told of it.
#[test]
fn a_search_that_is_stopped_does_not_look_for_the_values_on_the_way() {
    let world = World::with("price-list");
    let mut command = world.program(&["--no-daemon", "--test", "orders", "the_price_of_ten"]);
    command.args(["--message-format", "json", "--output"]);
    command.arg(world.beside("out"));
    let mut running = Running::start(command);
    running.wait_for("step-accepted");
    signal(running.pid(), "INT");
    running.finish().expect_code(exit_code::STOPPED);
    let reduction = Reduction::read(&world.beside("out"));
    let variables = reduction.summary()["variables"].as_array();
    assert_eq!(variables.map(Vec::len), Some(0));
    assert!(reduction.code().contains("assert_eq!"));
}

#[track_caller]
fn says_where_to_look(reduction: &Reduction) {
    let code = &reduction.summary()["code_under_test"];
    let place = |one: &Value| (one["file"].clone(), one["line"].clone());
    let faulty = ("src/prices.rs".into(), 28.into());
    assert_eq!(place(&code["lines"][0]), faulty, "{code:#}");
    assert_eq!(place(&code["guess"]), faulty, "{code:#}");
    assert_eq!(code["other_tests"], 4);
    let count = |name: &str| code[name].as_u64().expect("it is a number");
    assert!(count("asked") > 0 && count("asked") <= count("run"));
    assert!(count("run") <= count("passed") && count("passed") < count("mutants"));
    let variables = reduction.summary()["variables"].as_array();
    let n_values = |one: &Value| one["values"].as_array().map_or(0, Vec::len);
    assert!(
        variables.is_some_and(|all| !all.is_empty() && all.iter().all(|one| n_values(one) > 0))
    );
    let report = reduction.report();
    let texts = [
        "# The test `an_order_with_the_price_of_ten` of `price-list 0.3.1` fails\n",
        "put it into the file `tests/orders.rs`. In the package, this then fails:\n",
        COMMAND,
        "### Values on the way\n\n- after line ",
        "- `prices::Prices::of_piece` (`src/prices.rs:25-33`)\n",
        "- `src/prices.rs:28`: with `amount >= step.from` for `amount > step.from` it passes, and so do all 4 \
         other tests of the package that were run",
        "-            if amount > step.from {\n+            if amount >= step.from {\n",
    ];
    for text in texts {
        assert!(report.contains(text), "no `{text}` in\n{report}");
    }
}

#[test]
fn tests_in_the_library_and_in_other_files_say_which_mutants_are_asked() {
    let world = World::with("price-list");
    let library = std::fs::read_to_string(world.work().join("src/lib.rs")).expect("it is there");
    // A mutant that calls what a `cfg` leaves out does not compile, and is seen where the tests are compiled alone.
    let in_library = "#[cfg(any(test, windows))]\nstruct One;\n#[cfg(any(test, windows))]\nimpl One {\n    \
        #[cfg(any())]\n    fn none(&self) -> u8 {\n        0\n    }\n    fn twice(&self) -> u8 {\n        self.once() + 1\n    }\n    \
        fn once(&self) -> u8 {\n        1\n    }\n}\n\
        #[cfg(test)]\nmod tests {\n    #[test]\n    fn a_slow_one() {\n        \
        std::thread::sleep(std::time::Duration::from_secs(100));\n    }\n    #[test]\n    fn two() {\n        assert_eq!(super::One.twice(), 2);\n    }\n}\n";
    world.write("src/lib.rs", &format!("{library}\n{in_library}"));
    let random = "mod random { use rand as _; #[test] fn a() {} }";
    let beside =
        format!("#[test] fn a() {{}} #[test] fn fails() {{ panic!() }} #[cfg(any())] {random}");
    world.write("tests/beside.rs", &beside);
    world.write("tests/broken.rs", "fn");
    let args = [
        "--test",
        "orders",
        "the_price_of_ten",
        "--passes",
        "delete_items",
    ];
    run(&world, &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    // Four stand beside it, one in the library that is not slow, and one in the other file.
    let code = &reduction.summary()["code_under_test"];
    assert_eq!(code["other_tests"], 6, "{code:#}");
}

#[test]
fn what_watched_functions_compute_becomes_literals_where_one_function_is_not_watched() {
    let world = World::with("unseen-maximum");
    run(&world, &["--test", "gaps"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(
        code.matches(".insert(").count() == 1 && !code.contains("while"),
        "{code}"
    );
    assert!(reduction.number("tokens_after") <= 45, "{code}");
    // With the one number that is left another maximum is right than that of all gaps.
    assert_eq!(reduction.summary()["expects_anew"], true, "{code}");
    let known = &reduction.summary()["code_under_test"];
    assert_eq!(
        (&known["other_tests"], &known["located_in"]),
        (&24.into(), &"Numbers::maximum".into())
    );
    world.write("tests/gaps.rs", code);
    reproduce(&world, &reduction, 101);
    let path = "src/lib.rs";
    let text = std::fs::read_to_string(world.work().join(path)).expect("it is there");
    world.write(path, &text.replace("Some(number + 1)", "Some(number)"));
    reproduce(&world, &reduction, 0);
}

#[test]
fn an_assertion_is_narrowed_to_what_differs() {
    let world = World::with("price-list");
    let test = "use price_list::prices::Prices;\n\n#[test]\nfn prices_by_amount() {\n\
        let prices = Prices::default().with(0, 90).with(10, 75).with(100, 50);\n\
        let found: Vec<_> = [1, 10, 100].into_iter().map(|n| (n, prices.of_piece(n))).collect();\n\
        assert_eq!(found, [(1, Some(90)), (10, Some(75)), (100, Some(50))]);\n}\n";
    world.write("tests/amounts.rs", test);
    run(&world, &["--test", "amounts", "--passes", "delete_items"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let narrowed = "assert_eq!(found[1].1, Some(75));";
    assert!(reduction.code().contains(narrowed), "{}", reduction.code());
    let told = "Its assertion compares a part of what the original test compares: ";
    assert!(reduction.report().contains(told), "{}", reduction.report());
    assert_eq!(reduction.summary()["code_under_test"]["narrowed"], true);
    world.write("tests/amounts.rs", reduction.code());
    let shown = reproduce(&world, &reduction, 101);
    for text in ["left: Some(90)", "right: Some(75)"] {
        assert!(shown.everything().contains(text), "no `{text}` in\n{shown}");
    }
    mend(&world);
    reproduce(&world, &reduction, 0);
}

#[test]
fn features_stand_in_the_command() {
    let chosen = [
        "--test",
        "orders",
        "the_price_of_ten",
        "--features",
        "rounding",
    ];
    let passes = ["--passes", "delete_items"];
    let (world, reduction) = reduced(&[&chosen[..], &passes].concat());
    let command = COMMAND.replace(" an_", " --features rounding an_");
    assert_eq!(reduction.summary()["reproduce"], command);
    world.write("tests/orders.rs", reduction.code());
    reproduce(&world, &reduction, 101);
}

/// A package whose tests are those of the fixture, which it has for a dependency outside of its workspace.
fn with_customer() -> World {
    let world = World::with("price-list");
    let of_customer = |path: &str| format!("customer/{path}");
    let files = ["orders.rs", "common/mod.rs"].map(|file| format!("tests/{file}"));
    for file in files {
        let text = std::fs::read_to_string(world.work().join(&file)).expect("it is there");
        world.write(&of_customer(&file), &text);
    }
    let manifest = "[package]\nname = \"customer\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\nprice-list = { path = \"..\" }\n";
    world.write("customer/Cargo.toml", manifest);
    let text = "pub fn budget(cents: u32) -> u32 { cents / 100 }\n";
    world.write("customer/src/lib.rs", text);
    world
}

fn run_customer(world: &World, args: &[&str]) -> Finished {
    let manifest = world.work().join("customer/Cargo.toml");
    let test = ["--test", "orders", "the_price_of_ten", "--passes", PASSES];
    let manifest = manifest.to_str().expect("it is UTF-8");
    let own = ["--manifest-path", manifest];
    run(world, &[&own[..], &test, args].concat())
}

#[test]
fn a_package_outside_of_the_workspace_is_mutated_if_it_is_named() {
    let world = with_customer();
    let before = read_tree(world.work());
    run_customer(&world, &["--mutate", "price-list"]).expect_success();
    assert_eq!(read_tree(world.work()), before, "the user's files changed");
    let reduction = Reduction::read(&world.beside("out"));
    let code = &reduction.summary()["code_under_test"];
    assert_eq!(code["warning"], Value::Null);
    assert_eq!(code["lines"][0]["line"], 28, "{code:#}");
    world.write("customer/tests/orders.rs", reduction.code());
    let line = reduction.summary()["reproduce"].as_str();
    let line = format!("cd customer && {}", line.expect("it is a text"));
    let again = |code: i32| {
        let mut shell = world.command("sh");
        shell.args(["-c", &line]);
        Running::start(shell).finish().expect_code(code)
    };
    again(101);
    mend(&world);
    again(0);
}

#[test]
fn a_package_that_the_test_does_not_link_is_refused_with_those_that_it_does() {
    let world = with_customer();
    let finished = run_customer(&world, &["--mutate", "price-list@1"]).expect_code(2);
    let said = finished.everything();
    assert!(
        said.contains("the test links no package `price-list@1`"),
        "{said}"
    );
    assert!(said.contains("`price-list@0.3.1`"), "{said}");
}

#[test]
fn a_warning_names_packages_that_could_be_mutated() {
    let world = with_customer();
    run_customer(&world, &[]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let warning = &reduction.summary()["code_under_test"]["warning"];
    let warning = warning.as_str().expect("no mutant tells anything");
    assert!(warning.contains("`--mutate price-list`"), "{warning}");
}

#[test]
fn a_constant_function_that_a_macro_makes_is_mutated() {
    let world = World::with("price-list");
    let path = "src/prices.rs";
    let text = std::fs::read_to_string(world.work().join(path)).expect("it is there");
    let called = text.replace("amount > step.from", "is_from(amount, step.from)");
    assert_ne!(called, text);
    let made = "macro_rules! comparison {
        ($name:ident) => { const fn $name(amount: u32, from: u32) -> bool { amount > from } };
    }
    comparison!(is_from);
    ";
    world.write(path, &format!("{called}{made}"));
    let args = ["--test", "orders", "the_price_of_ten"];
    run(&world, &[&args[..], &["--passes", "delete_items"]].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = &reduction.summary()["code_under_test"];
    let first = &code["lines"][0];
    assert_eq!(first["function"], "prices::comparison!::name", "{code:#}");
    let diff = code["guess"]["diff"].as_str().expect("a mutant mends it");
    assert!(diff.contains("{ amount >= from }"), "{diff}");
}

/// A macro that the test calls: there, one of its mutants does not compile.
const RULE: &str = "
pub struct Steps(pub u32);
impl Steps {
    pub fn next(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }
}
#[macro_export]
macro_rules! rule {
    ($name:ident) => {
        fn $name(amount: u32, from: u32) -> bool {
            let mut steps = $crate::rules::Steps(from);
            amount + 1 > steps.next()
        }
    };
}
";

#[test]
fn a_mutant_of_a_macro_that_does_not_compile_where_it_is_called_is_left_out() {
    let world = World::with("price-list");
    let root = std::fs::read_to_string(world.work().join("src/lib.rs")).expect("it is there");
    world.write("src/lib.rs", &format!("{root}\npub mod rules;\n"));
    world.write("src/rules.rs", RULE);
    let test = "price_list::rule!(is_from);
        #[test]
        fn ten_is_from_ten() {
            let few = [9, 10].map(|amount| is_from(amount, 10));
            assert_eq!(few, [false, true]);
        }";
    world.write("tests/rules.rs", test);
    run(&world, &["--test", "rules", "--passes", "delete_items"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = &reduction.summary()["code_under_test"];
    assert_eq!(code["warning"], Value::Null, "{code:#}");
    let functions = code["functions"].as_array().expect("some were run");
    let mut names = functions.iter().map(|one| &one["name"]);
    assert!(names.any(|name| name == "rules::rule!::name"), "{code:#}");
}

#[test]
fn what_a_harness_catches_is_called_by_main() {
    let world = World::with("price-list");
    let manifest = std::fs::read_to_string(world.work().join("Cargo.toml")).expect("it is there");
    let target = "\n[[test]]\nname = \"house\"\nharness = false\n";
    world.write("Cargo.toml", &(manifest + target));
    world.write("tests/house.rs", HOUSE);
    run(&world, &["--test", "house", "ten", "--passes", PASSES]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    for text in ["catch_unwind", "fn one"] {
        assert!(!reduction.code().contains(text), "{}", reduction.code());
    }
    world.write("tests/house.rs", reduction.code());
    let shown = reproduce(&world, &reduction, 101);
    assert!(shown.everything().contains("left: Some(90)"), "{shown}");
    mend(&world);
    reproduce(&world, &reduction, 0);
}

const HOUSE: &str = "use price_list::prices::Prices;

fn ten() {
    let prices = Prices::default().with(0, 90).with(10, 75);
    assert_eq!(prices.of_piece(10), Some(75));
}

fn one() {
    let prices = Prices::default().with(0, 90).with(10, 75);
    assert_eq!(prices.of_piece(1), Some(90));
}

fn main() -> std::process::ExitCode {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let mut status = 0;
    for (name, test) in [(\"ten\", ten as fn()), (\"one\", one)] {
        if name.contains(&wanted) && std::panic::catch_unwind(test).is_err() {
            status = 3;
        }
    }
    status.into()
}
";

#[test]
fn a_test_that_should_panic_is_guarded_by_what_mends_it_alone() {
    let world = World::with("price-list");
    let pack = |most: u32| {
        let body = format!("if amount > {most} {{ panic!(\"too many\") }} amount * 2");
        let function = format!("pub fn pack(amount: u32) -> u32 {{ {body} }}");
        world.write("src/lib.rs", &function);
    };
    pack(11);
    std::fs::remove_file(world.work().join("tests/orders.rs")).expect("it is there");
    world.write("tests/packs.rs", PACKS);
    let passes = "delete_items,delete_statements";
    run(&world, &["--test", "packs", "eleven", "--passes", passes]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert!(!reduction.code().contains("&[7]"), "{}", reduction.code());
    world.write("tests/packs.rs", reduction.code());
    reproduce(&world, &reduction, 101);
    pack(10);
    reproduce(&world, &reduction, 0);
}

const PACKS: &str = "use price_list::pack;

fn all(amounts: &[u32]) -> u32 {
    amounts.iter().map(|amount| pack(*amount)).sum()
}

#[test]
fn ten_fit() {
    assert_eq!(all(&[10, 3]), 26);
}

#[test]
#[should_panic(expected = \"too many\")]
fn eleven_do_not_fit() {
    let few = all(&[7]);
    let total = all(&[4, 11]);
    assert!(total > few);
}
";

/// Without the setter the test passes and no other breaks, as the code that panics is not reached any more.
#[test]
fn a_change_that_avoids_the_function_that_panics_is_no_guess_at_the_mend() {
    const LIBRARY: &str = r#"//! Shelves with places.
#[derive(Default)]
pub struct Shelf {
    names: Vec<String>,
    sorted: bool,
}
impl Shelf {
    pub fn put(&mut self, name: &str) {
        self.names.push(name.to_owned());
    }
    pub fn keep_sorted(&mut self) {
        self.sorted = true;
    }
    pub fn last_name(&self) -> &str {
        if self.sorted {
            return self.largest();
        }
        self.names.last().map_or("", String::as_str)
    }
    fn largest(&self) -> &str {
        let mut at = 0;
        let mut best = 0;
        while at <= self.names.len() {
            if self.names[at] > self.names[best] {
                best = at;
            }
            at += 1;
        }
        &self.names[best]
    }
    pub fn count(&self) -> usize {
        self.names.len()
    }
}
"#;
    const TESTS: &str = r#"use shelves::Shelf;
#[test]
fn the_largest_name_is_last() {
    let mut shelf = Shelf::default();
    shelf.put("moss");
    shelf.put("wool");
    shelf.put("wood");
    shelf.keep_sorted();
    assert_eq!(shelf.count(), 3);
    assert!(!shelf.last_name().is_empty());
}
#[test]
fn names_are_counted() {
    let mut shelf = Shelf::default();
    shelf.put("moss");
    assert_eq!(shelf.count(), 1);
    assert_eq!(shelf.last_name(), "moss");
}
"#;
    let files = [("src/lib.rs", LIBRARY), ("tests/shelf.rs", TESTS)];
    let world = World::with_package("shelves", &files);
    let args = [
        "--test",
        "shelf",
        "the_largest_name_is_last",
        "--max-queries",
        "1",
    ];
    run(&world, &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = &reduction.summary()["code_under_test"];
    let diff = code["guess"]["diff"].to_string();
    assert!(
        diff.contains("+        while at < self.names.len()"),
        "{diff}"
    );
    let lines = code["lines"].as_array().expect("it is a list");
    let setter = lines
        .iter()
        .find(|one| one["function"] == "Shelf::keep_sorted");
    let breaks = setter.map(|one| one["changes"][0]["breaks"].is_null());
    assert_eq!(breaks, Some(true), "{code:#}");
}

/// Nothing in the library tells that the last one left, as the call that should follow is missing.
#[test]
fn the_step_after_which_a_call_is_missing_stays_and_the_guess_has_the_call() {
    const LIBRARY: &str = r#"//! Gates that close when nobody is left.
pub struct Gate {
    guests: u32,
    staff: u32,
    bell: Option<u32>,
}
impl Gate {
    pub fn new(guests: u32, staff: u32) -> Self {
        Self { guests, staff, bell: None }
    }
    pub fn guest_leaves(&mut self) {
        self.guests -= 1;
        if self.guests == 0 && self.staff == 0 {
            self.close();
        }
    }
    pub fn staff_leaves(&mut self) {
        self.staff -= 1;
    }
    fn close(&mut self) {
        self.bell = Some(3);
    }
    pub fn bell(&self) -> Option<u32> {
        self.bell
    }
}
"#;
    const TESTS: &str = r#"use gates::Gate;
#[test]
fn the_bell_rings_when_the_last_one_leaves() {
    let mut gate = Gate::new(1, 1);
    gate.guest_leaves();
    gate.staff_leaves();
    assert_eq!(gate.bell(), Some(3));
}
#[test]
fn the_bell_waits_for_the_guests() {
    let mut gate = Gate::new(2, 1);
    gate.staff_leaves();
    gate.guest_leaves();
    assert_eq!(gate.bell(), None);
    gate.guest_leaves();
    assert_eq!(gate.bell(), Some(3));
}
#[test]
fn the_bell_waits_for_the_staff() {
    let mut gate = Gate::new(1, 1);
    gate.guest_leaves();
    assert_eq!(gate.bell(), None);
}
"#;
    let files = [("src/lib.rs", LIBRARY), ("tests/gate.rs", TESTS)];
    let world = World::with_package("gates", &files);
    let test = ["--test", "gate", "the_bell_rings_when_the_last_one_leaves"];
    let passes = ["--passes", "delete_items,delete_statements"];
    run(&world, &[test.as_slice(), &passes].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert!(
        reduction.code().contains("staff_leaves"),
        "{}",
        reduction.code()
    );
    let guess = reduction.summary()["code_under_test"]["guess"]["diff"].to_string();
    assert!(
        guess.contains("+        self.staff -= 1; if self.guests == 0 &&"),
        "{guess}"
    );
}
