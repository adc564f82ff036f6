//! Failing integration tests: only the test becomes smaller, and the result goes into the package. It fails there, by
//! the command that the report names, and passes once the bug is mended; the report says where that is.

use crate::support::failing_test::run;
use crate::support::{Finished, Reduction, Running, World, exit_code, read_tree, signal};
use serde_json::Value;

/// Few, and what makes one file of several.
const PASSES: &str = "keep_slice,delete_items,delete_statements,merge_files";
const COMMAND: &str = "cargo test --test orders an_order_with_the_price_of_ten -- --exact";

/// Reduces a test of the fixture.
#[track_caller]
fn reduced(args: &[&str]) -> (World, Reduction) {
    let world = World::with("price-list");
    let before = read_tree(world.work());
    run(&world, args).expect_success();
    assert_eq!(read_tree(world.work()), before, "the user's files changed");
    let reduction = Reduction::read(&world.beside("out"));
    (world, reduction)
}

/// Runs the command of the result in the package.
#[track_caller]
fn reproduce(world: &World, reduction: &Reduction, code: i32) -> Finished {
    let line = reduction.summary()["reproduce"].as_str();
    let mut shell = world.command("sh");
    shell.args(["-c", line.expect("it is a text")]);
    Running::start(shell).finish().expect_code(code)
}

#[track_caller]
fn write(world: &World, path: &str, text: &str) {
    std::fs::write(world.work().join(path), text).expect("it can be written");
}

/// Mends the bug in the library of the fixture.
#[track_caller]
fn mend(world: &World) {
    let path = "src/prices.rs";
    let text = std::fs::read_to_string(world.work().join(path)).expect("it is there");
    let mended = text.replace("amount > step.from", "amount >= step.from");
    assert_ne!(mended, text);
    write(world, path, &mended);
}

#[test]
fn the_result_is_a_test_of_the_package_that_passes_once_the_bug_is_mended() {
    let args = ["--test", "orders", "the_price_of_ten"];
    let (world, reduction) = reduced(&[&args[..], &["--passes", PASSES]].concat());
    assert!(reduction.is_single_file(), "{}", reduction.code());
    assert!(!world.beside("out/reduced").exists());
    assert_eq!(reduction.summary()["reproduce"], COMMAND);
    assert!(reduction.number("tokens_after") <= 330);
    write(&world, "tests/orders.rs", reduction.code());
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
    write(&world, "src/lib.rs", &format!("{library}\n{in_library}"));
    let random = "mod random { use rand as _; #[test] fn a() {} }";
    let beside =
        format!("#[test] fn a() {{}} #[test] fn fails() {{ panic!() }} #[cfg(any())] {random}");
    write(&world, "tests/beside.rs", &beside);
    write(&world, "tests/broken.rs", "fn");
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
        code.contains(".insert(8)") && !code.contains("while"),
        "{code}"
    );
    assert!(reduction.number("tokens_after") <= 45, "{code}");
    let known = &reduction.summary()["code_under_test"];
    assert_eq!(
        (&known["other_tests"], &known["located_in"]),
        (&24.into(), &"Numbers::maximum".into())
    );
    write(&world, "tests/gaps.rs", code);
    reproduce(&world, &reduction, 101);
    let path = "src/lib.rs";
    let text = std::fs::read_to_string(world.work().join(path)).expect("it is there");
    write(
        &world,
        path,
        &text.replace("Some(number + 1)", "Some(number)"),
    );
    reproduce(&world, &reduction, 0);
}

