//! Facts about the code under test that runs of a failing test under mutants have shown.

use serde::{Deserialize, Serialize};

/// The facts that are known of the code under test. Files are relative to the workspace, lines are
/// counted from 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CodeUnderTest {
    /// The reason why no candidate was run under mutants, so that the result may not show the bug any more; absent
    /// where candidates were.
    #[serde(default)]
    pub warning: Option<String>,
    /// The number of mutants that the code under test was compiled with, which are small changes of it. Of a large crate, these
    /// are in the functions that the test enters.
    pub mutants: u64,
    /// The number of mutants at points that the test runs through.
    pub passed: u64,
    /// The number of mutants under which the test was run, of those whose places it comes to.
    pub run: u64,
    /// The number of mutants under which each candidate was run that fails as the original does.
    pub asked: u64,
    /// The number of candidates that fail as the original does, but not under a mutant, so that they
    /// were refused.
    pub refused: u64,
    /// The number of runs of candidates under mutants.
    #[serde(default)]
    pub runs: u64,
    /// The time of runs under mutants in seconds, summed over workers.
    #[serde(default)]
    pub seconds: f64,
    /// The time before the search in which the mutants were made, run and chosen, in seconds.
    #[serde(default)]
    pub seconds_before: f64,
    /// Whether the failing assertion compares only a part of what it compares in the original.
    #[serde(default)]
    pub narrowed: bool,
    /// The number of other tests of the package that pass, among those that were run.
    pub other_tests: u64,
    /// The function that the bug is probably in: only there does a change make the test pass and break no other test.
    #[serde(default)]
    pub located_in: Option<String>,
    /// The functions with a mutant at a place that the test runs through; those first in which a change
    /// changes the outcome.
    pub functions: Vec<Function>,
    /// The lines whose change changes the outcome of the test, the most suspicious first.
    pub lines: Vec<SuspiciousLine>,
    /// A change that makes the test pass and breaks no other test of the package.
    pub guess: Option<Guess>,
}

/// A function of the code under test that the test has run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// The package that the function belongs to.
    pub package: String,
    /// The function's path in its crate, such as `graph::Graph::add_edge`.
    pub name: String,
    /// The file that the function is in.
    pub file: String,
    /// The function's first line.
    pub first_line: u64,
    /// The function's last line.
    pub last_line: u64,
}

/// A line whose change changes the outcome of the test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuspiciousLine {
    /// The file that the line is in.
    pub file: String,
    /// The number of the line, from 1.
    pub line: u64,
    /// The function that the line is in.
    pub function: String,
    /// The number of mutants of this line under which the test was run.
    pub run: u64,
    /// The changes of this line that change the outcome, the most telling first.
    pub changes: Vec<LineChange>,
}

/// A change of a line by a mutant, and the outcomes of tests under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineChange {
    /// The original text of the line's changed part; empty where something is inserted.
    pub original: String,
    /// The text that the mutant has instead; empty where something is left out.
    pub mutated: String,
    /// The failure of the test under the mutant; `None` where the test passes.
    pub failure: Option<String>,
    /// The number of other tests of the package that do not pass under the mutant; absent where
    /// they were not run.
    pub breaks: Option<u64>,
}

/// A change of the code under test that may mend the bug.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guess {
    /// The file that the guess changes.
    pub file: String,
    /// The line that the guess changes.
    pub line: u64,
    /// The change as a unified diff.
    pub diff: String,
    /// Whether the reduced test passes with the change too, as each candidate was run with it.
    #[serde(default)]
    pub result_passes: bool,
}
