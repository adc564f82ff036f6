//! Parts that go when the good version says what is expected then.

use super::super::recompute::recompute_with_all;
use super::oracle::ClosureOracle;
use super::{Found, Setting, methods, methods_of};
use crate::ask::JudgedAnew;
use crate::candidate::Candidate;
use crate::propose::Methods;
use crate::request::{PassChoice, Stage};
use reduce_oracle::{Comparison, Verdict};

/// A test of a sum that is wrong where 4 is among what is added.
const TEST: &str = "fn t() { add(1); add(2); add(4); assert_eq!(sum(), 7); }";

/// Returns the sum of what a program adds.
fn sum(text: &str) -> u32 {
    let numbers = text.split("add(").skip(1);
    let numbers = numbers.filter_map(|rest| rest.split(')').next()?.parse::<u32>().ok());
    numbers.sum()
}

/// Returns the sum that a program expects.
fn expected(text: &str) -> Option<u32> {
    let at = text.find("assert_eq!(sum(),")?;
    let value = text[at..].split_once(',')?.1.split(')').next()?;
    value.trim().parse().ok()
}

fn adding() -> ClosureOracle {
    let fails = |text: &str| expected(text) == Some(sum(text)) && text.contains("add(4)");
    let property = move |candidate: &crate::candidate::Candidate| {
        let tree = &candidate.tree;
        match fails(tree.text(tree.root())) {
            true => Verdict::Interesting,
            false => Verdict::Rejected,
        }
    };
    ClosureOracle::new(property)
}

/// Reads the comparison, as std prints it, where the good version computes another sum than is
/// expected.
fn compared(text: &str) -> Option<Comparison> {
    let at = text.find("assert_eq!")?;
    let expected = expected(text)?;
    (expected != sum(text)).then(|| Comparison {
        path: "lib.rs".to_owned(),
        line: 1,
        column: u32::try_from(at + 1).unwrap(),
        left: sum(text).to_string(),
        right: expected.to_string(),
    })
}

fn run(oracle: &ClosureOracle, methods: &Methods) -> Found {
    let files = [("lib.rs", TEST)];
    let setting = Setting::new(&files, oracle);
    let run = |session: &mut crate::session::Session<'_>| {
        let recompute =
            |session: &mut crate::session::Session<'_>| recompute_with_all(session, methods, 1);
        session
            .in_chosen_stage(methods, Stage::RecomputeExpected, 1, recompute)
            .map(drop)
    };
    setting.run_with(run).unwrap()
}

#[test]
fn what_is_not_needed_goes_and_the_right_value_is_expected() {
    let found = run(&adding().comparing(compared), &methods());
    assert_eq!(
        found.root(),
        "fn t ( ) { add ( 4 ) ; assert_eq ! ( sum ( ) , 4 ) ; }"
    );
}

/// Mends may disagree about what is right.
#[test]
fn a_candidate_that_shows_another_bug_is_not_asked_about() {
    let has_two = |candidate: &Candidate| {
        let text = candidate.tree.text(candidate.tree.root());
        let text = text.replace(' ', "");
        expected(&text) == Some(sum(&text)) && text.contains("add(2)") && text.contains("add(4)")
    };
    let judge = move |candidate: &Candidate| {
        has_two(candidate).then(|| JudgedAnew {
            candidate: candidate.clone(),
            is_decided: true,
        })
    };
    // What was judged is decided; a program that would not end is not run to judge it.
    let asked = |candidate: &Candidate| {
        let text = candidate.tree.text(candidate.tree.root());
        assert!(text.contains("loop"), "asked about {text}");
        Verdict::Rejected
    };
    let oracle = ClosureOracle::new(asked);
    let oracle = oracle.carving(&[], judge).comparing(compared);
    let found = run(&oracle, &methods());
    assert_eq!(
        found.root(),
        "fn t ( ) { add ( 2 ) ; add ( 4 ) ; assert_eq ! ( sum ( ) , 6 ) ; }"
    );
}

#[test]
fn a_program_that_would_not_end_is_not_run() {
    let compare = |text: &str| {
        assert!(!text.contains("loop"), "{text}");
        compared(text)
    };
    let found = run(
        &adding().comparing(compare),
        &methods_of(&["empty_bodies", "recompute_expected"]),
    );
    assert_eq!(found.root(), TEST_TOKENS);
}

#[test]
fn without_a_good_version_nobody_knows_what_is_right() {
    let oracle = adding();
    let found = run(&oracle, &methods());
    assert_eq!(found.root(), TEST_TOKENS);
    assert_eq!(oracle.asked(), 0);
}

#[test]
fn it_can_be_left_out() {
    let others = PassChoice::names().filter(|name| *name != "recompute_expected");
    let others = methods_of(&others.collect::<Vec<_>>());
    let found = run(&adding().comparing(compared), &others);
    assert_eq!(found.root(), TEST_TOKENS);
}

const TEST_TOKENS: &str =
    "fn t ( ) { add ( 1 ) ; add ( 2 ) ; add ( 4 ) ; assert_eq ! ( sum ( ) , 7 ) ; }";
