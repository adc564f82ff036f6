//! Updates for the one who asked for a reduction, with the daemon or without.

use reduce_engine::{Event, Failure};
use reduce_protocol::{JobId, LiveJob};

/// One piece of news about a reduction. [`Event::Finished`] or `Failed` is the last.
#[derive(Debug, Clone, PartialEq)]
pub enum Update {
    /// The daemon has taken the job.
    Accepted {
        /// The number of the job.
        job: JobId,
        /// Whether another client had asked for the same reduction before.
        joined: bool,
        /// The number of jobs that come before this one.
        ahead: usize,
    },
    /// An event of the reduction.
    Event(Event),
    /// The state of the job for a live view, after it was asked for.
    Live(Box<LiveJob>),
    /// The client has left the job, as its user asked for.
    Left {
        /// The number of the job.
        job: JobId,
        /// The number of other listeners, for whom the job goes on. With none it is stopped, and its
        /// end follows.
        others: u64,
    },
    /// The job ended without a result.
    Failed(Failure),
}
