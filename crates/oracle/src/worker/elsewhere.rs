//! The outcome of a companion's call, and when that call is made.

use super::shown::printed;
use crate::system::budget::TimeSpent;
use crate::system::process::Outcome;

/// The outcome of a companion's call.
pub(crate) struct Elsewhere {
    pub(crate) outcome: Outcome,
    /// Whether the outcome is the one that the companion must have.
    pub(crate) holds: bool,
    /// The time that the companion's call has used.
    pub(crate) spent: TimeSpent,
}

impl Elsewhere {
    /// Returns all output of the companion's call, as people see it.
    pub(crate) fn printed(&self) -> String {
        printed(&self.outcome)
    }
}

/// The companions of a plan that are asked: the cheap ones or the expensive ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The companions that take much less time than the plan's own call, and are asked before it.
    Before,
    /// The companions that take longer, and are asked after the plan's own call: most candidates are refused by the
    /// plan's own call.
    After,
}
