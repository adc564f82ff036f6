//! The failure of a reduction, in a form that a client can show and that travels over a socket: a
//! kind that decides the exit code, a message, the output of what failed, and hints.

mod advice;

use crate::store::StoreError;
use reduce_guard::GuardError;
use reduce_oracle::{Cancel, Change, Offer, OracleError};
use serde::{Deserialize, Serialize};

/// The reason why a reduction could not be done, for a client to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The kind of failure, which decides the exit code of the client.
    pub kind: FailureKind,
    /// The message on one line, in lowercase, without a full stop.
    pub message: String,
    /// The errors that caused the failure, outermost first.
    pub causes: Vec<String>,
    /// The last lines of what a failed command printed.
    pub output: Option<String>,
    /// The next steps that the user can take, a line each.
    pub hints: Vec<String>,
    /// The failures that could be reduced, where the user has to choose one.
    #[serde(default)]
    pub offers: Box<[Offer]>,
}

/// The kinds of failure; each has an exit code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The arguments or the input make no sense, such as a manifest that is missing or that cargo
    /// rejects.
    BadInput,
    /// The input does not fail in the way that was asked for.
    NoCrash,
    /// The input fails only sometimes, or each time in another way.
    UnstableCrash,
    /// The compiler or cargo is missing, or cannot be started in the way that was asked for.
    CompilerMissing,
    /// The programs that have to be run cannot be kept apart from the user's files by a sandbox.
    Sandbox,
    /// The output directory exists already.
    OutputExists,
    /// The store of verdicts is locked, corrupt or newer.
    Store,
    /// An operation of ours has failed: disk full, no permission, no process.
    Environment,
    /// The compiler, or a crate that is linked, was changed during the reduction.
    Changed,
    /// The user has cancelled the reduction before there was a result.
    Cancelled,
}

/// Returns a result unchanged, but `None` in place of the error that the user has stopped the reduction. What is there by
/// then is not lost.
///
/// # Errors
/// All others.
pub(crate) fn unless_stopped<T>(
    told: Result<T, Failure>,
    cancel: &Cancel,
) -> Result<Option<T>, Failure> {
    match told {
        Err(failure) if failure.kind == FailureKind::Cancelled && cancel.is_cancelled() => Ok(None),
        told => told.map(Some),
    }
}

/// Returns a result unchanged, but `None` in place of the error that a search which ends early has
/// cancelled its question.
///
/// # Errors
/// All others.
pub(crate) fn unless_cancelled<T>(told: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match told {
        Err(failure) if failure.kind == FailureKind::Cancelled => Ok(None),
        told => told.map(Some),
    }
}

impl Failure {
    /// Makes a failure without causes, output and hints.
    #[must_use]
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            kind,
            message,
            causes: Vec::new(),
            output: None,
            hints: Vec::new(),
            offers: Box::default(),
        }
    }

    /// Makes the failure of an operation of ours, such as one on a full disk.
    #[must_use]
    pub fn environment(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Environment, message)
    }

    /// Makes the failure of a reduction during which the compiler or linked crates were changed, so
    /// that its verdicts do not hold.
    #[must_use]
    pub(crate) fn changed(change: &Change) -> Self {
        Self::new(FailureKind::Changed, format!("failed to go on: {change}"))
    }

    /// Makes the failure of an operation on a file; `action` reads "write `PATH`".
    #[must_use]
    pub fn io(action: &str, error: &std::io::Error) -> Self {
        let failure = Self::environment(format!("failed to {action}")).caused_by(error);
        match error.kind() {
            _ if advice::is_want_of_room(error) => failure.hint(advice::MAKE_ROOM),
            std::io::ErrorKind::PermissionDenied => {
                failure.hint("give a directory that you may write to with `--output DIR`")
            }
            _ => failure,
        }
    }

    /// Adds a line about what the user can do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds the output of the failed command.
    #[must_use]
    pub fn with_output(mut self, output: impl Into<String>) -> Self {
        self.output = Some(output.into());
        self
    }

    /// Adds an error and its sources as causes.
    #[must_use]
    pub fn caused_by(mut self, error: &dyn std::error::Error) -> Self {
        let mut next = Some(error);
        while let Some(error) = next {
            self.causes.push(error.to_string());
            next = error.source();
        }
        self
    }
}

