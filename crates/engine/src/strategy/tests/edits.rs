//! A person edits the best so far while it is searched. The person is a closure that is told of each
//! event, so that nothing depends on time.

use super::oracle::ClosureOracle;
use super::{
    CRASHING, Found, JOB, Methods, PROGRAM, SearchOptions, Setting, has_all, needing,
    run_to_fixpoint, spaced,
};
use crate::event::Event;
use crate::failure::Failure;
use crate::store::{MemoryStore, Store};
use crate::watch::{Looking, Watch};
use camino::{Utf8Path, Utf8PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

const FILES: [(&str, &str); 1] = [("lib.rs", PROGRAM)];

/// A program that still crashes, and is no smaller than what the search has by then.
const LONGER: &str = "mod shapes { fn human(n: u8) { crash(n, 1); crash(n, 2); crash(n, 3) } } \
    fn crash<A, B>(a: A, b: B) -> B where A: Clone { b }";

/// Tells at each look that the result was touched.
struct Nervous;

impl Watch for Nervous {
    fn result_was_touched(&self) -> bool {
        true
    }

    fn changed_sources(&self, _looking: Looking) -> Vec<String> {
        Vec::new()
    }
}

/// Edits once, at the first event that it likes, and notes what is said of it.
struct Person<'a> {
    begins: &'a (dyn Fn(&Event) -> bool + Sync),
    edits: &'a (dyn Fn(&Utf8Path) + Sync),
    has_edited: AtomicBool,
    heard: Mutex<Vec<Event>>,
    /// The files of the output directory when each edit was decided.
    seen: Mutex<Vec<(Utf8PathBuf, Vec<u8>)>>,
}

impl<'a> Person<'a> {
    fn new(
        begins: &'a (dyn Fn(&Event) -> bool + Sync),
        edits: &'a (dyn Fn(&Utf8Path) + Sync),
    ) -> Self {
        Self {
            begins,
            edits,
            has_edited: AtomicBool::new(false),
            heard: Mutex::default(),
            seen: Mutex::default(),
        }
    }

    fn hear(&self, event: &Event, output: &Utf8Path) {
        if (self.begins)(event) && !self.has_edited.swap(true, Ordering::SeqCst) {
            (self.edits)(output);
        }
        if matches!(
            event,
            Event::EditAdopted { .. } | Event::EditRejected { .. }
        ) {
            self.heard.lock().unwrap().push(event.clone());
            let entries = output.read_dir_utf8().unwrap().flatten();
            let files = entries.filter(|entry| entry.path().is_file());
            let read = |entry: camino::Utf8DirEntry| {
                let bytes = std::fs::read(entry.path()).unwrap();
                (Utf8PathBuf::from(entry.file_name()), bytes)
            };
            *self.seen.lock().unwrap() = files.map(read).collect();
        }
    }

    /// Whether the edit was taken; `None` where nothing was said of it.
    fn was_adopted(&self) -> Option<bool> {
        let heard = self.heard.lock().unwrap();
        assert!(heard.len() <= 1, "{heard:?}");
        let last = heard.last();
        last.map(|event| matches!(event, Event::EditAdopted { .. }))
    }

    fn reason(&self) -> String {
        match self.heard.lock().unwrap().last() {
            Some(Event::EditRejected { reason, .. }) => reason.clone(),
            other => panic!("not rejected: {other:?}"),
        }
    }

    fn seen(&self, name: &str) -> Vec<u8> {
        let seen = self.seen.lock().unwrap();
        let found = seen.iter().find(|(path, _)| path == name);
        found.map(|(_, bytes)| bytes.clone()).unwrap_or_default()
    }
}

fn at_step(number: u64) -> impl Fn(&Event) -> bool + Sync {
    move |event| matches!(event, Event::StepAccepted { step, .. } if *step == number)
}

/// Writes an edit in place, as an editor may.
fn writing(text: &'static str) -> impl Fn(&Utf8Path) + Sync {
    move |output| std::fs::write(output.join("reduced.rs"), text).unwrap()
}

/// Reduces a program, and again from each edit.
fn run(setting: Setting<'_>) -> Result<Found, Failure> {
    let methods = Methods::new(SearchOptions::default());
    setting
        .run_with(|session| session.redo_from_edits(|session| run_to_fixpoint(session, &methods)))
}

fn run_with(person: &Person<'_>, jobs: usize) -> Found {
    let oracle = needing(&CRASHING);
    let watch = |event: &Event, output: &Utf8Path| person.hear(event, output);
    let setting = Setting::new(&FILES, &oracle).with_jobs(jobs);
    run(Setting {
        watch: &watch,
        ..setting
    })
    .unwrap()
}

fn without_edits() -> Found {
    let oracle = needing(&CRASHING);
    run(Setting::new(&FILES, &oracle)).unwrap()
}

