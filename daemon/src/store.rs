//! The store: verdicts across runs and the accepted steps of jobs, in sled. One process has it open
//! at a time, and while it is, nobody else can damage it.
//!
//! On disk: `format` (a number, read before anything else so that a newer store is not touched)
//! and `sled/` with the trees `verdicts-N`, `checkpoints` and `meta`; `recent` has the verdicts that sled has not written
//! yet (`journal`); `<directory>.lock` is beside it.
//!
//! See docs/decisions/store-and-daemon.md.

mod checkpoints;
#[cfg(test)]
mod faults;
mod journal;
mod open;
mod rescue;
mod space;
mod verdict_code;
mod verdicts;

pub use open::{OpenError, Opened};

use crate::lock::FileLock;
use camino::Utf8PathBuf;
use checkpoints::Checkpoints;
use reduce_engine::{Checkpoint, Digest, Store, StoreError, Verdict};
use space::Room;
use std::sync::atomic::{AtomicBool, Ordering};
use verdicts::Verdicts;

/// The store of verdicts and accepted steps, in a database of sled.
#[derive(Debug)]
pub struct SledStore {
    directory: Utf8PathBuf,
    room: Room,
    verdicts: Verdicts,
    checkpoints: Checkpoints,
    /// Whether sled has failed: it does nothing more then.
    has_failed: AtomicBool,
    // Fields are dropped in order: the lock goes when sled has closed its files.
    _lock: FileLock,
}

/// The number of entries of the store that can be read, and of those that cannot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Looked {
    pub(crate) readable: u64,
    pub(crate) unreadable: u64,
}

impl Looked {
    fn add(&mut self, is_readable: bool) {
        match is_readable {
            true => self.readable += 1,
            false => self.unreadable += 1,
        }
    }
}

impl SledStore {
    fn using_sled<T>(&self, use_sled: impl FnOnce() -> sled::Result<T>) -> Result<T, StoreError> {
        open::guarded(use_sled).map_err(|error| self.report(error))
    }

    /// Returns whether the store has to be opened again before it can be used.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Turns an error of sled into the engine's, and marks a damaged store, so that the next opening sets it aside.
    fn report(&self, error: sled::Error) -> StoreError {
        self.has_failed.store(true, Ordering::Relaxed);
        let is_damage = matches!(
            error,
            sled::Error::Corruption { .. } | sled::Error::ReportableBug(_)
        );
        if is_damage && !self.room.is_short() {
            open::mark_as_damaged(&self.directory);
        }
        StoreError {
            message: format!("in `{}`", self.directory),
            source: Some(match error {
                // Told apart from others by its kind.
                sled::Error::Io(error) => Box::new(error),
                error => Box::new(error),
            }),
        }
    }

    /// Returns the number of verdicts in the store.
    pub(crate) fn count_verdicts(&self) -> u64 {
        self.verdicts.count()
    }

    /// Forgets all verdicts. Returns how many there were.
    pub(crate) fn forget_verdicts(&self) -> sled::Result<u64> {
        self.verdicts.forget_all()
    }

    /// Reads all verdicts, and counts those that can be read and those that cannot.
    pub(crate) fn look_at_verdicts(&self) -> sled::Result<Looked> {
        open::guarded(|| self.verdicts.look())
    }

    /// Reads the last accepted steps of all unfinished jobs, and counts those that can be read and those that cannot.
    pub(crate) fn look_at_checkpoints(&self) -> sled::Result<Looked> {
        open::guarded(|| self.checkpoints.look())
    }

    /// Returns the number of bytes that the store has on disk.
    pub(crate) fn size_on_disk(&self) -> sled::Result<u64> {
        self.verdicts.size_on_disk()
    }

    /// Makes the error for a disk without room, found before sled has begun to write.
    fn report_full(&self, error: std::io::Error) -> StoreError {
        StoreError {
            message: format!("in `{}`", self.directory),
            source: Some(Box::new(error)),
        }
    }
}

impl Store for SledStore {
    fn verdict(&self, key: &Digest) -> Result<Option<Verdict>, StoreError> {
        self.using_sled(|| self.verdicts.get(key))
    }

    fn keep_verdict(&self, key: &Digest, verdict: &Verdict) -> Result<(), StoreError> {
        let room = self.room.for_little();
        room.map_err(|error| self.report_full(error))?;
        self.using_sled(|| self.verdicts.keep(key, verdict))
    }

    fn checkpoint(&self, job: &Digest) -> Result<Option<Checkpoint>, StoreError> {
        self.using_sled(|| self.checkpoints.get(job))
    }

    fn keep_checkpoint(&self, job: &Digest, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        let bytes = checkpoint.files.values().map(|text| text.len() as u64);
        let room = self.room.for_bytes(bytes.sum());
        room.map_err(|error| self.report_full(error))?;
        self.using_sled(|| self.checkpoints.keep(job, checkpoint))
    }

