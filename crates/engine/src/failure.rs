//! Why a reduction could not be done, in a form that a client can show and that travels over a
//! socket: a kind that decides the exit code, a message, the output of what failed, and hints.

use serde::{Deserialize, Serialize};

/// Why a reduction could not be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// Decides the exit code.
    pub kind: FailureKind,
    /// One line, lowercase, without a full stop.
    pub message: String,
    /// What caused it, outermost first.
    pub causes: Vec<String>,
    /// The last lines of what a failed command printed.
    pub output: Option<String>,
    /// What the user can do next, a line each.
    pub hints: Vec<String>,
}

/// The kinds of failure; each has an exit code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The arguments or the input make no sense: no manifest, a manifest that cargo rejects, no
    /// such file.
    BadInput,
    /// The compiler does not crash.
    NoCrash,
    /// The compiler crashes only sometimes, or each time in another way.
    UnstableCrash,
    /// The compiler or cargo is not there or cannot be started.
    CompilerMissing,
    /// The output directory exists.
    OutputExists,
    /// The store is locked, corrupt or newer.
    Store,
    /// Our own surroundings failed: disk full, no permission, no process.
    Environment,
    /// Cancelled before there was a result.
    Cancelled,
}
