//! The directories in which everything of ours lives. The command line works the paths out from the environment and
//! hands them in, absolute; nothing here looks at the environment.

use crate::error::DaemonError;
use crate::private_dir::{Owner, owner, protect, protect_all};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::{files, users};

/// The longest path that fits into the address of a Unix socket on every system, with some room.
const MAX_SOCKET_PATH_BYTES: usize = 100;

/// The number of names that are tried for a directory that other users can make too.
const MOST_CHOICES: u32 = 16;
/// The text before the number in the names of a directory that are tried after the first one.
const SECOND_CHOICE: &str = ".";

/// The directories of one user's cargo-reduce. All paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// The directory with the store, compiled dependencies and logs.
    pub base: Utf8PathBuf,
    /// The directory with the daemon's socket and lock file.
    pub run: Utf8PathBuf,
    /// A directory in memory, such as `/dev/shm`, under which a private one is made for scratch
    /// files; `<base>/scratch` is used where it does not exist or is nearly full.
    pub memory: Option<Utf8PathBuf>,
}

impl Home {
    /// Makes the directories of a test below this one, with nothing in memory.
    #[cfg(test)]
    pub(crate) fn at(base: Utf8PathBuf) -> Self {
        Self {
            run: base.join("run"),
            base,
            memory: None,
        }
    }

    /// Makes the directories of a user, with the socket under `run`; under `<base>/run` where `run` cannot be written to
    /// or made, as in a container with the variables of another machine. Puts it under a short directory below
    /// `short_root`, whose name follows from that, where the socket's path would be too long, or the directory is another
    /// user's.
    #[must_use]
    pub fn new(
        base: Utf8PathBuf,
        run: Utf8PathBuf,
        short_root: &Utf8Path,
        memory: Option<Utf8PathBuf>,
    ) -> Self {
        let run = match can_be_used(&run) {
            true => run,
            false => base.join("run"),
        };
        let fits = run.join("socket").as_str().len() <= MAX_SOCKET_PATH_BYTES;
        let run = match fits && owner(&run) != Owner::Another {
            true => run,
            false => short_run_directory(&run, short_root),
        };
        Self { base, run, memory }
    }

    /// Makes the directories of the store and the log, and closes to other users what is in them, also
    /// what an earlier version has left open.
    ///
    /// # Errors
    /// Where they cannot be made or closed.
    pub(crate) fn protect(&self) -> Result<(), DaemonError> {
        let made = files::create_private_dir(self.base.as_std_path());
        made.map_err(DaemonError::io("create directory", &self.base))?;
        let names = self.base.read_dir_utf8().into_iter().flatten().flatten();
        let names: Vec<String> = names.map(|entry| entry.file_name().to_owned()).collect();
        // The user may have chosen a directory that is there for other things too.
        if names.iter().all(|name| is_ours(name)) {
            protect(&self.base)?;
        }
        let ours = names.iter().filter(|name| is_ours(name));
        ours.map(|name| self.base.join(name)).try_for_each(|path| {
            let is_store = path
                .file_name()
                .is_some_and(|name| name.starts_with("store"));
            match is_store {
                true => protect_all(&path),
                false => protect(&path),
            }
        })
    }

    /// Returns the notice for the user about the place of the socket, if there is one.
    pub(crate) fn notice(&self) -> Option<String> {
        let name = self.run.file_name()?;
        let (first, _) = name.split_once(SECOND_CHOICE)?;
        let first = self.run.with_file_name(first);
        let run = &self.run;
        Some(format!(
            "`{first}` belongs to another user; the socket is in `{run}` instead"
        ))
    }

    /// Returns the directory of the store, with verdicts and accepted steps.
    #[must_use]
    pub fn store(&self) -> Utf8PathBuf {
        self.base.join("store")
    }

    /// Returns the directory of compiled dependencies, which are kept across runs.
    #[must_use]
    pub fn builds(&self) -> Utf8PathBuf {
        self.base.join("builds")
    }

    /// The daemon's log file.
    #[must_use]
    pub fn log(&self) -> Utf8PathBuf {
        self.base.join("log")
    }

    /// The logs of the jobs of the daemon that runs, or ran last.
    #[must_use]
    pub fn job_logs(&self) -> Utf8PathBuf {
        self.base.join("jobs")
    }

    /// The daemon's socket.
    #[must_use]
    pub fn socket(&self) -> Utf8PathBuf {
        self.run.join("socket")
    }

    /// The file that a running daemon holds locked.
    #[must_use]
    pub fn lock(&self) -> Utf8PathBuf {
        self.run.join("lock")
    }
}

/// Returns whether the directory for the socket can be used or made. For one of another user it returns true, as the user
/// is told of that later.
fn can_be_used(run: &Utf8Path) -> bool {
    if owner(run) == Owner::Another {
        return true;
    }
    let nearest = run.ancestors().find(|path| path.exists());
    nearest.is_some_and(|path| path.is_dir() && files::may_make_in(path.as_std_path()))
}

/// Returns a directory with a short path for the socket, below one in which every user can make directories. If another
/// user has made the first choice, it is the first of some others that is there and ours, so that all our processes
/// agree; else the first that is not there.
fn short_run_directory(run: &Utf8Path, short_root: &Utf8Path) -> Utf8PathBuf {
    let user = users::label();
    let digest = blake3::hash(run.as_str().as_bytes()).to_hex();
    let first = short_root.join(format!("cargo-reduce-{user}-{}", &digest[..16]));
    let others = (2..=MOST_CHOICES)
        .map(|number| Utf8PathBuf::from(format!("{first}{SECOND_CHOICE}{number}")));
    let choices: Vec<Utf8PathBuf> = std::iter::once(first.clone()).chain(others).collect();
    let choice = |owner_is| choices.iter().find(|path| owner(path) == owner_is);
    let chosen = choice(Owner::Us).or_else(|| choice(Owner::Nobody));
    chosen.cloned().unwrap_or(first)
}

