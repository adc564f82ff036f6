//! A test becomes the `main` of a program only where that is asked for.

use super::oracle::ClosureOracle;
use super::{Setting, has_all};
use crate::request::SearchOptions;
use reduce_oracle::Verdict;

/// Reduces a test that fails as a test and as a program, and returns the tokens that are left.
fn reduced(as_main: bool) -> String {
    let oracle = ClosureOracle::new(|candidate| {
        let is_test = has_all(&candidate.tree, &["#[test]"]);
        let is_whole = is_test != candidate.compile_options.is_main;
        match is_whole && has_all(&candidate.tree, &["fails();"]) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let files = [("lib.rs", "#[test] fn adds() { fails(); }")];
    let search = SearchOptions {
        as_main,
        ..SearchOptions::default()
    };
    let oracle = oracle.testing("adds");
    let setting = Setting::new(&files, &oracle).with_search(search);
    setting.run().unwrap().root().to_owned()
}

#[test]
fn a_test_stays_one_unless_a_main_is_asked_for() {
    assert_eq!(reduced(false), "# [ test ] fn adds ( ) { fails ( ) ; }");
    assert_eq!(reduced(true), "fn main ( ) { fails ( ) ; }");
}
