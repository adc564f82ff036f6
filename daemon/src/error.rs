//! Errors between a client and its daemon. A job that fails is not an error here: it has
//! a [`reduce_engine::Failure`], which travels to the client.

use camino::Utf8PathBuf;
use reduce_protocol::{Hello, LineError, Refusal};
use serde::{Deserialize, Serialize};

/// The reason why a daemon could not be run, started or talked to.
#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    /// An action on a file, a directory or a socket of ours failed.
    #[error("failed to {action} `{path}`")]
    Io {
        /// The action that failed, as a verb.
        action: &'static str,
        /// The path of the file, directory or socket.
        path: Utf8PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A directory that nobody but this user should be able to use is not private.
    #[error("`{path}` is not a private directory: {reason}")]
    NotPrivate {
        /// The path of the directory.
        path: Utf8PathBuf,
        /// The reason why the directory cannot be used.
        reason: String,
    },
    /// The system has no sockets that a daemon could listen on.
    #[error("cannot run a daemon on this system: it does not have the sockets for one")]
    NoSockets,
    /// Another daemon runs in the same directory.
    #[error("a daemon is running already; it holds `{path}`")]
    AlreadyRunning {
        /// The lock file.
        path: Utf8PathBuf,
    },
    /// The daemon was started, and said why it cannot run.
    #[error("the daemon did not start: {0}")]
    NotStarted(StartFailure),
    /// No daemon came up in time.
    #[error("the daemon did not answer within {seconds} s; its log is `{log}`")]
    NoAnswer {
        /// The seconds for which the client waited.
        seconds: u64,
        /// The log file of the daemon.
        log: Utf8PathBuf,
    },
    /// The running daemon is of another version, and has jobs, so that it is not replaced.
    #[error("a daemon of another version ({}) is busy with {jobs} job(s)", describe(.daemon))]
    BusyOtherVersion {
        /// The greeting of the daemon.
        daemon: Hello,
        /// The number of jobs that the daemon has.
        jobs: u64,
    },
    /// The running daemon is newer than this program.
    #[error("the running daemon ({}) is newer than this program", describe(.daemon))]
    Newer {
        /// The greeting of the daemon.
        daemon: Hello,
    },
    /// The daemon closed the connection before the conversation was over.
    #[error("the daemon went away; its log is `{log}`")]
    Gone {
        /// The log file of the daemon.
        log: Utf8PathBuf,
    },
    /// The daemon refused a message.
    #[error("the daemon refused: {0}")]
    Refused(#[from] Refusal),
    /// A line could not be read or written as a message.
    #[error("failed to talk to the daemon")]
    Line(#[from] LineError),
    /// All clients together have sent too much that is no whole message.
    #[error("clients have sent too much without ending a message; try again later")]
    TooMuchUnread,
    /// The other side sent a message that makes no sense at this point.
    #[error("the daemon said something unexpected: {0}")]
    Unexpected(String),
    /// Reading from the connection or writing to it failed.
    #[error("failed to talk over the socket")]
    Connection(#[source] std::io::Error),
    /// The asynchronous runtime or a thread could not be started.
    #[error("failed to start a thread")]
    Runtime(#[source] std::io::Error),
}

/// The failure of a daemon's start, told to the client that started it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct StartFailure {
    /// The error and its causes, in one line.
    pub message: String,
    /// Whether another daemon was started first, to which the client can connect.
    pub already_running: bool,
}

impl DaemonError {
    /// An [`DaemonError::Io`] from a system error, for `map_err`.
    pub(crate) fn io<E: Into<std::io::Error>>(
        action: &'static str,
        path: impl Into<Utf8PathBuf>,
    ) -> impl FnOnce(E) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source: source.into(),
        }
    }
}

/// An error and its causes in one line.
pub(crate) fn one_line(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |line, cause| format!("{line}: {cause}"))
}

fn describe(hello: &Hello) -> String {
    format!("version {}, protocol {}", hello.version, hello.protocol)
}
