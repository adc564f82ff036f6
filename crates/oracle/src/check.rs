//! What is done with a candidate to see whether it fails.

use crate::pattern::Pattern;
use crate::program::Harness;
use crate::signature::{CrashKind, Signature};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is done with a candidate, and what a failure of it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// It is compiled, and the compiler crashes.
    Crash,
    /// It is compiled, and the compiler reports something.
    Diagnostic(Wanted),
    /// It is compiled, and that costs too much.
    Cost(Cost),
    /// It is compiled, linked and run, and the program fails.
    Run(Execution),
    /// It is compiled twice, and the two programs do not print the same.
    Miscompile {
        /// How both are run.
        execution: Execution,
        /// What the second compiler call has besides.
        flags: Vec<String>,
    },
    /// It is not compiled: a command is run in its directory.
    Command(CommandCall),
}

/// The diagnostic that is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// An error: its code, or a pattern for what it says.
    Error(Pattern),
    /// A lint by its name, such as `dead_code` or `clippy::needless_return`, at any level.
    Lint(String),
}

/// What a compiler run must use to count as a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cost {
    /// It runs for so long.
    Hang(Duration),
    /// Its largest resident set has so many bytes.
    Memory(u64),
    /// It takes so much CPU time, and comes to an end.
    Cpu {
        /// From this on it is too much.
        least: Duration,
        /// Then it is stopped: what never ends is not what is looked for.
        most: Duration,
    },
}

/// How a compiled program is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    /// Its arguments.
    pub args: Vec<String>,
    /// Who calls the code that fails.
    pub harness: Harness,
    /// All of its environment. Paths below the plan's tree are replaced by those of the worker's.
    pub env: BTreeMap<String, String>,
    /// Its directory, relative to the tree.
    pub cwd: Utf8PathBuf,
    /// It fails by running for so long.
    pub hangs_after: Option<Duration>,
    /// That it ends with status 0 counts too: what it prints is looked for.
    pub may_succeed: bool,
    /// Linked with the compiler's own libraries as they are, which is quicker.
    pub links_dynamically: bool,
}

/// A command that is run in a candidate's directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandCall {
    /// The program, absolute.
    pub program: Utf8PathBuf,
    /// Its arguments. Paths below the plan's tree are replaced by those of the worker's.
    pub args: Vec<String>,
    /// All of its environment, in the same way. The worker adds places for what is written.
    pub env: BTreeMap<String, String>,
    /// Its directory, relative to the tree.
    pub cwd: Utf8PathBuf,
    /// What its end means.
    pub meaning: Meaning,
    /// How a person calls it, as a shell line without the file that is reduced.
    pub shown: String,
    /// A digest of the program, where it is one of the user's own.
    pub identity: Option<[u8; 32]>,
    /// For cargo: what is compiled already. Each worker begins with a copy of it.
    pub builds: Option<Utf8PathBuf>,
    /// What it may read besides, such as cargo's caches: absolute paths.
    pub reads: Vec<Utf8PathBuf>,
}

/// What the end of a command means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Meaning {
    /// Status 0 is what is looked for, as in the interestingness tests of C-Reduce.
    SuccessIsInteresting,
    /// A failure is what is looked for: status, signal, panic, and what the compiler says.
    FailureIsInteresting,
    /// rustfmt, which crashes.
    Formats,
    /// rustfmt, which formats its own output otherwise.
    FormatsOtherwise,
}

impl Check {
    /// Whether candidates are run, not only compiled.
    #[must_use]
    pub fn executes(&self) -> bool {
        matches!(
            self,
            Self::Run(_) | Self::Miscompile { .. } | Self::Command(_)
        )
    }

    /// How a compiled candidate is run.
    #[must_use]
    pub fn execution(&self) -> Option<&Execution> {
        match self {
            Self::Run(execution) | Self::Miscompile { execution, .. } => Some(execution),
            _ => None,
        }
    }

    /// The command that is run in place of a compiler.
    #[must_use]
    pub fn command(&self) -> Option<&CommandCall> {
        match self {
            Self::Command(call) => Some(call),
            _ => None,
        }
    }

    /// The environment of what is run.
    pub(crate) fn env_mut(&mut self) -> Option<&mut BTreeMap<String, String>> {
        match self {
            Self::Run(execution) | Self::Miscompile { execution, .. } => Some(&mut execution.env),
            Self::Command(call) => Some(&mut call.env),
            Self::Crash | Self::Diagnostic(_) | Self::Cost(_) => None,
        }
    }

    /// The check as the input and the result must pass it. Between the two a candidate may be near
    /// the bound: what does not end must run for longer here than in a query, and what is slow may be
    /// a little quicker.
    pub(crate) fn for_last_look(&self) -> Self {
        match self {
            Self::Cost(Cost::Hang(time)) => Self::Cost(Cost::Hang(*time * 2)),
            Self::Cost(Cost::Cpu { least, most }) => Self::Cost(Cost::Cpu {
                least: *least * 4 / 5,
                most: *most,
            }),
            Self::Run(execution) => Self::Run(Execution {
                hangs_after: execution.hangs_after.map(|time| time * 2),
                ..execution.clone()
            }),
            other => other.clone(),
        }
    }

    /// The check as the input must pass it: as [`Check::for_last_look`], but what is slow must be as
    /// slow as it is for a query.
    pub(crate) fn for_first_look(&self) -> Self {
        match self {
            Self::Cost(Cost::Cpu { .. }) => self.clone(),
            other => other.for_last_look(),
        }
    }

    /// Whether it is the deadline that shows the failure.
    #[must_use]
    pub fn is_hang(&self) -> bool {
        let is_of_program = |execution: &Execution| execution.hangs_after.is_some();
        matches!(self, Self::Cost(Cost::Hang(_))) || self.execution().is_some_and(is_of_program)
    }

    /// Whether it says itself how long the compiler or the program may run.
    pub(crate) fn bounds_time(&self) -> bool {
        self.is_hang() || matches!(self, Self::Cost(Cost::Cpu { .. }))
    }

    /// How long the compiler must run to count as hanging.
    pub(crate) fn compiler_hangs_after(&self) -> Option<Duration> {
        match self {
            Self::Cost(Cost::Hang(time)) => Some(*time),
            _ => None,
        }
    }

    /// Programs that succeed need not be looked at any more, where the one that was given fails.
    pub(crate) fn expect(&mut self, failure: &Signature) {
        if let Self::Run(execution) = self {
            execution.may_succeed &= failure.kind == CrashKind::ExitStatus(0);
        }
    }

    /// Whether the compiler's own rendering for people may decide. Only crashes depend on how
    /// diagnostics are printed.
    pub(crate) fn is_crash(&self) -> bool {
        matches!(self, Self::Crash)
    }
}
