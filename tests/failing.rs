//! Failing tests: from the command to one file that fails with the same message and the same values.

mod support;

use support::{Finished, Reduction, Running, World, exit_code, read_tree};

/// A failing test, and what its result must be like.
struct Case {
    /// The target, and where several of its tests fail the name.
    args: &'static [&'static str],
    /// The most tokens that a result may have.
    at_most: u64,
    /// How the command of the result ends.
    code: i32,
    /// What it prints.
    prints: &'static [&'static str],
    /// What the result has.
    has: &'static str,
    /// What the report calls it.
    noun: &'static str,
}

/// For `..`: a test that panics and ends as a program.
const CASE: Case = Case {
    args: &[],
    at_most: 0,
    code: 101,
    prints: &[],
    has: "fn main()",
    noun: "- Failure: ",
};

fn run(world: &World, args: &[&str]) -> Finished {
    let mut command = world.program(&["--no-daemon", "--no-cache", "--jobs", "2", "--output"]);
    command.arg(world.beside("out")).args(args);
    Running::start(command).finish()
}

/// Reduces, and runs the command of the result.
#[track_caller]
fn check(case: &Case) -> (World, Reduction) {
    let world = World::with("failing-tests");
    let sources = read_tree(world.work());
    run(&world, case.args).expect_success();
    assert_eq!(read_tree(world.work()), sources, "the user's files changed");
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    let tokens = reduction.number("tokens_after");
    assert!(tokens <= case.at_most, "{tokens} tokens\n{code}");
    assert!(code.contains(case.has), "no `{}` in\n{code}", case.has);
    assert!(
        !code.contains("ledger::"),
        "the library is still linked\n{code}"
    );
    let shown = reduction.reproduce(&world).expect_code(case.code);
    for text in case.prints {
        assert!(shown.everything().contains(text), "no `{text}` in\n{shown}");
    }
    let report = reduction.report();
    assert!(report.contains(case.noun), "{report}");
    (world, reduction)
}

#[test]
fn an_integration_test_becomes_a_program_with_the_same_values() {
    check(&Case {
        args: &["--test", "transfers"],
        at_most: 160,
        prints: &["assertion `left == right` failed", "left: 33", "right: 30"],
        ..CASE
    });
}

#[test]
fn a_unit_test_of_a_library_becomes_a_program() {
    check(&Case {
        args: &["--lib"],
        at_most: 24,
        prints: &["called `Option::unwrap()` on a `None` value"],
        ..CASE
    });
}

#[test]
fn a_test_that_returns_an_error_does_so_in_the_end() {
    check(&Case {
        args: &["--test", "others", "returns_an_error"],
        at_most: 56,
        code: 1,
        prints: &["Error: ParseIntError { kind: InvalidDigit }"],
        ..CASE
    });
}

#[test]
fn a_test_that_should_panic_stays_one() {
    check(&Case {
        args: &["--test", "others", "does_not_panic"],
        at_most: 16,
        prints: &["test did not panic as expected"],
        has: "#[should_panic]",
        ..CASE
    });
}

#[test]
fn what_a_test_reads_stands_beside_the_result() {
    let (_world, reduction) = check(&Case {
        args: &["--test", "others", "reads_a_file"],
        at_most: 96,
        prints: &["left: 41", "right: 42"],
        ..CASE
    });
    let result = reduction.summary()["result"].as_str().expect("a path");
    let data = std::path::Path::new(result).join("tests/data/amounts.txt");
    assert!(data.is_file(), "{result}");
}

#[test]
fn a_status_stays_what_it_is() {
    check(&Case {
        args: &["--test", "others", "leaves_with"],
        at_most: 16,
        code: 7,
        ..CASE
    });
}

#[test]
fn an_overflow_of_the_stack_stays_one() {
    check(&Case {
        args: &["--test", "others", "overflows"],
        at_most: 24,
        // The shell's word for SIGABRT.
        code: 134,
        prints: &["has overflowed its stack"],
        noun: "- Crash: `stack overflow`",
        ..CASE
    });
}

