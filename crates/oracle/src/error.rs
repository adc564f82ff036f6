//! Why the oracle could not answer: our surroundings failed, or the input shows no stable crash.

use crate::signature::Signature;
use camino::{Utf8Path, Utf8PathBuf};
use std::time::Duration;

/// Why the oracle could not answer. What a candidate does is never an error, it is a
/// [`crate::Verdict`].
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// No `Cargo.toml` in the directory or above it.
    #[error("failed to find `Cargo.toml` in `{searched_from}` or any directory above it")]
    NoManifest {
        /// Where the search began.
        searched_from: Utf8PathBuf,
    },
    /// cargo refuses the manifest, the selection or the configuration.
    #[error("failed to run `{command}` in `{dir}`: {status}")]
    CargoRejected {
        /// The shell line.
        command: String,
        /// The directory in which it ran.
        dir: Utf8PathBuf,
        /// How it ended, for people.
        status: String,
        /// What it printed last.
        stderr: String,
    },
    /// The compiler is not there or does not say which version it is.
    #[error("failed to find a working compiler at `{path}`: {reason}")]
    CompilerMissing {
        /// The path, or the bare name that was looked up.
        path: Utf8PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// cargo is not there.
    #[error("failed to find cargo at `{path}`: {reason}")]
    CargoMissing {
        /// The path, or the bare name that was looked up.
        path: Utf8PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The compiler does not crash.
    #[error("failed to see a crash: {}", no_crash_reason(*.compiles, .command))]
    NoCrash {
        /// The last shell line that was tried.
        command: String,
        /// The end of what it printed.
        output: String,
        /// Whether it compiles; otherwise there are ordinary errors.
        compiles: bool,
    },
    /// The compiler crashes only sometimes, or each time otherwise.
    #[error("failed to see the same crash twice: `{command}` crashed in {crashed} of {runs} runs")]
    Unstable {
        /// The shell line of the compiler call.
        command: String,
        /// Runs that crashed.
        crashed: u32,
        /// All runs.
        runs: u32,
        /// The different signatures that were seen.
        signatures: Vec<Signature>,
    },
    /// The baseline did not end in time.
    #[error("failed to see the crash within {} s: `{command}` was stopped", .deadline.as_secs_f64())]
    TooSlow {
        /// The shell line of the compiler call.
        command: String,
        /// What was allowed.
        deadline: Duration,
    },
    /// The directory is too large to be copied.
    #[error(
        "failed to copy `{dir}`: it has more than {limit_bytes} bytes without `target` and `.git`"
    )]
    TooLarge {
        /// The workspace or package directory.
        dir: Utf8PathBuf,
        /// What is allowed.
        limit_bytes: u64,
    },
    /// What another program wrote for us has another form than it should.
    #[error("failed to understand {what}")]
    Format {
        /// What was read.
        what: String,
        /// What is wrong with it.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file system said no.
    #[error("failed to {action} `{path}`")]
    Io {
        /// A verb phrase, such as `write`.
        action: &'static str,
        /// The path.
        path: Utf8PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// A process could not be started or watched.
    #[error("failed to start `{program}` in `{dir}`")]
    Spawn {
        /// The program.
        program: Utf8PathBuf,
        /// The directory in which it should have run.
        dir: Utf8PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Cancelled before there was an answer.
    #[error("cancelled")]
    Cancelled,
}

impl OracleError {
    /// For `map_err` on file operations: `OracleError::io("write", path)`.
    pub(crate) fn io(
        action: &'static str,
        path: &Utf8Path,
    ) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

fn no_crash_reason(compiles: bool, command: &str) -> String {
    match compiles {
        true => format!("`{command}` compiles"),
        false => format!("`{command}` reports ordinary errors"),
    }
}
