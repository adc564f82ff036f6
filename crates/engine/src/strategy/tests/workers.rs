//! The number of workers, and how long each answer takes, change nothing but the time.

use super::oracle::ClosureOracle;
use super::{CRASHING, Found, PROGRAM, Setting, has_all, needing};
use crate::store::MemoryStore;
use reduce_oracle::{CrashKind, Signature, Verdict};

/// Verdicts of all kinds: some that crash otherwise, some that take too long.
fn varied() -> ClosureOracle {
    ClosureOracle::new(|candidate| {
        if has_all(&candidate.tree, &CRASHING) {
            return Verdict::Interesting;
        }
        match candidate.tree.digest()[0] % 4 {
            0 => Verdict::OtherCrash(Box::new(Signature {
                kind: CrashKind::Bug,
                file: None,
                position: None,
                message: format!("number {}", candidate.tree.digest()[1] % 3),
                query: None,
                signal: None,
                cycle: Vec::new(),
            })),
            1 => Verdict::TimedOut,
            2 => Verdict::Rejected,
            _ => Verdict::Compiles,
        }
    })
}

fn run(oracle: &ClosureOracle, jobs: usize) -> Found {
    let setting = Setting::new(&[("lib.rs", PROGRAM)], oracle);
    setting.with_jobs(jobs).run().unwrap()
}

#[test]
fn any_number_of_workers_finds_the_same_with_the_same_queries() {
    let alone = run(&needing(&CRASHING), 1);
    for jobs in [2, 4, 9] {
        assert_eq!(run(&needing(&CRASHING), jobs), alone, "{jobs} workers");
        let slowly = run(&needing(&CRASHING).slow(), jobs);
        assert_eq!(slowly, alone, "{jobs} slow workers");
    }
}

#[test]
fn other_crashes_and_deadlines_are_the_same_for_any_number_of_workers() {
    let alone = run(&varied(), 1);
    assert!(alone.slippage > 0);
    for jobs in [2, 4] {
        assert_eq!(run(&varied().slow(), jobs), alone, "{jobs} slow workers");
    }
}

#[test]
fn one_worker_asks_nothing_that_the_search_does_not_use() {
    let oracle = needing(&CRASHING).slow();
    let found = run(&oracle, 1);
    assert_eq!(oracle.asked(), found.queries);
}

#[test]
fn a_second_run_with_the_same_store_asks_nothing() {
    for jobs in [1, 4] {
        let store = MemoryStore::default();
        let files = [("lib.rs", PROGRAM)];
        let run = |oracle: &ClosureOracle| {
            let setting = Setting::new(&files, oracle).with_jobs(jobs);
            setting.with_store(&store).run().unwrap()
        };
        let first = run(&needing(&CRASHING).slow());
        let oracle = needing(&CRASHING);
        let second = run(&oracle);
        assert_eq!((second.queries, oracle.asked()), (0, 0), "{jobs} workers");
        assert_eq!(second.cache_hits, first.queries + first.cache_hits);
        assert_eq!((second.files, second.steps), (first.files, first.steps));
    }
}
