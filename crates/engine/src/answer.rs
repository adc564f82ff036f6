//! The answer to a question about a candidate: its verdict, what decided it, and what that has cost.

use crate::decider::Decider;
use reduce_oracle::{Expectation, Late, TimeSpent, Verdict};
use std::time::Duration;

/// The answer to a question about a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) verdict: Verdict,
    /// The kind of check that decided the candidate, such as a known verdict or a compiler run.
    pub(crate) decider: Decider,
    pub(crate) effort: Effort,
    pub(crate) timing: Timing,
    /// The reason why the candidate is rejected, where the verdict says less.
    pub(crate) reason: Option<String>,
}

/// The time that a candidate was allowed, and the time that its compiler runs used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Timing {
    /// The time limit that the candidate exceeded, if it was stopped for that.
    pub(crate) late: Option<Late>,
    /// The time that the candidate used.
    pub(crate) spent: TimeSpent,
    /// The time that the candidate was expected to use.
    pub(crate) expectation: Expectation,
    /// Whether the candidate was asked about a second time, with no other process of ours running,
    /// because it had run out of time before.
    pub(crate) is_asked_again: bool,
}

/// The cost of a question in time and memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Wall time of the compiler, from its start to its end.
    pub(crate) wall: Duration,
    /// CPU time of the compiler.
    pub(crate) cpu: Duration,
    /// The largest resident set of the compiler.
    pub(crate) peak_memory_bytes: u64,
    /// Our own time around the compiler run: writing the candidate, reading the compiler's output.
    pub(crate) overhead: Duration,
}

impl Effort {
    /// Adds the cost of another question to this one.
    pub(crate) fn add(&mut self, other: Self) {
        self.wall += other.wall;
        self.cpu += other.cpu;
        self.peak_memory_bytes = self.peak_memory_bytes.max(other.peak_memory_bytes);
        self.overhead += other.overhead;
    }
}

impl Answer {
    /// Makes an answer that cost no compiler run.
    pub(crate) fn free(verdict: Verdict, decider: Decider) -> Self {
        Self {
            verdict,
            decider,
            effort: Effort::default(),
            timing: Timing::default(),
            reason: None,
        }
    }

    /// Returns the answer with a reason for people in it.
    pub(crate) fn because(self, reason: impl Into<String>) -> Self {
        let reason = Some(reason.into());
        Self { reason, ..self }
    }
}

/// Returns a verdict in words, as the reason why a candidate is rejected.
pub(crate) fn in_words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Interesting => "it fails in the same way".to_owned(),
        Verdict::AddsError(error) => format!("it has an error that was not there: `{error}`"),
        Verdict::OtherCrash(crash) => format!("it crashes in another way: {crash}"),
        Verdict::Compiles => "it compiles".to_owned(),
        Verdict::Rejected => "the compiler rejects it without a crash".to_owned(),
        Verdict::TimedOut => "it was not done in time".to_owned(),
        Verdict::Cancelled => "it was not decided".to_owned(),
    }
}
