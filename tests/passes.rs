//! Tests of the passes with the real program and the real compiler: what a user chooses, what it comes to, and what a
//! result looks like. Any compile error is a crash here, with `-Ztreat-err-as-bug`.

use crate::support::exit_code::{BAD_INPUT, NO_CRASH};
use crate::support::{Finished, Reduction, Running, World};
use std::process::Command;

/// The compiler's flags, after those of the program.
const AS_BUG: [&str; 4] = ["--", "--crate-type", "lib", "-Ztreat-err-as-bug"];
const AS_IT_IS: [&str; 3] = ["--", "--crate-type", "lib"];

/// The result of `changes-together.rs`.
const TOGETHER: &str = "fn foo(x: String) {\n    x;\n    x;\n}\n";

/// A world with a file of this text.
fn world_of(file: &str, text: &str) -> World {
    let world = World::empty();
    std::fs::write(world.work().join(file), text).expect("a file can be written");
    world
}

/// Makes the command `cargo-reduce reduce --ice --output out FILE ARGS FLAGS`; unstable flags are let pass.
fn command(world: &World, file: &str, args: &[&str], flags: &[&str]) -> Command {
    let mut command = world.program(&["--ice", "--output"]);
    command
        .arg(world.beside("out"))
        .args([file, "--edition", "2021"])
        .args(args)
        .args(flags)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_REDUCE_JOBS", "2");
    command
}

fn reduce(world: &World, file: &str, args: &[&str], flags: &[&str]) -> (Reduction, Finished) {
    let finished = Running::start(command(world, file, args, flags)).finish();
    let finished = finished.expect_success();
    (Reduction::read(&world.beside("out")), finished)
}

/// Reduces a fixture in this process, as most tests need no daemon.
fn reduce_fixture(fixture: &str, args: &[&str], flags: &[&str]) -> (Reduction, Finished) {
    let args = [&["--no-daemon"], args].concat();
    reduce(&World::with(fixture), fixture, &args, flags)
}

/// Reduces a text, with any compile error as a crash.
fn reduce_text(text: &str, args: &[&str]) -> Reduction {
    let args = [&["--no-daemon"], args].concat();
    reduce(&world_of("given.rs", text), "given.rs", &args, &AS_BUG).0
}

/// A number in the statistics of a pass.
#[track_caller]
fn number_of(reduction: &Reduction, pass: &str, field: &str) -> u64 {
    let passes = reduction.summary()["passes"].as_array();
    let mut passes = passes.expect("`passes` is a list").iter();
    let found = passes.find(|statistics| statistics["pass"] == pass);
    let found = found.unwrap_or_else(|| panic!("no `{pass}` in {:#}", reduction.summary()));
    let number = found[field].as_u64();
    number.unwrap_or_else(|| panic!("`{field}` is not a number in {found}"))
}

#[test]
fn the_list_of_passes_has_an_example_for_each_and_needs_no_input() {
    let world = World::empty();
    let listed = Running::start(world.program(&["--list-passes"])).finish();
    let listed = listed.expect_success().stdout();
    let names: Vec<&str> = listed
        .lines()
        .filter(|line| !line.starts_with(' '))
        .collect();
    assert!(
        names.len() > 40 && names.contains(&"delete_items"),
        "{names:?}"
    );
    let n_examples = listed.lines().filter(|line| line.starts_with("     -> "));
    // Stages, such as `keep_slice` and `print`, have no example.
    assert_eq!(n_examples.count() + 28, names.len(), "{listed}");
    let n_kept = listed
        .lines()
        .filter(|line| line.starts_with("    (keeps "));
    assert_eq!(n_kept.count(), names.len(), "{listed}");
}

#[test]
fn a_pass_that_does_not_exist_is_refused_with_one_that_does() {
    let world = World::empty();
    for flag in ["--passes", "--skip-pass"] {
        let refused = world.reduce(&[flag, "delete_item"]).expect_code(BAD_INPUT);
        for told in ["delete_item", "a similar value exists: 'delete_items'"] {
            assert!(refused.stderr().contains(told), "no `{told}` in\n{refused}");
        }
    }
}

const THREE_ITEMS: &str = "pub struct Unused;\npub fn wrong(count: u8) -> u8 { let text = \"\"; text }\npub fn other() {}\n";

#[test]
fn only_the_pass_that_is_asked_for_is_made() {
    let reduction = reduce_text(THREE_ITEMS, &["--passes", "delete_items"]);
    let expected = "pub fn wrong(count: u8) -> u8 { let text = \"\"; text }";
    assert_eq!(reduction.code().trim(), expected);
    let passes = reduction.summary()["passes"].as_array().expect("a list");
    assert_eq!(passes.len(), 1, "{passes:#?}");
    assert!(number_of(&reduction, "delete_items", "queries") > 0);
}

