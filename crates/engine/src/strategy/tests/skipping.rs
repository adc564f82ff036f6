//! Passes that a user skips while they run.

use super::keeping::kept;
use super::*;
use crate::figures::SkippedPass;
use crate::store::MemoryStore;

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
fn an_interrupted_job_goes_on_with_what_was_skipped_before_its_last_step() {
    let (store, oracle) = (MemoryStore::default(), needing(&["fn crash"]));
    let files = [("lib.rs", "fn crash() { first(); } fn first() { 1; }")];
    let (skip, cancel) = (Skip::default(), Cancel::new().unwrap());
    let watch = |event: &Event, _: &Utf8Path| match event {
        Event::PassStarted { pass, .. } if pass == "empty_bodies" => drop(skip.ask(pass)),
        Event::StepAccepted { pass, .. } if pass == "delete_items" => cancel.cancel(),
        _ => {}
    };
    let setting = Setting {
        watch: &watch,
        skip: skip.clone(),
        cancel: cancel.clone(),
        ..Setting::new(&files, &oracle)
    };
    let setting = setting.with_store(&store);
    let first = setting.run_with(|session| run_to_fixpoint(session, &methods_of(&PASSES)));
    let tree = first.unwrap().tree();
    let checkpoint = kept(&store);
    let times = checkpoint.skipped["empty_bodies"];
    let again = Skip::default();
    let setting = Setting {
        skip: again.clone(),
        ..Setting::new(&files, &oracle)
    };
    let mut skipped = Vec::new();
    let resumed = setting.with_store(&store).run_with(|session| {
        let compile_options = CompileOptions::default();
        let state = Candidate {
            tree,
            compile_options,
        };
        session.resume_with(checkpoint.step, state, checkpoint.skipped)?;
        run_to_fixpoint(session, &methods_of(&PASSES))?;
        skipped.extend(session.ledger.skipped());
        Ok(())
    });
    assert!(again.is_used(), "no other command joins it");
    let [only] = skipped.as_slice() else {
        panic!("{skipped:?}")
    };
    let earlier = ("empty_bodies", times, false);
    assert_eq!(
        (only.pass.as_str(), only.times, only.in_last_round),
        earlier
    );
    // The pass runs again.
    assert_eq!(resumed.unwrap().root(), "fn crash ( ) { loop { } }");
}

#[test]
fn nothing_is_noted_where_the_pass_does_not_run() {
    let (left, skipped) = skipping("flatten_modules");
    assert_eq!(
        (left.as_str(), skipped),
        ("fn crash ( ) { loop { } }", vec![])
    );
}
