//! Tests that a reduction that is killed goes on as if nothing had happened.

use crate::support::{Reduction, Running, World, signal, wait_until};
use std::path::Path;
use std::process::Command;

/// The number of times that the reduction is killed, each time at another point.
const POINTS: u64 = 50;
/// The distance of numbers that follow one another, by which they are spread evenly.
const STRIDE: u64 = 7919;

/// Makes the command of a reduction of some 400 queries in its own process.
fn command(world: &World, log: &Path) -> Command {
    let mut command = world.program(&["--ice", "--no-daemon", "--jobs", "2", "--force", "--log"]);
    command.arg(log).arg("--output").arg(world.beside("out"));
    command
}

/// The number of candidates that the compiler has decided, as far as the log says.
fn decided(log: &Path) -> u64 {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines()
        .filter(|line| line.contains("(compiled"))
        .count() as u64
}

#[test]
fn a_reduction_that_is_killed_at_any_point_ends_with_the_same_result() {
    let undisturbed = World::with("several-modules");
    let log = undisturbed.beside("log");
    Running::start(command(&undisturbed, &log))
        .finish()
        .expect_success();
    let expected = Reduction::read(&undisturbed.beside("out"));
    let (queries, n_decided) = (expected.number("queries"), decided(&log));
    assert!(
        queries >= 300,
        "{queries} queries are too few to be killed in"
    );
    for number in 0..POINTS {
        let at = 1 + number * STRIDE % (n_decided - 1);
        let world = World::with("several-modules");
        let log = world.beside("log");
        let program = Running::start(command(&world, &log));
        wait_until("enough was decided", || (decided(&log) >= at).then_some(()));
        signal(program.pid(), "KILL");
        drop(program.finish());
        Running::start(command(&world, &world.beside("log-after")))
            .finish()
            .expect_success();
        let reduction = Reduction::read(&world.beside("out"));
        assert_eq!(
            reduction.code(),
            expected.code(),
            "killed after {at} of {n_decided}"
        );
    }
}