#[test]
fn without_the_passes_for_readers_names_and_layout_are_kept() {
    let text = "pub fn wrong_one(  ) -> u8   { \"\" }\n";
    let skipped = ["--skip-pass", "print", "--skip-pass", "rename_definitions"];
    let reduction = reduce_text(text, &skipped);
    assert_eq!(reduction.code().trim(), "fn wrong_one(  ) -> u8   {  }");
    assert_eq!(reduce_text(text, &[]).code(), "fn foo() -> u8 {}\n");
}

#[test]
fn what_can_only_go_with_its_uses_goes() {
    let (reduction, finished) =
        reduce_fixture("changes-together.rs", &["--verify-minimal"], &AS_BUG);
    assert_eq!(reduction.code(), TOGETHER);
    let verified = &reduction.summary()["verified"];
    assert!(verified["edits"].as_u64().is_some_and(|edits| edits > 0));
    assert!(
        finished.stderr().contains("verified: each of"),
        "{finished}"
    );
    assert!(reduction.number("possible_edits") > 0);
    let of_passes = reduction.summary()["passes"].as_array().expect("a list");
    let queries = of_passes.iter().map(|pass| pass["queries"].as_u64());
    let queries: Option<u64> = queries.sum();
    assert_eq!(queries, Some(reduction.number("queries")));
}

#[test]
fn any_number_of_jobs_finds_the_same_with_the_same_queries() {
    for width in ["1", "16"] {
        let with = |jobs| {
            let args = ["--jobs", jobs, "--width", width];
            reduce_fixture("expansion.rs", &args, &AS_BUG).0
        };
        let (one, four) = (with("1"), with("4"));
        assert_eq!(one.code(), four.code());
        for field in [
            "queries",
            "cache_hits",
            "steps",
            "possible_edits",
            "slippage",
        ] {
            assert_eq!(one.number(field), four.number(field), "{field}");
        }
        assert_eq!(one.summary()["nearest"], four.summary()["nearest"]);
        assert_eq!(one.steps(), four.steps());
        for section in ["steps", "curve"] {
            assert_eq!(one.section(section), four.section(section));
        }
    }
}

/// The results of the simulation: its time in milliseconds, the calls on workers and beside them, and the number of
/// answers that were not known.
fn simulated(world: &World, workers: &str) -> [u64; 4] {
    let output = world.beside(&format!("out-{workers}"));
    let output = output.to_str().expect("the path is UTF-8");
    let args = [
        "--ice",
        "--no-daemon",
        "--no-cache",
        "--force",
        "--output",
        output,
    ];
    let mut command = world.program(&args);
    command.args(["--jobs", workers, "--width", workers]);
    let record = world.beside("record.json");
    let asked = format!("1000:{}", record.display());
    command.env("CARGO_REDUCE_SIMULATE", asked);
    let finished = Running::start(command).finish().expect_success();
    let said = finished.stderr();
    let (_, numbers) = said.split_once("simulated: ").expect("it was simulated");
    let numbers = numbers.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<u64> = numbers.filter_map(|one| one.parse().ok()).collect();
    [numbers[0], numbers[1], numbers[2], numbers[3]]
}

#[test]
fn recorded_answers_say_how_much_can_be_asked_at_once() {
    let world = World::with("ice-library");
    let [time, on_workers, beside, not_known] = simulated(&world, "1");
    assert_eq!(time, 1000 * (on_workers + beside));
    assert!(not_known > 0);
    assert_eq!(simulated(&world, "1")[..2], [time, on_workers]);
    let [faster, ..] = simulated(&world, "16");
    assert!(faster < time, "{faster} and {time}");
    // The answers to all questions to the compiler are known now.
    let [again, _, beside, not_known] = simulated(&world, "16");
    assert_eq!(again, faster);
    assert!(not_known <= beside);
}

#[test]
fn what_is_only_smaller_without_its_macros_is_expanded() {
    let skipped = ["--skip-pass", "inline_macros"];
    let (reduction, _) = reduce_fixture("expansion.rs", &skipped, &AS_BUG);
    assert_eq!(reduction.code(), "fn foo() -> u8 {}\n");
    assert_eq!(number_of(&reduction, "expand_macros", "accepted"), 1);
    let skipped = [&skipped[..], &["--skip-pass", "expand_macros"]].concat();
    let (unexpanded, _) = reduce_fixture("expansion.rs", &skipped, &AS_BUG);
    assert!(unexpanded.code().contains("macro_rules!"), "{unexpanded:?}");
    assert!(unexpanded.number("tokens_after") > reduction.number("tokens_after"));
}

/// The result of `changes-together.rs` without the standard library.
const WITHOUT_STD: &str = "struct Foo;\nfn foo(x: Foo) {\n    x;\n    x;\n}\n";

#[test]
fn a_result_names_nothing_of_the_standard_library_where_that_is_asked_for() {
    let args = ["--replace-std", "--verify-minimal"];
    let (reduction, _) = reduce_fixture("changes-together.rs", &args, &AS_BUG);
    assert_eq!(reduction.code(), WITHOUT_STD);
    assert_eq!(number_of(&reduction, "replace_std", "accepted"), 1);
    assert_eq!(reduction.summary()["search"]["replace_std"], true);
}

