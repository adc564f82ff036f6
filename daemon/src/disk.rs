//! The room on the disk that all jobs may need together: what cargo has compiled for them, their scratch directories,
//! and their logs. A job that would go past the limit waits for others to end. Where none runs, compiled dependencies
//! that no job uses go first, and only if that is not enough is the job refused. A job that runs is never stopped for
//! the disk.
//!
//! See docs/decisions/store-and-daemon.md.

use crate::builds::{Builds, bytes_below};
use crate::home::Home;
use crate::turns::wait_for;
use camino::Utf8PathBuf;
use reduce_engine::{Cancel, Failure};
use reduce_protocol::Prune;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The largest reserve on the disk, in bytes, for a job that begins, besides the files that are there already.
const MOST_RESERVED_BYTES: u64 = 256 << 20;
/// The reserve of a job is at most the limit divided by this number.
const RESERVED_PART: u64 = 8;

/// The disk that all jobs share. Clones share their state.
#[derive(Debug, Clone)]
pub(crate) struct Disk {
    limit_bytes: u64,
    builds: Builds,
    /// The directories whose files count, besides those of compiled dependencies.
    counted: [Utf8PathBuf; 2],
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of jobs that have begun and not ended.
    begun: u64,
    /// The signals that are raised for waiting jobs when a job ends.
    waiting: Vec<Cancel>,
}

/// A job's leave to write to the disk. When this is dropped, the job has ended.
#[derive(Debug)]
pub(crate) struct DiskShare(Disk);

/// The answer to the question whether the disk has room for one more job.
enum Room {
    Enough,
    /// There is no room before another job ends, at which this signal is raised.
    AfterAnother(Cancel),
}

impl Disk {
    /// Makes the account of the disk for all jobs of a home, whose scratch directories are in `scratch`.
    pub(crate) fn new(limit_bytes: u64, home: &Home, scratch: Utf8PathBuf, builds: Builds) -> Self {
        Self {
            limit_bytes,
            builds,
            counted: [scratch, home.job_logs()],
            state: Arc::default(),
        }
    }

    /// Returns the room that all jobs together may take on the disk.
    pub(crate) fn limit_bytes(&self) -> u64 {
        self.limit_bytes
    }

    /// Returns the room that all jobs together take at the moment. Looks at every file.
    pub(crate) fn used_bytes(&self) -> u64 {
        self.builds.sizes().1 + self.other_bytes()
    }

    /// Waits until the disk has room for one more job, or until `cancel` is cancelled (`None`). That it waits is told to
    /// `note` once.
    ///
    /// # Errors
    /// Where there is no room although no other job runs.
    pub(crate) fn wait_for_room(
        &self,
        cancel: &Cancel,
        note: &dyn Fn(String),
    ) -> Result<Option<DiskShare>, Failure> {
        let mut is_told = false;
        loop {
            let other = match self.look()? {
                Room::Enough => return Ok(Some(DiskShare(self.clone()))),
                Room::AfterAnother(other) => other,
            };
            if !std::mem::replace(&mut is_told, true) {
                let limit = mebibytes(self.limit_bytes);
                note(format!(
                    "waiting for another job to end: all jobs together may need {limit} MiB on the disk"
                ));
            }
            if !wait_for(&other, cancel) {
                return Ok(None);
            }
        }
    }

    /// Looks whether the disk has room for one more job, and if so, counts it as begun.
    fn look(&self) -> Result<Room, Failure> {
        let mut state = self.state();
        if state.begun == 0 && !self.has_room(1) {
            self.make_room()?;
        } else if !self.has_room(state.begun + 1) {
            let other = Cancel::new().map_err(|error| Failure::io("make a pipe", &error))?;
            state.waiting.push(other.clone());
            return Ok(Room::AfterAnother(other));
        }
        state.begun += 1;
        Ok(Room::Enough)
    }

    /// Returns whether the disk has room for all that is there and the reserve of so many jobs.
    fn has_room(&self, jobs: u64) -> bool {
        let reserved = self.reserved_bytes().saturating_mul(jobs);
        self.used_bytes().saturating_add(reserved) <= self.limit_bytes
    }

    /// Makes room for a job while no other runs, by removing the compiled dependencies that were unused for longest.
    fn make_room(&self) -> Result<(), Failure> {
        let others = self.other_bytes() + self.reserved_bytes();
        self.builds.prune(&Prune {
            most_bytes: Some(self.limit_bytes.saturating_sub(others)),
            ..Prune::default()
        });
        match self.has_room(1) {
            true => Ok(()),
            false => Err(self.refusal()),
        }
    }

