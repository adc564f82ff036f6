//! The limits of a query's use.

use crate::system::budget::TimeSpent;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The limits of what a query may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The wall time that the user allows for a query, if any was named. Else it is derived from what is used.
    pub deadline: Option<Duration>,
    /// The time that the plan's own program has used; absent until that is known.
    pub usual: Option<TimeSpent>,
    /// The wall time for a run that has no similar run before it; a compiler gets at least 10 minutes.
    pub longest: Duration,
    /// The address space of each process of a query, in bytes.
    pub memory_bytes: u64,
    /// The number of bytes of the compiler's output that are kept.
    pub output_bytes: usize,
    /// The size of the largest file that a process of a query may write, in bytes.
    pub file_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            deadline: None,
            usual: None,
            longest: LONGEST,
            memory_bytes: 6 << 30,
            output_bytes: 8 << 20,
            file_bytes: 1 << 30,
        }
    }
}

/// The wall time for a run that has no similar run before it, where the user does not say; no compiler gets less, as how
/// long it takes depends on the machine.
const LONGEST: Duration = Duration::from_secs(600);

impl Limits {
    /// Returns the wall time for a compiler run that has no similar run before it.
    pub(crate) fn longest_compilation(&self) -> Duration {
        self.longest.max(LONGEST)
    }
}

/// Returns the limit of address space for a compiler whose use of this many bytes is the failure: a
/// little more, so that it can reach them before the system stops it.
pub(crate) fn memory_for(bytes: u64) -> u64 {
    bytes.saturating_add(2 << 30)
}