#[test]
fn each_item_of_the_standard_library_becomes_a_local_one() {
    let text = "use std::cell::Ref; fn f<T: Clone>(x: Vec<Option<T>>, y: Ref<'_, T>) { x; x; }\n";
    let args = ["--replace-std", "--passes", "replace_std"];
    let reduction = reduce_text(text, &args);
    for local in [
        "struct Ref<'a, T>(&'a T);",
        "struct LocalVec<T>(T);",
        "enum LocalOption<T> { Some(T) }",
        "trait LocalClone {",
        "fn f<T: LocalClone>(x: LocalVec<LocalOption<T>>, y: Ref<'_, T>) { x; x; }",
    ] {
        assert!(
            reduction.code().contains(local),
            "no `{local}` in {reduction:?}"
        );
    }
    assert!(!reduction.code().contains("std"), "{reduction:?}");
}

#[test]
fn an_error_beside_the_crash_is_not_in_the_result() {
    let args = ["--strict-valid"];
    let (reduction, finished) = reduce_fixture("error-beside-crash.rs", &args, &AS_IT_IS);
    assert_eq!(reduction.summary()["clean"], true);
    assert!(!reduction.code().contains("extra_points"), "{reduction:?}");
    assert!(
        finished.stderr().contains("no error but the crash"),
        "{finished}"
    );
    assert_eq!(number_of(&reduction, "clean_errors", "accepted"), 1);
}

#[test]
fn an_error_that_the_crash_needs_is_named() {
    let (reduction, finished) = reduce_fixture("errors-before-crash.rs", &[], &AS_IT_IS);
    assert_eq!(reduction.summary()["clean"], false);
    assert_eq!(reduction.summary()["remaining_errors"][0], "E0117");
    assert!(
        finished.stderr().contains("the result also has E0117"),
        "{finished}"
    );
}

#[test]
fn a_result_with_errors_is_none_where_only_a_valid_one_will_do() {
    let fixture = "errors-before-crash.rs";
    let world = World::with(fixture);
    let args = ["--no-daemon", "--strict-valid"];
    let refused = Running::start(command(&world, fixture, &args, &AS_IT_IS)).finish();
    let told = ["`E0117` stay", "without `--strict-valid`"];
    refused.expect_failure(NO_CRASH, &told);
    let kept = Reduction::read(&world.beside("out"));
    assert!(
        kept.code().contains("impl"),
        "the smallest is kept\n{kept:?}"
    );
}

/// Wider than prettyplease allows, and not wider than rustfmt does.
const WIDE: &str =
    "pub fn wrong(first_number: u8, second_number: u16, third_number: u32, fourth: u64) -> u8 {";

#[test]
fn a_result_is_laid_out_as_rustfmt_does() {
    let text = format!("{}\"\"  }}", WIDE.replace(", ", ","));
    let world = world_of("given.rs", &text);
    let args = ["--no-daemon", "--passes", "print"];
    let (reduction, _) = reduce(&world, "given.rs", &args, &AS_BUG);
    assert_eq!(reduction.code(), format!("{WIDE}\n    \"\"\n}}\n"));
    let mut rustfmt = world.command("rustfmt");
    rustfmt.args(["--check", "--edition", "2021"]);
    rustfmt.arg(world.beside("out/reduced.rs"));
    Running::start(rustfmt).finish().expect_success();
}

/// Checks that neither the client nor the daemon ends on syntax that is far deeper than anybody writes.
#[track_caller]
fn check_deep(text: &str, args: &[&str]) -> Reduction {
    let world = world_of("deep.rs", text);
    let (reduction, _) = reduce(&world, "deep.rs", args, &AS_BUG);
    assert!(world.daemon_pid().is_some(), "the daemon has ended");
    reduction
}

#[test]
fn an_expression_that_is_very_deep_ends_nothing_but_the_compiler() {
    let (open, close) = ("(".repeat(5_000), ")".repeat(5_000));
    let text = format!("fn f() {{}}\nfn g() -> u8 {{ {open}\"\"{close} }}\n");
    let passes = "delete_items,expand_macros,rename_definitions,order_items,print";
    let reduction = check_deep(&text, &["--passes", passes]);
    assert!(!reduction.code().contains("fn f()"), "it can go");
    assert!(reduction.number("tokens_after") > 10_000);
}

#[test]
fn a_macro_that_makes_very_deep_types_ends_nothing() {
    let text = format!(
        "#![recursion_limit = \"10000\"]\n\
         macro_rules! nest {{ () => {{ u8 }}; ($x:tt $($rest:tt)*) => {{ Option<nest!($($rest)*)> }} }}\n\
         fn f() -> u8 {{ \"\" }}\nstruct Deep(nest!({}));\n",
        "x ".repeat(3_000)
    );
    let reduction = check_deep(&text, &["--passes", "expand_macros,print"]);
    assert!(reduction.code().contains("nest!"), "expanded it is larger");
}
