//! Failing tests: from the command to one file that fails with the same message and the same values.

mod support;

use support::{Finished, Reduction, Running, World, read_tree};

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
        noun: "- Crash: stack overflow",
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
