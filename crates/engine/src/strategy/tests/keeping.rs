//! Tests of what a search keeps on the way: checkpoints, verdicts, other crashes; and when a search
//! ends early.

use super::oracle::ClosureOracle;
use super::{
    CRASHING, JOB, Methods, PROGRAM, SearchOptions, Setting, has_all, needing, run_to_fixpoint,
    tree,
};
use crate::candidate::{Candidate, CompileOptions};
use crate::event::Event;
use crate::output::OutputDirectory;
use crate::request::Stage;
use crate::store::{Checkpoint, Digest, Kept, MemoryStore, Store, StoreError};
use camino::Utf8Path;
use reduce_oracle::{Cancel, CrashKind, Signature, Verdict};
use reduce_syntax::poll_interruption;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

const FILES: [(&str, &str); 1] = [("lib.rs", PROGRAM)];

/// The function of a store that fails.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    Verdict,
    KeepVerdict,
    KeepCheckpoint,
}

/// A store of which one function works only a few times.
struct FaultyStore {
    fault: Fault,
    left: AtomicU64,
    inner: MemoryStore,
}

impl FaultyStore {
    fn new(fault: Fault, works: u64) -> Self {
        let (left, inner) = (AtomicU64::new(works), MemoryStore::default());
        Self { fault, left, inner }
    }

    fn pass(&self, fault: Fault) -> Result<(), StoreError> {
        let spend = |left: u64| left.checked_sub(1);
        let order = Ordering::SeqCst;
        if fault == self.fault && self.left.fetch_update(order, order, spend).is_err() {
            return Err(StoreError {
                message: "it is out of order".to_owned(),
                source: None,
            });
        }
        Ok(())
    }
}

impl Store for FaultyStore {
    fn verdict(&self, key: &Digest) -> Result<Option<Verdict>, StoreError> {
        self.pass(Fault::Verdict)?;
        self.inner.verdict(key)
    }

    fn keep_verdict(&self, key: &Digest, verdict: &Verdict) -> Result<(), StoreError> {
        self.pass(Fault::KeepVerdict)?;
        self.inner.keep_verdict(key, verdict)
    }

    fn checkpoint(&self, job: &Digest) -> Result<Option<Checkpoint>, StoreError> {
        self.inner.checkpoint(job)
    }

    fn keep_checkpoint(&self, job: &Digest, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        self.pass(Fault::KeepCheckpoint)?;
        self.inner.keep_checkpoint(job, checkpoint)
    }

    fn forget_checkpoint(&self, job: &Digest) -> Result<(), StoreError> {
        self.inner.forget_checkpoint(job)
    }
}

fn other_crash(message: &str) -> Verdict {
    Verdict::OtherCrash(Box::new(Signature::of_kind(CrashKind::Panic, message)))
}

/// Crashes in two other ways where the crash is gone.
fn slipping() -> ClosureOracle {
    ClosureOracle::new(|candidate| {
        let is_even = candidate.tree.count_tokens().is_multiple_of(2);
        match (has_all(&candidate.tree, &["crash(n"]), is_even) {
            (true, _) => Verdict::Interesting,
            (false, true) => other_crash("first"),
            (false, false) => other_crash("second"),
        }
    })
}

pub(super) fn kept(store: &dyn Store) -> Checkpoint {
    let checkpoint = store.checkpoint(&JOB).expect("the store can be read");
    checkpoint.expect("a step was kept")
}

#[test]
fn a_search_whose_store_fails_goes_on_without_it_and_says_so_once() {
    let oracle = needing(&CRASHING);
    let whole = MemoryStore::default();
    let undisturbed = Setting::new(&FILES, &oracle).with_store(&whole).run();
    let undisturbed = undisturbed.expect("the store works");
    for fault in [Fault::Verdict, Fault::KeepVerdict, Fault::KeepCheckpoint] {
        for jobs in [1, 4] {
            let (store, warnings) = (FaultyStore::new(fault, 3), Mutex::new(Vec::new()));
            let watch = |event: &Event, _: &Utf8Path| {
                if let Event::Warning { message } = event {
                    warnings.lock().unwrap().push(message.clone());
                }
            };
            let setting = Setting {
                watch: &watch,
                ..Setting::new(&FILES, &oracle)
            };
            let found = setting.with_jobs(jobs).with_store(&store).run();
            assert_eq!(found.expect("it goes on"), undisturbed, "{fault:?}");
            let warnings = warnings.into_inner().unwrap();
            assert_eq!(warnings.len(), 1, "{fault:?}: {warnings:?}");
            assert!(
                warnings[0].contains("it is out of order; the reduction goes on"),
                "{warnings:?}"
            );
        }
    }
}

