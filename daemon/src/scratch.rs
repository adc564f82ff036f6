//! Scratch directories: where candidates are written and compiled. In memory where there is room,
//! since a query writes and deletes many small files. One directory per process, named by its pid,
//! and below it one per job; what dead processes left behind is removed. A job may be given another place, which may be
//! shared with other machines: there the directory of a process is named by its machine too.

use crate::error::{DaemonError, one_line};
use crate::home::Home;
use crate::private_dir;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::remove_tree;
use reduce_platform::{files, processes, users};

/// The free memory in bytes below which scratch directories are on the disk.
const MIN_FREE_BYTES: u64 = 512 << 20;

/// The scratch directory of this process. Removed when dropped.
#[derive(Debug)]
pub(crate) struct ScratchRoot {
    path: Utf8PathBuf,
    /// The reason why the scratch directory is not at its usual place, if it is not.
    notice: Option<String>,
}

/// The scratch directory of one job. Removed when dropped.
#[derive(Debug)]
pub(crate) struct JobScratch {
    path: Utf8PathBuf,
    /// The directory that this process has made for its jobs in another place than usual. Removed with that of its last job.
    shared: Option<Utf8PathBuf>,
}

impl ScratchRoot {
    /// Makes this process's directory and removes those of dead processes.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub(crate) fn create(home: &Home) -> Result<Self, DaemonError> {
        let (parent, notice) = private_parent(home)?;
        remove_stale(&parent);
        let path = parent.join(std::process::id().to_string());
        // Left by a process of the same pid before the machine's last start.
        let _ = remove_tree(path.as_std_path());
        private_dir::ensure(&path)?;
        Ok(Self { path, notice })
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Returns the notice for the user about the place of the scratch directory, if there is one.
    pub(crate) fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Makes the scratch directory of a job.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub(crate) fn for_job(&self, name: &str) -> Result<JobScratch, DaemonError> {
        let path = self.path.join(name);
        private_dir::ensure(&path)?;
        Ok(JobScratch { path, shared: None })
    }

    /// Makes a scratch directory for a job below `place`, which other machines may see.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub(crate) fn for_job_in(place: &Utf8Path, name: &str) -> Result<JobScratch, DaemonError> {
        let parent = place.join(name_of_user());
        private_dir::ensure(&parent)?;
        let own = own_prefix(place)?;
        remove_stale_with(&parent, &own);
        let shared = parent.join(format!("{own}{}", std::process::id()));
        let path = shared.join(name);
        private_dir::ensure(&path)?;
        Ok(JobScratch {
            path,
            shared: Some(shared),
        })
    }
}

impl JobScratch {
    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }
}

impl Drop for JobScratch {
    fn drop(&mut self) {
        let _ = remove_tree(self.path.as_std_path());
        if let Some(shared) = &self.shared {
            // Other jobs may have theirs in it.
            let _ = std::fs::remove_dir(shared);
        }
    }
}

impl Drop for ScratchRoot {
    fn drop(&mut self) {
        let _ = remove_tree(self.path.as_std_path());
    }
}

/// Returns a private directory in memory, else on the disk, and a notice for the user. Everybody can make directories in
/// memory: one of another user is told from ours, and the notice says so.
fn private_parent(home: &Home) -> Result<(Utf8PathBuf, Option<String>), DaemonError> {
    let on_disk = home.base.join("scratch");
    let memory = home.memory.as_deref().filter(|memory| is_roomy(memory));
    let in_memory = memory.map(|memory| memory.join(name_of_user()));
    let refused = match in_memory {
        None => None,
        Some(path) => match private_dir::ensure(&path) {
            Ok(()) => return Ok((path, None)),
            Err(error) => Some(error),
        },
    };
    private_dir::ensure(&on_disk)?;
    let notice = refused.map(|error| {
        let error = one_line(&error);
        format!(
            "candidates are compiled in `{on_disk}`, not in memory, which takes longer: {error}"
        )
    });
    Ok((on_disk, notice))
}

