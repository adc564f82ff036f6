//! Faults of the disk below the store: files that may not grow, and bytes that are not what was written.

use super::SledStore;
use super::journal::Journal;
use super::tests::checkpoint;
use crate::limited::{limited_place, run_limited};
use camino::{Utf8Path, Utf8PathBuf};
use proptest::prelude::*;
use reduce_engine::{Digest, Store, Verdict};

/// The name of the file with the number of the last step that the store has acknowledged.
const ACKNOWLEDGED: &str = "acknowledged";
const JOB: Digest = [7; 32];
/// The number of steps that the writing process takes.
const STEPS: u64 = 60;
/// The number of jobs that have steps in a store that is damaged.
const JOBS: u64 = 5;
/// The number of damaged stores that are opened. 3,000 were, once.
const CASES: u32 = 150;

fn key(number: u64) -> Digest {
    *blake3::hash(&number.to_le_bytes()).as_bytes()
}

fn verdict(number: u64) -> Verdict {
    Verdict::AddsError(format!("E{number:04}"))
}

/// Each step has a text of its own, which the system cannot write in one page.
fn text(step: u64) -> String {
    let line = format!("fn f{step}() {{ {} }}\n", hex(&key(step)));
    line.repeat(200)
}

fn hex(digest: &Digest) -> String {
    blake3::Hash::from(*digest).to_hex().to_string()
}

/// Writes steps in the process with the limit: goes on whatever the store says, and notes what the store has taken.
fn write_steps(place: &Utf8Path) {
    let Ok(opened) = SledStore::open(&place.join("store")) else {
        return;
    };
    let store = opened.store;
    let mut failed = 0;
    for step in 1..=STEPS {
        for number in step * 20..step * 20 + 20 {
            failed += u64::from(store.keep_verdict(&key(number), &verdict(number)).is_err());
            failed += u64::from(store.verdict(&key(number)).is_err());
        }
        match store.keep_checkpoint(&JOB, &checkpoint(step, &[("lib.rs", &text(step))])) {
            Ok(()) => std::fs::write(place.join(ACKNOWLEDGED), step.to_string()).unwrap(),
            Err(_) => failed += 1,
        }
    }
    drop(store);
    std::fs::write(place.join("failed"), failed.to_string()).unwrap();
}

fn empty_place() -> (tempfile::TempDir, Utf8PathBuf) {
    let temp = tempfile::tempdir().unwrap();
    let place = Utf8PathBuf::from_path_buf(temp.path().to_owned()).unwrap();
    (temp, place)
}

#[test]
fn a_verdict_that_was_written_in_part_hides_none_that_comes_later() {
    let (small, large) = (vec![b's'; 100], vec![b'l'; 1500]);
    let Some(place) = limited_place() else {
        let (_temp, place) = empty_place();
        run_limited(
            "store::faults::a_verdict_that_was_written_in_part_hides_none_that_comes_later",
            4,
            &place,
        );
        let (_, entries) = Journal::open(&place.join("recent")).unwrap();
        let expected = [(key(1), large), (key(3), small.clone()), (key(5), small)];
        assert_eq!(entries, expected);
        return;
    };
    let (journal, _) = Journal::open(&place.join("recent")).unwrap();
    let verdicts = [&large, &large, &small, &large, &small];
    let added = (1..).zip(verdicts).map(|(number, verdict)| {
        let added = journal.add(&key(number), verdict, || unreachable!());
        added.is_ok()
    });
    assert_eq!(added.collect::<Vec<_>>(), [true, false, true, false, true]);
}

#[test]
fn a_store_whose_files_may_not_grow_keeps_what_it_has_taken() {
    if let Some(place) = limited_place() {
        return write_steps(&place);
    }
    let mut n_short = 0;
    // From what a store cannot even be opened with, to more than it needs.
    for blocks in [4, 40, 400, 1024, 1100, 1500, 2000, 2500, 4000] {
        let (_temp, place) = empty_place();
        run_limited(
            "store::faults::a_store_whose_files_may_not_grow_keeps_what_it_has_taken",
            blocks,
            &place,
        );
        n_short += check_left(&place, blocks);
    }
    assert!(n_short >= 5, "{n_short}");
}

