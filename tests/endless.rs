//! Tests of programs that do not end by themselves: they are stopped, the user is told what to do,
//! and they can be reduced.

use crate::support::{Finished, Reduction, Running, World, exit_code};

fn command(world: &World, args: &[&str]) -> std::process::Command {
    let mut command = world.program(&["--jobs", "2", "--output"]);
    command.arg(world.beside("out")).args(args);
    command
}

fn run(world: &World, args: &[&str]) -> Finished {
    let mut command = command(world, args);
    command.args(["--no-daemon", "--no-cache"]);
    Running::start(command).finish()
}

/// Looks for a failure with a bound of 2 s, and finds that there is no end.
#[track_caller]
fn check_endless(args: &[&str], hint: &str) {
    let world = World::with("endless-tests");
    let args = [&["--baseline-timeout", "2"], args].concat();
    let shown = run(&world, &args).expect_code(exit_code::NO_CRASH);
    let printed = shown.everything();
    assert!(printed.contains("had not ended after 2 s"), "{shown}");
    assert!(printed.contains(hint), "no `{hint}` in\n{shown}");
}

#[test]
fn a_test_that_waits_for_ever_is_stopped() {
    check_endless(
        &["--test", "boarding"],
        "cargo reduce --run --hang 10 --test boarding waits_for_the_last_seat",
    );
    check_endless(
        &["--test", "boarding", "waits"],
        "cargo reduce --run --hang 10 --test boarding waits_for_the_last_seat",
    );
}

#[test]
fn a_program_that_sleeps_or_stops_itself_is_stopped() {
    let harbour = ["--bin", "harbour"];
    check_endless(
        &[&["--run"], harbour.as_slice()].concat(),
        "cargo reduce --run --hang 10 --bin harbour",
    );
    check_endless(
        &[&["--run=stop"], harbour.as_slice()].concat(),
        "cargo reduce --run=stop --hang 10 --bin harbour",
    );
}

#[test]
fn the_next_job_goes_on_after_one_that_did_not_end() {
    let world = World::with("endless-tests");
    let endless = ["--baseline-timeout", "2", "--test", "boarding"];
    let mut first = command(&world, &endless);
    first.args(["--message-format", "json"]);
    let mut first = Running::start(first);
    first.wait_for("preparing");
    let mut second = world.program(&["--jobs", "2", "--run=stop", "--hang", "1"]);
    second.args(["--bin", "harbour", "--output"]);
    second.arg(world.beside("second"));
    let second = Running::start(second);
    first.finish().expect_code(exit_code::NO_CRASH);
    second.finish().expect_success();
    assert!(Reduction::read(&world.beside("second")).number("tokens_after") > 0);
}

#[test]
fn a_test_that_waits_for_ever_is_reduced() {
    let world = World::with("endless-tests");
    let args = ["--run", "--hang", "1", "--test", "boarding"];
    run(&world, &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    let tokens = reduction.number("tokens_after");
    assert!(tokens <= 40, "{tokens} tokens\n{code}");
    assert!(!code.contains("a_full_ferry_leaves"), "{code}");
    assert!(!code.contains("ferry::"), "{code}");
}