#[test]
fn an_edit_that_still_fails_is_gone_on_from_even_if_it_is_larger() {
    for jobs in [1, 4] {
        for step in [1, 2, 5, 9] {
            let (begins, edits) = (at_step(step), writing(LONGER));
            let person = Person::new(&begins, &edits);
            let found = run_with(&person, jobs);
            assert_eq!(person.was_adopted(), Some(true), "step {step}");
            assert_eq!(person.seen("reduced.rs"), LONGER.as_bytes());
            assert_eq!(person.seen("rejected-edit.rs"), b"");
            let oracle = needing(&CRASHING);
            let expected = run(Setting::new(&[("lib.rs", LONGER)], &oracle)).unwrap();
            assert_eq!(found.files, expected.files, "step {step}, {jobs} jobs");
        }
    }
}

#[test]
fn what_failed_before_an_edit_is_asked_anew_on_top_of_it() {
    // Alone neither of the two can go.
    let oracle = ClosureOracle::new(|candidate| {
        let has = |text| has_all(&candidate.tree, &[text]);
        match has("crash") && has("fn one") == has("fn two") {
            true => reduce_oracle::Verdict::Interesting,
            false => reduce_oracle::Verdict::Compiles,
        }
    });
    let text = "fn crash() {} fn one() { two::<u8>(two(1, 2, 3)) } \
                fn two() { one::<u8>(one(1, 2, 3)) } struct S { a: u8, b: u8 }";
    let rounds = |event: &Event| matches!(event, Event::PassStarted { round: 2, .. });
    let edits = writing("fn crash() {} fn three() {}");
    let person = Person::new(&rounds, &edits);
    let watch = |event: &Event, output: &Utf8Path| person.hear(event, output);
    let files = [("lib.rs", text)];
    let setting = Setting::new(&files, &oracle);
    let found = run(Setting {
        watch: &watch,
        ..setting
    });
    let root = found.unwrap().root();
    assert!(root.contains("crash") && !root.contains("three"), "{root}");
}

#[track_caller]
fn check_rejected(text: &'static [u8], reason: &str, more_queries: u64) {
    let begins = at_step(3);
    let edits = |output: &Utf8Path| std::fs::write(output.join("reduced.rs"), text).unwrap();
    let person = Person::new(&begins, &edits);
    let found = run_with(&person, 1);
    let expected = without_edits();
    assert_eq!(person.reason(), reason);
    assert_eq!(person.seen("rejected-edit.rs"), text);
    assert_eq!(found.files, expected.files);
    assert_eq!(found.steps, expected.steps);
    assert_eq!(found.queries, expected.queries + more_queries);
}

#[test]
fn an_edit_that_does_not_fail_any_more_is_kept_aside_and_costs_one_query() {
    check_rejected(b"fn main() {}", "it compiles", 1);
}

#[test]
fn an_edit_that_is_no_program_is_kept_aside_and_costs_nothing() {
    check_rejected(b"fn main( {}", "it does not parse", 0);
    check_rejected(b"fn main() {} // \xff", "it is not UTF-8", 0);
}

#[test]
fn the_best_so_far_stands_where_it_stood_after_an_edit_that_was_rejected() {
    let text = "fn main() {}";
    let (begins, edits) = (at_step(1), writing(text));
    let person = Person::new(&begins, &edits);
    let after = Mutex::new(String::new());
    let oracle = needing(&CRASHING);
    let watch = |event: &Event, output: &Utf8Path| {
        if matches!(event, Event::StepAccepted { step: 2, .. }) {
            *after.lock().unwrap() = std::fs::read_to_string(output.join("reduced.rs")).unwrap();
        }
        person.hear(event, output);
    };
    let setting = Setting::new(&FILES, &oracle);
    run(Setting {
        watch: &watch,
        ..setting
    })
    .unwrap();
    let after = spaced(&after.lock().unwrap());
    assert!(after.contains("mod shapes"), "{after}");
}

#[test]
fn an_editor_that_renames_is_understood() {
    let begins = at_step(2);
    let edits = |output: &Utf8Path| {
        let file = output.join("reduced.rs");
        std::fs::rename(&file, output.join("reduced.rs~")).unwrap();
        std::fs::write(output.join("draft"), LONGER).unwrap();
        std::fs::rename(output.join("draft"), &file).unwrap();
    };
    let person = Person::new(&begins, &edits);
    run_with(&person, 1);
    assert_eq!(person.was_adopted(), Some(true));
}

#[test]
fn a_file_that_is_gone_is_no_edit() {
    let begins = at_step(2);
    let edits = |output: &Utf8Path| std::fs::remove_file(output.join("reduced.rs")).unwrap();
    let person = Person::new(&begins, &edits);
    assert_eq!(run_with(&person, 1), without_edits());
    assert_eq!(person.was_adopted(), None);
}

#[test]
fn what_we_write_ourselves_is_no_edit_and_costs_nothing() {
    for jobs in [1, 4] {
        let oracle = needing(&CRASHING);
        let setting = Setting::new(&FILES, &oracle).with_jobs(jobs);
        let nervous = run(Setting {
            notices: &Nervous,
            ..setting
        });
        assert_eq!(nervous.unwrap(), without_edits());
    }
}