/// The last step is beside the result where the store has none of the later steps.
#[test]
fn a_step_that_the_store_did_not_take_is_gone_on_from() {
    let (store, oracle) = (
        FaultyStore::new(Fault::KeepCheckpoint, 2),
        needing(&CRASHING),
    );
    let last = Mutex::new(None);
    let watch = |event: &Event, path: &Utf8Path| {
        if let Event::StepAccepted { step, .. } = event {
            let output = OutputDirectory::at(path);
            let kept = Kept::new(Some(&store), &output, JOB, &|_| {});
            let found = kept.checkpoint().expect("a step was kept");
            assert_eq!(found.step, *step);
            let another = Kept::new(Some(&store), &output, [0; 32], &|_| {});
            assert_eq!(another.checkpoint(), None);
            *last.lock().unwrap() = Some(*step);
        }
    };
    let setting = Setting {
        watch: &watch,
        ..Setting::new(&FILES, &oracle)
    };
    setting.with_store(&store).run().expect("it goes on");
    assert!(last.into_inner().unwrap() > Some(3));
    assert_eq!(kept(&store).step, 2);
}

#[test]
fn a_deadline_that_passed_is_not_remembered_across_runs() {
    let store = MemoryStore::default();
    let late = ClosureOracle::new(|_| Verdict::TimedOut);
    let found = Setting::new(&FILES, &late).with_store(&store).run();
    assert_eq!(found.unwrap().steps, 0);
    let oracle = needing(&[]);
    let found = Setting::new(&FILES, &oracle).with_store(&store).run();
    assert_eq!(found.unwrap().root(), "");
}

#[test]
fn after_each_step_the_checkpoint_is_what_is_on_disk() {
    let (store, oracle) = (MemoryStore::default(), needing(&CRASHING));
    let steps = Mutex::new(Vec::new());
    let watch = |event: &Event, path: &Utf8Path| {
        let Event::StepAccepted {
            step, tokens_after, ..
        } = event
        else {
            return;
        };
        let on_disk = std::fs::read_to_string(path.join("reduced.rs")).unwrap();
        let files = BTreeMap::from([("lib.rs".to_owned(), Arc::from(on_disk.as_str()))]);
        assert_eq!(
            kept(&store),
            Checkpoint {
                step: *step,
                files,
                linkage: Default::default(),
                is_main: false,
                skipped: Default::default(),
            }
        );
        let tree = tree(&[("lib.rs", &on_disk)]);
        assert!(has_all(&tree, &CRASHING));
        assert_eq!(tree.count_tokens(), *tokens_after);
        steps.lock().unwrap().push(*step);
    };
    let setting = Setting {
        watch: &watch,
        ..Setting::new(&FILES, &oracle)
    };
    let found = setting.with_jobs(4).with_store(&store).run().unwrap();
    let steps = steps.into_inner().unwrap();
    assert_eq!(steps, (1..=found.steps).collect::<Vec<_>>());
    let best = found.files.into_iter();
    let best: BTreeMap<String, Arc<str>> = best.map(|(path, text)| (path, text.into())).collect();
    assert_eq!(kept(&store).files, best);
}

#[test]
fn no_step_is_larger_than_the_one_before() {
    let oracle = needing(&CRASHING);
    let sizes = Mutex::new(Vec::new());
    let watch = |event: &Event, _: &Utf8Path| {
        if let Event::StepAccepted {
            tokens_before,
            tokens_after,
            ..
        } = event
        {
            sizes.lock().unwrap().push((*tokens_before, *tokens_after));
        }
    };
    let setting = Setting {
        watch: &watch,
        ..Setting::new(&FILES, &oracle)
    };
    setting.run().unwrap();
    let sizes = sizes.into_inner().unwrap();
    assert!(sizes.len() > 3);
    assert!(sizes.iter().all(|(before, after)| after <= before));
    assert!(sizes.windows(2).all(|pair| pair[0].1 == pair[1].0));
}

#[test]
fn a_search_that_is_cancelled_ends_with_the_best_so_far() {
    for jobs in [1, 4] {
        let oracle = needing(&CRASHING).slow();
        let cancel = Cancel::new().unwrap();
        let tokens = AtomicU64::new(0);
        let watch = |event: &Event, _: &Utf8Path| {
            if let Event::StepAccepted {
                step: 2,
                tokens_after,
                ..
            } = event
            {
                tokens.store(*tokens_after, Ordering::SeqCst);
                cancel.cancel();
            }
        };
        let setting = Setting {
            watch: &watch,
            cancel: cancel.clone(),
            ..Setting::new(&FILES, &oracle)
        };
        let found = setting.with_jobs(jobs).run().unwrap();
        assert_eq!(found.steps, 2, "{jobs} workers");
        assert!(has_all(&found.tree(), &CRASHING));
        assert_eq!(found.tree().count_tokens(), tokens.into_inner());
    }
}

