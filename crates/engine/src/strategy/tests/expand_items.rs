//! Tests with items that macros of a merged crate make, reduced item by item where that pays.

use super::crates::unit;
use super::*;
use crate::ask::Crates;

const PROGRAM: [(&str, &str); 1] = [("lib.rs", "fn crash() { tools::used(); }")];

/// A crate whose functions a macro makes.
const TOOLS: &str =
    "macro_rules! functions { ($($name:ident)*) => { $(pub fn $name() { a(); b(); c(); d(); })* } }
    functions!(used idle far more);";

/// Reduces a program that is run, and that fails as long as it calls `used`, and has all of `needed` if that is
/// made by no macro.
fn run(needed: &'static [&'static str], passes: &[&str]) -> Found {
    let oracle = ClosureOracle::new(move |candidate| {
        let has = |sequences: &[&str]| has_all(&candidate.tree, sequences);
        let is_linked = candidate
            .compile_options
            .linkage
            .externs
            .contains_key("tools");
        let is_made = has(&[
            "functions!(used idle far more);",
            "$(pub fn $name() { a(); b(); c(); d(); })*",
        ]);
        match has(&["fn crash()", "used()"]) && (is_linked || is_made || has(needed)) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let crates = Crates::of_files(vec![unit("tools", &[])], &[("/tools/lib.rs", TOOLS)]);
    let oracle = oracle.linking(crates).linting(|_| [Vec::new(), Vec::new()]);
    let methods = methods_of(passes);
    let setting = Setting::new(&PROGRAM, &oracle).linked_with(&[("tools", 0)]);
    let found = setting.run_with(|session| run_to_fixpoint(session, &methods));
    found.unwrap()
}

#[test]
fn what_a_macro_makes_goes_by_itself() {
    let found = run(
        &["fn used()"],
        &["merge_crates", "expand_items", "delete_items"],
    );
    let root = found.root();
    assert!(has_all(&found.tree(), &["fn used()"]), "{root}");
    for gone in ["macro_rules", "functions", "idle", "far", "more"] {
        assert!(!root.contains(gone), "`{gone}` in {root}");
    }
    let expanded = found.pass("expand_items");
    assert_eq!(expanded.accepted, 1);
}

#[test]
fn a_macro_stays_where_what_it_makes_is_larger() {
    const ALL: [&str; 4] = ["fn used()", "fn idle()", "fn far()", "fn more()"];
    let found = run(&ALL, &["merge_crates", "expand_items", "delete_items"]);
    let root = found.root();
    assert!(
        root.contains("functions !") && !root.contains("fn idle"),
        "{root}"
    );
}

#[test]
fn a_macro_stays_where_the_stage_is_left_out() {
    let found = run(&["fn used()"], &["merge_crates", "delete_items"]);
    assert!(found.root().contains("functions !"), "{}", found.root());
}
