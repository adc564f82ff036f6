//! Limits of a reduction: its share of the machine beside others, its time, and its queries.

use serde::{Deserialize, Serialize};

/// The priority of a job where several jobs wait for the same worker. Does not change the result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Priority {
    /// A quarter of the share of a normal job.
    Low,
    /// The share of a normal job.
    #[default]
    Normal,
    /// Four times the share of a normal job.
    High,
}

/// The budget at whose end a search ends before it is done. The result is then the best so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// `--max-time`: the seconds of wall time from the beginning of the reduction after which the
    /// search ends.
    #[serde(default)]
    pub seconds: Option<u64>,
    /// `--max-queries`: the number of queries after which the search ends.
    #[serde(default)]
    pub queries: Option<u64>,
}

impl Priority {
    /// Returns the share of the job, as a multiple of that of a job of low priority.
    #[must_use]
    pub fn weight(self) -> u64 {
        match self {
            Self::Low => 1,
            Self::Normal => 4,
            Self::High => 16,
        }
    }

    /// Returns the name of the priority, as it is given on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }
}
