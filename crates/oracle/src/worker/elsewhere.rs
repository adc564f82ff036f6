//! What a companion's call showed, and when it is made.

use super::shown::printed;
use crate::system::budget::TimeSpent;
use crate::system::process::Outcome;

/// What a companion's call showed.
pub(crate) struct Elsewhere {
    pub(crate) outcome: Outcome,
    /// Whether it is what it must be.
    pub(crate) holds: bool,
    /// The time that it has used.
    pub(crate) spent: TimeSpent,
}

impl Elsewhere {
    /// All that was printed, as people see it.
    pub(crate) fn printed(&self) -> String {
        printed(&self.outcome)
    }
}

/// Which of a plan's companions are asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Those that take much less time than the plan's own call.
    Before,
    /// The others: most candidates are refused by the plan's own call.
    After,
}
