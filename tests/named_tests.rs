//! Tests of the ways to name a test: as people and tools write names, and without a name.

use crate::support::failing_test::{reproduce, run};
use crate::support::terminal::Terminal;
use crate::support::{FEW_PASSES, Reduction, World, exit_code};

const FIXTURE: &str = "named-tests";
/// The tests of the fixture that fail, in the order in which cargo runs them.
const FAILING: [&str; 2] = [
    "cargo reduce --test calendar a_late_day",
    "cargo reduce --test calendar spring::the_last_day",
];

/// Reduces a test by its name, and sees the command of the result fail.
#[track_caller]
fn reduced(args: &[&str]) -> Reduction {
    let world = World::with(FIXTURE);
    run(&world, &[&["--passes", FEW_PASSES], args].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    reproduce(&world, &reduction, 101);
    reduction
}

#[test]
fn a_test_is_found_by_its_target_and_its_name_as_nextest_prints_them() {
    let reduction = reduced(&["FAIL [   0.005s] (1/3) tide-table::calendar a_late_day"]);
    let code = reduction.code();
    assert!(code.contains("high_water(days[1]), 1050"), "{code}");
}

#[test]
fn a_test_is_found_by_a_line_of_it() {
    let reduction = reduced(&["tests/calendar.rs:19"]);
    let code = reduction.code();
    assert!(code.contains("fn the_last_day"), "{code}");
}

#[test]
fn an_ignored_test_is_reduced_by_its_name() {
    let reduction = reduced(&["--test", "slow", "--", "a_late_day", "--exact"]);
    let command = reduction.summary()["reproduce"].as_str();
    let command = command.expect("it is a text");
    assert!(command.ends_with("--exact --include-ignored"), "{command}");
}

#[test]
fn a_name_that_no_test_has_is_told_with_the_tests_that_fail() {
    let world = World::with(FIXTURE);
    let words = "failed to find the test `a_moonless_night`: no test has this name; these fail";
    let texts = [words, FAILING[0], FAILING[1]];
    run(&world, &["a_moonless_night"]).expect_failure(exit_code::BAD_INPUT, &texts);
}

#[test]
fn a_name_that_several_tests_have_is_told_with_the_command_for_each() {
    let world = World::with(FIXTURE);
    let texts = ["2 of them fail", FAILING[0], FAILING[1]];
    run(&world, &["_day"]).expect_failure(exit_code::BAD_INPUT, &texts);
}

#[test]
fn without_a_goal_what_fails_is_listed_and_the_last_of_it_is_taken() {
    let world = World::with(FIXTURE);
    let texts = ["2 tests fail", FAILING[0], FAILING[1], "`--last`"];
    run(&world, &[]).expect_failure(exit_code::BAD_INPUT, &texts);
    run(&world, &["--last", "--passes", FEW_PASSES]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("fn the_last_day"), "{code}");
}

#[test]
fn without_a_goal_an_error_of_the_compiler_is_told_with_the_command_that_reduces_it() {
    let world = World::with("ordinary-error");
    let command = "`cargo reduce --error E0308 --lib`";
    run(&world, &[]).expect_failure(exit_code::NO_CRASH, &["`cargo check`", command]);
}

#[test]
fn an_error_in_place_of_a_crash_is_told_with_the_flag_that_keeps_it() {
    let world = World::with("ordinary-error");
    run(&world, &["--ice"]).expect_failure(exit_code::NO_CRASH, &["`--error E0308`"]);
}

#[test]
fn who_sits_at_a_terminal_is_asked_which_test_is_meant() {
    let world = World::with(FIXTURE);
    let mut command = world.program(&["--no-daemon", "--no-cache", "--passes", FEW_PASSES]);
    command.arg("--output").arg(world.beside("out"));
    let terminal = Terminal::start(&command, (120, 40));
    terminal.wait_for_output("from 1 to 2");
    terminal.press("2\r");
    assert!(terminal.finish().success());
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("fn the_last_day"), "{code}");
}
