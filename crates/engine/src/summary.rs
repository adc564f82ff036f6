//! The summary of a finished reduction, which is written as `reduction.json`.

use crate::figures::{
    CodeUnderTest, DeciderStatistics, Ended, FlakyFigures, GoesTo, KindStatistics, LinkedCrates,
    NearestProgram, OtherCrash, PassStatistics, Phase, RemoteFigures, SkippedPass, Success,
    VariableValue, Verification,
};
use crate::request::SearchOptions;
use camino::Utf8PathBuf;
use reduce_guard::Fidelity;
use reduce_oracle::{Neighbour, Signature, Stability, UndefinedBehaviour};
use serde::{Deserialize, Serialize};

/// The version of `reduction.json`. Raised when a field comes, goes or changes its meaning.
/// 7: `failure`, `stability`, `may_be_of_macro`, `out_of_time`. 8: `fidelity`, `goes_to`. 9: `code_under_test`.
/// 10: `difference`. 11: `runs`, `seconds` and `seconds_before` of `code_under_test`.
/// 19: `ended` may be `max-time`, `max-queries` or `finished-soon`.
/// 20: `width` of `search`, `remote`.
/// 21: `skipped`. 22: `kept`, `undefined_behaviour`, and `clean` is null where nobody looked.
/// 12: `narrowed` of `code_under_test`. 13: `tokens_in_islands`. 14: `variables`. 15: `neighbour`. 16: `nearest`.
/// 25: `checked`, and `tokens_in_islands` and `clean` are null where a search was stopped and there was no time to look.
pub const SUMMARY_VERSION: u32 = 26;

/// The figures of a finished reduction, as `reduction.json` holds them. Sizes are in tokens, times
/// in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The version of the format, which is [`SUMMARY_VERSION`].
    pub version: u32,
    /// The reason why the search ended.
    pub ended: Ended,
    /// The options of the search.
    pub search: SearchOptions,
    /// The part of a failing test's program that was reduced, and whether the cause of its failure
    /// had to stay.
    #[serde(default)]
    pub fidelity: Fidelity,
    /// The sizes of input and result of the reduction, in tokens.
    #[serde(flatten)]
    pub sizes: Sizes,
    /// The counts of the search, such as its queries, steps and candidates out of time.
    #[serde(flatten)]
    pub counts: SearchCounts,
    /// The time and memory that the reduction took, and the means that it used, such as a server.
    #[serde(flatten)]
    pub costs: ReductionCosts,
    /// The behaviour of the result: the failure that it shows, its other errors, and what other compilers and nearby
    /// programs do.
    #[serde(flatten)]
    pub behaviour: ResultBehaviour,
    /// The delivered result: its place, the commands that reproduce it, and the information about
    /// it.
    #[serde(flatten)]
    pub delivered: DeliveredResult,
    /// The rates at which the failure shows, with `--repeat`.
    #[serde(default)]
    pub flaky: Option<FlakyFigures>,
    /// The stability of the input's failure, as its runs show it, without `--repeat`. Absent where the
    /// failure is a cost.
    #[serde(default)]
    pub stability: Option<Stability>,
    /// The code of the result, where it is short enough to be shown.
    pub code: Option<String>,
    /// Other crashes that candidates have shown, with the places where these were kept.
    pub other_crashes: Vec<OtherCrash>,
    /// Whether the crash may be that of a procedural macro, which the result still calls.
    #[serde(default)]
    pub may_be_of_macro: bool,
    /// The fate of each crate that the input was linked with.
    #[serde(default)]
    pub crates: LinkedCrates,
    /// The work of a search by its parts.
    #[serde(flatten)]
    pub breakdown: Breakdown,
}

/// The sizes of input and result, in tokens.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sizes {
    /// Size of the input in tokens.
    pub tokens_before: u64,
    /// The tokens of the input in places that syn cannot parse. Absent where the search was stopped
    /// before they were counted.
    #[serde(default)]
    pub tokens_in_islands: Option<u64>,
    /// Size of the result in tokens.
    pub tokens_after: u64,
}

