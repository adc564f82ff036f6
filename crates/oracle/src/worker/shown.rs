//! Describes a compiler run as a person sees it.

use crate::evidence::crash::Observation;
use crate::evidence::diagnostics::{query_stack, rendered};
use crate::signature::Signature;
use crate::system::process::{Ending, Outcome};
use std::collections::BTreeSet;
use std::time::Duration;

/// A compiler run as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// All that the compiler, or the command in its place, printed to standard error: diagnostics
    /// for people, backtrace included.
    pub stderr: String,
    /// The standard output of the program.
    pub stdout: String,
    /// Whether the middle of the output was left out, because it is longer than the limit.
    pub truncated: bool,
    /// Wall time of the last run.
    pub duration: Duration,
    /// The ending of the process.
    pub ending: Ending,
    /// The first crash of the run.
    pub signature: Option<Signature>,
    /// The crashes that follow the first one in the same run.
    pub others: Vec<Signature>,
    /// The errors of the program that are no crashes: codes, or normalised messages.
    pub errors: BTreeSet<String>,
    /// The lines of the query stack, `#0 [..` first.
    pub query_stack: Vec<String>,
    /// The number of compiler runs.
    pub runs: u32,
}

impl Shown {
    /// Returns all that the run printed.
    #[must_use]
    pub fn printed(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }

    /// Returns all crashes of the run, the first one first.
    #[must_use]
    pub fn failures(&self) -> Vec<Signature> {
        self.signature.iter().chain(&self.others).cloned().collect()
    }

    /// Joins the output of a run with the failures that were read from that output.
    pub(super) fn new(outcome: Outcome, observation: Observation, runs: u32) -> Self {
        let mut crashes = observation.crashes.into_iter();
        Self {
            query_stack: query_stack(&outcome.stderr),
            ending: outcome.ending,
            stdout: outcome.stdout,
            stderr: rendered(&outcome.stderr),
            truncated: outcome.truncated,
            duration: outcome.wall,
            signature: crashes.next(),
            others: crashes.collect(),
            errors: observation.errors.into_iter().collect(),
            runs,
        }
    }
}

/// Returns all that a process printed, as people see it.
pub(super) fn printed(outcome: &Outcome) -> String {
    format!("{}\n{}", outcome.stdout, rendered(&outcome.stderr))
}