/// Looks at what a process with a limit has left. Returns 1 where the limit was felt.
fn check_left(place: &Utf8Path, blocks: u64) -> usize {
    let number = |name: &str| {
        let text = std::fs::read_to_string(place.join(name));
        text.map_or(0, |text| text.parse::<u64>().unwrap())
    };
    let opened = SledStore::open(&place.join("store")).unwrap();
    assert_eq!(opened.warning, None, "{blocks}");
    let taken = number(ACKNOWLEDGED);
    let found = opened.store.checkpoint(&JOB).unwrap();
    let step = found.as_ref().map_or(0, |found| found.step);
    // One that could not be written to its end may be there or not.
    assert!(step == taken || step == taken + 1, "{step} of {taken}");
    if let Some(found) = found {
        assert_eq!(found.files["lib.rs"].as_ref(), text(step), "{blocks}");
    }
    for number in 20..step * 20 {
        let known = opened.store.verdict(&key(number)).unwrap();
        assert_eq!(known, Some(verdict(number)), "{blocks}: {number}");
    }
    usize::from(number("failed") > 0)
}

/// A closed store, with verdicts and the steps of some jobs.
fn closed_store() -> (tempfile::TempDir, Utf8PathBuf) {
    let temp = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(temp.path().join("store")).unwrap();
    let store = SledStore::open(&path).unwrap().store;
    for number in 0..300 {
        store.keep_verdict(&key(number), &verdict(number)).unwrap();
    }
    for job in 0..JOBS {
        let files = text(job);
        let step = checkpoint(job, &[("lib.rs", &files), ("a.rs", "fn a() {}")]);
        store.keep_checkpoint(&key(job), &step).unwrap();
    }
    (temp, path)
}

/// All files below a directory, with what is in them.
fn files(directory: &Utf8Path) -> Vec<(Utf8PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in directory.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push((path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    found.sort();
    found
}

/// Opens a store in which something is wrong, and uses all of it: an answer is right or none, whatever is said besides.
/// Returns how many steps of jobs are there.
fn use_damaged(path: &Utf8Path) -> u64 {
    let Ok(opened) = SledStore::open(path) else {
        return 0;
    };
    let store = opened.store;
    for number in 0..300 {
        if let Ok(Some(known)) = store.verdict(&key(number)) {
            assert_eq!(known, verdict(number));
        }
    }
    let mut n_steps = 0;
    for job in 0..JOBS {
        if let Ok(Some(step)) = store.checkpoint(&key(job)) {
            let files = text(job);
            assert_eq!(
                step,
                checkpoint(job, &[("lib.rs", &files), ("a.rs", "fn a() {}")])
            );
            n_steps += 1;
        }
    }
    let _may_be_refused = store.keep_verdict(&key(1000), &verdict(1000));
    let step = checkpoint(9, &[("lib.rs", "")]);
    if store.keep_checkpoint(&key(1000), &step).is_ok() {
        assert_eq!(store.checkpoint(&key(1000)).unwrap(), Some(step));
    }
    let _may_be_refused = store.look_at_verdicts();
    let _may_be_refused = store.look_at_checkpoints();
    n_steps
}

/// Whether its format seems to be that of a later version, which refuses it.
fn is_newer(path: &Utf8Path) -> bool {
    let format = std::fs::read_to_string(path.join("format")).unwrap_or_default();
    format.trim().parse().is_ok_and(|format: u32| format > 1)
}

thread_local! {
    /// The files of a closed store, by their names in it.
    static WHOLE: Vec<(Utf8PathBuf, Vec<u8>)> = {
        let (_temp, path) = closed_store();
        let files = files(&path).into_iter();
        files.map(|(file, bytes)| (file.strip_prefix(&path).unwrap().to_owned(), bytes)).collect()
    };
}

/// Draws the file that is changed: mostly the one that has nearly everything.
fn damaged_file() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => Just("sled/db"), 1 => Just("sled/conf"), 1 => Just("format"), 1 => Just("recent")]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn a_store_with_changed_bytes_gives_no_wrong_answer_and_never_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1..=255u8, prop_oneof![Just(1usize), 1..600usize]), 1..4),
        file in damaged_file(),
    ) {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(temp.path().join("store")).unwrap();
        WHOLE.with(|whole| for (name, bytes) in whole {
            let place = path.join(name);
            std::fs::create_dir_all(place.parent().unwrap()).unwrap();
            let mut bytes = bytes.clone();
            if name == file && !bytes.is_empty() {
                for &(at, by, length) in &changes {
                    let at = at.index(bytes.len());
                    for byte in bytes.iter_mut().skip(at).take(length) {
                        *byte ^= by;
                    }
                }
            }
            std::fs::write(place, bytes).unwrap();
        });
        let steps = use_damaged(&path);
        // What is in the way of sled, and no part of what was stored, costs nothing.
        prop_assert!(steps == JOBS || file == "sled/db" || steps == 0 && is_newer(&path), "{}: {}", file, steps);
        prop_assert_eq!(use_damaged(&path), steps);
    }
}
