//! The proof that a result is 1-minimal, and the figures about what could be tried.

use super::super::run_to_fixpoint;
use super::super::verify::verify_minimal;
use super::oracle::ClosureOracle;
use super::{CRASHING, Found, PROGRAM, Setting, has_all, methods, methods_of, needing, search_of};
use crate::figures::Verification;
use crate::propose::Methods;
use reduce_oracle::Verdict;
use reduce_passes::{PASSES, Program};
use reduce_syntax::{SourceTree, is_parsable};

/// Asks `proof` whether a fixpoint of `methods` is minimal.
fn verify(
    text: &str,
    oracle: &ClosureOracle,
    methods: &Methods,
    proof: &Methods,
) -> (Found, Verification) {
    let files = [("lib.rs", text)];
    let mut verified = None;
    let found = Setting::new(&files, oracle).run_with(|session| {
        run_to_fixpoint(session, methods)?;
        verified = Some(verify_minimal(session, proof)?);
        Ok(())
    });
    (found.unwrap(), verified.expect("it was verified"))
}

/// Checks that no simpler program that a single edit of a pass makes, and that parses, is
/// interesting.
#[track_caller]
fn check_minimal_for_all_passes(tree: &SourceTree, is_interesting: impl Fn(&SourceTree) -> bool) {
    assert!(is_interesting(tree));
    for pass in PASSES {
        for edits in pass.single_edits(&Program::new(tree)) {
            let other = edits.apply(tree);
            let parses = other.files().all(|(_, _, text)| is_parsable(text));
            let is_better = other.is_simpler_than(tree) && parses && is_interesting(&other);
            assert!(!is_better, "{}: {other:?}", pass.name);
        }
    }
}

/// Decides as good as at random: a third of all texts is uninteresting.
fn is_lucky(tree: &SourceTree, seed: u8) -> bool {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[seed]);
    hasher.update(&tree.digest());
    !hasher.finalize().as_bytes()[0].is_multiple_of(3)
}

#[test]
fn a_fixpoint_is_minimal_for_each_single_edit_of_each_pass() {
    for seed in 0..4 {
        let is_interesting = move |tree: &SourceTree| {
            has_all(tree, &CRASHING[..1]) && (seed == 0 || is_lucky(tree, seed))
        };
        let oracle = ClosureOracle::new(move |candidate| match is_interesting(&candidate.tree) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        });
        let all = methods();
        let (found, verified) = verify(PROGRAM, &oracle, &all, &all);
        check_minimal_for_all_passes(&found.tree(), is_interesting);
        assert_eq!(verified.accepted, 0, "seed {seed}: {}", found.root());
        assert!(verified.edits > 0, "{}", found.root());
    }
}

#[test]
fn after_a_fixpoint_of_fewer_passes_something_is_found() {
    let oracle = needing(&["fn crash"]);
    let text = "fn crash(x: u8) { a; b; } struct S;";
    let few = methods_of(&["delete_items"]);
    let (found, verified) = verify(text, &oracle, &few, &methods());
    assert!(verified.accepted > 0);
    assert_eq!(found.pass("verify_minimal").accepted, verified.accepted);
    assert_eq!(found.pass("delete_items").accepted, 1);
    assert!(found.tree().count_tokens() < 15, "{}", found.root());
}

#[test]
fn what_is_proved_is_about_the_passes_that_are_made() {
    let oracle = needing(&["fn crash", "struct S"]);
    let text = "fn crash(x: u8) { a; b; } struct S; struct T;";
    let few = methods_of(&["delete_items"]);
    let (found, verified) = verify(text, &oracle, &few, &few);
    let expected = Verification {
        edits: 2,
        accepted: 0,
    };
    assert_eq!(verified, expected);
    assert!(has_all(&found.tree(), &["a ; b"]));
}

#[test]
fn the_edits_of_a_result_are_those_of_the_last_round() {
    let run = |text| {
        let oracle = needing(&["struct S"]);
        let files = [("lib.rs", text)];
        let search = search_of(&["delete_items"]);
        let setting = Setting::new(&files, &oracle).with_search(search);
        setting.run().unwrap()
    };
    let found = run("struct S;");
    assert_eq!(
        (found.steps, found.possible_edits, found.queries),
        (0, 1, 1)
    );
    let found = run("struct A; struct B; struct S; struct C;");
    assert_eq!(found.possible_edits, 1);
    assert!(found.steps > 0 && found.queries > found.steps);
}

#[test]
fn an_edit_that_the_compiler_is_not_asked_about_is_none() {
    let oracle = needing(&[]);
    let files = [("lib.rs", "")];
    let found = Setting::new(&files, &oracle).run().unwrap();
    assert_eq!((found.possible_edits, found.queries), (0, 0));
}
