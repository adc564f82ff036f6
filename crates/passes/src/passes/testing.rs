//! Functions for the tests of all passes: they compare all single edits of a pass, as texts.

use crate::pass::{Pass, Work};
use crate::program::Program;
use camino::Utf8PathBuf;
use reduce_syntax::{EditSet, SourceTree, tokens};
use std::sync::Arc;

/// A pass, or one of the works of a family.
pub(super) trait Tested {
    fn single_edits(&self, program: &Program) -> Vec<EditSet>;
}

impl Tested for Pass {
    fn single_edits(&self, program: &Program) -> Vec<EditSet> {
        self.single_edits(program)
    }
}

impl Tested for Work {
    fn single_edits(&self, program: &Program) -> Vec<EditSet> {
        (*self).single_edits(program)
    }
}

/// Checks all that one edit of the pass may make of a program. Layout does not matter, nor the order
/// of what is expected; but each is expected once.
#[track_caller]
pub(super) fn check(tested: &impl Tested, before: &str, after: &[&str]) {
    let mut found = apply(tested, &single(before));
    found.sort();
    found.dedup();
    let mut expected: Vec<String> = after.iter().map(|text| normalized(text)).collect();
    expected.sort();
    assert_eq!(found, expected, "from `{before}`");
}

/// Checks that one edit of the pass may make `after` of a program, among others.
#[track_caller]
pub(super) fn check_has(tested: &impl Tested, before: &str, after: &str) {
    let found = apply(tested, &single(before));
    let is_there = found.contains(&normalized(after));
    assert!(is_there, "from `{before}`: {found:#?}");
}

/// Checks all that one edit of the pass may make of a literal in a program.
#[track_caller]
pub(super) fn check_literal(tested: &impl Tested, literal: &str, expected: &[&str]) {
    let program = |text: &str| format!("fn f() {{ g({text}); }}");
    let after: Vec<String> = expected.iter().map(|text| program(text)).collect();
    let after: Vec<&str> = after.iter().map(String::as_str).collect();
    check(tested, &program(literal), &after);
}

/// Checks that the pass has nothing to do in a program.
#[track_caller]
pub(super) fn check_not_applicable(tested: &impl Tested, before: &str) {
    check(tested, before, &[]);
}

/// Returns the texts that each single edit makes of a program of one file, in the pass's order.
pub(super) fn apply(tested: &impl Tested, sources: &SourceTree) -> Vec<String> {
    let edited = |edits: &EditSet| {
        let tree = edits.apply(sources);
        normalized(tree.text(tree.root()))
    };
    tested
        .single_edits(&Program::new(sources))
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
