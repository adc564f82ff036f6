//! The events of a reduction, as one closed enum. The progress line, the JSON lines, the log file
//! and the daemon's stream are its consumers; a new event means a change in each of them.

use crate::figures::FlakyFigures;
use crate::summary::Summary;
use camino::Utf8PathBuf;
use reduce_oracle::Stability;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The version of [`Event`]'s JSON form. Raised when a field changes its meaning or goes.
/// 2: `finished` has the version of `reduction.json` as `summary_version`.
pub const EVENT_VERSION: u32 = 2;

/// An event of a reduction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A stage before the search proper has begun.
    Preparing {
        /// A phrase for people, such as "running `cargo check`".
        what: String,
    },
    /// A line of cargo's progress while it compiles.
    Cargo {
        /// The line without its indentation, such as "Compiling serde v1.0.2".
        line: String,
    },
    /// The failure was found and is stable.
    BaselineFound {
        /// The noun for the failure in messages: `crash` or `failure`.
        noun: String,
        /// The failure on one line, with its message as it was printed.
        signature: String,
        /// The shell line of the failing compiler call.
        command: String,
        /// The compiler's version, such as `rustc 1.95.0 (59807616e 2026-04-14)`.
        compiler: String,
        /// Size of the crate's sources, in tokens.
        tokens: u64,
        /// Number of source files.
        files: u64,
    },
    /// The user's variables that decide the result are known. Not sent where it may be any.
    VariablesKnown {
        /// The names of the variables, set or not, besides those that compilers and cargo read
        /// anyway.
        names: BTreeSet<String>,
    },
    /// The failure does not show in each run, which the search takes into account.
    Flaky(FlakyFigures),
    /// The input fails each time it is run, as far as its runs tell.
    Stability(Stability),
    /// An interrupted job goes on from its last step.
    Resumed {
        /// The number of steps that were accepted before the interruption.
        steps: u64,
        /// The size in tokens from which the job goes on.
        tokens: u64,
    },
    /// The job was paused and makes no queries, or was resumed and makes them again.
    Paused {
        /// Whether the job is paused now.
        is_paused: bool,
    },
    /// A file that syn cannot parse is reduced by tokens or lines.
    FallbackForFile {
        /// Path relative to the crate.
        path: Utf8PathBuf,
        /// The message of syn about the file.
        reason: String,
    },
    /// A file that syn can parse but for some places, which are reduced token by token.
    IslandsInFile {
        /// Path relative to the crate.
        path: Utf8PathBuf,
        /// The number of places that syn cannot parse.
        places: u64,
        /// The number of tokens in the places that syn cannot parse.
        tokens: u64,
    },
    /// A pass of the search has begun.
    PassStarted {
        /// The name of the pass that has begun, such as `delete_items`.
        pass: String,
        /// Round of the fixpoint, from 1.
        round: u32,
    },
    /// A step was accepted; the state is in the store.
    StepAccepted {
        /// Number of the accepted step, from 1.
        step: u64,
        /// The pass that made the step.
        pass: String,
        /// Size of the program before the step, in tokens.
        tokens_before: u64,
        /// Size of the program after the step, in tokens.
        tokens_after: u64,
    },
    /// A person's edit of the best so far still fails in the same way, and is the best so far now; the
    /// state is in the store.
    EditAdopted {
        /// The edited file, or the directory of several, relative to the output directory.
        path: Utf8PathBuf,
        /// Number of the step that the edit counts as, from 1.
        step: u64,
        /// Size of the program before the edit, in tokens.
        tokens_before: u64,
        /// Size of the program after the edit, in tokens; it may be larger.
        tokens_after: u64,
    },
    /// A person's edit of the best so far was rejected, as the program does not fail in the same
    /// way with it.
    EditRejected {
        /// The edited file, relative to the output directory; it is again as it was.
        path: Utf8PathBuf,
        /// The reason for people why the edit is rejected.
        reason: String,
        /// The path at which the edited text was kept.
        kept_at: Utf8PathBuf,
    },
    /// The progress of the search, sent now and then.
    Progress(Progress),
    /// A candidate crashed in another way, or the input in more than one, and was kept aside.
    OtherCrash {
        /// The signature of the other crash, on one line.
        signature: String,
        /// The path at which the other crash was kept.
        kept_at: Utf8PathBuf,
    },
    /// A warning that does not end the run.
    Warning {
        /// The warning for people.
        message: String,
    },
    /// The reduction has ended: the result is on disk.
    Finished(Box<Summary>),
}

/// The progress of a search at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The pass that is under way.
    pub pass: String,
    /// Round of the fixpoint, from 1.
    pub round: u32,
    /// Size of the best so far, in tokens.
    pub tokens_now: u64,
    /// Size of the program at the start of the search, in tokens.
    pub tokens_at_start: u64,
    /// Compiler runs that the search has used so far.
    pub queries: u64,
    /// Questions that were answered without a compiler run.
    pub cache_hits: u64,
    /// Seconds since the start of the run.
    pub elapsed_seconds: f64,
}