    fn refusal(&self) -> Failure {
        let (used, limit) = (mebibytes(self.used_bytes()), mebibytes(self.limit_bytes));
        let reserved = mebibytes(self.reserved_bytes());
        let [scratch, logs] = &self.counted;
        Failure::environment(format!(
            "failed to begin: jobs have {used} MiB on the disk and need {reserved} MiB more, and may have {limit} MiB"
        ))
        .hint(format!("it is in `{scratch}` and `{logs}`, and in what cargo compiled (`cargo reduce cache stats`)"))
        .hint("stop the daemon with `cargo reduce daemon stop`, and give the next command a higher `--disk-limit MIB`")
    }

    fn other_bytes(&self) -> u64 {
        self.counted.iter().map(|path| bytes_below(path)).sum()
    }

    fn reserved_bytes(&self) -> u64 {
        MOST_RESERVED_BYTES.min(self.limit_bytes / RESERVED_PART)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for DiskShare {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.begun -= 1;
        for waiting in state.waiting.drain(..) {
            waiting.cancel();
        }
    }
}

fn mebibytes(bytes: u64) -> u64 {
    bytes >> 20
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    const MIB: usize = 1 << 20;

    /// A home in which jobs may have 8 MiB; each is taken to need one.
    fn disk() -> (tempfile::TempDir, Home, Disk) {
        let temp = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::from_path_buf(temp.path().to_owned()).unwrap();
        let home = Home::at(base.clone());
        let builds = Builds::new(&home);
        let disk = Disk::new(8 << 20, &home, base.join("scratch"), builds);
        (temp, home, disk)
    }

    fn put(path: Utf8PathBuf, bytes: usize) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, vec![0; bytes]).unwrap();
    }

    fn never() -> Cancel {
        Cancel::new().unwrap()
    }

    #[test]
    fn jobs_begin_until_all_together_may_need_too_much() {
        let (_temp, home, disk) = disk();
        put(home.builds().join("project/lib"), 5 * MIB);
        put(home.job_logs().join("1.jsonl"), MIB / 2);
        assert_eq!(disk.used_bytes(), 11 << 19);
        let begin = || disk.wait_for_room(&never(), &|_| {}).unwrap();
        let (first, second) = (begin(), begin());
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            let waits = || {
                let note = |text: String| sender.send(text).unwrap();
                disk.wait_for_room(&never(), &note).unwrap().is_some()
            };
            let third = scope.spawn(waits);
            let told = receiver.recv().unwrap();
            assert!(told.contains("all jobs together may need 8 MiB"), "{told}");
            assert!(!third.is_finished());
            drop(second);
            assert!(third.join().unwrap());
        });
        assert!(home.builds().join("project").exists());
        drop(first);
    }

    #[test]
    fn where_no_job_runs_old_dependencies_make_room() {
        let (_temp, home, disk) = disk();
        put(home.builds().join("project/lib"), 9 * MIB);
        assert!(disk.wait_for_room(&never(), &|_| {}).unwrap().is_some());
        assert!(!home.builds().join("project").exists());
    }

    #[test]
    fn a_job_is_refused_where_that_is_not_enough() {
        let (_temp, home, disk) = disk();
        put(home.base.join("scratch/file"), 7 * MIB + 1);
        let failure = disk.wait_for_room(&never(), &|_| {}).unwrap_err();
        let expected =
            "failed to begin: jobs have 7 MiB on the disk and need 1 MiB more, and may have 8 MiB";
        assert_eq!(failure.message, expected);
        assert!(failure.hints.join("").contains("--disk-limit"));
        assert_eq!(disk.state().begun, 0);
    }

    #[test]
    fn a_job_that_waits_may_be_cancelled() {
        let (_temp, home, disk) = disk();
        put(home.builds().join("project/lib"), 6 * MIB);
        let first = disk.wait_for_room(&never(), &|_| {}).unwrap();
        let second = disk.wait_for_room(&never(), &|_| {}).unwrap();
        let cancel = never();
        let note = |_| cancel.cancel();
        assert!(disk.wait_for_room(&cancel, &note).unwrap().is_none());
        drop((first, second));
    }
}
