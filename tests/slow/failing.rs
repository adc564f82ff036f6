//! Tests of more failing tests; `tests/failing.rs` has one of each kind.

use crate::support::failing_test::{CASE, Case, check};
use crate::support::{Reduction, Running, World};

#[test]
fn a_test_that_returns_an_error_does_so_in_the_end() {
    check(&Case {
        args: &["--test", "others", "returns_an_error", "--as-main"],
        at_most: 56,
        has: "fn main()",
        code: 1,
        prints: &["Error: ParseIntError { kind: InvalidDigit }"],
        ..CASE
    });
}

#[test]
fn a_status_stays_what_it_is() {
    check(&Case {
        args: &["--test", "others", "leaves_with"],
        at_most: 43,
        code: 7,
        ..CASE
    });
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

#[test]
fn a_harness_of_the_users_own_is_run_as_it_is() {
    check(&Case {
        args: &["--test", "own_harness", "counts"],
        at_most: 55,
        has: "fn main()",
        prints: &["assertion `left == right` failed", "left: 2", "right: 1"],
        ..CASE
    });
}

#[test]
fn as_main_makes_a_program_of_an_integration_test_with_the_same_values() {
    check(&Case {
        args: &["--test", "transfers", "--as-main"],
        at_most: 160,
        has: "fn main()",
        prints: &["assertion `left == right` failed", "left: 33", "right: 30"],
        ..CASE
    });
}
