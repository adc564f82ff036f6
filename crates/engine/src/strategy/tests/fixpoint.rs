//! Tests of the program that a search ends with.

use super::minimality::{check_minimal, single_deletions};
use super::oracle::ClosureOracle;
use super::{CRASHING, PROGRAM, Setting, delete_flags, has_all, methods, needing, run_to_fixpoint};
use crate::propose::RemovableFlags;
use reduce_oracle::Verdict;
use reduce_syntax::SourceTree;

/// Decides as good as at random: about one text in `one_in` is uninteresting.
fn is_lucky(tree: &SourceTree, seed: u8, one_in: u8) -> bool {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[seed]);
    hasher.update(&tree.digest());
    !hasher.finalize().as_bytes()[0].is_multiple_of(one_in)
}

#[test]
fn a_search_keeps_what_the_property_needs_and_no_single_element_more() {
    let oracle = needing(&CRASHING);
    let found = Setting::new(&[("lib.rs", PROGRAM)], &oracle).run().unwrap();
    check_minimal(&found.tree(), |tree| has_all(tree, &CRASHING));
    assert!(found.tree().count_tokens() < 60, "{}", found.root());
    assert_eq!(found.queries, oracle.asked());
}

#[test]
fn a_rough_search_asks_less_and_leaves_what_the_property_needs() {
    let oracle = needing(&CRASHING);
    let setting = Setting::new(&[("lib.rs", PROGRAM)], &oracle);
    let rough = setting.run_with(|session| run_to_fixpoint(session, &methods().roughly()));
    let (rough, asked) = (rough.unwrap(), oracle.asked());
    assert!(has_all(&rough.tree(), &CRASHING));
    let whole = needing(&CRASHING);
    Setting::new(&[("lib.rs", PROGRAM)], &whole).run().unwrap();
    assert!(asked < whole.asked(), "{asked} of {}", whole.asked());
}

#[test]
fn a_search_that_is_to_be_over_soon_begins_no_stage_after_so_many_candidates() {
    let asked = |n_decided: u64| {
        let oracle = needing(&CRASHING);
        let setting = Setting::new(&[("lib.rs", PROGRAM)], &oracle);
        let methods = methods().roughly().ending_after(n_decided);
        let found = setting.run_with(|session| run_to_fixpoint(session, &methods));
        assert!(has_all(&found.unwrap().tree(), &CRASHING));
        oracle.asked()
    };
    assert_eq!(asked(0), 0);
    let (few, all) = (asked(5), asked(u64::MAX));
    assert!((5..all).contains(&few), "{few} of {all}");
}

#[test]
fn a_property_that_holds_for_everything_leaves_nothing() {
    let oracle = needing(&[]);
    let found = Setting::new(&[("lib.rs", PROGRAM)], &oracle).run().unwrap();
    assert_eq!(found.root(), "");
}

#[test]
fn a_property_that_holds_for_nothing_smaller_leaves_the_program_as_it_was() {
    let oracle = ClosureOracle::new(|_| Verdict::Rejected);
    let found = Setting::new(&[("lib.rs", PROGRAM)], &oracle).run().unwrap();
    assert_eq!(found.files[0].1, PROGRAM);
    assert_eq!(found.steps, 0);
}

#[test]
fn a_search_is_1_minimal_for_capricious_properties_too() {
    for seed in 0..6 {
        let is_interesting =
            move |tree: &SourceTree| has_all(tree, &CRASHING[..1]) && is_lucky(tree, seed, 3);
        let oracle = ClosureOracle::new(move |candidate| match is_interesting(&candidate.tree) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        });
        let found = Setting::new(&[("lib.rs", PROGRAM)], &oracle).run().unwrap();
        assert!(found.steps > 3);
        check_minimal(&found.tree(), is_interesting);
    }
}

