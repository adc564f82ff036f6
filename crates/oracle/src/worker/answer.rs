//! The answer to a query, and what the query has cost.

use crate::evidence::verdict::Verdict;
use crate::signature::Signature;
use crate::system::budget::{Late, TimeSpent};
use crate::system::process::{Ending, Outcome};
use std::collections::BTreeSet;
use std::time::Duration;

/// The answer to a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The verdict of the query about the candidate.
    pub verdict: Verdict,
    /// The crash that the query has shown, whether or not it is the baseline's.
    pub crash: Option<Signature>,
    /// The errors of the program that are no crashes: codes, or normalised messages.
    pub errors: BTreeSet<String>,
    /// The ending of the query's last compiler run.
    pub ending: Ending,
    /// The bound of time that was passed, where the query was stopped for that.
    pub late: Option<Late>,
    /// The time that the candidate has used, by which the time of similar candidates is limited.
    pub spent: TimeSpent,
    /// Wall time of all compiler runs for the answer.
    pub duration: Duration,
    /// The number of compiler runs: more than one where a candidate is asked several times, and where
    /// a cheaper call than the plan's shows the crash, so that the plan's is made too.
    pub runs: u32,
    /// User and system time of all compiler runs for the answer.
    pub cpu: Duration,
    /// The largest resident set of any compiler run for the answer.
    pub peak_memory_bytes: u64,
}

/// Makes an answer that no run has filled in yet.
impl Default for Answer {
    fn default() -> Self {
        Self {
            verdict: Verdict::Cancelled,
            crash: None,
            errors: BTreeSet::new(),
            ending: Ending::Cancelled,
            late: None,
            spent: TimeSpent::default(),
            duration: Duration::ZERO,
            runs: 0,
            cpu: Duration::ZERO,
            peak_memory_bytes: 0,
        }
    }
}

impl Answer {
    /// Adds the costs and the ending of a compiler run to the answer.
    pub(super) fn add(&mut self, outcome: &Outcome) {
        self.ending = outcome.ending;
        self.late = outcome.late;
        self.duration += outcome.wall;
        self.cpu += outcome.cpu;
        self.peak_memory_bytes = outcome.peak_memory_bytes.max(self.peak_memory_bytes);
        self.runs += 1;
    }

    /// Adds to this answer the costs of an earlier one about nearly the same candidate.
    #[must_use]
    pub fn after(mut self, other: &Self) -> Self {
        self.add_costs(other);
        self
    }

    /// Adds the costs of another answer about the same candidate to this one.
    pub(super) fn add_costs(&mut self, other: &Self) {
        self.duration += other.duration;
        self.cpu += other.cpu;
        self.peak_memory_bytes = other.peak_memory_bytes.max(self.peak_memory_bytes);
        self.runs += other.runs;
    }
}
