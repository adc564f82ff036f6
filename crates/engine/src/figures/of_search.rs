//! Figures of a search: its steps, queries, passes and times, and the crates that are left of its
//! input.

use crate::decider::Decider;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// The reason why the search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Nothing more can be removed from the program.
    Fixpoint,
    /// The user cancelled the search and gets the best so far.
    Cancelled,
    /// The time of `--max-time` was over.
    MaxTime,
    /// The number of queries of `--max-queries` was reached.
    MaxQueries,
    /// The user wanted the search to end soon (`cargo reduce jobs finish`).
    FinishedSoon,
    /// The best so far did not fail any more in the end; the result is the last step that still does.
    Unconfirmed,
}

impl Ended {
    /// Returns the reason, for people, where a limit or the user ended the search early with a
    /// result; `None` otherwise.
    #[must_use]
    pub fn early(self) -> Option<&'static str> {
        match self {
            Self::MaxTime => Some("the time of `--max-time` was over"),
            Self::MaxQueries => Some("the queries of `--max-queries` were used"),
            Self::FinishedSoon => Some("it was told to finish soon"),
            Self::Fixpoint | Self::Cancelled | Self::Unconfirmed => None,
        }
    }
}

/// The work that a server did with `--remote`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteFigures {
    /// The number of candidates that the server has decided, those ahead of time included.
    pub answered: u64,
    /// The number of candidates that were given to the server and asked about here instead: it was away, or its
    /// answer was not certain.
    pub asked_here: u64,
    /// The number of compilations and runs of which the server's cache had the result.
    pub hits: u64,
    /// The number of compilations and runs that the server has made.
    pub misses: u64,
    /// The number of calls that were made again, because the server or the way to it failed for a
    /// moment.
    pub retries: u64,
    /// The bytes that were uploaded to the server.
    pub uploaded_bytes: u64,
}

/// The fate of each crate that the program was linked with, directly or through others, except
/// those of the toolchain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedCrates {
    /// The number of linked crates whose compiler call is known.
    pub before: u64,
    /// The linked crates that became modules, in this order; what is left of them is in the result.
    pub merged: Vec<String>,
    /// The linked crates that are reduced as crates of their own: the crash needs the boundary.
    pub auxiliary: Vec<String>,
    /// The linked crates that the result still needs as they were compiled.
    pub compiled: Vec<CompiledCrate>,
}

impl LinkedCrates {
    /// Whether the result may still call a procedural macro: it links one, or its linked crates are not
    /// known.
    #[must_use]
    pub fn may_have_macros(&self) -> bool {
        self.before == 0 || self.compiled.iter().any(|one| one.is_procedural)
    }
}

/// A crate that the result needs as it was compiled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompiledCrate {
    /// The package's name.
    pub package: String,
    /// The package's version.
    pub version: String,
    /// Whether the crate is a procedural macro.
    pub is_procedural: bool,
    /// Whether the crate links native code.
    pub links_native: bool,
}

/// A part of the search, with its costs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// The name of the part of the search.
    pub phase: String,
    /// Size of the program at the part's end, in tokens.
    pub tokens_after: u64,
    /// The number of compiler runs whose verdict the part used.
    pub queries: u64,
    /// The number of steps that were accepted in the part.
    pub steps: u64,
    /// Wall time of the part in seconds.
    pub seconds: f64,
}

/// A crash that is not the baseline's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherCrash {
    /// The crash's signature, as a person would write it.
    pub signature: String,
    /// The directory with the crash's sources.
    pub kept_at: Utf8PathBuf,
}

/// The figures of one pass.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PassStatistics {
    /// The pass's name.
    pub pass: String,
    /// The number of candidates of the pass, however they were answered.
    pub tried: u64,
    /// The candidates of the pass about which the compiler was asked.
    pub queries: u64,
    /// The number of candidates of the pass that were accepted.
    pub accepted: u64,
    /// The number of tokens that the pass removed.
    pub tokens: u64,
    /// Time spent in the pass.
    pub seconds: f64,
}

/// A pass of which the user has skipped a run, so that the same command may lead to another result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedPass {
    /// The pass's name.
    pub pass: String,
    /// The number of runs of the pass that were skipped.
    pub times: u64,
    /// Whether a skipped run was in the last round: then the result need not be minimal for this
    /// pass.
    pub in_last_round: bool,
}

/// The queries whose candidates made the same sort of change. Those of all kinds together are
/// [`SearchCounts::queries`](crate::SearchCounts::queries).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindStatistics {
    /// The sort of change that the candidates made to the program, as a word or two.
    pub kind: String,
    /// The number of different compiler runs whose verdict the search used, for candidates of this
    /// sort.
    pub queries: u64,
    /// The number of queries for this sort of change whose candidate was interesting, and therefore
    /// accepted.
    pub accepted: u64,
}

/// A call with which the result does not fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Success {
    /// The shell line of the call.
    pub command: String,
    /// The compiler's version, such as `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub compiler: String,
    /// The version of the code under test, as people call it, where it is another one than the
    /// user's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The next version, with which the result fails, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_by: Option<String>,
}

/// The proof that a result is 1-minimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// The number of single edits of all enabled passes that would make the result simpler. All
    /// were tried, and the failure is gone with each of them.
    pub edits: u64,
    /// The number of edits that turned out to be possible nevertheless, and were made.
    pub accepted: u64,
}

/// The candidates that one check decided, and whose verdicts the search used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DeciderStatistics {
    /// The check that decided the candidates.
    #[serde(rename = "stage")]
    pub decider: Decider,
    /// The number of candidates that this check decided.
    pub candidates: u64,
    /// Wall time of the candidates' compiler runs.
    pub wall_seconds: f64,
    /// CPU time of the candidates' compiler runs.
    pub cpu_seconds: f64,
}
