//! The number of workers, and how long each answer takes, change nothing but the time: at any width.

use super::oracle::ClosureOracle;
use super::{CRASHING, Found, PROGRAM, Setting, has_all, needing};
use crate::request::SearchOptions;
use crate::store::MemoryStore;
use reduce_oracle::{CrashKind, Signature, Verdict};

/// Verdicts of all kinds: some that crash otherwise, some that take too long.
fn varied() -> ClosureOracle {
    ClosureOracle::new(|candidate| {
        if has_all(&candidate.tree, &CRASHING) {
            return Verdict::Interesting;
        }
        match candidate.tree.digest()[0] % 4 {
            0 => Verdict::OtherCrash(Box::new(Signature::of_kind(
                CrashKind::Bug,
                format!("number {}", candidate.tree.digest()[1] % 3),
            ))),
            1 => Verdict::TimedOut,
            2 => Verdict::Rejected,
            _ => Verdict::Compiles,
        }
    })
}

/// Widths that a user may choose; 1 is what there is without a choice.
const WIDTHS: [&str; 3] = ["1", "5", "32"];

fn of_width(width: &str) -> SearchOptions {
    SearchOptions {
        width: width.parse().unwrap(),
        ..SearchOptions::default()
    }
}

fn run(oracle: &ClosureOracle, jobs: usize, width: &str) -> Found {
    let setting = Setting::new(&[("lib.rs", PROGRAM)], oracle);
    let setting = setting.with_search(of_width(width));
    setting.with_jobs(jobs).run().unwrap()
}

#[test]
fn any_number_of_workers_finds_the_same_with_the_same_queries() {
    for width in WIDTHS {
        let alone = run(&needing(&CRASHING), 1, width);
        for jobs in [2, 4, 9] {
            let quickly = run(&needing(&CRASHING), jobs, width);
            assert_eq!(quickly, alone, "{jobs} workers, width {width}");
            let slowly = run(&needing(&CRASHING).slow(), jobs, width);
            assert_eq!(slowly, alone, "{jobs} slow workers, width {width}");
        }
    }
}

#[test]
fn waves_leave_as_little_as_a_search_that_speculates() {
    let [one, rest @ ..] = WIDTHS;
    let alone = run(&needing(&CRASHING), 1, one);
    for width in rest {
        let wide = run(&needing(&CRASHING), 8, width);
        let words = |found: &Found| {
            let files = found.files.iter();
            let words = files.flat_map(|(_, text)| text.split_whitespace().map(str::to_owned));
            words.collect::<Vec<_>>()
        };
        assert_eq!(words(&wide), words(&alone), "width {width}");
        // Most edits of so small a program are void once another is made.
        assert!(
            wide.queries < 3 * alone.queries,
            "width {width}: {} and {}",
            wide.queries,
            alone.queries
        );
    }
}

#[test]
fn other_crashes_and_deadlines_are_the_same_for_any_number_of_workers() {
    for width in WIDTHS {
        let alone = run(&varied(), 1, width);
        assert!(alone.slippage > 0);
        for jobs in [2, 4] {
            let slowly = run(&varied().slow(), jobs, width);
            assert_eq!(slowly, alone, "{jobs} slow workers, width {width}");
        }
    }
}

#[test]
fn one_worker_asks_nothing_that_the_search_does_not_use() {
    for width in WIDTHS {
        let oracle = needing(&CRASHING).slow();
        let found = run(&oracle, 1, width);
        assert_eq!(oracle.asked(), found.queries, "width {width}");
    }
}

#[test]
fn waves_ask_little_ahead_of_time() {
    // Nothing but halves of what is combined.
    let oracle = needing(&CRASHING).slow();
    let found = run(&oracle, 9, "5");
    assert!((found.queries..found.queries * 5 / 4).contains(&oracle.asked()));
}

#[test]
fn a_second_run_with_the_same_store_asks_nothing() {
    for (jobs, width) in [(1, "1"), (4, "1"), (1, "5"), (4, "5")] {
        let store = MemoryStore::default();
        let files = [("lib.rs", PROGRAM)];
        let run = |oracle: &ClosureOracle| {
            let setting = Setting::new(&files, oracle).with_jobs(jobs);
            let setting = setting.with_search(of_width(width));
            setting.with_store(&store).run().unwrap()
        };
        let first = run(&needing(&CRASHING).slow());
        let oracle = needing(&CRASHING);
        let second = run(&oracle);
        assert_eq!(
            (second.queries, oracle.asked()),
            (0, 0),
            "{jobs} workers, width {width}"
        );
        assert_eq!(second.cache_hits, first.queries + first.cache_hits);
        assert_eq!((second.files, second.steps), (first.files, first.steps));
    }
}
