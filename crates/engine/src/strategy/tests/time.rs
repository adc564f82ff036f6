//! Tests with candidates that take their time: how much time they get, and what becomes of those that
//! run out of it. The oracle counts CPU time of its own, so that nothing here depends on how fast the
//! machine is.

use super::crates::{EXTERNS, PROGRAM as LINKED, holds, oracle};
use super::*;
use std::time::Duration;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Makes an oracle for a program that links crates, where a crate that is a module takes so much
/// time to compile.
fn merged_in(time: Duration) -> ClosureOracle {
    oracle(holds).taking(
        move |candidate| match has_all(&candidate.tree, &["fn used"]) {
            true => time,
            false => Duration::from_millis(10),
        },
    )
}

fn reduced(oracle: &ClosureOracle, jobs: usize) -> Found {
    let setting = Setting::new(&LINKED, oracle).linked_with(&EXTERNS);
    setting.with_jobs(jobs).run().unwrap()
}

#[test]
fn a_crate_that_takes_longer_than_the_small_program_is_merged() {
    for time in [seconds(2), seconds(7)] {
        let found = reduced(&merged_in(time), 1);
        assert!(found.linkage.named().is_empty(), "{found:?}");
        assert_eq!(found.out_of_time, 0);
    }
}

#[test]
fn a_crate_that_could_not_be_merged_in_time_is_counted() {
    let found = reduced(&merged_in(seconds(1000)), 1);
    assert!(!found.linkage.named().is_empty());
    assert!(found.out_of_time > 0, "{found:?}");
}

/// Makes an oracle for functions, of which one crashes; without the second, the program takes so
/// much time.
fn without_second(time: Duration) -> ClosureOracle {
    let oracle = ClosureOracle::new(|candidate| match has_all(&candidate.tree, &["fn crash"]) {
        true => Verdict::Interesting,
        false => Verdict::Compiles,
    });
    oracle.taking(
        move |candidate| match has_all(&candidate.tree, &["fn second"]) {
            true => Duration::from_millis(10),
            false => time,
        },
    )
}

fn run(oracle: &ClosureOracle, jobs: usize) -> Found {
    let program = "fn crash() {} fn first() {} fn second() {} fn third() {}";
    let files = [("lib.rs", program)];
    let setting = Setting::new(&files, oracle).with_jobs(jobs);
    setting.run().unwrap()
}

#[test]
fn what_ran_out_of_time_is_asked_again_before_the_end() {
    let found = run(&without_second(seconds(3)), 1);
    assert_eq!(found.root(), "fn crash ( ) { }");
    assert_eq!(
        (found.pass("ask_again").accepted, found.out_of_time),
        (1, 0)
    );
}

#[test]
fn what_is_never_done_in_time_stays_and_is_counted() {
    let found = run(&without_second(seconds(1000)), 1);
    assert_eq!(found.root(), "fn crash ( ) { } fn second ( ) { }");
    let asked_again = found.pass("ask_again");
    assert!(found.out_of_time > 0, "{found:?}");
    assert_eq!(asked_again.queries, found.out_of_time);
}

#[test]
fn a_search_in_which_nothing_is_late_asks_nothing_again() {
    let found = run(&without_second(Duration::ZERO), 1);
    assert!(found.passes.iter().all(|pass| pass.pass != "ask_again"));
    assert_eq!(found.out_of_time, 0);
}

#[test]
fn times_change_nothing_for_any_number_of_workers() {
    for time in [3, 1000] {
        let alone = run(&without_second(seconds(time)), 1);
        let merged = reduced(&merged_in(seconds(time)), 1);
        for jobs in [2, 4] {
            let oracle = without_second(seconds(time)).slow();
            assert_eq!(run(&oracle, jobs), alone, "{jobs} workers");
            let oracle = merged_in(seconds(time)).slow();
            assert_eq!(reduced(&oracle, jobs), merged, "{jobs} workers");
        }
    }
}