    fn forget_checkpoint(&self, job: &Digest) -> Result<(), StoreError> {
        self.using_sled(|| self.checkpoints.forget(job))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_engine::Linkage;
    use std::collections::BTreeMap;

    fn store_in(temp: &tempfile::TempDir) -> (SledStore, Option<String>) {
        let path = Utf8PathBuf::from_path_buf(temp.path().join("store")).unwrap();
        let opened = SledStore::open(&path).unwrap();
        (opened.store, opened.warning)
    }

    pub(super) fn checkpoint(step: u64, files: &[(&str, &str)]) -> Checkpoint {
        let files = files
            .iter()
            .map(|&(path, text)| (path.to_owned(), text.into()));
        Checkpoint {
            step,
            files: files.collect::<BTreeMap<_, _>>(),
            linkage: Linkage {
                externs: BTreeMap::from([("outer".to_owned(), usize::try_from(step).unwrap())]),
                ..Linkage::default()
            },
            is_main: step.is_multiple_of(2),
            skipped: BTreeMap::from([("delete_items".to_owned(), step)]),
        }
    }

    #[test]
    fn verdicts_outlive_the_process() {
        let temp = tempfile::tempdir().unwrap();
        let verdict = Verdict::AddsError("E0308".to_owned());
        let (store, _) = store_in(&temp);
        store.keep_verdict(&[1; 32], &verdict).unwrap();
        drop(store);
        let (store, warning) = store_in(&temp);
        assert_eq!(warning, None);
        assert_eq!(store.verdict(&[1; 32]).unwrap(), Some(verdict));
        assert_eq!(store.verdict(&[2; 32]).unwrap(), None);
    }

    /// A kill leaves a store in which what sled was given last is not on the disk.
    #[test]
    fn verdicts_that_sled_has_not_written_are_there_after_a_kill() {
        let temp = tempfile::tempdir().unwrap();
        let (store, _) = store_in(&temp);
        let recent = temp.path().join("store/recent");
        store.keep_verdict(&[1; 32], &Verdict::Compiles).unwrap();
        let left = std::fs::read(&recent).unwrap();
        drop(store);
        std::fs::remove_dir_all(temp.path().join("store/sled")).unwrap();
        std::fs::remove_file(temp.path().join("store/format")).unwrap();
        std::fs::write(&recent, left).unwrap();
        let (store, _) = store_in(&temp);
        assert_eq!(store.verdict(&[1; 32]).unwrap(), Some(Verdict::Compiles));
    }

    #[test]
    fn nothing_is_written_to_a_disk_that_is_nearly_full() {
        use std::sync::atomic::{AtomicU64, Ordering};
        static FREE: AtomicU64 = AtomicU64::new(u64::MAX);
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(temp.path().join("store")).unwrap();
        let free: space::FreeBytes = |_| FREE.load(Ordering::SeqCst);
        let store = SledStore::open_with(&path, free).unwrap().store;
        store.keep_verdict(&[1; 32], &Verdict::Compiles).unwrap();
        FREE.store(0, Ordering::SeqCst);
        let checkpoint = checkpoint(1, &[("a.rs", "x")]);
        let error = store.keep_checkpoint(&[7; 32], &checkpoint).unwrap_err();
        let failure = reduce_engine::Failure::from(error);
        assert!(failure.hints[0].starts_with("make room"), "{failure:?}");
        let refused =
            (0..1000).find_map(|_| store.keep_verdict(&[2; 32], &Verdict::Compiles).err());
        assert!(refused.is_some());
        drop(store);
        let opened = SledStore::open(&path).unwrap();
        assert_eq!(opened.warning, None);
        let verdict = opened.store.verdict(&[1; 32]).unwrap();
        assert_eq!(verdict, Some(Verdict::Compiles));
    }

    #[test]
    fn a_cancelled_query_is_not_kept() {
        let temp = tempfile::tempdir().unwrap();
        let (store, _) = store_in(&temp);
        store.keep_verdict(&[1; 32], &Verdict::Cancelled).unwrap();
        assert_eq!(store.verdict(&[1; 32]).unwrap(), None);
    }

    #[test]
    fn a_checkpoint_replaces_the_one_before_file_by_file() {
        let temp = tempfile::tempdir().unwrap();
        let (store, _) = store_in(&temp);
        let job = [7; 32];
        let first = checkpoint(1, &[("src/lib.rs", "mod a;"), ("src/a.rs", "fn f() {}")]);
        let second = checkpoint(2, &[("src/lib.rs", "")]);
        store.keep_checkpoint(&job, &first).unwrap();
        assert_eq!(store.checkpoint(&job).unwrap(), Some(first));
        store.keep_checkpoint(&job, &second).unwrap();
        assert_eq!(store.checkpoint(&job).unwrap(), Some(second));
        assert_eq!(store.checkpoint(&[8; 32]).unwrap(), None);
    }

    #[test]
    fn the_checkpoints_of_other_jobs_are_not_forgotten() {
        let temp = tempfile::tempdir().unwrap();
        let (store, _) = store_in(&temp);
        let kept = checkpoint(4, &[("a.rs", "x")]);
        store.keep_checkpoint(&[1; 32], &kept).unwrap();
        store.keep_checkpoint(&[2; 32], &kept).unwrap();
        store.forget_checkpoint(&[1; 32]).unwrap();
        assert_eq!(store.checkpoint(&[1; 32]).unwrap(), None);
        assert_eq!(store.checkpoint(&[2; 32]).unwrap(), Some(kept));
    }
}