/// Returns whether a name is that of a file or directory that we make in [`Home::base`].
fn is_ours(name: &str) -> bool {
    [
        "builds",
        "capture",
        "captured",
        "good-calls",
        "jobs",
        "log",
        "log.old",
        "run",
        "scratch",
        "store",
    ]
    .contains(&name)
        || name.starts_with("store.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home_with_run(run: &str) -> Home {
        Home::new("/base".into(), run.into(), Utf8Path::new("/tmp"), None)
    }

    #[test]
    fn a_short_socket_path_is_used_as_it_is() {
        let (_temp, place, _) = public_place();
        let run = place.join("cargo-reduce");
        assert_eq!(home_with_run(run.as_str()).run, run);
    }

    #[test]
    fn a_socket_path_that_is_too_long_is_replaced_by_a_short_one_of_its_own() {
        let (_temp, place, _) = public_place();
        let long = home_with_run(&format!("{place}/{}", "x".repeat(100)));
        let other = home_with_run(&format!("{place}/{}", "y".repeat(100)));
        assert!(long.socket().as_str().len() <= MAX_SOCKET_PATH_BYTES);
        assert!(long.run.starts_with("/tmp"));
        assert_ne!(long.run, other.run);
    }

    #[test]
    fn where_the_run_directory_cannot_be_made_the_socket_is_beside_the_store() {
        let temp = tempfile::tempdir().unwrap();
        let place = Utf8Path::from_path(temp.path()).unwrap();
        let missing = place.join("not/there/cargo-reduce");
        assert_eq!(home_with_run(missing.as_str()).run, missing);
        std::fs::write(place.join("not"), "a file").unwrap();
        assert_eq!(home_with_run(missing.as_str()).run, "/base/run");
    }

    /// A place where anybody could have made something, and what our directory is called there.
    fn public_place() -> (tempfile::TempDir, Utf8PathBuf, Utf8PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let place = Utf8PathBuf::from_path_buf(temp.path().to_owned()).unwrap();
        let first = short_run_directory("/run".into(), &place);
        (temp, place, first)
    }

    #[test]
    fn where_another_user_was_faster_the_socket_is_elsewhere_and_it_is_said() {
        let (_temp, place, first) = public_place();
        // A file takes the name, which is no directory of ours, as if another user had it.
        std::fs::write(&first, "taken").unwrap();
        let second = short_run_directory("/run".into(), &place);
        assert_ne!(second, first);
        std::fs::create_dir(&second).unwrap();
        std::fs::remove_file(&first).unwrap();
        // A process that comes later finds the one that is in use.
        assert_eq!(short_run_directory("/run".into(), &place), second);
        let home = Home {
            run: second,
            ..home_with_run("/run")
        };
        let notice = home.notice().unwrap();
        assert!(
            notice.contains(&format!("`{first}` belongs to another")),
            "{notice}"
        );
        assert_eq!(home_with_run("/run").notice(), None);
    }

    #[test]
    fn a_run_directory_of_another_user_is_not_used() {
        let (_temp, place, taken) = public_place();
        std::fs::write(&taken, "taken").unwrap();
        let home = Home::new("/base".into(), taken.clone(), &place, None);
        assert_ne!(home.run, taken);
        assert!(home.run.starts_with(&place));
    }

    #[cfg(unix)]
    fn mode(path: &Utf8Path) -> u32 {
        use std::os::unix::fs::MetadataExt;
        path.metadata().unwrap().mode() & 0o777
    }

    /// A base as an earlier version left it: open to all.
    #[cfg(unix)]
    fn open_home() -> (tempfile::TempDir, Home) {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::from_path_buf(temp.path().join("base")).unwrap();
        let directories = ["", "store", "store/sled", "builds", "scratch"];
        let files = [
            "log",
            "log.old",
            "store.lock",
            "store/format",
            "store/sled/db",
        ];
        let all = directories.iter().chain(&files);
        for (idx, name) in all.enumerate() {
            let path = base.join(name);
            let mode = match idx < directories.len() {
                true => std::fs::create_dir(&path).map(|()| 0o755),
                false => std::fs::write(&path, "").map(|()| 0o644),
            };
            let mode = std::fs::Permissions::from_mode(mode.unwrap());
            std::fs::set_permissions(&path, mode).unwrap();
        }
        (temp, Home::at(base))
    }

    #[cfg(unix)]
    #[test]
    fn what_an_earlier_version_left_open_is_closed() {
        let (_temp, home) = open_home();
        home.protect().unwrap();
        for name in ["", "store", "store/sled", "builds", "scratch"] {
            assert_eq!(mode(&home.base.join(name)), 0o700, "{name}");
        }
        for name in [
            "log",
            "log.old",
            "store.lock",
            "store/format",
            "store/sled/db",
        ] {
            assert_eq!(mode(&home.base.join(name)), 0o600, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_directory_that_is_there_for_other_things_keeps_its_mode() {
        let (_temp, home) = open_home();
        std::fs::write(home.base.join("letter"), "").unwrap();
        home.protect().unwrap();
        assert_eq!(mode(&home.base), 0o755);
        assert_eq!(mode(&home.base.join("store")), 0o700);
    }
}
