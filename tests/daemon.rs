//! Tests of the process in the background: it starts and stops as it should, and nothing is lost
//! when it, or its client, is killed.

use crate::support::{Reduction, Running, World, exit_code, reproduces_with, signal, wait_until};
use serde_json::Value;

/// The place of the crash of `ice-library`, the fixture of these tests.
const CRASH: [&str; 1] = ["rustc_trait_selection/src/traits/select/mod.rs:2495:17"];

/// The most tokens of a result of `ice-library`.
const AT_MOST: u64 = 60;

fn world() -> World {
    World::with("ice-library")
}

#[track_caller]
fn check_result(world: &World) {
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.summary()["ended"], "fixpoint");
    assert!(
        reduction.number("tokens_after") <= AT_MOST,
        "{}",
        reduction.code()
    );
    reproduces_with(&reduction, world, &CRASH);
}

/// Checks the best so far: smaller than the input, and still crashing.
#[track_caller]
fn check_best_so_far(world: &World) {
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.summary()["ended"], "cancelled");
    assert!(reduction.report().contains("stopped before its end"));
    assert!(reduction.number("tokens_after") < reduction.number("tokens_before"));
    let code = reduction.code();
    assert!(!code.contains("//") && !code.contains("\n\n\n"), "{code}");
    reproduces_with(&reduction, world, &CRASH);
}

#[track_caller]
fn daemon_pid(world: &World) -> u32 {
    world.daemon_pid().expect("a daemon runs")
}

#[test]
fn the_daemon_starts_on_demand_serves_again_and_stops_when_told() {
    let world = World::with("no-crash");
    assert_eq!(world.daemon_pid(), None);
    world.reduce(&[]).expect_code(exit_code::NO_CRASH);
    let pid = daemon_pid(&world);
    world.reduce(&[]).expect_code(exit_code::NO_CRASH);
    assert_eq!(daemon_pid(&world), pid, "another daemon was started");
    world.daemon(&["stop"]).expect_success();
    wait_until("the daemon is gone", || {
        world.daemon_pid().is_none().then_some(())
    });
    assert!(world.state().join("log").is_file(), "there is no log");
}

#[test]
fn stopping_what_does_not_run_is_no_failure() {
    let world = World::empty();
    world.daemon(&["stop"]).expect_success();
    assert_eq!(world.daemon_pid(), None, "a daemon was started");
}

#[test]
fn status_names_the_job_under_way() {
    let world = world();
    let mut client = world.start_to("out", &[]);
    client.wait_for("step-accepted");
    let status = world.daemon(&["status"]).expect_success();
    let output = world.beside("out");
    assert!(
        status.stdout().contains(output.to_str().unwrap()),
        "{status}"
    );
    client.finish().expect_success();
}

#[test]
fn after_kill_9_of_the_daemon_the_same_command_goes_on_where_it_was() {
    let world = world();
    let mut client = world.start_to("out", &[]);
    client.wait_for("step-accepted");
    let before = client.wait_for("step-accepted");
    signal(daemon_pid(&world), "KILL");
    let left = client.finish();
    assert!(left.stderr().contains("hint: "), "no hint\n{left}");
    left.expect_code(exit_code::DAEMON);

    let again = world.start_to("out", &[]).finish().expect_success();
    let resumed = again.events_named("resumed");
    assert_eq!(resumed.len(), 1, "it began anew\n{again}");
    check_resumed(&resumed[0], &before);
    check_result(&world);
}

/// Checks that at least the step that the first client was told of is there.
#[track_caller]
fn check_resumed(resumed: &Value, told: &Value) {
    let number = |event: &Value, field: &str| event[field].as_u64().expect("it is a number");
    assert!(
        number(resumed, "steps") >= number(told, "step"),
        "{resumed}\n{told}"
    );
    assert!(
        number(resumed, "tokens") <= number(told, "tokens_after"),
        "{resumed}\n{told}"
    );
}

#[test]
fn after_kill_9_the_best_so_far_is_a_tree_that_crashes() {
    let world = world();
    let mut client = world.start_to("out", &[]);
    client.wait_for("step-accepted");
    signal(daemon_pid(&world), "KILL");
    client.finish().expect_code(exit_code::DAEMON);
    let best = world.beside("out/reduced.rs");
    let mut compiler = world.command("rustc");
    compiler.args([
        "--edition",
        "2024",
        "--crate-type",
        "lib",
        "--emit",
        "metadata",
    ]);
    compiler
        .arg(&best)
        .arg("--out-dir")
        .arg(world.beside("tmp"));
    let compiled = Running::start(compiler).finish();
    assert!(
        compiled.is_crash() && compiled.stderr().contains(CRASH[0]),
        "{compiled}"
    );
}

#[test]
fn a_client_that_is_killed_does_not_stop_the_job() {
    let world = world();
    let mut client = world.start_to("out", &[]);
    client.wait_for("step-accepted");
    signal(client.pid(), "KILL");
    client.finish();
    let summary = world.beside("out/reduction.json");
    wait_until("the job is done", || summary.is_file().then_some(()));
    check_result(&world);
}

#[test]
fn two_clients_with_the_same_command_share_one_job() {
    let world = world();
    let mut first = world.start_to("out", &[]);
    first.wait_for("baseline-found");
    let second = world.start_to("out", &[]).finish().expect_success();
    let first = first.finish().expect_success();
    let finished = first.events_named("finished");
    assert_eq!(finished.len(), 1, "{first}");
    assert_eq!(second.events_named("finished"), finished);
    assert_eq!(
        second.events_named("step-accepted"),
        first.events_named("step-accepted")
    );
    check_result(&world);
}

#[test]
fn an_interrupt_of_the_client_writes_the_best_so_far() {
    let world = world();
    let mut client = world.start_to("out", &[]);
    client.wait_for("step-accepted");
    signal(client.pid(), "INT");
    client.finish().expect_code(exit_code::STOPPED);
    check_best_so_far(&world);
}

#[test]
fn an_interrupt_without_the_daemon_writes_the_best_so_far() {
    let world = world();
    let mut program = world.start_to("out", &["--no-daemon"]);
    program.wait_for("step-accepted");
    signal(program.pid(), "INT");
    program.finish().expect_code(exit_code::STOPPED);
    check_best_so_far(&world);
}

#[test]
fn two_signals_at_once_ask_for_the_best_so_far_once() {
    let world = world();
    let mut program = world.start_to("out", &["--no-daemon"]);
    program.wait_for("step-accepted");
    // The signals are of two sorts, as two of one sort may arrive as one.
    signal(program.pid(), "TERM");
    signal(program.pid(), "HUP");
    program.finish().expect_code(exit_code::STOPPED);
    check_best_so_far(&world);
}

#[test]
fn a_busy_daemon_stops_only_when_forced_and_then_writes_the_best_so_far() {
    let world = world();
    let mut client = world.start_to("out", &[]);
    client.wait_for("step-accepted");
    let pid = daemon_pid(&world);
    let refused = world.daemon(&["stop"]);
    assert!(
        refused.everything().contains("--force"),
        "no hint\n{refused}"
    );
    assert_eq!(daemon_pid(&world), pid, "it has stopped");
    world.daemon(&["stop", "--force"]).expect_success();
    client.finish().expect_code(exit_code::STOPPED);
    wait_until("the daemon is gone", || {
        world.daemon_pid().is_none().then_some(())
    });
    check_best_so_far(&world);
}