#[test]
fn a_harness_of_the_users_own_is_run_as_it_is() {
    check(&Case {
        args: &["--test", "own_harness", "counts"],
        at_most: 50,
        prints: &["a name is there once", "left: 2", "right: 1"],
        ..CASE
    });
}

#[test]
fn where_several_tests_fail_they_are_named() {
    let world = World::with("failing-tests");
    let texts = [
        "5 of them fail",
        "returns_an_error",
        "overflows",
        "TARGET TEST",
    ];
    run(&world, &["--test", "others"]).expect_failure(2, &texts);
}

#[test]
fn a_test_that_succeeds_is_none() {
    let world = World::with("failing-tests");
    let finished = run(&world, &["--test", "transfers", "what_is_taken_is_gone"]);
    finished.expect_failure(
        3,
        &["a failing test whose name has `what_is_taken_is_gone` in it"],
    );
}

/// A test that cannot be run is told with the command that reduces what stands in its way.
#[track_caller]
fn check_broken(args: &[&str], message: &str, shown: &str, suggestion: &str) {
    let world = World::with("broken-tests");
    let finished = run(&world, args);
    finished.expect_failure(exit_code::NO_CRASH, &[message, shown, suggestion]);
}

#[test]
fn a_test_that_does_not_compile_is_shown_with_its_error_and_the_command_that_reduces_it() {
    check_broken(
        &["--test", "types"],
        "`cargo test --no-run --test types` does not compile it",
        "| error[E0308]: mismatched types",
        "`cargo reduce --error E0308 --test types`",
    );
    // The library compiles, but for its own tests.
    check_broken(
        &["--lib"],
        "`cargo test --no-run --lib` does not compile it",
        "src/lib.rs:14:29",
        "`cargo reduce --cargo 'test --no-run --lib'`",
    );
}

#[test]
fn a_test_for_which_the_compiler_crashes_is_told_as_a_crash() {
    check_broken(
        &["--test", "crash", "nothing_costs_nothing"],
        "the compiler crashes in `cargo test --no-run --test crash`",
        "| error: internal compiler error",
        "`cargo reduce --ice --test crash`",
    );
}

#[test]
fn a_library_that_is_to_be_run_is_no_program() {
    let world = World::with("broken-tests");
    let texts = ["failed to choose a program to be reduced", "--bin NAME"];
    run(&world, &["--run"]).expect_failure(exit_code::BAD_INPUT, &texts);
}

/// A run with a variable that programs do not see, and with a file in the home.
fn with_surroundings(world: &World, args: &[&str]) -> Finished {
    std::fs::write(world.beside("home/article"), "article-7\n").expect("written");
    let mut command = world.program(&["--no-daemon", "--no-cache", "--output"]);
    command.arg(world.beside("out")).args(args);
    command.env("SHOP_ARTICLE", "article-7");
    command.env("SHOP_NAME", "nobody reads this");
    Running::start(command).finish()
}

#[track_caller]
fn check_other_in_sandbox(args: &[&str], texts: &[&str]) {
    let world = World::with("other-in-sandbox");
    with_surroundings(&world, args).expect_failure(exit_code::NO_CRASH, texts);
}

