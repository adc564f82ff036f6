//! Whole changes of a program, one after the other; and neighbours that only go together.

use super::super::lists::shorten_by_level;
use super::super::rewrites::first_of_each_state;
use super::oracle::ClosureOracle;
use super::{Found, Setting, has_all, make, methods, methods_of, needing, search_of};
use crate::request::Stage;
use crate::session::Session;
use reduce_oracle::Verdict;
use reduce_syntax::{EditSet, ListKind, SourceTree, build_tree};

/// Deletions of the items at the root that `is_wanted` chooses by their index.
fn deletions(sources: &SourceTree, is_wanted: impl Fn(usize) -> bool) -> Vec<EditSet> {
    let lists = build_tree(sources).lists;
    let items = lists.iter().find(|list| list.kind == ListKind::Items);
    let Some(items) = items else {
        return Vec::new();
    };
    let deletion = |idx: usize| {
        let mut edits = EditSet::new();
        items.remove(&[idx], &mut edits);
        edits
    };
    let all = (0..items.elements.len()).filter(|idx| is_wanted(*idx));
    all.map(deletion).collect()
}

/// Makes changes as a pass of a round that leaves out what failed, or tries all; says how many
/// candidates that were.
fn rewrite(
    session: &mut Session<'_>,
    leaves_out_failed: bool,
    find: impl Fn(&SourceTree) -> Vec<EditSet>,
) -> u64 {
    session.ledger.begin_round(leaves_out_failed);
    let tried = |session: &Session<'_>| session.ledger.passes().last().map_or(0, |pass| pass.tried);
    let before = tried(session);
    session
        .in_stage(Stage::VerifyMinimal, 1, |session| {
            first_of_each_state(session, |program| find(program.sources()))
        })
        .unwrap();
    tried(session) - before
}

fn run(text: &str, oracle: &ClosureOracle, find: fn(&SourceTree) -> Vec<EditSet>) -> Found {
    let files = [("lib.rs", text)];
    let rewrites = |session: &mut Session<'_>| {
        rewrite(session, true, find);
        Ok(())
    };
    Setting::new(&files, oracle).run_with(rewrites).unwrap()
}

#[test]
fn of_nested_blocks_the_outermost_and_the_innermost_are_tried() {
    let text = format!(
        "fn f() {{ {}wrong();{} }}",
        "{ ".repeat(12),
        " }".repeat(12)
    );
    let asked = |leaves_out_failed| {
        let oracle = needing(&["wrong"]);
        let files = [("lib.rs", text.as_str())];
        let shorten = |session: &mut Session<'_>| {
            session.ledger.begin_round(leaves_out_failed);
            let statements = [ListKind::Statements];
            session.in_stage(Stage::VerifyMinimal, 1, |session| {
                shorten_by_level(session, &methods(), &statements)
            })?;
            Ok(())
        };
        let found = Setting::new(&files, &oracle).run_with(shorten);
        assert_eq!(found.unwrap().steps, 0);
        oracle.asked()
    };
    assert_eq!([asked(true), asked(false)], [2, 13]);
}

#[test]
fn changes_are_found_anew_after_each_that_is_accepted() {
    let oracle = needing(&["struct C"]);
    let text = "struct A; struct B; struct C; struct D;";
    let found = run(text, &oracle, |sources| deletions(sources, |idx| idx == 0));
    assert_eq!(found.root(), "struct C ; struct D ;");
    assert_eq!((found.steps, found.queries), (2, 3));
}

#[test]
fn a_change_that_another_makes_possible_is_made_in_the_same_pass() {
    let text = "const A: u8 = 1; const B: u8 = A; fn f() { crash(B); }";
    let oracle = needing(&["fn f ( ) { crash ("]);
    let files = [("lib.rs", text)];
    let search = search_of(&["inline_values"]);
    let setting = Setting::new(&files, &oracle).with_search(search);
    assert_eq!(setting.run().unwrap().root(), "fn f ( ) { crash ( 1 ) ; }");
}

#[test]
fn three_changes_that_are_all_possible_take_one_query() {
    let text = "struct A; struct B; struct C; fn crash() {}";
    let of_structs = |sources: &SourceTree| match sources.count_tokens() {
        0..=6 => Vec::new(),
        _ => deletions(sources, |idx| idx < 3),
    };
    let found = run(text, &needing(&["fn crash"]), of_structs);
    assert_eq!(found.root(), "fn crash ( ) { }");
    assert_eq!((found.steps, found.queries), (1, 1));
}

