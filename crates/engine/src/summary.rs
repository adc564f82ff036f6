//! The end of a reduction in figures: what `reduction.json` holds.

use crate::flaky::FlakyFigures;
use crate::request::SearchOptions;
use camino::Utf8PathBuf;
use reduce_oracle::{Signature, Stability};
use serde::{Deserialize, Serialize};

/// The version of `reduction.json`. Raised when a field comes, goes or changes its meaning.
/// 7: `failure`, `stability`, `may_be_of_macro`, `out_of_time`.
pub const SUMMARY_VERSION: u32 = 7;

/// What `reduction.json` holds. Sizes are in tokens, times in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// [`SUMMARY_VERSION`].
    pub version: u32,
    /// Why the search ended.
    pub ended: Ended,
    /// How it was searched.
    pub search: SearchOptions,
    /// Size of the input.
    pub tokens_before: u64,
    /// Size of the result.
    pub tokens_after: u64,
    /// Compiler runs whose verdict the search used.
    pub queries: u64,
    /// Compiler runs that were under way when an earlier candidate was accepted, so that their
    /// verdict was not used.
    pub speculative_queries: u64,
    /// Compiler runs outside the search: baseline, check of the result, report.
    pub other_runs: u64,
    /// Questions that a verdict from this run or an earlier one answered.
    pub cache_hits: u64,
    /// Of them, those answered by an earlier run.
    pub cache_hits_from_earlier_runs: u64,
    /// Steps accepted.
    pub steps: u64,
    /// Edits of the result that the compiler was asked about when nothing more could go. With the
    /// steps they are the fewest queries that a search needs to know that it is at its end.
    pub possible_edits: u64,
    /// Candidates that ran out of time, also when they were asked about again: edits of the
    /// result, and crates that could not be moved into it. It is not known whether the failure is gone with
    /// them, so that the result is minimal but for these.
    #[serde(default)]
    pub out_of_time: u64,
    /// With `--verify-minimal`, what became of it.
    pub verified: Option<Verification>,
    /// Candidates that crashed in another way.
    pub slippage: u64,
    /// From the request to the written result.
    pub wall_seconds: f64,
    /// Whether the compiler was loaded once and forked for each query.
    pub warm_compiler: bool,
    /// How far the compiler goes in a query; `full` is the call that is reported.
    pub ladder: String,
    /// Our own time in the search, in all threads: choosing, editing, hashing, looking up, writing.
    /// Neither parsing what is checked or accepted nor the compiler.
    pub overhead_seconds: f64,
    /// CPU time of all compiler runs of the search, those ahead of time included.
    pub compiler_cpu_seconds: f64,
    /// The largest resident set of a compiler run.
    pub peak_memory_bytes: u64,
    /// Whether the result has no error but the crash.
    pub clean: bool,
    /// Ordinary errors that the result still has, as codes or messages.
    pub remaining_errors: Vec<String>,
    /// What is compared: the signature of the failure, without what depends on the program or the run.
    pub signature: Signature,
    /// The failure of the result for people: on one line, with its message as it was printed.
    #[serde(default)]
    pub failure: String,
    /// The shell line that reproduces it, to be run in the directory of `reduced.rs`, or in
    /// `reduced`.
    pub reproduce: String,
    /// What does not fail, to be run in the same directory: with `--regression` and `--valid-with`.
    #[serde(default)]
    pub also: Vec<Success>,
    /// `rustc -vV` of the compiler.
    pub compiler: String,
    /// The result: `reduced.rs` or `reduced/`, absolute.
    pub result: Utf8PathBuf,
    /// With `--repeat`: how often the failure shows.
    #[serde(default)]
    pub flaky: Option<FlakyFigures>,
    /// Without `--repeat`: what the runs of the input say about whether it fails each time. Absent where
    /// the failure is a cost.
    #[serde(default)]
    pub stability: Option<Stability>,
    /// The code, where it is short enough to be shown.
    pub code: Option<String>,
    /// Other crashes that were met, with where they were kept.
    pub other_crashes: Vec<OtherCrash>,
    /// Whether the crash may be that of a procedural macro, which the result still calls.
    #[serde(default)]
    pub may_be_of_macro: bool,
    /// What became of the crates that it was linked with.
    #[serde(default)]
    pub crates: LinkedCrates,
    /// The parts of the search, in the order in which they first ended.
    #[serde(default)]
    pub phases: Vec<Phase>,
    /// What each pass did, in the order in which they first ran.
    pub passes: Vec<PassStatistics>,
    /// The queries by what their candidates did, in the order in which a kind was first used.
    pub kinds: Vec<KindStatistics>,
    /// The candidates by what decided them, the cheapest first.
    pub stages: Vec<StageStatistics>,
}

/// A call in which the result does not fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Success {
    /// The shell line.
    pub command: String,
    /// The compiler's version, such as `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub compiler: String,
}

/// The proof that a result is 1-minimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// How many single edits of all enabled passes would make the result simpler. All were tried,
    /// and the failure is gone with each of them.
    pub edits: u64,
    /// Edits that were possible nevertheless before, and are made.
    pub accepted: u64,
}

