//! Detours: macros are expanded on trial, and stay so where that pays.

use super::oracle::ClosureOracle;
use super::{Found, JOB, Setting, has_all, run_to_fixpoint, search_of};
use crate::event::Event;
use crate::propose::Methods;
use crate::request::{PassChoice, SearchOptions};
use crate::store::{MemoryStore, Store};
use camino::Utf8Path;
use reduce_oracle::{Cancel, Verdict};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A macro call of which nothing can go as it is.
const CALL: &str = "m! { one two three four crash }";
const FILES: [(&str, &str); 1] = [("lib.rs", CALL)];
const EXPANDED: &str = "#![feature(prelude_import)]\nextern crate std;\n#[prelude_import]\n\
    use std::prelude::rust_2021::*;\n\
    fn one() { two(); three(); four(); crash(); }\nfn two() {}\nfn three() {}\nfn four() {}\n";

/// Makes an oracle for which the call as a whole crashes, or what it expands to as long as it has
/// all of `needed`.
fn crashing(needed: &'static [&'static str]) -> ClosureOracle {
    let oracle = ClosureOracle::new(move |candidate| {
        let has = |sequences: &[&str]| has_all(&candidate.tree, sequences);
        match has(&[CALL]) || (!has(&["m !"]) && has(needed)) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    oracle.expanding(|text| text.contains("m!").then(|| EXPANDED.to_owned()))
}

const PAYING: [&str; 1] = ["fn one"];
const NOT_PAYING: [&str; 4] = ["fn one", "two ( )", "three ( )", "four ( )"];

#[test]
fn a_detour_that_pays_is_kept_as_one_step() {
    let oracle = crashing(&PAYING);
    let sizes = Mutex::new(Vec::new());
    let watch = |event: &Event, _: &Utf8Path| {
        if let Event::StepAccepted {
            pass,
            tokens_before,
            tokens_after,
            ..
        } = event
        {
            let step = (pass.clone(), *tokens_before, *tokens_after);
            sizes.lock().unwrap().push(step);
        }
    };
    let setting = Setting {
        watch: &watch,
        ..Setting::new(&FILES, &oracle)
    };
    let found = setting.run().unwrap();
    assert!(has_all(&found.tree(), &PAYING) && !has_all(&found.tree(), &["m !"]));
    let after = found.tree().count_tokens();
    assert!(after <= 6, "{}", found.root());
    assert_eq!(found.steps, 1);
    let step = ("expand_macros".to_owned(), 9, after);
    assert_eq!(sizes.into_inner().unwrap(), [step]);
    let pass = found.pass("expand_macros");
    assert_eq!((pass.accepted, pass.tokens), (1, 9 - after));
}

#[test]
fn the_end_of_a_detour_is_what_an_interrupted_job_goes_on_from() {
    let (oracle, store) = (crashing(&PAYING), MemoryStore::default());
    let setting = Setting::new(&FILES, &oracle).with_store(&store);
    let found = setting.run().unwrap();
    let checkpoint = store.checkpoint(&JOB).unwrap().unwrap();
    let files: Vec<_> = checkpoint.files.into_iter().collect();
    let [(path, text)] = found.files.as_slice() else {
        panic!("{:?}", found.files);
    };
    assert_eq!(files, [(path.clone(), Arc::from(text.as_str()))]);
    assert_eq!(checkpoint.step, 1);
}

/// Returns the default options, but for a stage.
fn without(name: &str) -> SearchOptions {
    SearchOptions {
        passes: PassChoice::default().without(name).unwrap(),
        ..SearchOptions::default()
    }
}

#[test]
fn a_detour_that_does_not_pay_leaves_everything_as_it_was() {
    let (oracle, store) = (crashing(&NOT_PAYING), MemoryStore::default());
    let written = Mutex::new(Vec::new());
    let watch = |event: &Event, path: &Utf8Path| match event {
        Event::StepAccepted { .. } => panic!("{event:?}"),
        _ => written
            .lock()
            .unwrap()
            .push(path.join("reduced.rs").exists()),
    };
    let setting = Setting {
        watch: &watch,
        ..Setting::new(&FILES, &oracle)
    };
    let found = setting.with_store(&store).run().unwrap();
    assert_eq!(found.files[0].1, CALL);
    assert!(store.checkpoint(&JOB).unwrap().is_none());
    assert!(!written.into_inner().unwrap().contains(&true));
}

#[test]
fn the_figures_of_the_result_are_those_without_a_detour_that_did_not_pay() {
    let run = |search| {
        let oracle = crashing(&NOT_PAYING);
        let setting = Setting::new(&FILES, &oracle).with_search(search);
        setting.run().unwrap()
    };
    let (with, without) = (run(SearchOptions::default()), run(without("expand_macros")));
    assert!(with.queries > without.queries, "it was tried");
    assert_eq!((with.steps, without.steps), (0, 0));
    assert_eq!(with.possible_edits, without.possible_edits);
    assert!(with.passes.iter().all(|pass| pass.accepted == 0));
    assert_eq!(with.files, without.files);
}

#[test]
fn the_larger_form_is_tried_where_the_smaller_does_not_crash() {
    let expanded = "struct S;\n#[automatically_derived]\nimpl Clone for S { fn clone(&self) -> S { \
                    crash() } }\nfn f() {}";
    let text = "#[derive(Clone)] struct S; fn long(a: Aaa, b: Bbb, c: Ccc, d: Ddd, e: Eee) {}";
    let needed = "#[derive(Clone)] struct S; fn long(a: Aaa, b: Bbb, c: Ccc, d: Ddd, e: Eee)";
    let oracle = ClosureOracle::new(move |candidate| {
        let has = |sequence: &str| has_all(&candidate.tree, &[sequence]);
        match has(needed) || has("crash ( )") {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let oracle = oracle.expanding(move |_| Some(expanded.to_owned()));
    let files = [("lib.rs", text)];
    let found = Setting::new(&files, &oracle).run().unwrap();
    assert!(has_all(&found.tree(), &["crash ( )"]), "{}", found.root());
    assert!(!has_all(&found.tree(), &["derive"]), "{}", found.root());
}

/// Counts how often the compiler was asked to expand a program, and returns the search's end.
fn count_expansions(text: &str, expanded: String, search: SearchOptions) -> (u64, Found) {
    let count = Arc::new(AtomicU64::new(0));
    let counted = count.clone();
    let oracle = ClosureOracle::new(|_| Verdict::Rejected).expanding(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        Some(expanded.clone())
    });
    let files = [("lib.rs", text)];
    let setting = Setting::new(&files, &oracle).with_search(search);
    let found = setting.run().unwrap();
    (count.load(Ordering::SeqCst), found)
}

#[test]
fn only_what_has_macros_is_expanded_and_only_where_that_is_wanted() {
    let default = SearchOptions::default();
    let times = |text: &str, search| count_expansions(text, String::new(), search).0;
    assert_eq!(times(CALL, default), 1);
    assert_eq!(times("fn crash() {}", default), 0);
    assert_eq!(times(CALL, without("expand_macros")), 0);
}

#[test]
fn an_expansion_that_is_far_too_large_is_not_tried() {
    let search = search_of(&["expand_macros"]);
    let queries = |n: usize| {
        count_expansions(CALL, "struct S;\n".repeat(n), search)
            .1
            .queries
    };
    assert_eq!(queries(300), 1);
    assert_eq!(queries(400), 0);
}

#[test]
fn a_search_that_is_cancelled_on_a_detour_ends_with_what_was_before() {
    let cancel = Cancel::new().unwrap();
    let given = cancel.clone();
    let oracle = ClosureOracle::new(move |candidate| {
        if has_all(&candidate.tree, &[CALL]) {
            return Verdict::Interesting;
        }
        match has_all(&candidate.tree, &["fn two"]) {
            true => {
                given.cancel();
                Verdict::Interesting
            }
            false => Verdict::Compiles,
        }
    });
    let oracle = oracle.expanding(|_| Some(EXPANDED.to_owned()));
    let setting = Setting {
        cancel: cancel.clone(),
        ..Setting::new(&FILES, &oracle)
    };
    let methods = Methods::new(SearchOptions::default());
    let found = setting.run_with(|session| run_to_fixpoint(session, &methods));
    let found = found.unwrap();
    assert!(cancel.is_cancelled());
    assert_eq!((found.files[0].1.as_str(), found.steps), (CALL, 0));
}