#[test]
fn a_needed_token_is_kept_wherever_it_stands() {
    let all = [
        "'a", "Clone", "N", "Flat", "side", "idx", "continue", "N: usize", "$a;",
    ];
    for needed in all {
        let oracle =
            ClosureOracle::new(move |candidate| match has_all(&candidate.tree, &[needed]) {
                true => Verdict::Interesting,
                false => Verdict::Compiles,
            });
        let found = Setting::new(&[("lib.rs", PROGRAM)], &oracle).run().unwrap();
        check_minimal(&found.tree(), |tree| has_all(tree, &[needed]));
        assert!(
            found.tree().count_tokens() < 30,
            "{needed}: {}",
            found.root()
        );
    }
}

#[test]
fn a_program_of_several_files_loses_those_that_are_not_needed() {
    let files = [
        ("lib.rs", "mod a; mod b; fn f() { b::g() }"),
        ("a.rs", "pub struct S; pub mod c;"),
        ("a/c.rs", "pub struct T;"),
        ("b.rs", "pub fn g() { crash(1) } pub struct U;"),
    ];
    let oracle = needing(&["crash(1"]);
    let found = Setting::new(&files, &oracle).run().unwrap();
    check_minimal(&found.tree(), |tree| has_all(tree, &["crash(1"]));
    assert!(!has_all(&found.tree(), &["struct"]));
    assert!(found.files.iter().all(|(path, _)| !path.starts_with('a')));
}

#[test]
fn a_program_that_does_not_parse_is_reduced_all_the_same() {
    let text = "fn f() { a; b; crash!(c) } fn fn struct S { x: u8 } mod m { fn g() {} }";
    let oracle = needing(&["crash!", "fn fn"]);
    let found = Setting::new(&[("lib.rs", text)], &oracle).run().unwrap();
    let tree = found.tree();
    assert!(has_all(&tree, &["crash!", "fn fn"]));
    let smaller = single_deletions(&tree);
    assert!(
        smaller
            .iter()
            .all(|tree| !has_all(tree, &["crash!", "fn fn"]))
    );
    assert!(tree.count_tokens() < 20, "{}", found.root());
}

fn flags(groups: usize, of_one_call: &[Option<usize>]) -> RemovableFlags {
    RemovableFlags {
        groups,
        of_one_call: of_one_call.to_vec(),
    }
}

#[test]
fn both_calls_get_a_flag_if_the_difference_is_not_needed() {
    let oracle = ClosureOracle::new(|candidate| {
        let compile_options = &candidate.compile_options;
        match compile_options.left_out.contains(&1) || compile_options.shared.contains(&0) {
            true => Verdict::Compiles,
            false => Verdict::Interesting,
        }
    });
    let files = [("lib.rs", "struct S;")];
    let found = Setting::new(&files, &oracle)
        .run_with(|session| {
            let of_one_call = [None, Some(0), Some(1)];
            let changes = delete_flags(session, &methods().with_flags(flags(2, &of_one_call)), 1)?;
            assert_eq!(changes, 2, "what was left out is no difference");
            assert_eq!(*session.best().compile_options.shared, [2]);
            Ok(())
        })
        .unwrap();
    assert_eq!(found.left_out, [0]);
}

#[test]
fn flags_that_are_not_needed_are_left_out() {
    let oracle =
        ClosureOracle::new(
            |candidate| match candidate.compile_options.left_out.contains(&2) {
                true => Verdict::Compiles,
                false => Verdict::Interesting,
            },
        );
    let files = [("lib.rs", "struct S;")];
    let found = Setting::new(&files, &oracle)
        .run_with(|session| {
            delete_flags(session, &methods().with_flags(flags(5, &[])), 1).map(drop)
        })
        .unwrap();
    assert_eq!(found.left_out, [0, 1, 3, 4]);
    assert_eq!(found.files[0].1, "struct S;");
}

#[test]
fn without_flags_there_is_nothing_to_ask() {
    let oracle = needing(&[]);
    let files = [("lib.rs", "struct S;")];
    let found = Setting::new(&files, &oracle)
        .run_with(|session| {
            delete_flags(session, &methods().with_flags(flags(0, &[])), 1).map(drop)
        })
        .unwrap();
    assert_eq!((found.queries, oracle.asked()), (0, 0));
}
