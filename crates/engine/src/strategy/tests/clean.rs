//! Errors that the baseline has beside the crash.

use super::super::clean::{allowed_errors, clean_errors, forbid_errors};
use super::oracle::ClosureOracle;
use super::{Found, Setting, has_all, methods, methods_of};
use crate::session::Session;
use reduce_oracle::Verdict;

/// The errors of a test's programs: each is there where its word stands in the program.
const ERRORS: [(&str, &str); 2] = [("E0001", "first"), ("E0002", "second")];

/// Makes an oracle that finds interesting what has `crash` and no error that is not allowed.
fn compiler() -> ClosureOracle {
    let oracle = ClosureOracle::new(|candidate| {
        let has = |word: &str| has_all(&candidate.tree, &[word]);
        let is_forbidden = |(code, word): &(&str, &str)| {
            has(word) && candidate.compile_options.forbidden.contains(*code)
        };
        match has("crash") && !ERRORS.iter().any(is_forbidden) {
            true => Verdict::Interesting,
            false => Verdict::AddsError("E0001".to_owned()),
        }
    });
    oracle.allowing(&ERRORS.map(|(code, _)| code))
}

fn run(
    text: &str,
    oracle: &ClosureOracle,
    work: impl FnOnce(&mut Session<'_>) -> u64,
) -> (Found, u64) {
    let files = [("lib.rs", text)];
    let mut n_accepted = 0;
    let setting = Setting::new(&files, oracle);
    let found = setting.run_with(|session| {
        n_accepted = work(session);
        Ok(())
    });
    (found.unwrap(), n_accepted)
}

fn forbid(session: &mut Session<'_>) -> u64 {
    forbid_errors(session, &methods(), 1).unwrap()
}

#[test]
fn errors_that_are_gone_are_all_forbidden_with_one_query() {
    let (found, n_accepted) = run("fn crash() {}", &compiler(), forbid);
    assert_eq!(found.forbidden, ["E0001", "E0002"]);
    assert_eq!((found.steps, found.queries, n_accepted), (1, 1, 1));
    assert_eq!(found.files[0].1, "fn crash() {}");
}

#[test]
fn an_error_that_is_still_there_may_stay() {
    let (found, n_accepted) = run("fn crash() { second }", &compiler(), forbid);
    assert_eq!(found.forbidden, ["E0001"]);
    assert_eq!(n_accepted, 1);
}

#[test]
fn what_is_forbidden_does_not_come_back() {
    let (found, _) = run("fn crash() { second }", &compiler(), |session| {
        let first = forbid(session);
        assert_eq!(allowed_errors(session), ["E0002".to_owned()].into());
        first + forbid(session)
    });
    assert_eq!((found.forbidden.len(), found.steps), (1, 1));
}

#[test]
fn without_errors_there_is_nothing_to_ask() {
    let oracle = ClosureOracle::new(|_| Verdict::Interesting);
    let (found, n_accepted) = run("fn crash() {}", &oracle, forbid);
    assert_eq!((found.queries, n_accepted), (0, 0));
    assert!(found.passes.is_empty());
}

#[test]
fn an_error_is_removed_with_one_edit() {
    // A borrow in parentheses is no smaller than a call, and no other edit keeps the crash.
    let oracle = ClosureOracle::new(|candidate| {
        let is_strict = candidate.compile_options.forbidden.contains("E0001");
        let has = |words: &str| has_all(&candidate.tree, &[words]);
        match has("x.a().crash()") && !is_strict || has("(&mut x).crash()") {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let oracle = oracle.allowing(&["E0001"]);
    let text = "fn f() { x.a().crash(); }";
    let (found, n_accepted) = run(text, &oracle, |session| {
        clean_errors(session, &methods(), 1).unwrap()
    });
    assert_eq!(found.root(), "fn f ( ) { ( & mut x ) . crash ( ) ; }");
    assert_eq!((found.forbidden, n_accepted), (vec!["E0001".to_owned()], 1));
}

#[test]
fn only_edits_of_passes_that_are_made_remove_an_error() {
    let (found, n_accepted) = run("fn crash() { second }", &compiler(), |session| {
        clean_errors(session, &methods_of(&["clean_errors", "print"]), 1).unwrap()
    });
    assert_eq!(found.files[0].1, "fn crash() { second }");
    assert_eq!((found.forbidden.len(), n_accepted), (1, 1));
}

#[test]
fn a_search_ends_clean_where_it_can() {
    let files = [("lib.rs", "fn f() { first; second; } fn g() { crash }")];
    let oracle = compiler();
    let found = Setting::new(&files, &oracle).run().unwrap();
    assert_eq!(found.forbidden, ["E0001", "E0002"]);
}

#[test]
fn a_search_keeps_the_error_that_the_crash_needs() {
    let oracle = ClosureOracle::new(|candidate| {
        let has = |word: &str| has_all(&candidate.tree, &[word]);
        let is_forbidden = candidate.compile_options.forbidden.contains("E0002");
        match has("crash") && has("second") && !is_forbidden {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let oracle = oracle.allowing(&["E0001", "E0002"]);
    let files = [("lib.rs", "fn f() { first; second; } fn g() { crash }")];
    let found = Setting::new(&files, &oracle).run().unwrap();
    assert_eq!(found.forbidden, ["E0001"]);
    assert!(has_all(&found.tree(), &["second"]));
}