#[test]
fn an_assertion_is_narrowed_to_what_differs() {
    let world = World::with("price-list");
    let test = "use price_list::prices::Prices;\n\n#[test]\nfn prices_by_amount() {\n\
        let prices = Prices::default().with(0, 90).with(10, 75).with(100, 50);\n\
        let found: Vec<_> = [1, 10, 100].into_iter().map(|n| (n, prices.of_piece(n))).collect();\n\
        assert_eq!(found, [(1, Some(90)), (10, Some(75)), (100, Some(50))]);\n}\n";
    write(&world, "tests/amounts.rs", test);
    run(&world, &["--test", "amounts", "--passes", "delete_items"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let narrowed = "assert_eq!(found[1].1, Some(75));";
    assert!(reduction.code().contains(narrowed), "{}", reduction.code());
    let told = "Its assertion compares a part of what the original test compares: ";
    assert!(reduction.report().contains(told), "{}", reduction.report());
    assert_eq!(reduction.summary()["code_under_test"]["narrowed"], true);
    write(&world, "tests/amounts.rs", reduction.code());
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
    write(&world, "tests/orders.rs", reduction.code());
    reproduce(&world, &reduction, 101);
}

/// A package whose tests are those of the fixture, which it has for a dependency outside of its workspace.
fn with_customer() -> World {
    let world = World::with("price-list");
    let of_customer = |path: &str| format!("customer/{path}");
    let files = ["orders.rs", "common/mod.rs"].map(|file| format!("tests/{file}"));
    std::fs::create_dir_all(world.work().join("customer/tests/common")).expect("it can be made");
    std::fs::create_dir_all(world.work().join("customer/src")).expect("it can be made");
    for file in files {
        let from = world.work().join(&file);
        std::fs::copy(from, world.work().join(of_customer(&file))).expect("it can be copied");
    }
    let manifest = "[package]\nname = \"customer\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\nprice-list = { path = \"..\" }\n";
    write(&world, "customer/Cargo.toml", manifest);
    let text = "pub fn budget(cents: u32) -> u32 { cents / 100 }\n";
    write(&world, "customer/src/lib.rs", text);
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
    write(&world, "customer/tests/orders.rs", reduction.code());
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
    write(&world, path, &format!("{called}{made}"));
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
    write(&world, "src/lib.rs", &format!("{root}\npub mod rules;\n"));
    write(&world, "src/rules.rs", RULE);
    let test = "price_list::rule!(is_from);
        #[test]
        fn ten_is_from_ten() {
            let few = [9, 10].map(|amount| is_from(amount, 10));
            assert_eq!(few, [false, true]);
        }";
    write(&world, "tests/rules.rs", test);
    run(&world, &["--test", "rules", "--passes", "delete_items"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = &reduction.summary()["code_under_test"];
    assert_eq!(code["warning"], Value::Null, "{code:#}");
    let functions = code["functions"].as_array().expect("some were run");
    let mut names = functions.iter().map(|one| &one["name"]);
    assert!(names.any(|name| name == "rules::rule!::name"), "{code:#}");
}

/// A table of which one case fails, with an assertion before it that would fail under most mutants.
const TABLE: &str = r#"//! A table of prices.

use price_list::prices::Prices;

#[test]
fn the_table_holds() {
    let few = Prices::default().with(0, 7);
    assert_eq!(few.of_piece(3), Some(7));
    println!("nothing of this matters");
    let many = Prices::default().with(0, 9).with(10, 8);
    for (amount, cents) in [(1, 9), (4, 9), (10, 8), (12, 8)] {
        assert_eq!(many.of_piece(amount), Some(cents));
    }
    assert_eq!(many.len(), 2);
}
"#;

#[test]
fn the_failing_case_is_taken_before_mutants_are_chosen() {
    let world = World::with("price-list");
    write(&world, "tests/table.rs", TABLE);
    // With a stage alone and no pass, the result is what was isolated.
    let args = ["--test", "table", "--passes", "keep_slice"];
    run(&world, &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for gone in ["(1, 9)", "(4, 9)", "(12, 8)", "few", "nothing", "many.len"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    assert!(code.contains("(10, 8)"), "{code}");
    write(&world, "tests/table.rs", code);
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}

/// A library with a setting that nothing reads, which is its bug.
const AMOUNTS: &str = r#"//! Amounts as customers write them.

#[derive(Default)]
pub struct Amounts {
    unit: String,
}

impl Amounts {
    pub fn of(mut self, unit: &str) -> Self {
        self.unit = unit.to_owned();
        self
    }

    pub fn read(&self, text: &str) -> Result<u32, String> {
        let number = text.trim_end_matches("g").trim();
        number.parse().map_err(|_| format!("`{number}` is no number"))
    }
}
"#;

const WEIGHTS: &str = r#"
use price_list::Amounts;

#[test]
fn weights_are_read_without_their_unit() {
    let amounts = Amounts::default().of("kg");
    let weights = ["12 kg", "7 kg"];
    let sum: Result<u32, String> = weights.iter().map(|text| amounts.read(text)).sum();
    assert_eq!(sum, Ok(19));
}
"#;

#[test]
fn what_the_faulty_code_does_not_read_stays() {
    let world = World::with("price-list");
    write(&world, "src/lib.rs", AMOUNTS);
    write(&world, "tests/orders.rs", WEIGHTS);
    let passes = "keep_slice,hoist_parts,shorten_strings";
    run(&world, &["--test", "orders", "--passes", passes]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for stays in ["of(\"kg\")", "12 kg", "7 kg"] {
        assert!(code.contains(stays), "no `{stays}` in\n{code}");
    }
    write(&world, "tests/orders.rs", code);
    reproduce(&world, &reduction, 101);
    let mended = AMOUNTS.replace("(\"g\")", "(&self.unit)");
    write(&world, "src/lib.rs", &mended);
    reproduce(&world, &reduction, 0);
}

const NEAR: &str = r#"
use price_list::Amounts;

fn is_near(found: Result<u32, String>, right: u32) -> bool {
    match found {
        Ok(found) if found.abs_diff(right) < 2 => true,
        _ => false,
    }
}

#[test]
fn a_weight_is_near_to_what_is_written() {
    assert!(is_near(Amounts::default().of("kg").read("12 kg"), 12));
}
"#;

#[test]
fn a_function_of_the_test_that_always_says_no_is_left_as_it_is() {
    let world = World::with("price-list");
    write(&world, "src/lib.rs", AMOUNTS);
    write(&world, "tests/orders.rs", NEAR);
    let passes = "keep_slice,delete_statements";
    let finished = run(&world, &["--test", "orders", "--passes", passes]).expect_success();
    let warning = "a function of the test says what is right, and does so under no mutant";
    assert!(finished.everything().contains(warning), "{finished}");
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("=> true"), "{code}");
}

const CONSTANTS: &str = r#"
use price_list::prices::Prices;

struct Pack {
    pieces: u32,
}

fn pack(name: &str) -> Pack {
    let pieces = name.split('-').last().and_then(|number| number.parse().ok());
    Pack { pieces: pieces.unwrap_or(1) }
}

#[test]
fn a_pack_has_the_price_of_ten() {
    let prices = Prices::default().with(1, 25).with(10, 20);
    assert_eq!(prices.of_piece(pack("pencils-10").pieces), Some(20));
}
"#;

#[test]
fn what_the_test_computes_by_itself_becomes_a_literal() {
    let world = World::with("price-list");
    write(&world, "tests/packs.rs", CONSTANTS);
    let test = ["--test", "packs", "a_pack_has_the_price_of_ten"];
    run(
        &world,
        &[&test[..], &["--passes", "keep_slice,fold_values"]].concat(),
    )
    .expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("of_piece(10)"), "{code}");
    assert!(
        !code.contains("fn pack") && !code.contains("struct Pack"),
        "{code}"
    );
}

const ROUNDS: &str = r#"
use price_list::prices::Prices;

#[test]
fn prices_fall_with_each_step() {
    let mut prices = Prices::default();
    let mut cents = 90;
    for step in 1..=6 {
        match step {
            5 => continue_without(step),
            _ => prices = prices.with(step * 10, cents),
        }
        cents -= step * step % 7;
    }
    assert_eq!(prices.of_piece(30), Some(85));
}

fn continue_without(step: u32) {
    assert!(step > 4);
}
"#;

#[test]
fn a_loop_becomes_the_rounds_that_matter() {
    let world = World::with("price-list");
    write(&world, "tests/rounds.rs", ROUNDS);
    let test = ["--test", "rounds", "prices_fall_with_each_step"];
    run(
        &world,
        &[
            &test[..],
            &["--passes", "keep_slice,fold_values,delete_statements"],
        ]
        .concat(),
    )
    .expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("with(30, 85)"), "{code}");
    for gone in ["for ", "match", "cents", "continue_without", "with(40"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    write(&world, "tests/rounds.rs", code);
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}

const SCAFFOLDING: &str = r#"
use price_list::prices::Prices;

enum Event {
    Agreed { from: u32, cents: u32 },
    Waited(u32),
    Doubled(Box<Event>),
}

struct Contract {
    prices: Prices,
    days: u32,
}

impl Contract {
    fn new() -> Self {
        Contract { prices: Prices::default(), days: 0 }
    }

    fn handle(&mut self, event: &Event) {
        match event {
            Event::Agreed { from, cents } => {
                let prices = std::mem::take(&mut self.prices);
                self.prices = prices.with(*from, *cents);
            }
            Event::Waited(days) => self.days += days,
            Event::Doubled(event) => {
                self.handle(event);
                self.handle(event);
            }
        }
    }

    fn price(&self, pieces: u32) -> Option<u32> {
        self.prices.of_piece(pieces)
    }
}

#[test]
fn a_contract_has_the_price_of_ten() {
    let mut contract = Contract::new();
    let events = [
        Event::Agreed { from: 1, cents: 25 },
        Event::Doubled(Box::new(Event::Waited(3))),
        Event::Agreed { from: 10, cents: 20 },
    ];
    for event in &events {
        contract.handle(event);
    }
    assert_eq!(contract.days, 6);
    assert_eq!(contract.price(10), Some(20));
}
"#;

#[test]
fn a_test_is_written_anew_from_the_calls_that_it_made() {
    let world = World::with("price-list");
    write(&world, "tests/contracts.rs", SCAFFOLDING);
    let test = ["--test", "contracts", "a_contract_has_the_price_of_ten"];
    run(
        &world,
        &[
            &test[..],
            &["--passes", "carve,delete_items,delete_statements"],
        ]
        .concat(),
    )
    .expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for has in [".with(1, 25)", ".with(10, 20)", ".of_piece(10)"] {
        assert!(code.contains(has), "no `{has}` in\n{code}");
    }
    let told = "Written anew from 4 calls that the test made.";
    assert!(reduction.report().contains(told), "{}", reduction.report());
    assert_eq!(reduction.number("carved_calls"), 4);
    for gone in ["struct", "enum", "impl", "for ", "match", "days"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    write(&world, "tests/contracts.rs", code);
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}

const PURCHASES: &str = r#"
use price_list::prices::Prices;

struct Till {
    prices: Prices,
    cents: u32,
    without_price: Vec<u32>,
}

impl Till {
    fn sell(&mut self, pieces: u32) {
        match self.prices.of_piece(pieces) {
            Some(cents) => self.cents += cents,
            None => self.without_price.push(pieces),
        }
    }
}

#[test]
fn ten_are_sold_for_less() {
    let prices = Prices::default().with(1, 25).with(10, 20);
    let mut till = Till { prices, cents: 0, without_price: Vec::new() };
    for pieces in [3, 10] {
        till.sell(pieces);
    }
    assert_eq!(till.cents, 45);
}
"#;

/// Where no price is found under a mutant, this test goes on, and what it is written as does not.
#[test]
fn a_test_that_gets_over_errors_is_written_anew_if_it_passes_under_the_mends() {
    let world = World::with("price-list");
    write(&world, "tests/purchases.rs", PURCHASES);
    let test = ["--test", "purchases", "ten_are_sold_for_less"];
    let passes = ["--passes", "carve,delete_items,delete_statements"];
    run(&world, &[test.as_slice(), &passes].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for gone in ["struct", "impl", "for ", "match", "without_price"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    assert!(code.contains(".of_piece(10)"), "{code}");
    write(&world, "tests/purchases.rs", code);
    reproduce(&world, &reduction, 101);
    mend(&world);
    reproduce(&world, &reduction, 0);
}

const MANY_DAYS: &str = r#"
use price_list::prices::Prices;

#[test]
fn ten_are_sold_after_many_days() {
    let prices = Prices::default().with(1, 25).with(10, 20);
    let mut days = 0;
    for day in 0..20_000 {
        days += day % 2;
    }
    assert_eq!(prices.of_piece(days / 1_000), Some(20));
}
"#;

/// A trace of it would end somewhere, and so would the straight line.
#[test]
fn a_test_that_does_too_much_is_not_written_anew_and_the_report_says_so() {
    let world = World::with("price-list");
    write(&world, "tests/days.rs", MANY_DAYS);
    let test = ["--test", "days", "ten_are_sold_after_many_days"];
    run(&world, &[&test[..], &["--passes", "carve"]].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    // On a busy machine the run with probes may be ended before the trace is full, which is told as well.
    let told = "Not written anew from what the test did: the run ";
    assert!(reduction.report().contains(told), "{}", reduction.report());
    assert_eq!(reduction.number("carved_calls"), 0);
}

#[test]
fn what_a_harness_catches_is_called_by_main() {
    let world = World::with("price-list");
    let manifest = std::fs::read_to_string(world.work().join("Cargo.toml")).expect("it is there");
    let target = "\n[[test]]\nname = \"house\"\nharness = false\n";
    write(&world, "Cargo.toml", &(manifest + target));
    write(&world, "tests/house.rs", HOUSE);
    run(&world, &["--test", "house", "ten", "--passes", PASSES]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    for text in ["catch_unwind", "fn one"] {
        assert!(!reduction.code().contains(text), "{}", reduction.code());
    }
    write(&world, "tests/house.rs", reduction.code());
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
        write(&world, "src/lib.rs", &function);
    };
    pack(11);
    std::fs::remove_file(world.work().join("tests/orders.rs")).expect("it is there");
    write(&world, "tests/packs.rs", PACKS);
    let passes = "delete_items,delete_statements";
    run(&world, &["--test", "packs", "eleven", "--passes", passes]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert!(!reduction.code().contains("&[7]"), "{}", reduction.code());
    write(&world, "tests/packs.rs", reduction.code());
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
    let world = World::empty();
    for directory in ["src", "tests"] {
        std::fs::create_dir_all(world.work().join(directory)).expect("it can be made");
    }
    let manifest = "[package]\nname = \"shelves\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    write(&world, "Cargo.toml", manifest);
    write(&world, "src/lib.rs", LIBRARY);
    write(&world, "tests/shelf.rs", TESTS);
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
    let world = World::empty();
    for directory in ["src", "tests"] {
        std::fs::create_dir_all(world.work().join(directory)).expect("it can be made");
    }
    let manifest = "[package]\nname = \"gates\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    write(&world, "Cargo.toml", manifest);
    write(&world, "src/lib.rs", LIBRARY);
    write(&world, "tests/gate.rs", TESTS);
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

/// Without an end, a book has room for no copy of it: the copy has as much room as lines may be written. No mutant makes it right.
const LOG_BOOK: &str = r#"//! Log books, which may have a largest number of lines.
pub struct LogBook {
    lines: Vec<String>,
    most: usize,
}
impl LogBook {
    pub fn without_end() -> Self {
        Self { lines: Vec::new(), most: usize::MAX }
    }
    pub fn with_most(most: usize) -> Self {
        Self { lines: Vec::with_capacity(most), most }
    }
    pub fn write(&mut self, line: &str) -> usize {
        if self.lines.len() < self.most {
            self.lines.push(line.to_owned());
        }
        self.lines.len()
    }
    pub fn lines(&self) -> &[String] {
        &self.lines
    }
}
impl Clone for LogBook {
    fn clone(&self) -> Self {
        let mut copy = Self::with_most(self.most);
        copy.lines.extend(self.lines.iter().cloned());
        copy
    }
}
"#;

const SHIPS: &str = r#"
use log_book::LogBook;

#[derive(Clone, Copy)]
enum Event {
    Said(&'static str),
    Copied { lines: usize },
}

struct Ship {
    name: &'static str,
    book: LogBook,
    copies: Vec<LogBook>,
}

impl Ship {
    fn note(&mut self, event: Event) {
        match event {
            Event::Said(words) => {
                let line = format!("{}: {words}", self.name);
                self.book.write(&line);
            }
            Event::Copied { lines } => {
                self.copies.push(self.book.clone());
                assert_eq!(self.copies[self.copies.len() - 1].lines().len(), lines);
            }
        }
    }
}

#[test]
fn two_ships_copy_their_books() {
    let mut ships = [
        Ship { name: "Wren", book: LogBook::with_most(2), copies: Vec::new() },
        Ship { name: "Gull", book: LogBook::without_end(), copies: Vec::new() },
    ];
    let days = [
        (0, vec![Event::Said("fog"), Event::Copied { lines: 1 }]),
        (1, vec![Event::Said("calm"), Event::Said("rain")]),
        (0, vec![Event::Said("land"), Event::Said("sun"), Event::Copied { lines: 2 }]),
        (1, vec![Event::Copied { lines: 2 }]),
    ];
    for (ship, events) in days {
        for event in events {
            ships[ship].note(event);
        }
    }
    assert_eq!(ships[0].book.lines(), ["Wren: fog", "Wren: land"]);
    assert_eq!(ships[1].copies[0].lines(), ["Gull: calm", "Gull: rain"]);
}
"#;

#[test]
fn a_test_that_no_mutant_guards_is_held_to_the_calls_that_lead_to_its_panic() {
    let world = World::empty();
    for directory in ["src", "tests"] {
        std::fs::create_dir_all(world.work().join(directory)).expect("it can be made");
    }
    let manifest = "[package]\nname = \"log-book\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    write(&world, "Cargo.toml", manifest);
    write(&world, "src/lib.rs", LOG_BOOK);
    write(&world, "tests/ships.rs", SHIPS);
    let test = ["--test", "ships", "two_ships_copy_their_books"];
    let passes = ["--passes", "carve,delete_items,delete_statements"];
    run(&world, &[test.as_slice(), &passes].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for has in ["LogBook::without_end()", ".clone()"] {
        assert!(code.contains(has), "no `{has}` in\n{code}");
    }
    for gone in [
        "struct",
        "enum",
        "impl",
        "for ",
        "match",
        "with_most",
        "write",
    ] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    let warning = reduction.summary()["code_under_test"]["warning"].to_string();
    let calls =
        "`<log_book::LogBook as core::clone::Clone>::clone` and `log_book::LogBook::with_most`";
    for told in ["no mutant of the code under test", calls, "`--good`"] {
        assert!(warning.contains(told), "no {told} in\n{warning}");
    }
    write(&world, "tests/ships.rs", code);
    reproduce(&world, &reduction, 101);
    let mended = LOG_BOOK.replace(
        "Self::with_most(self.most)",
        "Self { lines: Vec::new(), most: self.most }",
    );
    write(&world, "src/lib.rs", &mended);
    reproduce(&world, &reduction, 0);
}

const LUGGAGE: &str = r#"
use bag_rules::MOST_BAGS;

struct Traveller {
    bags: Vec<u32>,
    refused: usize,
}

impl Traveller {
    fn packs(&mut self, weight: u32) {
        if self.bags.len() < MOST_BAGS {
            self.bags.push(weight);
        } else {
            self.refused += 1;
        }
    }
}

#[test]
fn a_third_bag_fits() {
    let mut traveller = Traveller { bags: Vec::new(), refused: 0 };
    for weight in [12, 7, 30] {
        traveller.packs(weight);
    }
    assert_eq!((traveller.bags.len(), MOST_BAGS), (3, 3));
}
"#;

/// What a constant is has no switch, and so nothing says whether a branch on it would be another one without the bug.
#[test]
fn a_test_that_nothing_guards_is_written_anew_with_its_branches() {
    let world = World::empty();
    for directory in ["src", "tests"] {
        std::fs::create_dir_all(world.work().join(directory)).expect("it can be made");
    }
    let manifest = "[package]\nname = \"bag-rules\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    write(&world, "Cargo.toml", manifest);
    let library = "pub const MOST_BAGS: usize = 2;\n";
    write(&world, "src/lib.rs", library);
    write(&world, "tests/luggage.rs", LUGGAGE);
    let test = ["--test", "luggage", "a_third_bag_fits"];
    run(&world, &[test.as_slice(), &["--passes", "carve"]].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    for gone in ["struct", "impl", "fn packs"] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
    assert!(code.contains("< MOST_BAGS"), "{code}");
    let warning = reduction.summary()["code_under_test"]["warning"].to_string();
    assert!(warning.contains("`--good`"), "{warning}");
    write(&world, "tests/luggage.rs", code);
    reproduce(&world, &reduction, 101);
    write(&world, "src/lib.rs", &library.replace('2', "3"));
    reproduce(&world, &reduction, 0);
}
