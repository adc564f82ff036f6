//! Tests of queries that a launcher starts, on a machine of its own for all that they can see: the result is that of
//! queries which are started here.

use crate::support::launched::{apart, check, processes_with, script, wait_until_gone};
use crate::support::{
    FEW_PASSES, Reduction, Running, World, asked, exit_code, names_in, signal, wait_until,
};
use std::fs;

#[test]
fn a_crash_is_reduced_to_the_same_by_a_launcher() {
    check("ice-library", &["--ice", "--passes", FEW_PASSES], apart);
}

#[test]
fn a_launcher_that_starts_nothing_is_told_of_once_and_the_result_is_the_same() {
    let world = World::with("ice-library");
    let launcher = script(&world, "echo no machine is free >&2; exit 1");
    let args = ["--passes", FEW_PASSES, "--no-cache", "--no-daemon"];
    let here = world.reduce_to("here", &args);
    let scratch = world.beside("scratch");
    fs::create_dir(&scratch).expect("a directory can be made");
    let mut command = world.ice(&args);
    command
        .args(["--launcher", &launcher, "--scratch"])
        .arg(&scratch);
    command.arg("--output").arg(world.beside("out"));
    let finished = Running::start(command).finish().expect_success();
    let said = finished.stderr();
    assert_eq!(said.matches("asked on this machine").count(), 1, "{said}");
    assert!(said.contains("no machine is free"), "{said}");
    let launched = Reduction::read(&world.beside("out"));
    assert_eq!(here.code(), launched.code());
    let left = names_in(&scratch);
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(names_in(&scratch.join(&left[0])).is_empty());
}

/// Starts a reduction by the daemon, in which a query is under way on the launcher's machine that sleeps for so many
/// seconds.
fn in_an_endless_query(world: &World, launcher: &str, long: &str, more: &[&str]) -> Running {
    let flags = world.beside("flags");
    fs::create_dir(&flags).expect("a directory can be made");
    let flags = asked::path_str(&flags);
    fs::write(world.beside("flags/endless"), "").expect("a file can be written");
    // Runs of the input beside the search are not the launcher's, and have an end.
    let sleeps = format!(
        "test ! -e '{flags}/endless' || grep -q 'fn a' main.rs || {{ sleep {long}; sleep {long}; }}"
    );
    let text = format!("#!/bin/sh\n{sleeps}\ngrep -q fn main.rs\n");
    let script = asked::script(world, &text);
    fs::write(world.work().join("main.rs"), "fn a() {}\nfn main() {}\n").expect("it is ours");
    let out = world.beside("out");
    let mut command = world.program(&["--script", &script, "main.rs", "--jobs", "2"]);
    command.args(["--message-format", "json", "--launcher", launcher]);
    command.args(more).args(["--read", flags, "--output"]);
    command.arg(out);
    let mut running = Running::start(command);
    running.wait_for("baseline-found");
    wait_until("a query is under way", || {
        (!processes_with(long).is_empty()).then_some(())
    });
    // The last look at the result has an end.
    fs::remove_file(world.beside("flags/endless")).expect("it is there");
    running
}

#[test]
fn cancelling_ends_all_that_a_launcher_has_started() {
    let world = World::empty();
    let long = "86399.25";
    let running = in_an_endless_query(&world, &apart(&world), long, &["--timeout", "86000"]);
    signal(running.pid(), "INT");
    running.finish().expect_code(exit_code::STOPPED);
    wait_until_gone(long);
    wait_until_gone(asked::path_str(&world.state().join("scratch")));
}

#[test]
fn all_that_a_launcher_has_started_ends_with_a_daemon_that_is_killed() {
    let world = World::empty();
    // The processes of the launcher get none of our signals, as they have a session of their own.
    let launcher = script(&world, "exec setsid -w \"$@\"");
    let long = "86399.75";
    // Only the daemon's end may end the query, so that the deadline is far away.
    let more = ["--timeout", "86000"];
    let _client = in_an_endless_query(&world, &launcher, long, &more);
    signal(world.daemon_pid().expect("a daemon runs"), "KILL");
    wait_until_gone(long);
    wait_until_gone(asked::path_str(&world.state().join("scratch")));
}

#[test]
fn a_launcher_that_is_not_there_is_refused() {
    let world = World::with("ice-library");
    let refused = world.reduce(&["--launcher", "no-such-launcher -n1"]);
    refused.expect_failure(
        exit_code::BAD_INPUT,
        &["failed to find the launcher `no-such-launcher`"],
    );
    let refused = world.reduce(&["--launcher", "sh 'a"]);
    refused.expect_failure(exit_code::BAD_INPUT, &["is no command"]);
    let refused = world.reduce(&["--scratch", "no-such"]);
    refused.expect_failure(exit_code::BAD_INPUT, &["is no directory"]);
}
