//! Counts of the work that was done for a job.

use reduce_remote_protocol::Counts;
use std::sync::atomic::{AtomicU64, Ordering};

/// The counters from which [`Counts`] are made, which several threads add to.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    pub(crate) hits: AtomicU64,
    pub(crate) misses: AtomicU64,
    pub(crate) retries: AtomicU64,
    pub(crate) uploaded_bytes: AtomicU64,
}

impl Counting {
    pub(crate) fn counts(&self) -> Counts {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            hits: of(&self.hits),
            misses: of(&self.misses),
            retries: of(&self.retries),
            uploaded_bytes: of(&self.uploaded_bytes),
        }
    }
}
