//! Tests with functions in place of all their calls, where that pays.

use super::*;

/// A program of which nothing can go as it is.
const WHOLE: &str = "fn helper(a: u8) { first(a); second(a); third(a); }\nfn crash() { helper(1); helper(2); helper(3); }\n";
const PROGRAM: [(&str, &str); 1] = [("lib.rs", WHOLE)];

/// Reduces a program that is run, and that fails with the function as it is, and with what is needed of it in
/// place of its calls.
fn run(needed: &'static [&'static str], passes: &[&str]) -> Found {
    let oracle = ClosureOracle::new(move |candidate| {
        let has = |sequences: &[&str]| has_all(&candidate.tree, sequences);
        let is_inlined = !has(&["helper"]) && has(&["fn crash()"]) && has(needed);
        match has(&[WHOLE]) || is_inlined {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let oracle = oracle.linting(|_| [Vec::new(), Vec::new()]);
    let methods = methods_of(passes);
    let setting = Setting::new(&PROGRAM, &oracle);
    let found = setting.run_with(|session| run_to_fixpoint(session, &methods));
    found.unwrap()
}

#[test]
fn what_one_call_does_goes_without_the_others() {
    let found = run(&["second(2);"], &["inline_calls", "delete_statements"]);
    assert!(
        has_all(&found.tree(), &["fn crash() { second(2); }"]),
        "{}",
        found.root()
    );
    let inlined = found.pass("inline_calls");
    assert_eq!((inlined.accepted, found.steps), (1, 1));
}

#[test]
fn a_function_stays_where_its_calls_need_all_of_it() {
    const ALL: [&str; 3] = [
        "first(1); second(1); third(1);",
        "first(2); second(2); third(2);",
        "first(3); second(3); third(3);",
    ];
    let found = run(&ALL, &["inline_calls", "delete_statements"]);
    assert!(has_all(&found.tree(), &[WHOLE]), "{}", found.root());
    assert_eq!(found.steps, 0);
}

#[test]
fn a_function_stays_where_the_stage_is_left_out() {
    let found = run(&["second(2);"], &["delete_statements"]);
    assert!(has_all(&found.tree(), &[WHOLE]), "{}", found.root());
}