#[test]
fn a_failure_that_needs_a_variable_is_told_with_the_flag_that_passes_it_on() {
    check_other_in_sandbox(
        &["--test", "variable", "fails_either_way"],
        &[
            "the test `fails_either_way` fails in the sandbox in another way than outside",
            "| in the sandbox: panic of the program: called",
            "| outside: failed assertion: assertion `left == right` failed; left: 14; right: 15",
            "hint: with `--env SHOP_ARTICLE` it fails here as it does for you\n",
        ],
    );
    check_other_in_sandbox(
        &["--test", "variable", "fails_with_it"],
        &[
            "the test `fails_with_it` passes in the sandbox, and fails outside",
            "hint: with `--env SHOP_ARTICLE` it fails here",
        ],
    );
    check_other_in_sandbox(
        &["--test", "variable", "fails_without_it"],
        &[
            "the test `fails_without_it` fails in the sandbox, and passes outside",
            "hint: with `--env SHOP_ARTICLE` it passes here too",
        ],
    );
    check_other_in_sandbox(
        &["--run"],
        &[
            "the program fails in the sandbox in another way than outside",
            "hint: with `--env SHOP_ARTICLE` it fails here",
        ],
    );
}

#[test]
fn with_the_flag_that_was_named_the_users_failure_is_reduced() {
    let world = World::with("other-in-sandbox");
    let args = ["--test", "variable", "fails_either_way"];
    let args = [&args[..], &["--env", "SHOP_ARTICLE"]].concat();
    with_surroundings(&world, &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert!(reduction.code().contains("15"), "{}", reduction.code());
}

#[test]
fn a_test_that_binds_a_socket_needs_no_sandbox() {
    check_other_in_sandbox(
        &["--test", "surroundings", "binds_a_socket"],
        &[
            "| outside: failed assertion: assertion `left == right` failed: the shop is open",
            "hint: with `--sandbox off` it fails here as it does for you\n",
        ],
    );
}

#[test]
fn a_test_that_reads_the_home_is_told_that_it_finds_another() {
    check_other_in_sandbox(
        &["--test", "surroundings", "reads_the_home"],
        &["neither your variables nor `--sandbox off`", "`HOME`"],
    );
}

#[test]
fn what_the_run_outside_changes_is_as_it_was_for_the_reduction() {
    let world = World::with("other-in-sandbox");
    let args = ["--test", "surroundings", "changes_its_own_package"];
    let before = read_tree(world.work());
    with_surroundings(&world, &args).expect_success();
    assert_eq!(read_tree(world.work()), before);
    let report = Reduction::read(&world.beside("out")).report().to_owned();
    assert!(report.contains("left: \"1\"; right: \"2\""), "{report}");
}

#[test]
fn the_one_test_that_fails_for_the_user_is_meant_and_sees_no_more_than_others() {
    let world = World::with("other-in-sandbox");
    let args = ["--test", "several", "--and", "the shop is Err.NotPresent"];
    with_surroundings(&world, &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let signature = reduction.summary()["signature"].to_string();
    assert!(signature.contains("left: 6"), "{signature}");
}

#[test]
fn of_several_tests_those_count_that_fail_for_the_user() {
    let texts = [
        "2 of them fail",
        "| fails_either_way\n",
        "| fails_with_it\n",
    ];
    let world = World::with("other-in-sandbox");
    with_surroundings(&world, &["--test", "variable"]).expect_failure(2, &texts);
}

/// Passes put `loop {}` in place of bodies: a test that calls one would run until its deadline.
#[test]
fn a_candidate_that_gets_to_an_emptied_body_ends_at_once() {
    let (_world, reduction) = check(&Case {
        args: &["--lib"],
        at_most: 24,
        ..CASE
    });
    let stages = reduction.summary()["stages"].to_string();
    assert!(stages.contains("\"end\""), "{stages}");
    assert!(!stages.contains("\"deadline\""), "{stages}");
}

#[test]
fn workers_make_no_difference() {
    let results = ["1", "3"].map(|jobs| {
        let world = World::with("failing-tests");
        let mut command = world.program(&["--no-daemon", "--no-cache", "--lib", "--jobs", jobs]);
        command.arg("--output").arg(world.beside("out"));
        Running::start(command).finish().expect_success();
        let reduction = Reduction::read(&world.beside("out"));
        (reduction.code().to_owned(), reduction.number("steps"))
    });
    assert_eq!(results[0], results[1]);
}