impl From<GuardError> for Failure {
    fn from(error: GuardError) -> Self {
        match error {
            GuardError::Oracle(error) => error.into(),
            GuardError::NotMutable(error) => {
                Self::new(FailureKind::BadInput, error.to_string()).hint(error.hint())
            }
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let failure = Self::new(FailureKind::Store, error.to_string());
        let failure = match is_full(&error) {
            true => failure.hint("make room on the disk first"),
            false => failure,
        };
        let failure = failure
            .hint("give the same command again: it goes on from the last accepted step")
            .hint("or do without the store with `--no-cache`");
        match &error.source {
            Some(source) => failure.caused_by(source.as_ref()),
            None => failure,
        }
    }
}

/// Whether the store failed because its disk has no room.
fn is_full(error: &StoreError) -> bool {
    let source = error.source.as_ref();
    let cause = source.and_then(|source| source.downcast_ref::<std::io::Error>());
    cause.is_some_and(advice::is_want_of_room)
}

impl From<OracleError> for Failure {
    fn from(error: OracleError) -> Self {
        let failure = Self {
            output: advice::output_of(&error),
            hints: advice::hints(&error),
            offers: advice::offers(&error).into(),
            ..Self::new(kind_of(&error), error.to_string())
        };
        match std::error::Error::source(&error) {
            Some(source) => failure.caused_by(source),
            None => failure,
        }
    }
}

fn kind_of(error: &OracleError) -> FailureKind {
    match error {
        OracleError::NoManifest { .. }
        | OracleError::CargoRejected { .. }
        | OracleError::TooLarge { .. } => FailureKind::BadInput,
        OracleError::FuzzMissing { .. }
        | OracleError::NotWritten { .. }
        | OracleError::SeveralTests { .. }
        | OracleError::NoSuchTest { .. }
        | OracleError::NoTarget { .. }
        | OracleError::NotReadable { .. }
        | OracleError::NoVersion { .. }
        | OracleError::NoFrames { .. }
        | OracleError::ScriptUnusable { .. } => FailureKind::BadInput,
        OracleError::CompilerMissing { .. }
        | OracleError::CargoMissing { .. }
        | OracleError::ToolMissing { .. } => FailureKind::CompilerMissing,
        OracleError::Unsaid { failing } if !failing.is_empty() => FailureKind::BadInput,
        OracleError::NoSandbox { .. } => FailureKind::Sandbox,
        OracleError::NoFailure { .. }
        | OracleError::NotCompiled { .. }
        | OracleError::CompileFailCompiles { .. }
        | OracleError::Unsaid { .. }
        | OracleError::Undefined { .. }
        | OracleError::OtherInSandbox { .. }
        | OracleError::OtherAmongCandidates { .. }
        | OracleError::CrashOfMacro { .. }
        | OracleError::NotInteresting { .. }
        | OracleError::FailsElsewhere { .. }
        | OracleError::FailsInVersion { .. }
        | OracleError::NeverEnds { .. }
        | OracleError::NeedsState { .. }
        | OracleError::OtherCrashGone { .. }
        | OracleError::BoundTooLow { .. } => FailureKind::NoCrash,
        OracleError::Unstable { .. } | OracleError::TooSlow { .. } => FailureKind::UnstableCrash,
        OracleError::Cancelled => FailureKind::Cancelled,
        _ => FailureKind::Environment,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_was_stopped_within_a_question_is_no_failure() {
        let cancel = Cancel::new().unwrap();
        let stopped = || Err::<u8, _>(Failure::from(OracleError::Cancelled));
        let other = || Failure::environment("no room");
        assert!(unless_stopped(stopped(), &cancel).is_err());
        cancel.cancel();
        assert_eq!(unless_stopped(stopped(), &cancel), Ok(None));
        assert_eq!(unless_stopped(Err::<u8, _>(other()), &cancel), Err(other()));
        assert_eq!(unless_stopped(Ok(1), &cancel), Ok(Some(1)));
    }
}
