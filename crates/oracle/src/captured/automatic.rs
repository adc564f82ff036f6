//! The kept crashes that wait to be reduced in the background, and their results: files beside the kept crashes.
//!
//! A crash that waits is there once, whatever becomes of its sources meanwhile: when its turn comes, those of that moment are
//! reduced.

use crate::error::OracleError;
use crate::system::files;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{File, TryLockError};

/// The name of the directory that has a file for each kept crash that waits to be reduced.
const WANTED: &str = "wanted";
/// The name of the directory with the results of reduced crashes: a directory and a log for each crash.
const REDUCED: &str = "reduced";
/// The directory of news that the user has not been told yet, with a file for each crash.
const NEWS: &str = "news";
/// The name of the file that a process keeps locked while it reduces kept crashes in the background.
const LOCK: &str = "reduces";

/// The reductions of kept crashes that nobody has asked for by hand.
#[derive(Debug, Clone)]
pub struct Automatic {
    directory: Utf8PathBuf,
}

impl Automatic {
    /// Returns the reductions of the crashes that are kept in a directory.
    pub(super) fn below(directory: &Utf8Path) -> Self {
        let directory = directory.to_owned();
        Self { directory }
    }

    /// Returns the directory for the result of a crash.
    #[must_use]
    pub fn output(&self, number: u64) -> Utf8PathBuf {
        self.directory.join(REDUCED).join(number.to_string())
    }

    /// Returns the file for what is printed while a crash is reduced.
    pub(super) fn log(&self, number: u64) -> Utf8PathBuf {
        self.directory.join(REDUCED).join(format!("{number}.log"))
    }

    /// Makes a kept crash wait to be reduced in the background.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub(super) fn want(&self, number: u64) -> Result<(), OracleError> {
        files::make_private_dir(&self.directory.join(REDUCED))?;
        files::write(&self.wanted(number), "")
    }

    /// Removes a crash from those that wait to be reduced in the background.
    ///
    /// # Errors
    /// Where that cannot be removed.
    pub fn unwant(&self, number: u64) -> Result<(), OracleError> {
        files::remove(&self.wanted(number))
    }

    fn wanted(&self, number: u64) -> Utf8PathBuf {
        self.directory.join(WANTED).join(number.to_string())
    }

    /// Removes the crash that has changed last from those that wait to be reduced, and returns its number.
    pub(super) fn take(&self) -> Option<u64> {
        let entries = files::entries(&self.directory.join(WANTED)).ok()?;
        let waiting = entries.iter().filter_map(|entry| {
            let time = entry.metadata().ok()?.modified().ok()?;
            Some((time, entry.file_name().parse::<u64>().ok()?))
        });
        let (_, number) = waiting.max()?;
        self.unwant(number).ok()?;
        Some(number)
    }

    /// Returns whether a crash was reduced, is being reduced, or waits for that.
    pub(super) fn is_known(&self, number: u64) -> bool {
        self.log(number).exists() || self.wanted(number).exists()
    }

    /// Returns whether any kept crash waits to be reduced in the background.
    pub(super) fn waits(&self) -> bool {
        let entries = files::entries(&self.directory.join(WANTED));
        entries.is_ok_and(|entries| !entries.is_empty())
    }

    /// Takes the lock by which one process at a time reduces kept crashes, until the returned file is dropped. `None` where
    /// another process has it.
    ///
    /// # Errors
    /// Where it cannot be locked.
    pub(super) fn try_begin(&self) -> Result<Option<File>, OracleError> {
        let path = self.directory.join(LOCK);
        let file = File::create(&path).map_err(OracleError::io("create", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(OracleError::io("lock", &path)(error)),
        }
    }

    /// Notes a line about a crash that a later build tells the user.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub(super) fn note(&self, number: u64, line: &str) -> Result<(), OracleError> {
        let path = self.directory.join(NEWS).join(number.to_string());
        files::make_private_dir(&self.directory.join(NEWS))?;
        files::put(&path, |part| files::write(part, line))
    }

    /// Takes the news that the user has not been told yet, each line once.
    pub(super) fn news(&self) -> Vec<String> {
        let entries = files::entries(&self.directory.join(NEWS)).unwrap_or_default();
        let is_whole = |name: &str| name.parse::<u64>().is_ok();
        let whole = entries.iter().filter(|entry| is_whole(entry.file_name()));
        let lines = whole.filter_map(|entry| {
            let line = files::read(entry.path()).ok();
            // Another call may have told it.
            std::fs::remove_file(entry.path()).ok().and(line)
        });
        lines.collect()
    }

    /// Removes all files about a crash.
    ///
    /// # Errors
    /// Where it cannot be removed.
    pub(super) fn forget(&self, number: u64) -> Result<(), OracleError> {
        self.unwant(number)?;
        files::remove_all(&self.output(number))?;
        files::remove(&self.log(number))?;
        files::remove(&self.directory.join(NEWS).join(number.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn automatic() -> (tempfile::TempDir, Automatic) {
        let temp = tempfile::tempdir().unwrap();
        let automatic = Automatic::below(Utf8Path::from_path(temp.path()).unwrap());
        (temp, automatic)
    }

    #[test]
    fn a_crash_that_waits_is_taken_once_however_often_it_has_changed() {
        let (_temp, automatic) = automatic();
        for _ in 0..3 {
            automatic.want(7).unwrap();
        }
        assert!(automatic.waits());
        assert_eq!(automatic.take(), Some(7));
        assert!(!automatic.waits());
        assert_eq!(automatic.take(), None);
    }

    #[test]
    fn the_crash_that_has_changed_last_is_taken_first() {
        let (_temp, automatic) = automatic();
        for (number, seconds) in [(1, 5), (2, 9), (3, 7)] {
            automatic.want(number).unwrap();
            let file = File::options().write(true).open(automatic.wanted(number));
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            file.unwrap().set_modified(time).unwrap();
        }
        let taken: Vec<u64> = std::iter::from_fn(|| automatic.take()).collect();
        assert_eq!(taken, [2, 3, 1]);
    }

    #[test]
    fn one_reduces_at_a_time() {
        let (_temp, automatic) = automatic();
        let first = automatic.try_begin().unwrap();
        assert!(first.is_some());
        assert!(automatic.try_begin().unwrap().is_none());
        drop(first);
        assert!(automatic.try_begin().unwrap().is_some());
    }

    #[test]
    fn nothing_is_left_of_a_crash_that_is_forgotten() {
        let (_temp, automatic) = automatic();
        automatic.want(3).unwrap();
        automatic.note(3, "done").unwrap();
        files::write(&automatic.output(3).join("report.md"), "").unwrap();
        files::write(&automatic.log(3), "").unwrap();
        automatic.forget(3).unwrap();
        assert!(!automatic.waits());
        assert_eq!(automatic.news(), Vec::<String>::new());
        let left = files::entries(&automatic.directory.join(REDUCED)).unwrap();
        assert!(left.is_empty());
    }
}