impl Summary {
    /// The queries as a multiple of the fewest that a search needs: a step each, and one failure for
    /// each possible edit of the result.
    #[must_use]
    pub fn query_ratio(&self) -> f64 {
        let fewest = (self.steps + self.possible_edits).max(1);
        self.queries as f64 / fewest as f64
    }
}

/// How many candidates ran out of time, as the exception to a statement: empty where none did.
#[must_use]
pub fn but_for_late(out_of_time: u64) -> String {
    match out_of_time {
        0 => String::new(),
        1 => " but for 1 candidate that ran out of time".to_owned(),
        many => format!(" but for {many} candidates that ran out of time"),
    }
}

/// Why the search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Nothing more can go.
    Fixpoint,
    /// The user asked for the best so far.
    Cancelled,
    /// The best so far did not fail any more in the end; the result is the last step that still does.
    Unconfirmed,
}

/// What became of the crates that the program was linked with, directly or through others; those of
/// the toolchain do not count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedCrates {
    /// How many there were whose compiler call is known.
    pub before: u64,
    /// Those of them that became modules, in this order; what is left of them is in the result.
    pub merged: Vec<String>,
    /// Those that are reduced as crates of their own: the crash needs the boundary.
    pub auxiliary: Vec<String>,
    /// Those that the result still needs as they were compiled.
    pub compiled: Vec<CompiledCrate>,
}

impl LinkedCrates {
    /// Whether the result may still call a procedural macro: one is linked, or it is not known what is.
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
    /// Its version.
    pub version: String,
    /// Whether it is a procedural macro.
    pub is_procedural: bool,
    /// Whether it links native code.
    pub links_native: bool,
}

/// A part of the search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Its name.
    pub phase: String,
    /// Size at its end.
    pub tokens_after: u64,
    /// Compiler runs whose verdict it used.
    pub queries: u64,
    /// Steps accepted.
    pub steps: u64,
    /// Wall time.
    pub seconds: f64,
}

/// A crash that is not the baseline's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherCrash {
    /// Its signature, as a person would write it.
    pub signature: String,
    /// The directory with its sources.
    pub kept_at: Utf8PathBuf,
}

/// What one pass did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PassStatistics {
    /// Its name.
    pub pass: String,
    /// Candidates asked, however they were answered.
    pub tried: u64,
    /// Those about which the compiler was asked.
    pub queries: u64,
    /// Candidates accepted.
    pub accepted: u64,
    /// Tokens removed.
    pub tokens: u64,
    /// Time spent in it.
    pub seconds: f64,
}

/// The queries whose candidates did the same sort of thing. Those of all kinds together are
/// [`Summary::queries`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindStatistics {
    /// What the candidates did to the program, as a word or two.
    pub kind: String,
    /// Different compiler runs whose verdict the search used.
    pub queries: u64,
    /// How many of them were interesting, and therefore accepted.
    pub accepted: u64,
}

/// What decided a candidate, the cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// It is not smaller than the best so far.
    Size,
    /// Its tokens had a verdict.
    Cache,
    /// A changed file does not parse.
    Syntax,
    /// A name is certainly unresolved.
    Names,
    /// The compiler was stopped at an error that the baseline did not have.
    NewError,
    /// The compiler ran to its end.
    End,
    /// The compiler was stopped at its deadline.
    Deadline,
}

impl Stage {
    /// What it means for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Size => "not smaller",
            Self::Cache => "known verdict",
            Self::Syntax => "does not parse",
            Self::Names => "unresolved name",
            Self::NewError => "stopped at a new error",
            Self::End => "compiled to the end",
            Self::Deadline => "stopped at the deadline",
        }
    }

    /// Whether the compiler was asked.
    pub(crate) fn asks_compiler(self) -> bool {
        matches!(self, Self::NewError | Self::End | Self::Deadline)
    }
}

/// The candidates that one stage decided, and whose verdicts the search used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StageStatistics {
    /// The stage.
    pub stage: Stage,
    /// How many it decided.
    pub candidates: u64,
    /// Wall time of their compiler runs.
    pub wall_seconds: f64,
    /// CPU time of their compiler runs.
    pub cpu_seconds: f64,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A summary with nothing in it.
    pub(crate) fn summary(signature: Signature) -> Summary {
        Summary {
            version: SUMMARY_VERSION,
            ended: Ended::Fixpoint,
            search: SearchOptions::default(),
            tokens_before: 0,
            tokens_after: 0,
            queries: 0,
            speculative_queries: 0,
            other_runs: 0,
            cache_hits: 0,
            cache_hits_from_earlier_runs: 0,
            steps: 0,
            possible_edits: 0,
            verified: None,
            slippage: 0,
            wall_seconds: 0.0,
            warm_compiler: false,
            ladder: String::new(),
            overhead_seconds: 0.0,
            compiler_cpu_seconds: 0.0,
            peak_memory_bytes: 0,
            clean: false,
            remaining_errors: vec![],
            signature,
            failure: String::new(),
            reproduce: String::new(),
            also: vec![],
            compiler: String::new(),
            result: Utf8PathBuf::new(),
            flaky: None,
            out_of_time: 0,
            stability: None,
            may_be_of_macro: false,
            code: None,
            other_crashes: vec![],
            crates: LinkedCrates::default(),
            phases: vec![],
            passes: vec![],
            kinds: vec![],
            stages: vec![],
        }
    }
}
