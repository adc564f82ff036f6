//! What there was to do.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a server was asked for, and what came of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Commands whose result was in the server's cache.
    pub hits: u64,
    /// Commands that were run.
    pub misses: u64,
    /// Calls that were made again.
    pub retries: u64,
    /// What was uploaded, in bytes.
    pub uploaded_bytes: u64,
}

/// The same while it is counted.
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
