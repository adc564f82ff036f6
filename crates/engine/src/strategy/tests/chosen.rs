//! The passes and stages that a user chooses or leaves out.

use super::super::course::{run as run_phase, run_to_fixpoint};
use super::super::stages::{BEFORE_SLICES, BEGINNING, ERRORS, FLAGS, READABLE};
use super::super::verify::verify_minimal;
use super::crates::unit;
use super::oracle::ClosureOracle;
use super::{Found, Setting, has_all, search_of, tree};
use crate::ask::Crates;
use crate::event::Event;
use crate::propose::{Methods, Named, RemovableFlags};
use crate::request::{PassChoice, SearchOptions};
use camino::Utf8Path;
use reduce_model::Seed;
use reduce_oracle::Verdict;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// A program with something for every pass and stage.
const FILES: [(&str, &str); 2] = [
    (
        "lib.rs",
        "#![allow(unused)] mod inner; macro_rules! m { () => { struct M; } } m!();
         type Alias = u8; type Maybe = Option<u8>; const LIMIT: Alias = 1; #[derive(Clone)] struct Pair<T> { left: T }
         impl<T> Pair<T> { fn begin(&self, more: u8) -> u8 { let sum = more; sum + LIMIT } }
         trait Walk { fn walk(&self); } impl<T> Walk for Pair<T> { fn walk(&self) { other() } }
         fn other() { if true { crash(Pair { left: 1 }.begin(2)) } }
         use outer::Foreign; #[derive(Foreign)] struct Far; #[cfg(never)] struct Off;",
    ),
    ("inner.rs", "pub fn unused() { let x = 1; }"),
];

fn oracle() -> ClosureOracle {
    let oracle = ClosureOracle::new(|candidate| match has_all(&candidate.tree, &["crash ("]) {
        true => Verdict::Interesting,
        false => Verdict::Compiles,
    });
    oracle
        .allowing(&["E0001"])
        .expanding(|text| Some(text.replace("m!();", "struct M;")))
        .formatting(|text| Some(text.to_owned()))
        .linking(crates())
}

/// Makes a procedural macro that the program names, and a crate that it does not.
fn crates() -> Crates {
    let mut units = vec![unit("outer", &[]), unit("far", &[])];
    units[0].is_proc_macro = true;
    Crates::of_files(units, &[("/far/lib.rs", "pub fn far() {}")])
}

/// Runs a reduction, and returns its end and the passes that began.
fn run(search: SearchOptions, oracle: &ClosureOracle, jobs: usize) -> (Found, BTreeSet<String>) {
    let begun = Mutex::new(BTreeSet::new());
    let watch = |event: &Event, _: &Utf8Path| {
        if let Event::PassStarted { pass, .. } = event {
            begun.lock().unwrap().insert(pass.clone());
        }
    };
    let setting = Setting {
        watch: &watch,
        ..Setting::new(&FILES, oracle).linked_with(&[("outer", 0), ("far", 1)])
    };
    let named = Named {
        seeds: vec![Seed::Name("other".to_owned())],
        ..Named::default()
    };
    let flags = RemovableFlags {
        groups: 3,
        ..RemovableFlags::default()
    };
    let methods = Methods::new(search)
        .with_values("attempt to compute `7_u8 - 8_u8`")
        .beginning_with(named, tree(&FILES))
        .with_flags(flags);
    let found = setting.with_jobs(jobs).run_with(|session| {
        run_phase(session, &methods, &BEFORE_SLICES, 1)?;
        run_phase(session, &methods, &BEGINNING, 1)?;
        run_phase(session, &methods, &ERRORS, 1)?;
        run_to_fixpoint(session, &methods)?;
        run_phase(session, &methods, &FLAGS, 1)?;
        run_phase(session, &methods, &READABLE, 1)?;
        verify_minimal(session, &methods).map(drop)
    });
    (found.unwrap(), begun.into_inner().unwrap())
}

#[test]
fn only_the_pass_that_is_asked_for_is_made() {
    for name in PassChoice::names() {
        let (_, mut begun) = run(search_of(&[name]), &oracle(), 1);
        begun.remove("verify_minimal");
        begun.remove(name);
        assert_eq!(begun, BTreeSet::new(), "{name}");
    }
}

#[test]
fn a_pass_that_is_left_out_is_not_made() {
    for name in PassChoice::names() {
        let search = SearchOptions {
            passes: PassChoice::default().without(name).unwrap(),
            ..SearchOptions::default()
        };
        let (_, begun) = run(search, &oracle(), 1);
        assert!(!begun.contains(name), "{name}");
        assert!(begun.len() > 20, "{begun:?}");
    }
}

#[test]
fn every_pass_and_stage_is_made_by_default_but_that_which_must_be_asked_for() {
    // Nothing but the whole program crashes, so that every stage has something left to try.
    let oracle = ClosureOracle::new(|_| Verdict::Compiles).allowing(&["E0001"]);
    let oracle = oracle.expanding(|text| Some(text.replace("m!();", "struct M;")));
    let oracle = oracle.linking(crates()).comparing(|_| None);
    let (_, begun) = run(SearchOptions::default(), &oracle, 1);
    // Two must be asked for, six are for programs that are run, one for programs of two versions, and one for waves.
    const OF_FEW: [&str; 10] = [
        "at_once",
        "replace_std",
        "run_as_main",
        "carve",
        "delete_unused",
        "delete_dead_code",
        "expand_items",
        "fold_values",
        "inline_calls",
        "narrow_difference",
    ];
    let of_all = |name: &&str| !OF_FEW.contains(name);
    for name in PassChoice::names().filter(of_all) {
        assert!(begun.contains(name), "{name}");
    }
    assert!(!begun.contains("replace_std"));
    let asked_for = SearchOptions {
        replace_std: true,
        ..SearchOptions::default()
    };
    assert!(run(asked_for, &oracle, 1).1.contains("replace_std"));
}

#[test]
fn any_number_of_workers_does_the_same_to_the_end() {
    let default = SearchOptions::default();
    let (alone, _) = run(default, &oracle(), 1);
    assert!(alone.steps > 3 && alone.possible_edits > 0);
    for jobs in [2, 4] {
        let (found, _) = run(default, &oracle().slow(), jobs);
        assert_eq!(found, alone, "{jobs} workers");
    }
}