#[test]
fn our_own_work_ends_when_the_search_is_cancelled() {
    let oracle = needing(&CRASHING);
    let setting = Setting::new(&FILES, &oracle);
    let cancel = setting.cancel.clone();
    let found = setting.run_with(|session| {
        let methods = Methods::new(SearchOptions::default());
        let accepted = session.in_chosen_stage(&methods, Stage::KeepSlice, 1, |session| {
            let smaller = Candidate {
                tree: tree(&[("lib.rs", "fn crash() {}")]),
                ..session.best().clone()
            };
            session.accept(smaller)?;
            cancel.cancel();
            loop {
                poll_interruption();
            }
        })?;
        assert_eq!(accepted, 0);
        assert!(session.is_cancelled());
        run_to_fixpoint(session, &methods)
    });
    let found = found.unwrap();
    assert_eq!(found.files[0].1, "fn crash() {}");
    assert_eq!(oracle.asked(), 0);
}

#[test]
fn a_search_that_was_cancelled_before_it_began_asks_nothing() {
    let oracle = needing(&CRASHING);
    let setting = Setting::new(&FILES, &oracle);
    setting.cancel.cancel();
    let found = setting.run().unwrap();
    assert_eq!(found.files[0].1, PROGRAM);
    assert_eq!(oracle.asked(), 0);
}

#[test]
fn a_cancelled_search_goes_on_where_it_was() {
    let (store, oracle) = (MemoryStore::default(), needing(&CRASHING));
    let cancel = Cancel::new().unwrap();
    let watch = |event: &Event, _: &Utf8Path| {
        if matches!(event, Event::StepAccepted { step: 3, .. }) {
            cancel.cancel();
        }
    };
    let setting = Setting {
        watch: &watch,
        cancel: cancel.clone(),
        ..Setting::new(&FILES, &oracle)
    };
    let first = setting.with_store(&store).run().unwrap();
    let steps = Mutex::new(Vec::new());
    let watch = |event: &Event, _: &Utf8Path| match event {
        Event::Resumed { steps: step, .. } | Event::StepAccepted { step, .. } => {
            steps.lock().unwrap().push(*step);
        }
        _ => {}
    };
    let setting = Setting {
        watch: &watch,
        ..Setting::new(&FILES, &oracle)
    };
    let resumed = setting.with_store(&store).run_with(|session| {
        let state = Candidate {
            tree: first.tree(),
            compile_options: CompileOptions::default(),
        };
        session.resume_with(kept(&store).step, state, BTreeMap::new())?;
        run_to_fixpoint(session, &Methods::new(SearchOptions::default()))
    });
    let resumed = resumed.unwrap();
    assert_eq!(first.steps, 3);
    assert!(resumed.steps > 3);
    assert_eq!(
        *steps.lock().unwrap(),
        (3..=resumed.steps).collect::<Vec<_>>()
    );
    assert!(has_all(&resumed.tree(), &CRASHING));
    assert!(resumed.tree().count_tokens() < first.tree().count_tokens());
}

#[test]
fn other_crashes_are_kept_aside_once_per_signature() {
    for jobs in [1, 4] {
        let oracle = slipping().slow();
        let seen = Mutex::new(Vec::new());
        let watch = |event: &Event, path: &Utf8Path| {
            let Event::OtherCrash { signature, kept_at } = event else {
                return;
            };
            assert!(kept_at.starts_with(path));
            let on_disk = std::fs::read_to_string(kept_at.join("signature.txt")).unwrap();
            assert_eq!(on_disk.trim_end(), signature);
            let text = std::fs::read_to_string(kept_at.join("lib.rs")).unwrap();
            assert!(!has_all(&tree(&[("lib.rs", &text)]), &["crash(n"]));
            seen.lock().unwrap().push(signature.clone());
        };
        let setting = Setting {
            watch: &watch,
            ..Setting::new(&FILES, &oracle)
        };
        let found = setting.with_jobs(jobs).run().unwrap();
        let mut seen = seen.into_inner().unwrap();
        assert_eq!(found.other_crashes, seen);
        seen.sort();
        assert_eq!(seen, ["panic: first", "panic: second"], "{jobs} workers");
        assert!(found.slippage > 2, "each is seen more than once");
    }
}

#[test]
fn at_most_eight_other_crashes_are_kept_aside() {
    let oracle = ClosureOracle::new(|candidate| {
        let size = candidate.tree.count_tokens();
        other_crash(&size.to_string())
    });
    let found = Setting::new(&FILES, &oracle).run().unwrap();
    assert_eq!(found.other_crashes.len(), 8);
    assert!(found.slippage > 8);
}