#[test]
fn an_edit_is_noticed_within_a_search_where_the_system_tells() {
    // After the last step nothing is written any more.
    let last = without_edits().steps;
    let (begins, edits) = (at_step(last), writing(LONGER));
    let person = Person::new(&begins, &edits);
    let oracle = needing(&CRASHING);
    let watch = |event: &Event, output: &Utf8Path| person.hear(event, output);
    let setting = Setting::new(&FILES, &oracle).with_jobs(2);
    let found = run(Setting {
        watch: &watch,
        notices: &Nervous,
        ..setting
    });
    assert_eq!(person.was_adopted(), Some(true));
    assert!(has_all(&found.unwrap().tree(), &CRASHING));
}

#[test]
fn an_edit_on_a_detour_ends_it() {
    let text = "mod shapes { twice!(crash(n)); } where A; macro_rules! twice { () => {} }";
    let oracle = needing(&["crash(n"])
        .expanding(|_| Some("mod shapes { fn f() { crash(n); g(1); g(2); g(3); } }".to_owned()));
    let begins =
        |event: &Event| matches!(event, Event::PassStarted { pass, .. } if pass == "expand_macros");
    let edits = writing("twice!(crash(n, 7)); fn human() { other!(1) }");
    let person = Person::new(&begins, &edits);
    let watch = |event: &Event, output: &Utf8Path| person.hear(event, output);
    let files = [("lib.rs", text)];
    let setting = Setting::new(&files, &oracle);
    let found = run(Setting {
        watch: &watch,
        notices: &Nervous,
        ..setting
    });
    let found = found.unwrap();
    assert_eq!(person.was_adopted(), Some(true));
    assert!(has_all(&found.tree(), &["crash(n"]), "{}", found.root());
}

#[test]
fn edits_of_several_files_are_one_edit() {
    let files = [
        ("lib.rs", "mod a; mod b; fn unused() { drop((1, 2, 3)) }"),
        ("a.rs", "pub fn a() { crash(1, 2, 3) }"),
        ("b.rs", "pub fn b() { crash(4, 5, 6) } fn more() {}"),
    ];
    // Modules must stay in files of their own.
    let oracle = ClosureOracle::new(|candidate| {
        let is_apart = candidate.tree.files().count() == 3;
        match is_apart && has_all(&candidate.tree, &["crash"]) {
            true => reduce_oracle::Verdict::Interesting,
            false => reduce_oracle::Verdict::Compiles,
        }
    });
    let begins = at_step(1);
    let edits = |output: &Utf8Path| {
        std::fs::write(output.join("reduced/a.rs"), "fn human() {}").unwrap();
        std::fs::write(output.join("reduced/b.rs"), "fn b() { crash(7) }").unwrap();
    };
    let person = Person::new(&begins, &edits);
    let watch = |event: &Event, output: &Utf8Path| person.hear(event, output);
    let setting = Setting::new(&files, &oracle);
    let found = run(Setting {
        watch: &watch,
        ..setting
    });
    assert_eq!(person.was_adopted(), Some(true));
    let text = |path: &str| {
        let found = found.as_ref().unwrap();
        let file = found.files.iter().find(|(name, _)| name == path);
        spaced(&file.unwrap().1)
    };
    assert_eq!(text("a.rs"), "");
    assert!(text("b.rs").contains("crash"));
}

#[test]
fn an_adopted_edit_is_kept_like_a_step() {
    let (store, oracle) = (MemoryStore::default(), needing(&CRASHING));
    let begins = at_step(2);
    let edits = writing(LONGER);
    let person = Person::new(&begins, &edits);
    let kept = Mutex::new(None);
    let watch = |event: &Event, output: &Utf8Path| {
        person.hear(event, output);
        if let Event::EditAdopted { step, .. } = event {
            let checkpoint = store.checkpoint(&JOB).unwrap().unwrap();
            assert_eq!(checkpoint.step, *step);
            *kept.lock().unwrap() = checkpoint.files.get("lib.rs").cloned();
        }
    };
    let setting = Setting::new(&FILES, &oracle).with_store(&store);
    run(Setting {
        watch: &watch,
        ..setting
    })
    .unwrap();
    assert_eq!(kept.lock().unwrap().as_deref(), Some(LONGER));
}

#[test]
fn an_edit_after_the_end_of_the_search_is_kept_aside() {
    let oracle = needing(&CRASHING);
    let person = Person::new(&|_| false, &|_| {});
    let watch = |event: &Event, output: &Utf8Path| person.hear(event, output);
    let setting = Setting::new(&FILES, &oracle);
    let methods = Methods::new(SearchOptions::default());
    let place = Mutex::new(Utf8PathBuf::new());
    let noting = |event: &Event, output: &Utf8Path| {
        output.clone_into(&mut place.lock().unwrap());
        watch(event, output);
    };
    let ran = Setting {
        watch: &noting,
        ..setting
    }
    .run_with(|session| {
        session.redo_from_edits(|session| run_to_fixpoint(session, &methods))?;
        writing(LONGER)(&place.lock().unwrap().clone());
        session.keep_late_edit()
    });
    assert_eq!(ran.unwrap().files, without_edits().files);
    assert_eq!(person.reason(), "it came when the search had ended");
    assert_eq!(person.seen("rejected-edit.rs"), LONGER.as_bytes());
}
