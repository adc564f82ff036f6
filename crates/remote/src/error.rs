//! The errors for which a command has no result from a server. None of them says anything about the command.

use reduce_remote_protocol::{ErrorKind, InputError, NoAnswer};
use std::time::Duration;
use tonic::{Code, Status};

/// The reason why a command has no result from a server.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// The server cannot be reached, or not any more.
    #[error("failed to reach `{address}`: {reason}")]
    Away {
        /// The address of the server.
        address: String,
        /// The reason in words, as the connection reports it.
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
    /// The server failed to run the command, at each attempt.
    #[error("the server failed to run a command: {reason}")]
    Failed {
        /// The reason in the server's words.
        reason: String,
    },
    /// The command had no result in time, as the server ended it or did not run it.
    #[error("the server did not run a command in time")]
    Late,
    /// The server says that the command has ended, but the script that runs it has not reported the end.
    #[error("the server did not run a command to its end: {reason}")]
    Unfinished {
        /// The text that was printed in place of the script's report.
        reason: String,
    },
    /// The server has lost a file that an earlier command made, and that this one needs.
    #[error("the server has lost what an earlier command made")]
    Lost,
    /// A file that the command needs cannot be read.
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
    /// The client cannot start, as the system has no thread or descriptor left.
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

/// The failure of one call to a server, by the remedy for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The call is made again, as the server or the connection failed for a moment.
    Again {
        /// Whether the connection failed, rather than the server.
        is_connection: bool,
        reason: String,
    },
    /// The contents are uploaded again, as the server does not have all that the call needs.
    Missing { reason: String },
    /// The call has taken too long.
    Late,
    /// The server refuses the call, and would do so again.
    Refused { reason: String },
    /// The call cannot succeed, for a reason that is not the server's.
    Ours(OurTrouble),
}

/// The reason for which a call failed that is not the server's fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OurTrouble {
    Input(InputError),
    Lost,
    Unfinished(String),
}

/// The longest time that a server may take for a call that moves no files and runs nothing.
pub(crate) const QUICK: Duration = Duration::from_secs(15);
/// The longest time that a server may take for a call that moves files.
pub(crate) const CALL: Duration = Duration::from_secs(60);

impl Trouble {
    /// Finds the remedy for a failed call by its status.
    pub(crate) fn of(status: &Status) -> Self {
        Self::of_code(status.code(), reason(status.code(), status.message()))
    }

    /// Finds the remedy for a failure by the status code in a server's answer.
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

    /// Makes the failure of a call by a broken connection or answer, after which it is made again.
    pub(crate) fn broken(what: &str) -> Self {
        Self::Again {
            is_connection: true,
            reason: what.to_owned(),
        }
    }

    /// Turns a failure for which no other attempt is made into the error for the caller.
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

/// Returns an error with its causes in one line.
pub(crate) fn words(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let mut words: Vec<String> = causes.map(ToString::to_string).collect();
    words.dedup();
    words.join(": ")
}
