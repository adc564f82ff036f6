//! Tests that are written anew.

use super::*;
use crate::ask::JudgedAnew;
use reduce_oracle::{CrashKind, OwnResults, Signature, VariantOutcome};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

const PROGRAM: [(&str, &str); 1] = [("lib.rs", "fn t() { a(1); b(2); c(3); d(4); }")];
/// A form with the outcomes of the original.
const ALIKE: &str = "fn alike() { a(1); }";
/// A form that fails as the original, and has outcomes of its own under mutants.
const OWN: &str = "fn own() { a(1); }";
/// A form that fails with other values than the original, as it expects others.
const ANEW: &str = "fn anew() { a(1); }";
/// A form that does not compile.
const BROKEN: &str = "fn broken() { a(1); }";
/// A form that shows another bug.
const OTHER: &str = "fn other() { a(1); }";

/// Returns the number of questions, that of judgements, and the program in the end, where the test is written anew in
/// these forms. `is_decided` says whether a judgement is as good as a question.
fn carve(forms: &[&'static str], is_decided: bool) -> (u64, u64, String) {
    let oracle = ClosureOracle::new(|candidate| {
        let text = candidate.tree.text(candidate.tree.root());
        let has_own = candidate.compile_options.own_results.is_some();
        let other_outcome =
            || Verdict::OtherCrash(Box::new(Signature::of_kind(CrashKind::OtherOutcome, "")));
        match (text, has_own) {
            (ALIKE, _) | (OWN | ANEW, true) => Verdict::Interesting,
            (OWN | OTHER, false) => other_outcome(),
            _ => Verdict::Compiles,
        }
    });
    let judged = Arc::new(AtomicU64::new(0));
    let n_judged = judged.clone();
    let oracle = oracle.linting(|_| [Vec::new(), Vec::new()]);
    let oracle = oracle.carving(forms, move |candidate| {
        judged.fetch_add(1, Ordering::SeqCst);
        let is_own = matches!(candidate.tree.text(candidate.tree.root()), OWN | ANEW);
        let mut candidate = candidate.clone();
        candidate.compile_options.own_results = Some(Arc::new(OwnResults {
            failure: None,
            outcomes: vec![VariantOutcome {
                setting: "1".to_owned(),
                failure: None,
            }],
            entered: None,
        }));
        is_own.then_some(JudgedAnew {
            candidate,
            is_decided,
        })
    });
    let methods = methods_of(&["carve"]);
    let setting = Setting::new(&PROGRAM, &oracle);
    let found = setting.run_with(|session| run_to_fixpoint(session, &methods));
    let root = found.expect("nothing fails").root();
    (oracle.asked(), n_judged.load(Ordering::SeqCst), root)
}

#[test]
fn a_form_with_the_outcomes_of_the_original_is_asked_about_once_and_not_judged() {
    assert_eq!(carve(&[ALIKE, OWN], false), (1, 0, spaced(ALIKE)));
}

#[test]
fn a_form_that_does_not_fail_as_the_original_is_not_judged() {
    assert_eq!(carve(&[BROKEN, ALIKE], false), (2, 0, spaced(ALIKE)));
}

#[test]
fn a_form_with_other_outcomes_is_judged_and_the_judgement_stands_for_the_question() {
    assert_eq!(carve(&[OTHER, OWN], true), (2, 2, spaced(OWN)));
    assert_eq!(carve(&[OTHER, OWN], false), (3, 2, spaced(OWN)));
}

#[test]
fn a_form_that_expects_other_values_is_judged_and_not_asked_about_before() {
    assert_eq!(carve(&[ANEW, OWN], true), (0, 1, spaced(ANEW)));
    assert_eq!(carve(&[ANEW, OWN], false), (1, 1, spaced(ANEW)));
}

#[test]
fn forms_of_the_same_text_are_asked_about_and_judged_once() {
    assert_eq!(carve(&[BROKEN, BROKEN, OTHER, OTHER, ALIKE], false).0, 3);
    assert_eq!(carve(&[BROKEN, BROKEN, OTHER, OTHER, ALIKE], false).1, 1);
}

#[test]
fn what_a_smaller_program_need_not_enter_goes() {
    let needs_nothing = |candidate: &Candidate| {
        let own = candidate.compile_options.own_results.as_ref();
        own.is_some_and(|own| own.entered.as_ref().is_some_and(BTreeSet::is_empty))
    };
    let oracle = ClosureOracle::new(move |candidate| {
        let text = candidate.tree.text(candidate.tree.root());
        match text.contains("a(1)") && (text.contains("b(2)") || needs_nothing(candidate)) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let oracle = oracle.judging_again(|smaller| {
        let is_small = !smaller.tree.text(smaller.tree.root()).contains("c(3)");
        is_small.then(|| {
            let mut smaller = smaller.clone();
            smaller.compile_options.own_results = Some(Arc::new(OwnResults {
                failure: None,
                outcomes: Vec::new(),
                entered: Some(BTreeSet::new()),
            }));
            smaller
        })
    });
    let methods = methods_of(&["delete_statements"]);
    let setting = Setting::new(&PROGRAM, &oracle);
    let found = setting.run_with(|session| run_to_fixpoint(session, &methods));
    let root = found.expect("nothing fails").root();
    assert_eq!(root, spaced("fn t() { a(1); }"));
}
