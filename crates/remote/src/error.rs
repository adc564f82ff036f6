//! Why a server gave no answer. None of these says anything of the command.

use reduce_remote_protocol::{ErrorKind, InputError, NoAnswer};
use std::time::Duration;
use tonic::{Code, Status};

/// The reason why there is no answer of the server.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// The server cannot be reached, or not any more.
    #[error("failed to reach `{address}`: {reason}")]
    Away {
        /// The address of the server.
        address: String,
        /// The reason in the words of the connection.
        reason: String,
    },
    /// The server refuses us, and will do so the next time.
    #[error("`{address}` refuses to run commands: {reason}")]
    Refused {
        /// The address of the server.
        address: String,
        /// The reason in the server's words.
        reason: String,
    },
    /// The server did not get the command to run, however often it was asked.
    #[error("the server failed to run a command: {reason}")]
    Failed {
        /// The reason in the server's words.
        reason: String,
    },
    /// The server has ended the command, or has not run it, as it took too long.
    #[error("the server did not run a command in time")]
    Late,
    /// The server says that the command has ended, but the script around it has not said so.
    #[error("the server did not run a command to its end: {reason}")]
    Unfinished {
        /// The text that was printed in place of that.
        reason: String,
    },
    /// The server has not kept what an earlier command made.
    #[error("the server has lost what an earlier command made")]
    Lost,
    /// An input cannot be read.
    #[error("failed to read what a command needs")]
    Input(#[from] InputError),
    /// A certificate or a header cannot be used.
    #[error("failed to use {what}: {reason}")]
    Setting {
        /// The thing that cannot be sent.
        what: String,
        /// The reason why it cannot be sent.
        reason: String,
    },
    /// There is no thread or descriptor left for the connection.
    #[error("failed to start the client")]
    Start(#[source] std::io::Error),
    /// Nobody waits for the answer any more.
    #[error("cancelled")]
    Cancelled,
}

impl RemoteError {
    /// Returns the kind of the error: what it means for other commands.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Away { .. } | Self::Start(_) => ErrorKind::Away,
            Self::Refused { .. } | Self::Setting { .. } => ErrorKind::Refused,
            Self::Failed { .. }
            | Self::Late
            | Self::Unfinished { .. }
            | Self::Lost
            | Self::Input(_) => ErrorKind::Command,
            Self::Cancelled => ErrorKind::Cancelled,
        }
    }
}

impl From<RemoteError> for NoAnswer {
    fn from(error: RemoteError) -> Self {
        Self {
            kind: error.kind(),
            reason: words(&error),
        }
    }
}

/// The kind of trouble with a call that has failed, by what is done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The server, or the way to it, had a bad moment.
    Again {
        /// Whether it was the connection, rather than the server.
        is_connection: bool,
        reason: String,
    },
    /// The server does not have what it needs any more.
    Missing { reason: String },
    /// Time has passed.
    Late,
    /// The call will fail the next time too.
    Refused { reason: String },
    /// The call cannot be made, for a reason on this machine.
    Ours(OurTrouble),
}

/// A reason that is not the server's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OurTrouble {
    Input(InputError),
    Lost,
    Unfinished(String),
}

/// The longest time that a server may take for a call that moves no files and runs nothing.
pub(crate) const QUICK: Duration = Duration::from_secs(15);
/// The same where something is moved.
pub(crate) const CALL: Duration = Duration::from_secs(60);

impl Trouble {
    /// Reads the status of a call.
    pub(crate) fn of(status: &Status) -> Self {
        Self::of_code(status.code(), reason(status.code(), status.message()))
    }

    /// Reads a status that stands in an answer.
    pub(crate) fn of_code(code: Code, reason: String) -> Self {
        match code {
            Code::DeadlineExceeded => Self::Late,
            Code::FailedPrecondition | Code::NotFound => Self::Missing { reason },
            Code::Unauthenticated
            | Code::PermissionDenied
            | Code::Unimplemented
            | Code::InvalidArgument
            | Code::OutOfRange => Self::Refused { reason },
            // A call that breaks on the way has no code of its own.
            Code::Unavailable | Code::Unknown | Code::Cancelled => Self::Again {
                is_connection: true,
                reason,
            },
            _ => Self::Again {
                is_connection: false,
                reason,
            },
        }
    }

    /// A stream that has ended too early.
    pub(crate) fn broken(what: &str) -> Self {
        Self::Again {
            is_connection: true,
            reason: what.to_owned(),
        }
    }

    /// The error where nothing is tried any more.
    pub(crate) fn into_error(self, address: &str) -> RemoteError {
        let address = address.to_owned();
        match self {
            Self::Again {
                is_connection: true,
                reason,
            } => RemoteError::Away { address, reason },
            Self::Again { reason, .. } | Self::Missing { reason } => RemoteError::Failed { reason },
            Self::Late => RemoteError::Late,
            Self::Refused { reason } => RemoteError::Refused { address, reason },
            Self::Ours(OurTrouble::Input(error)) => RemoteError::Input(error),
            Self::Ours(OurTrouble::Lost) => RemoteError::Lost,
            Self::Ours(OurTrouble::Unfinished(reason)) => RemoteError::Unfinished { reason },
        }
    }
}

/// A status in words: the server's own, if it has some.
pub(crate) fn reason(code: Code, message: &str) -> String {
    match message.trim() {
        "" => code.to_string(),
        message => format!("{message} ({code:?})"),
    }
}

/// An error with its causes.
pub(crate) fn words(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let mut words: Vec<String> = causes.map(ToString::to_string).collect();
    words.dedup();
    words.join(": ")
}
