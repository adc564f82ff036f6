//! The answer of the oracle about a candidate. A candidate that does not compile, or does not end,
//! is not an error of ours: it has a verdict.

use crate::signature::Signature;
use serde::{Deserialize, Serialize};

/// The decision of one query about a candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The candidate crashes with the baseline's signature and adds no error.
    Interesting,
    /// The candidate reports an error that the baseline did not have; the first one, by its code or
    /// message. What follows it does not matter and may not have been waited for, a crash included.
    AddsError(String),
    /// The candidate crashes, but elsewhere or otherwise: slippage.
    OtherCrash(Box<Signature>),
    /// The candidate compiles.
    Compiles,
    /// The compiler reports errors that the baseline has too, and does not crash.
    Rejected,
    /// The candidate was not done when the deadline passed.
    TimedOut,
    /// The query was cancelled before it was decided. Never stored.
    Cancelled,
}

impl Verdict {
    /// Whether the candidate may be accepted.
    #[must_use]
    pub fn is_interesting(&self) -> bool {
        matches!(self, Self::Interesting)
    }
}
