//! Scratch directories: where candidates are written and compiled. In memory where there is room,
//! since a query writes and deletes many small files. One directory per process, named by its pid,
//! and below it one per job; what dead processes left behind is removed.

use crate::error::DaemonError;
use crate::home::Home;
use crate::private_dir;
use camino::{Utf8Path, Utf8PathBuf};
use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::process::{Pid, test_kill_process};

/// Less free memory than this and the disk is used.
const MIN_FREE_BYTES: u64 = 512 << 20;

/// The scratch directory of this process. Removed when dropped.
#[derive(Debug)]
pub(crate) struct ScratchRoot {
    path: Utf8PathBuf,
}

/// The scratch directory of one job. Removed when dropped.
#[derive(Debug)]
pub(crate) struct JobScratch {
    path: Utf8PathBuf,
}

impl ScratchRoot {
    /// Makes this process's directory and removes those of dead processes.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub(crate) fn create(home: &Home) -> Result<Self, DaemonError> {
        let parent = parent(home);
        private_dir::ensure(&parent)?;
        remove_stale(&parent);
        let path = parent.join(std::process::id().to_string());
        // Left by a process of the same pid before the machine's last start.
        let _ = std::fs::remove_dir_all(&path);
        private_dir::ensure(&path)?;
        Ok(Self { path })
    }

    /// Makes a directory for a job.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub(crate) fn for_job(&self, name: &str) -> Result<JobScratch, DaemonError> {
        let path = self.path.join(name);
        private_dir::ensure(&path)?;
        Ok(JobScratch { path })
    }
}

impl JobScratch {
    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }
}

impl Drop for JobScratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

impl Drop for ScratchRoot {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

fn parent(home: &Home) -> Utf8PathBuf {
    match &home.memory {
        Some(memory) if is_roomy(memory) => memory.join(format!(
            "cargo-reduce-{}",
            rustix::process::geteuid().as_raw()
        )),
        _ => home.base.join("scratch"),
    }
}

/// Whether there is room, and whether what is compiled there may also be run.
fn is_roomy(memory: &Utf8Path) -> bool {
    statvfs(memory.as_std_path()).is_ok_and(|stat| {
        stat.f_bavail.saturating_mul(stat.f_frsize) >= MIN_FREE_BYTES
            && !stat
                .f_flag
                .intersects(StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY)
    })
}

fn remove_stale(parent: &Utf8Path) {
    let entries = parent.read_dir_utf8().into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_of_dead_process(entry.file_name())) {
        let _ = std::fs::remove_dir_all(entry.path());
    }
}

fn is_of_dead_process(name: &str) -> bool {
    let pid = name.parse().ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(temp: &tempfile::TempDir, memory: Option<&str>) -> Home {
        let base = Utf8PathBuf::from_path_buf(temp.path().to_owned()).unwrap();
        Home {
            run: base.join("run"),
            base,
            memory: memory.map(Utf8PathBuf::from),
        }
    }

    #[test]
    fn without_memory_the_disk_is_used_and_nothing_is_left() {
        let temp = tempfile::tempdir().unwrap();
        let home = home(&temp, Some("/no/such/directory"));
        let root = ScratchRoot::create(&home).unwrap();
        let job = root.for_job("job-1").unwrap();
        assert!(job.path().starts_with(home.base.join("scratch")));
        std::fs::write(job.path().join("file"), "x").unwrap();
        drop(job);
        assert_eq!(root.path.read_dir().unwrap().count(), 0);
        drop(root);
        assert_eq!(home.base.join("scratch").read_dir().unwrap().count(), 0);
    }

    #[test]
    fn what_dead_processes_left_is_removed_and_other_names_stay() {
        let temp = tempfile::tempdir().unwrap();
        let home = home(&temp, None);
        let scratch = home.base.join("scratch");
        // No system gives out a pid of this size.
        for name in ["2000000000", "keep", "1"] {
            std::fs::create_dir_all(scratch.join(name)).unwrap();
        }
        let _root = ScratchRoot::create(&home).unwrap();
        assert!(!scratch.join("2000000000").exists());
        assert!(scratch.join("keep").exists() && scratch.join("1").exists());
    }
}
