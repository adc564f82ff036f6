//! Tests of the checks of the best so far while it is reduced, and of the way back where it does not fail any more.

use super::super::run_to_fixpoint;
use super::oracle::ClosureOracle;
use super::{Setting, has_all, methods};
use reduce_oracle::{Cancel, Verdict};
use std::collections::BTreeMap;
use std::sync::Mutex;

const FILES: [(&str, &str); 1] = [(
    "lib.rs",
    "fn a() { b() } fn b() { crash(1, 2) } struct S { x: u8, y: u8 } impl S { fn c(&self) {} }
     fn d(s: S) -> u8 { s.x + s.y } fn crash(a: u8, b: u8) {} fn main() { a(); let z = 1; }",
)];

/// Crashes with each program when it is asked about it for the first time, and after that as long as
/// `lasts` says of its tokens.
fn oracle(lasts: fn(u64) -> bool) -> ClosureOracle {
    let asked: Mutex<BTreeMap<[u8; 32], u32>> = Mutex::default();
    ClosureOracle::new(move |candidate| {
        let mut asked = asked.lock().expect("no test panics with it");
        let times = asked.entry(candidate.tree.digest()).or_default();
        *times += 1;
        let lasts = *times == 1 || lasts(candidate.tree.count_tokens());
        match lasts && has_all(&candidate.tree, &["crash ("]) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    })
}

/// Returns the tokens of the results that are possible, whether the best so far was lost, and the
/// number of looks at it.
fn results(lasts: fn(u64) -> bool) -> (Vec<u64>, bool, u64) {
    let oracle = oracle(lasts);
    let mut results = (vec![], false, 0);
    let run = Setting::new(&FILES, &oracle).run_with(|session| {
        session.expect_stable(Cancel::new().expect("a pipe can be made"));
        run_to_fixpoint(session, &methods())?;
        let tokens = session.best.results().into_iter();
        let tokens = tokens.map(|state| state.tree.count_tokens());
        results = (
            tokens.collect(),
            session.best.is_lost(),
            session.ledger.final_checks(),
        );
        Ok(())
    });
    run.expect("a closure does not fail");
    results
}

#[test]
fn a_crash_that_stays_is_looked_at_seldom_and_not_lost() {
    let (tokens, is_lost, final_checks) = results(|_| true);
    assert!(!is_lost);
    assert!((1..8).contains(&final_checks), "{final_checks}");
    assert!(tokens.first() < tokens.last(), "{tokens:?}");
}

#[test]
fn a_search_ends_where_the_best_so_far_does_not_fail_again() {
    let (of_all, ..) = results(|_| true);
    let (tokens, is_lost, _) = results(|tokens| tokens > 60);
    assert!(is_lost);
    // A program that was seen not to fail is no result, and nothing was built on it.
    assert!(tokens.first() > of_all.first(), "{tokens:?}, {of_all:?}");
    assert_eq!(tokens.last(), of_all.last());
}
