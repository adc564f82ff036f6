//! Shrinks a crate while an oracle says that it still fails in the same way.
mod event;
mod failure;
mod request;
mod store;
mod summary;

pub use event::{EVENT_VERSION, Event, Progress};
pub use failure::{Failure, FailureKind};
pub use reduce_oracle::{
    Cancel, FileInput, Input, PackageInput, Signature, Surroundings, TargetSelection, Verdict,
};
pub use request::{CacheUse, ExistingOutput, PropertyOptions, ReductionRequest};
pub use store::{Checkpoint, Digest, MemoryStore, Store, StoreError};
pub use summary::{Ended, OtherCrash, PassStatistics, SUMMARY_VERSION, Summary};

/// Where the engine may write, and the program that captures compiler calls.
#[derive(Debug, Clone)]
pub struct Site {
    /// A private directory for this run: snapshots and workers' trees. Emptied by the caller.
    pub scratch: camino::Utf8PathBuf,
    /// A private directory that is kept across runs: compiled dependencies.
    pub builds: camino::Utf8PathBuf,
    /// An executable that calls `reduce_oracle::capture::main` when it is started as a compiler
    /// wrapper; our own executable.
    pub capture_program: camino::Utf8PathBuf,
}

/// Reduces. Returns when nothing more can go, or soon after `cancel`; the result is then on disk.
///
/// # Errors
/// A [`Failure`] when there is no result.
pub fn reduce(
    _request: &ReductionRequest,
    _site: &Site,
    _store: &dyn Store,
    _emit: &(dyn Fn(Event) + Sync),
    _cancel: &Cancel,
) -> Result<Summary, Failure> {
    Err(Failure {
        kind: FailureKind::Environment,
        message: "not there yet".to_owned(),
        causes: vec![],
        output: None,
        hints: vec![],
    })
}
