//! The request for a reduction. A request carries everything that decides the result: nothing below
//! the command line looks at the environment or at the current directory.

use super::earlier::EarlierStep;
use super::for_rustc::ForRustc;
use super::options::SearchOptions;
use super::remote::RemoteRequest;
use super::running::{Budget, Priority};
use camino::Utf8PathBuf;
use reduce_guard::{Fidelity, PackageSpec};
use reduce_oracle::{Demands, Goal, Input, OtherProgram, Repeat, SandboxMode, Surroundings};
use serde::{Deserialize, Serialize};

/// A request for a reduction, with all that decides its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReductionRequest {
    /// The program that is reduced.
    pub input: Input,
    /// A program that is reduced in place of the input and compiled in the same way: another crash, which was found when the
    /// input was reduced.
    #[serde(default)]
    pub instead: Option<OtherProgram>,
    /// `--from`: a step of an earlier reduction, with which the search begins.
    #[serde(default)]
    pub from: Option<EarlierStep>,
    /// The user's directory, environment and compiler.
    pub surroundings: Surroundings,
    /// The output directory, absolute.
    pub output: Utf8PathBuf,
    /// The treatment of an output directory that exists.
    pub existing_output: ExistingOutput,
    /// The options by which a candidate is decided.
    pub property: PropertyOptions,
    /// The options of the search.
    pub search: SearchOptions,
    /// The way in which the compiler is started; does not change the result.
    pub compiler: CompilerChoice,
    /// The number of queries that may be under way at once; at least 1.
    pub jobs: usize,
    /// `--remote`: a server that candidates are given to as well; does not change the result.
    #[serde(default)]
    pub remote: Option<RemoteRequest>,
    /// The use of the store, in which verdicts and the steps of an interrupted job are kept.
    pub cache: CacheUse,
    /// `--log`: the file in which the log of all candidates is written, absolute; does not change the
    /// result.
    #[serde(default)]
    pub log: Option<Utf8PathBuf>,
    /// The files that are also written for a crash of the compiler.
    #[serde(default)]
    pub for_rustc: ForRustc,
    /// `--priority`: the share of the machine where several jobs wait; does not change the result.
    #[serde(default)]
    pub priority: Priority,
    /// `--launcher`: the words of a command that starts each query, before those of the query; empty where queries
    /// are our own children. Does not change the result.
    #[serde(default)]
    pub launcher: Vec<String>,
    /// `--scratch`: the directory below which candidates are written and compiled, absolute; does not change the result.
    #[serde(default)]
    pub scratch: Option<Utf8PathBuf>,
    /// `--max-time` and `--max-queries`: the budget after which the search ends before it is done.
    #[serde(default)]
    pub budget: Budget,
}

impl ReductionRequest {
    /// Returns ten hexadecimal digits that differ where two requests ask for different things:
    /// another program, another failure, another search. Where the result goes, how long a query
    /// may take and how many run at a time is no part of it.
    ///
    /// # Panics
    /// Never: all of it has a JSON form.
    #[must_use]
    pub fn digest_of_question(&self) -> String {
        let property = &self.property;
        let asked = (
            (&self.input, &self.instead),
            &self.surroundings.rustc,
            &self.search,
            (&property.goal, &property.demands, &property.env),
            (property.repeat, property.at_least, property.fidelity),
            &property.mutate,
            [
                property.allow_errors,
                property.strict_valid,
                property.ignore_location,
                property.any_message,
            ],
        );
        let asked = serde_json::to_vec(&asked).expect("names and numbers have a JSON form");
        blake3::hash(&asked).to_hex()[..10].to_owned()
    }
}

/// The treatment of an output directory that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExistingOutput {
    /// Refuse to write to the directory.
    Refuse,
    /// Replace the files of an earlier result; other files stay.
    Replace,
}

/// The use of the store of verdicts and steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CacheUse {
    /// Verdicts and steps are kept across runs.
    Persistent,
    /// Verdicts live as long as the run.
    ThisRunOnly,
}

/// The way in which the compiler is started: loaded once and forked for each query, or started
/// anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CompilerChoice {
    /// The warm compiler is used where it gives the same answers as one that is started anew.
    Auto,
    /// The warm compiler is used, or an error says why it cannot be.
    Warm,
    /// The compiler is started anew for each query.
    Spawn,
}

/// The options by which a candidate is decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyOptions {
    /// The failure that must stay.
    pub goal: Goal,
    /// The demands that a candidate must meet besides the failure.
    pub demands: Demands,
    /// `--env`: the user's variables that the programs get besides the usual ones.
    pub env: Vec<String>,
    /// `--read`: the user's files that candidates may read besides the usual ones; absolute paths.
    pub reads: Vec<Utf8PathBuf>,
    /// `--timeout`: the seconds that a query may take; derived from the baseline if absent.
    pub timeout_seconds: Option<u64>,
    /// `--baseline-timeout`: seconds of wall time that a test, a program or a command may run while the
    /// failure is looked for, and nothing is known of how long it should take.
    pub baseline_timeout_seconds: u64,
    /// `--memory`: MiB of address space a query may use.
    pub memory_mib: u64,
    /// `--allow-errors`: candidates may have errors that the baseline does not have.
    pub allow_errors: bool,
    /// `--strict-valid`: candidates may have no error at all, even if the baseline has some.
    pub strict_valid: bool,
    /// `--ignore-location`: the line and column of the crash in rustc's own source may differ.
    pub ignore_location: bool,
    /// `--any-message`: an error or a warning is known by its code or lint alone.
    #[serde(default)]
    pub any_message: bool,
    /// `--whole`, `--free`: how faithful the result of a failing test is to its cause.
    #[serde(default)]
    pub fidelity: Fidelity,
    /// `--mutate`: packages that are code under test besides the members of the workspace.
    #[serde(default)]
    pub mutate: Vec<PackageSpec>,
    /// `--repeat`: how often a candidate is run for a failure that does not show each time.
    pub repeat: Repeat,
    /// `--at-least K`: the number of runs of a candidate that must fail.
    pub at_least: u32,
    /// `--stability-runs`: how often the input and the result are run at most to see whether they fail each time.
    #[serde(default)]
    pub stability_runs: Option<u32>,
    /// `--sandbox`: how strictly started programs are kept apart from the user's files.
    pub sandbox: SandboxMode,
}
