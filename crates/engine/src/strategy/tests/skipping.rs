//! Passes that a user skips while they run.

use super::*;
use crate::figures::SkippedPass;

const PASSES: [&str; 2] = ["delete_items", "empty_bodies"];

/// Skips each run of a pass, and returns what is left and what was skipped.
fn skipping(pass: &str) -> (String, Vec<SkippedPass>) {
    let oracle = needing(&["fn crash"]);
    let files = [("lib.rs", "fn crash() { first(); } fn first() { 1; }")];
    let skip = Skip::default();
    let watch = |event: &Event, _: &Utf8Path| {
        if let Event::PassStarted { pass: begun, .. } = event {
            assert_eq!(skip.ask(pass), begun == pass, "{begun}");
        }
    };
    let setting = Setting {
        watch: &watch,
        skip: skip.clone(),
        ..Setting::new(&files, &oracle)
    };
    let mut skipped = Vec::new();
    let found = setting.run_with(|session| {
        run_to_fixpoint(session, &methods_of(&PASSES))?;
        skipped.extend(session.ledger.skipped());
        Ok(())
    });
    (found.unwrap().root(), skipped)
}

#[test]
fn a_skipped_pass_is_left_out_and_the_others_go_on() {
    let (left, skipped) = skipping("delete_items");
    assert_eq!(left, "fn crash ( ) { loop { } } fn first ( ) { 1 ; }");
    let [only] = skipped.as_slice() else {
        panic!("{skipped:?}")
    };
    assert_eq!(
        (only.pass.as_str(), only.in_last_round),
        ("delete_items", true)
    );
    assert!(only.times > 1);
}

#[test]
fn nothing_is_noted_where_the_pass_does_not_run() {
    let (left, skipped) = skipping("flatten_modules");
    assert_eq!(
        (left.as_str(), skipped),
        ("fn crash ( ) { loop { } }", vec![])
    );
}