/// The counts of a search, such as its queries, steps and candidates out of time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchCounts {
    /// The number of compiler runs whose verdict the search used.
    pub queries: u64,
    /// The number of compiler runs that were under way when an earlier candidate was accepted, so
    /// that their verdict was not used.
    pub speculative_queries: u64,
    /// The number of compiler runs outside the search: baseline, check of the result, report.
    pub other_runs: u64,
    /// The number of questions that a verdict from this run or an earlier one answered.
    pub cache_hits: u64,
    /// The questions among `cache_hits` that an earlier run answered.
    pub cache_hits_from_earlier_runs: u64,
    /// The number of steps that were accepted.
    pub steps: u64,
    /// The number of edits of the result that the compiler was asked about when nothing more could
    /// go. With the steps they are the fewest queries that a search needs to know that it is at its
    /// end.
    pub possible_edits: u64,
    /// The number of calls into the code under test from which a failing test was written anew; 0 where
    /// it was not.
    #[serde(default)]
    pub carved_calls: u64,
    /// Whether the test ends at an earlier value than the original, or has less setup, and expects what the code under test gives there
    /// under the changes that mend the original.
    #[serde(default)]
    pub expects_anew: bool,
    /// The reason why a failing test was not written anew, for the report.
    #[serde(skip)]
    pub not_carved: Option<&'static str>,
    /// The number of candidates that ran out of time, also when they were asked about again: edits of the
    /// result, and crates that could not be moved into it. It is not known whether the failure is gone with
    /// them, so that the result is minimal but for these.
    #[serde(default)]
    pub out_of_time: u64,
    /// Passes of which the user has skipped a run, in the live view or by `jobs skip`.
    #[serde(default)]
    pub skipped: Vec<SkippedPass>,
    /// The proof that the result is 1-minimal, with `--verify-minimal`.
    pub verified: Option<Verification>,
    /// The number of candidates that crashed in another way than the baseline.
    pub slippage: u64,
}

/// The time and memory that a reduction took, and the means that it used, such as a server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReductionCosts {
    /// Seconds from the request to the written result.
    pub wall_seconds: f64,
    /// Whether a compiler was used that is loaded once and forked for each query.
    pub warm_compiler: bool,
    /// The work that a server did, with `--remote`.
    #[serde(default)]
    pub remote: Option<RemoteFigures>,
    /// The stage up to which the compiler goes in a query, such as parsing; `full` where it makes
    /// the reported call.
    #[serde(rename = "ladder")]
    pub cheapest_call: String,
    /// Our own time in the search, in all threads: choosing, editing, hashing, looking up, writing.
    /// Neither parsing what is checked or accepted nor the compiler.
    pub overhead_seconds: f64,
    /// CPU time of all compiler runs of the search, those ahead of time included.
    pub compiler_cpu_seconds: f64,
    /// The largest resident set of a compiler run.
    pub peak_memory_bytes: u64,
}

/// The behaviour of the result: the failure that it shows, its other errors, and what other compilers and nearby programs
/// do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultBehaviour {
    /// Whether the result was compiled once more at the end, as a person would. It was not where a
    /// person has stopped the search and that takes longer than a moment.
    #[serde(default)]
    pub checked: bool,
    /// The property that had to stay, in words, where the signature does not tell it: how much of the message of an error or
    /// a warning, or how a command ends.
    #[serde(default)]
    pub kept: Option<String>,
    /// Whether the result has no error but the crash; `None` where nobody has asked a compiler, or
    /// the result was not checked.
    pub clean: Option<bool>,
    /// Ordinary errors that the result still has, as codes or messages.
    pub remaining_errors: Vec<String>,
    /// The outcome of the result with another compiler of the user's that does not crash, where there is one.
    #[serde(default)]
    pub neighbour: Option<Neighbour>,
    /// The check for undefined behaviour in the result, with `--miscompile`.
    #[serde(default)]
    pub undefined_behaviour: Option<UndefinedBehaviour>,
    /// The programs that are one edit away from the result of a crash or an error and do not fail; the most instructive
    /// come first.
    #[serde(default)]
    pub nearest: Vec<NearestProgram>,
    /// The signature of the failure that candidates are compared with, without the parts that
    /// depend on the program or the run.
    pub signature: Signature,
    /// The failure of the result for people: on one line, with its message as it was printed.
    #[serde(default)]
    pub failure: String,
}

