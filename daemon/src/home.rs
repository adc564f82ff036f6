//! Where everything of ours lives. The command line works the paths out from the environment and
//! hands them in, absolute; nothing here looks at the environment.

use camino::{Utf8Path, Utf8PathBuf};

/// The longest path that fits into the address of a Unix socket on every system, with some room.
const MAX_SOCKET_PATH_BYTES: usize = 100;

/// The directories of one user's cargo-reduce. All paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// Store, compiled dependencies, log.
    pub base: Utf8PathBuf,
    /// Socket and lock file.
    pub run: Utf8PathBuf,
    /// A directory in memory, such as `/dev/shm`, under which a private one is made for scratch
    /// files; `<base>/scratch` is used where it does not exist or is nearly full.
    pub memory: Option<Utf8PathBuf>,
}

impl Home {
    /// Puts the socket under `run`, or under a short directory below `short_root` whose name
    /// follows from `run` where the socket's path would be too long.
    #[must_use]
    pub fn new(
        base: Utf8PathBuf,
        run: Utf8PathBuf,
        short_root: &Utf8Path,
        memory: Option<Utf8PathBuf>,
    ) -> Self {
        let fits = run.join("socket").as_str().len() <= MAX_SOCKET_PATH_BYTES;
        let run = if fits {
            run
        } else {
            short_run_directory(&run, short_root)
        };
        Self { base, run, memory }
    }

    /// The store of verdicts and steps.
    #[must_use]
    pub fn store(&self) -> Utf8PathBuf {
        self.base.join("store")
    }

    /// Compiled dependencies, kept across runs.
    #[must_use]
    pub fn builds(&self) -> Utf8PathBuf {
        self.base.join("builds")
    }

    /// The daemon's log file.
    #[must_use]
    pub fn log(&self) -> Utf8PathBuf {
        self.base.join("log")
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

fn short_run_directory(run: &Utf8Path, short_root: &Utf8Path) -> Utf8PathBuf {
    let uid = rustix::process::geteuid().as_raw();
    let digest = blake3::hash(run.as_str().as_bytes()).to_hex();
    short_root.join(format!("cargo-reduce-{uid}-{}", &digest[..16]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home_with_run(run: &str) -> Home {
        Home::new("/base".into(), run.into(), Utf8Path::new("/tmp"), None)
    }

    #[test]
    fn a_short_socket_path_is_used_as_it_is() {
        assert_eq!(
            home_with_run("/run/user/7/cargo-reduce").run,
            "/run/user/7/cargo-reduce"
        );
    }

    #[test]
    fn a_socket_path_that_is_too_long_is_replaced_by_a_short_one_of_its_own() {
        let long = home_with_run(&format!("/{}", "x".repeat(100)));
        let other = home_with_run(&format!("/{}", "y".repeat(100)));
        assert!(long.socket().as_str().len() <= MAX_SOCKET_PATH_BYTES);
        assert!(long.run.starts_with("/tmp"));
        assert_ne!(long.run, other.run);
    }
}
