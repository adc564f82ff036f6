//! Local items in place of those of the standard library: only where that is asked for, and kept if
//! the result names less of it.

use super::super::run_to_fixpoint;
use super::oracle::ClosureOracle;
use super::{Found, JOB, Setting, has_all, make, methods, search_of};
use crate::event::Event;
use crate::propose::Methods;
use crate::request::SearchOptions;
use crate::store::{MemoryStore, Store};
use camino::Utf8Path;
use reduce_oracle::{Cancel, Verdict};
use reduce_passes::std_names;
use std::sync::Mutex;

const FILES: [(&str, &str); 1] = [(
    "lib.rs",
    "use std::cell::Ref; fn crash(x: Ref<u8>, y: Vec<u8>) {}",
)];

fn replacing() -> SearchOptions {
    SearchOptions {
        replace_std: true,
        ..SearchOptions::default()
    }
}

/// Makes an oracle for which the function crashes if each type of its parameters is std's, or one
/// with the local definition.
fn crashing(reference: &'static str, list: &'static str) -> ClosureOracle {
    ClosureOracle::new(move |candidate| {
        let has = |sequence: &str| has_all(&candidate.tree, &[sequence]);
        let is_imported = has("use std::cell::Ref");
        let is_reference = is_imported || has(reference);
        let with_std = has("fn crash(x: Ref<u8>, y: Vec<u8>)");
        let is_list = with_std || (has("fn crash(x: Ref<u8>, y: LocalVec<u8>)") && has(list));
        match is_reference && is_list {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    })
}

const REF: &str = "struct Ref<'a, T>(&'a T)";
const VEC: &str = "struct LocalVec<T>(T)";

fn reduce(oracle: &ClosureOracle, search: SearchOptions) -> Found {
    let setting = Setting::new(&FILES, oracle).with_search(search);
    setting.run().unwrap()
}

#[test]
fn what_can_be_local_is_so_even_if_the_program_grows() {
    let found = reduce(&crashing(REF, VEC), replacing());
    assert!(std_names(&found.tree()).is_empty(), "{}", found.root());
    assert!(has_all(&found.tree(), &[REF, VEC]), "{}", found.root());
    assert_eq!(found.pass("replace_std").accepted, 1);
    let before = reduce(&crashing(REF, VEC), SearchOptions::default());
    assert!(found.tree().count_tokens() > before.tree().count_tokens());
}

#[test]
fn what_cannot_be_local_stays() {
    let found = reduce(&crashing(REF, "struct Never"), replacing());
    let names: Vec<String> = std_names(&found.tree()).into_iter().collect();
    assert_eq!(names, ["vec::Vec"]);
    let found = reduce(&crashing("struct Never", "struct Never"), replacing());
    assert_eq!(found.pass("replace_std").accepted, 0);
    assert!(!has_all(&found.tree(), &["struct"]), "{}", found.root());
}

#[test]
fn nothing_becomes_local_unless_that_is_asked_for() {
    let found = reduce(&crashing(REF, VEC), SearchOptions::default());
    assert!(found.passes.iter().all(|pass| pass.pass != "replace_std"));
    let others = SearchOptions {
        replace_std: true,
        ..search_of(&["delete_items"])
    };
    let found = reduce(&crashing(REF, VEC), others);
    assert!(found.passes.iter().all(|pass| pass.pass != "replace_std"));
}

#[test]
fn items_that_need_each_other_become_local_together() {
    let oracle = ClosureOracle::new(|candidate| {
        let has = |sequence: &str| has_all(&candidate.tree, &[sequence]);
        let both = has("trait LocalClone {") && has(VEC);
        let are_local = both && has("fn crash<T: LocalClone>(x: LocalVec<T>)");
        match are_local || has("fn crash<T: Clone>(x: Vec<T>)") {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let files = [("lib.rs", "fn crash<T: Clone>(x: Vec<T>) {}")];
    let setting = Setting::new(&files, &oracle).with_search(replacing());
    let found = setting.run().unwrap();
    assert!(std_names(&found.tree()).is_empty(), "{}", found.root());
}

#[test]
fn the_program_is_reduced_again_afterwards() {
    let oracle = ClosureOracle::new(|candidate| {
        let has = |sequence: &str| has_all(&candidate.tree, &[sequence]);
        match has("crash(Vec::new().push(1))") || (has("crash(LocalVec") && has("fn new")) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let files = [("lib.rs", "fn f() { crash(Vec::new().push(1)) }")];
    let setting = Setting::new(&files, &oracle).with_search(replacing());
    let found = setting.run().unwrap();
    let has = |sequence: &str| has_all(&found.tree(), &[sequence]);
    assert!(has("crash(LocalVec") && !has("fn push"), "{}", found.root());
}

#[test]
fn what_is_shorter_by_its_names_does_not_come_back() {
    let oracle = ClosureOracle::new(|candidate| {
        let has = |sequence: &str| has_all(&candidate.tree, &[sequence]);
        let is_local = has("crash(x: LocalBox<u8>)") && has("struct LocalBox");
        match is_local || has("crash(x: Box<u8>)") || has("crash(x: String)") {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    // A pass puts `String` in place of other types.
    let files = [("lib.rs", "fn crash(x: Box<u8>) {}")];
    let methods = Methods::new(replacing());
    let setting = Setting::new(&files, &oracle);
    let found = setting.run_with(|session| make(session, &methods, "replace_std").map(drop));
    let found = found.unwrap();
    assert!(std_names(&found.tree()).is_empty(), "{}", found.root());
}

#[test]
fn it_is_one_step_from_which_an_interrupted_job_goes_on() {
    let (oracle, store) = (crashing(REF, VEC), MemoryStore::default());
    let passes = Mutex::new(Vec::new());
    let watch = |event: &Event, _: &Utf8Path| {
        if let Event::StepAccepted { pass, .. } = event {
            passes.lock().unwrap().push(pass.clone());
        }
    };
    let setting = Setting {
        watch: &watch,
        ..Setting::new(&FILES, &oracle).with_search(replacing())
    };
    let found = setting.with_store(&store).run().unwrap();
    let passes = passes.into_inner().unwrap();
    assert_eq!(passes.last().map(String::as_str), Some("replace_std"));
    let checkpoint = store.checkpoint(&JOB).unwrap().unwrap();
    assert_eq!(checkpoint.step, found.steps);
    assert_eq!(checkpoint.files["lib.rs"].as_ref(), found.files[0].1);
}

#[test]
fn a_search_that_is_stopped_afterwards_keeps_what_it_made_local() {
    let oracle = crashing(REF, VEC);
    let methods = Methods::new(replacing());
    let setting = Setting {
        cancel: Cancel::new().unwrap(),
        ..Setting::new(&FILES, &oracle)
    };
    let found = setting.run_with(|session| {
        run_to_fixpoint(session, &methods)?;
        session.take_growth_back()
    });
    assert!(has_all(&found.unwrap().tree(), &[REF, VEC]));
}

#[test]
fn without_items_of_the_library_nothing_is_asked() {
    let files = [("lib.rs", "fn crash(x: u8) {}")];
    let oracle = ClosureOracle::new(|_| Verdict::Compiles);
    let run = |methods: &Methods| {
        let setting = Setting::new(&files, &oracle);
        setting.run_with(|session| run_to_fixpoint(session, methods))
    };
    let with = run(&Methods::new(replacing())).unwrap();
    assert_eq!(with.queries, run(&methods()).unwrap().queries);
}
