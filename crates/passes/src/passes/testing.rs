//! Functions for the tests of all passes: they compare all single edits of a pass, as texts.

use crate::pass::Pass;
use crate::program::Program;
use camino::Utf8PathBuf;
use reduce_syntax::{SourceTree, tokens};
use std::sync::Arc;

/// Checks all that one edit of the pass may make of a program. Layout does not matter, nor the order
/// of what is expected; but each is expected once.
#[track_caller]
pub(super) fn check(pass: &Pass, before: &str, after: &[&str]) {
    let mut found = apply(pass, &single(before));
    found.sort();
    found.dedup();
    let mut expected: Vec<String> = after.iter().map(|text| normalized(text)).collect();
    expected.sort();
    assert_eq!(found, expected, "{} of `{before}`", pass.name);
}

/// Checks that one edit of the pass may make `after` of a program, among others.
#[track_caller]
pub(super) fn check_has(pass: &Pass, before: &str, after: &str) {
    let found = apply(pass, &single(before));
    let is_there = found.contains(&normalized(after));
    assert!(is_there, "{} of `{before}`: {found:#?}", pass.name);
}

/// Checks that the pass has nothing to do in a program.
#[track_caller]
pub(super) fn check_not_applicable(pass: &Pass, before: &str) {
    check(pass, before, &[]);
}

/// Returns the texts that each single edit makes of a program of one file, in the pass's order.
pub(super) fn apply(pass: &Pass, sources: &SourceTree) -> Vec<String> {
    let edited = |edits: &reduce_syntax::EditSet| {
        let tree = edits.apply(sources);
        normalized(tree.text(tree.root()))
    };
    pass.single_edits(&Program::new(sources))
        .iter()
        .map(edited)
        .collect()
}

/// A program of one file.
pub(super) fn single(text: &str) -> SourceTree {
    SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text))
}

/// The tokens of a text, with a space between them.
pub(super) fn normalized(text: &str) -> String {
    let all = tokens(text);
    let all: Vec<&str> = all.iter().map(|token| &text[token.range()]).collect();
    all.join(" ")
}