/// Whether there is room, and whether what is compiled there may also be run.
fn is_roomy(memory: &Utf8Path) -> bool {
    files::room(memory.as_std_path())
        .is_some_and(|room| room.is_for_programs && room.bytes >= MIN_FREE_BYTES)
}

/// Returns the name of this user's directory where other users have theirs too.
fn name_of_user() -> String {
    format!("cargo-reduce-{}", users::label())
}

fn remove_stale(parent: &Utf8Path) {
    remove_stale_with(parent, "");
}

/// Removes the directories with this prefix that processes which have ended have left.
fn remove_stale_with(parent: &Utf8Path, prefix: &str) {
    let entries = parent.read_dir_utf8().into_iter().flatten().flatten();
    for entry in entries {
        let number = entry.file_name().strip_prefix(prefix);
        if number.is_some_and(is_of_dead_process) {
            let _ = remove_tree(entry.path().as_std_path());
        }
    }
}

/// Returns the prefix of the names that this machine gives its directories in a place that several machines share.
fn own_prefix(place: &Utf8Path) -> Result<String, DaemonError> {
    let name = processes::machine_name().ok_or_else(|| {
        let unknown = std::io::Error::other("the system does not say how this machine is called");
        DaemonError::io("tell the directory of this machine from others in", place)(unknown)
    })?;
    Ok(format!("{}-", name.replace('/', "-")))
}

fn is_of_dead_process(name: &str) -> bool {
    name.parse().is_ok_and(processes::is_gone)
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
    fn where_another_user_has_the_place_in_memory_the_disk_is_used_and_it_is_said() {
        let (temp, memory) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let memory = memory.path().to_str().unwrap();
        // A file takes the name, which is no directory of ours, as if another user had it.
        std::fs::write(format!("{memory}/{}", name_of_user()), "taken").unwrap();
        let home = home(&temp, Some(memory));
        let root = ScratchRoot::create(&home).unwrap();
        assert!(root.path.starts_with(home.base.join("scratch")));
        match is_roomy(memory.into()) {
            true => assert!(
                root.notice()
                    .unwrap()
                    .contains("is not a private directory")
            ),
            false => assert_eq!(root.notice(), None),
        }
    }

    #[test]
    fn in_a_shared_place_directories_of_other_machines_stay_and_nothing_of_ours() {
        let temp = tempfile::tempdir().unwrap();
        let place = Utf8Path::from_path(temp.path()).unwrap();
        let parent = place.join(name_of_user());
        let own = own_prefix(place).unwrap();
        let (ours, theirs) = (format!("{own}2000000000"), "node-x-2000000000");
        private_dir::ensure(&parent).unwrap();
        for name in [ours.as_str(), theirs] {
            std::fs::create_dir(parent.join(name)).unwrap();
        }
        let first = ScratchRoot::for_job_in(place, "job-1").unwrap();
        let second = ScratchRoot::for_job_in(place, "job-2").unwrap();
        assert!(!parent.join(&ours).exists() && parent.join(theirs).exists());
        drop(first);
        assert!(second.path().is_dir());
        drop(second);
        let left = parent.read_dir_utf8().unwrap().flatten();
        let left: Vec<_> = left.map(|entry| entry.file_name().to_owned()).collect();
        assert_eq!(left, [theirs]);
    }

    #[cfg(unix)]
    #[test]
    fn a_job_may_leave_directories_of_any_depth() {
        let temp = tempfile::tempdir().unwrap();
        let home = home(&temp, None);
        let root = ScratchRoot::create(&home).unwrap();
        let job = root.for_job("job-1").unwrap();
        // By hand and one by one, as a path of all of them would be too long.
        let mut at = std::fs::File::open(job.path()).unwrap();
        for _ in 0..3000 {
            rustix::fs::mkdirat(&at, "level", rustix::fs::Mode::RWXU).unwrap();
            let flags = rustix::fs::OFlags::DIRECTORY;
            let inner = rustix::fs::openat(&at, "level", flags, rustix::fs::Mode::empty());
            at = inner.unwrap().into();
        }
        drop((at, job));
        assert_eq!(root.path.read_dir().unwrap().count(), 0);
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
