//! The surroundings in which the engine works.

/// The directories in which the engine may write, and the program that captures compiler calls and
/// keeps processes.
#[derive(Debug, Clone)]
pub struct Site {
    /// A private directory for this run: snapshots and workers' trees. Emptied by the caller.
    pub scratch: camino::Utf8PathBuf,
    /// A private directory that is kept across runs: compiled dependencies.
    pub builds: camino::Utf8PathBuf,
    /// An executable that calls [`capture::main`](reduce_oracle::capture::main) when it is started as a compiler wrapper, and
    /// [`keeper::main`](reduce_oracle::keeper::main) when it is started as a keeper; our own executable.
    pub capture_program: camino::Utf8PathBuf,
}
