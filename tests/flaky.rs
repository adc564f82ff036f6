//! Tests of failures that do not show in each run, with the real program.
//!
//! These tests may not fail by chance themselves. The fixture fails in half of the runs. That none of
//! 30 runs fails has a chance of 2^-30, so of 500 candidates that fail as often as the input none is
//! missed, but for a chance below 10^-6. Where fewer runs are made, nothing is asserted that one of them
//! decides.

use crate::support::{Finished, Reduction, Running, World, exit_code};
use serde_json::Value;
use std::process::Command;

/// Reduces the test that fails, into `out`.
fn reduce(world: &World, args: &[&str]) -> (Finished, Reduction) {
    let output = world.beside("out");
    let mut command = world.program(&["--test", "pier", "--no-daemon", "--jobs", "2", "--output"]);
    command.arg(&output).args(args);
    let finished = Running::start(command).finish().expect_success();
    (finished, Reduction::read(&output))
}

fn share(flaky: &Value, name: &str) -> f64 {
    flaky[name].as_f64().expect("it is a number")
}

#[test]
fn a_test_that_fails_now_and_then_is_reduced() {
    let world = World::with("now-and-then");
    let (finished, reduction) = reduce(&world, &["--repeat", "30"]);
    let code = reduction.code();
    for gone in ["all_have_room", "everybody_is_called", "Cyclist"] {
        assert!(
            !code.contains(gone),
            "`{gone}` has nothing to do with it\n{code}"
        );
    }
    let flaky = &reduction.summary()["flaky"];
    assert_eq!(flaky["repeat"], 30);
    assert!(share(flaky, "missed") < 0.05, "{flaky}");
    assert!(share(&flaky["result"], "runs") >= 90.0, "{flaky}");
    assert!(share(&flaky["result"], "failed") >= 1.0, "{flaky}");
    assert!(
        finished.stderr().contains("the result fails in"),
        "{finished}"
    );
}

#[test]
fn how_often_candidates_are_run_follows_from_how_often_the_input_fails() {
    let world = World::with("now-and-then");
    let (finished, reduction) = reduce(&world, &["--repeat", "auto"]);
    let flaky = &reduction.summary()["flaky"];
    let input = &flaky["input"];
    assert!(share(input, "failed") >= 1.0, "{flaky}");
    assert!(
        share(input, "runs") >= 20.0 && share(input, "runs") <= 60.0,
        "{flaky}"
    );
    assert!(share(flaky, "missed") <= 0.05, "{flaky}");
    let said = finished.stderr();
    assert!(said.contains("each candidate is run"), "{finished}");
    assert!(
        said.contains("one that fails as often is missed in"),
        "{finished}"
    );
}

#[test]
fn more_failures_than_runs_are_refused() {
    let world = World::with("now-and-then");
    let args = ["--test", "pier", "--repeat", "3", "--at-least", "4"];
    let finished = Running::start(world.program(&args)).finish();
    let expected = ["4 failures cannot be in `--repeat 3` runs", "--repeat auto"];
    finished.expect_failure(exit_code::BAD_INPUT, &expected);
}

/// The script crashes on every second run, so that nothing of this test is left to chance.
#[test]
fn a_compiler_that_crashes_on_every_second_run_is_asked_as_often_as_that_needs() {
    let world = World::with("every-second-run");
    let output = world.beside("out");
    let mut command = world.program(&["--ice", "--no-daemon", "--jobs", "1", "--repeat", "auto"]);
    // The script notes its runs in a place of its own.
    command
        .args(["--sandbox", "off", "--rustc"])
        .arg(world.work().join("flaky-rustc.sh"));
    command.arg("--output").arg(&output);
    set_flaky(&mut command, &world);
    let finished = Running::start(command).finish().expect_success();
    let said = finished.stderr();
    assert!(said.contains("fails in 20 of "), "{finished}");
    let reduction = Reduction::read(&output);
    let flaky = &reduction.summary()["flaky"];
    assert_eq!(
        (&flaky["repeat"], &flaky["at_least"]),
        (&5.into(), &1.into())
    );
    assert!(
        reduction.number("tokens_after") <= 40,
        "{}",
        reduction.code()
    );
    let report = std::fs::read_to_string(output.join("report.md")).expect("there is a report");
    assert!(report.contains("It does not show each time"), "{report}");
    // The reproducing command crashes in one of two runs.
    let runs = [(); 2].map(|()| reduction.reproduce_with(&world, |one| set_flaky(one, &world)));
    let crash = runs.into_iter().find(Finished::is_crash);
    let crash = crash.expect("one of two runs crashes");
    let said = "aborting due to `-Z treat-err-as-bug=1`";
    assert!(crash.stderr().contains(said), "{crash}");
}

/// Sets the variables that the flaky script reads.
fn set_flaky(command: &mut Command, world: &World) {
    command.env("RUSTC_REAL", world.real_compiler());
    command.env("RUSTC_FLAKY_MARK", world.beside("mark"));
}