#[test]
fn two_changes_are_not_tried_together() {
    let text = "struct A; struct B; fn crash() {}";
    let of_structs = |sources: &SourceTree| match sources.count_tokens() {
        0..=6 => Vec::new(),
        _ => deletions(sources, |idx| idx < 2),
    };
    let found = run(text, &needing(&["fn crash"]), of_structs);
    assert_eq!((found.steps, found.queries), (2, 2));
}

#[test]
fn where_not_all_changes_are_possible_together_each_is_tried() {
    let text = "struct A; struct B; struct C; struct D;";
    let found = run(text, &needing(&["struct B"]), |sources| {
        deletions(sources, |_| true)
    });
    assert_eq!(found.root(), "struct B ;");
    assert_eq!(found.steps, 3);
}

#[test]
fn what_failed_is_left_out_in_later_rounds_until_all_is_tried() {
    let oracle = ClosureOracle::new(|_| Verdict::Rejected);
    let files = [("lib.rs", "struct A; struct B;")];
    let find = |sources: &SourceTree| deletions(sources, |_| true);
    let rounds = |session: &mut Session<'_>| {
        assert_eq!(rewrite(session, true, find), 2);
        assert_eq!(rewrite(session, true, find), 0);
        assert_eq!(rewrite(session, false, find), 2);
        assert_eq!(rewrite(session, true, find), 0);
        Ok(())
    };
    let found = Setting::new(&files, &oracle).run_with(rounds).unwrap();
    assert_eq!((found.queries, found.cache_hits), (2, 2));
}

/// Makes an oracle that finds interesting what has `crash`, and all or none of the others.
fn all_or_none(others: &'static [&'static str]) -> ClosureOracle {
    ClosureOracle::new(move |candidate| {
        let has = |sequence: &&str| has_all(&candidate.tree, &[*sequence]);
        let n_there = others.iter().filter(|other| has(other)).count();
        match has(&"fn crash") && (n_there == 0 || n_there == others.len()) {
            true => Verdict::Interesting,
            false => Verdict::Rejected,
        }
    })
}

#[track_caller]
fn check_neighbours(text: &str, others: &'static [&'static str], expected: &str) {
    let oracle = all_or_none(others);
    let files = [("lib.rs", text)];
    let found = Setting::new(&files, &oracle)
        .run_with(|session| make(session, &methods(), "delete_neighbours").map(drop))
        .unwrap();
    assert_eq!(found.root(), expected);
}

#[test]
fn neighbours_that_can_only_go_together_go() {
    check_neighbours(
        "struct A; struct B; fn crash() {}",
        &["A", "B"],
        "fn crash ( ) { }",
    );
    check_neighbours(
        "fn crash() {} struct A; struct B; struct C;",
        &["A", "B", "C"],
        "fn crash ( ) { }",
    );
    check_neighbours("fn crash<A>(b: B) {}", &["A", "b"], "fn crash ( ) { }");
}

#[test]
fn what_is_not_neighbouring_stays() {
    check_neighbours(
        "struct A; fn crash() {} struct B;",
        &["A", "B"],
        "struct A ; fn crash ( ) { } struct B ;",
    );
}

#[test]
fn a_search_ends_with_neighbours() {
    // Three of four, which no halving finds.
    let text = "struct A; struct B; fn crash() {} struct C; struct D; struct E;";
    let files = [("lib.rs", text)];
    let oracle = all_or_none(&["C", "D", "E"]);
    let run = |names: &[&str]| {
        let search = search_of(names);
        let setting = Setting::new(&files, &oracle).with_search(search);
        setting.run().unwrap()
    };
    let found = run(&["simplify_structs", "delete_neighbours"]);
    assert_eq!(found.root(), "fn crash ( ) { }");
    assert_eq!(found.pass("delete_neighbours").accepted, 2);
    let without = run(&["simplify_structs"]);
    assert_eq!(without.steps, 0);
}

#[test]
fn neighbours_are_left_alone_by_who_does_not_want_that() {
    let oracle = all_or_none(&["A", "B"]);
    let files = [("lib.rs", "struct A; struct B; fn crash() {}")];
    let methods = methods_of(&["delete_items"]);
    let found = Setting::new(&files, &oracle)
        .run_with(|session| make(session, &methods, "delete_neighbours").map(drop))
        .unwrap();
    assert_eq!((found.steps, found.queries), (0, 0));
}
