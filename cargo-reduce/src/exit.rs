//! The ways in which the process ends: the one table of exit codes, which `--help` prints.

use reduce_engine::FailureKind;
use std::process::ExitCode;

/// An exit code and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitStatus {
    /// The result is written.
    Reduced = 0,
    /// Something outside of this program failed: disk full, no permission, no process.
    Environment = 1,
    /// The arguments or the input make no sense.
    BadInput = 2,
    /// The input does not fail as asked.
    NoCrash = 3,
    /// The failure is not stable, or it does not show any more in the end.
    UnstableCrash = 4,
    /// The compiler or cargo cannot be started.
    CompilerMissing = 5,
    /// The output directory exists.
    OutputExists = 6,
    /// The store is locked or newer.
    Store = 7,
    /// The daemon cannot be started or talked to, or is of another version and busy.
    Daemon = 8,
    /// Programs cannot be sandboxed on this system.
    Sandbox = 9,
    /// The compiler, or a file that candidates are linked with, was changed during the reduction.
    Changed = 10,
    /// Stopped before the end, with or without a result.
    Stopped = 130,
}

impl ExitStatus {
    /// All ways in which the process ends, in the order of their codes.
    pub(crate) const ALL: [Self; 12] = [
        Self::Reduced,
        Self::Environment,
        Self::BadInput,
        Self::NoCrash,
        Self::UnstableCrash,
        Self::CompilerMissing,
        Self::OutputExists,
        Self::Store,
        Self::Daemon,
        Self::Sandbox,
        Self::Changed,
        Self::Stopped,
    ];

    /// Returns the exit code as a number.
    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    /// Describes the meaning of the exit code, for `--help`.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::Reduced => "the result is written",
            Self::Environment => "the surroundings failed: disk full, no permission, no process",
            Self::BadInput => "the arguments or the input make no sense",
            Self::NoCrash => "the input does not fail as asked",
            Self::UnstableCrash => {
                "it fails only sometimes, differently each time, or no more at the end"
            }
            Self::CompilerMissing => "the compiler or cargo cannot be started",
            Self::OutputExists => "the output directory exists, and `--force` was not given",
            Self::Store => "the store of verdicts is in use elsewhere, unreadable or newer",
            Self::Daemon => "the daemon cannot be used",
            Self::Sandbox => {
                "programs cannot be sandboxed on this system, and `--sandbox off` was not given"
            }
            Self::Changed => {
                "the compiler or a dependency was changed; the last confirmed step is written"
            }
            Self::Stopped => "stopped by Ctrl-C or `daemon stop`; the best so far is written",
        }
    }
}

impl From<FailureKind> for ExitStatus {
    fn from(kind: FailureKind) -> Self {
        match kind {
            FailureKind::BadInput => Self::BadInput,
            FailureKind::NoCrash => Self::NoCrash,
            FailureKind::UnstableCrash => Self::UnstableCrash,
            FailureKind::CompilerMissing => Self::CompilerMissing,
            FailureKind::OutputExists => Self::OutputExists,
            FailureKind::Sandbox => Self::Sandbox,
            FailureKind::Store => Self::Store,
            FailureKind::Environment => Self::Environment,
            FailureKind::Changed => Self::Changed,
            FailureKind::Cancelled => Self::Stopped,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        status.code().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_stands_for_one_thing() {
        let codes = ExitStatus::ALL.map(ExitStatus::code);
        assert!(codes.is_sorted_by(|left, right| left < right), "{codes:?}");
        // Codes that a shell or a panic would give.
        assert!(codes.iter().all(|code| ![101, 126, 127].contains(code)));
    }
}