/// The delivered result: its place, the commands that reproduce it, and the information about it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DeliveredResult {
    /// The shell line that reproduces the failure, to be run in the directory of `reduced.rs`, or
    /// in `reduced`.
    pub reproduce: String,
    /// The part of the user's crate that the result replaces, where only that part was reduced: the
    /// reproducing line is then run in the user's package.
    #[serde(default)]
    pub goes_to: Option<GoesTo>,
    /// The facts that runs have shown of the code under test, where only a test was reduced.
    #[serde(default)]
    pub code_under_test: Option<CodeUnderTest>,
    /// The values that the variables of a reduced test have after its statements.
    #[serde(default)]
    pub variables: Vec<VariableValue>,
    /// The commands that do not fail with the result, to be run in the same directory: with
    /// `--regression` and `--valid-with`.
    #[serde(default)]
    pub also: Vec<Success>,
    /// The difference from the version that passes to the one that fails, as a unified diff, with `--good` and
    /// `--whole`, where the result is two versions in one text.
    #[serde(default)]
    pub difference: Option<String>,
    /// The files beside the result that are tests of rustc's own: with `--crashes-test` and `--ui-test`.
    #[serde(default)]
    pub for_rustc: Vec<String>,
    /// The output of `rustc -vV` of the compiler.
    pub compiler: String,
    /// The path of the result: `reduced.rs` or `reduced/`, absolute.
    pub result: Utf8PathBuf,
}

/// The work of a search by its parts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// The parts of the search, in the order in which they first ended.
    #[serde(default)]
    pub phases: Vec<Phase>,
    /// The figures of each pass, in the order in which the passes first ran.
    pub passes: Vec<PassStatistics>,
    /// The queries by the sorts of changes that their candidates made, in the order in which a sort
    /// was first used.
    pub kinds: Vec<KindStatistics>,
    /// The candidates by the checks that decided them, the cheapest first.
    #[serde(rename = "stages")]
    pub deciders: Vec<DeciderStatistics>,
}

impl Summary {
    /// Returns the number of queries as a multiple of the fewest that a search needs: one for each
    /// step, and one that fails for each possible edit of the result.
    #[must_use]
    pub fn query_ratio(&self) -> f64 {
        let fewest = (self.counts.steps + self.counts.possible_edits).max(1);
        self.counts.queries as f64 / fewest as f64
    }

    /// Returns the path of the report as an HTML page, beside the result.
    #[must_use]
    pub fn page(&self) -> Option<Utf8PathBuf> {
        Some(self.delivered.result.parent()?.join("report.html"))
    }
}

/// Returns words such as " but for 2 candidates that ran out of time", which restrict a statement:
/// empty where no candidate did.
#[must_use]
pub fn but_for_late(out_of_time: u64) -> String {
    match out_of_time {
        0 => String::new(),
        1 => " but for 1 candidate that ran out of time".to_owned(),
        many => format!(" but for {many} candidates that ran out of time"),
    }
}

/// Returns words such as " but those of `delete_items`, which was skipped", which restrict a statement:
/// empty where no pass was skipped in the last round.
#[must_use]
pub fn but_for_skipped(skipped: &[SkippedPass]) -> String {
    let at_end = skipped.iter().filter(|one| one.in_last_round);
    let names: Vec<String> = at_end.map(|one| format!("`{}`", one.pass)).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(" but those of {}, which was skipped", names.join(", ")),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Makes a summary with nothing in it.
    pub(crate) fn summary(signature: Signature) -> Summary {
        Summary {
            version: SUMMARY_VERSION,
            ended: Ended::Fixpoint,
            search: SearchOptions::default(),
            fidelity: Fidelity::default(),
            sizes: Sizes::default(),
            counts: SearchCounts::default(),
            costs: ReductionCosts::default(),
            behaviour: ResultBehaviour {
                checked: true,
                kept: None,
                clean: Some(false),
                remaining_errors: vec![],
                neighbour: None,
                undefined_behaviour: None,
                nearest: vec![],
                signature,
                failure: String::new(),
            },
            delivered: DeliveredResult::default(),
            flaky: None,
            stability: None,
            may_be_of_macro: false,
            code: None,
            other_crashes: vec![],
            crates: LinkedCrates::default(),
            breakdown: Breakdown::default(),
        }
    }
}
