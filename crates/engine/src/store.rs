//! The interface of the store, which keeps verdicts across runs and the accepted steps of a job.
//! The daemon implements it with sled; [`MemoryStore`] serves `--no-cache` and tests.

mod kept;

pub(crate) use kept::Kept;

use reduce_oracle::{Linkage, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// A 256-bit digest, by which verdicts and jobs are stored.
pub type Digest = [u8; 32];

/// The last accepted state of a job that has not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Number of the last accepted step, from 1.
    pub step: u64,
    /// The crate's source files, by path relative to the tree's root.
    pub files: BTreeMap<String, Arc<str>>,
    /// The crates that the program is linked with.
    pub linkage: Linkage,
    /// Whether the test is the program's `main`, so that there is no harness.
    pub is_main: bool,
    /// The passes of which the user has skipped a run before this step, with how many.
    #[serde(default)]
    pub skipped: BTreeMap<String, u64>,
}

/// A store of verdicts and checkpoints. Everything is kept for as long as the store pleases:
/// forgetting costs time, not correctness.
pub trait Store: Sync + Send {
    /// Returns the verdict that an earlier query has left in the store.
    ///
    /// # Errors
    /// Where the store cannot be read.
    fn verdict(&self, key: &Digest) -> Result<Option<Verdict>, StoreError>;
    /// Keeps a verdict in the store.
    ///
    /// # Errors
    /// Where the store cannot be written.
    fn keep_verdict(&self, key: &Digest, verdict: &Verdict) -> Result<(), StoreError>;
    /// Returns the last checkpoint of a job that was interrupted.
    ///
    /// # Errors
    /// Where the store cannot be read.
    fn checkpoint(&self, job: &Digest) -> Result<Option<Checkpoint>, StoreError>;
    /// Keeps a checkpoint; it is on disk when this returns.
    ///
    /// # Errors
    /// Where the store cannot be written.
    fn keep_checkpoint(&self, job: &Digest, checkpoint: &Checkpoint) -> Result<(), StoreError>;
    /// Forgets the checkpoints of a job that has ended.
    ///
    /// # Errors
    /// Where the store cannot be written.
    fn forget_checkpoint(&self, job: &Digest) -> Result<(), StoreError>;
}

/// The store could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("failed to use the store of verdicts: {message}")]
pub struct StoreError {
    /// The store's own message.
    pub message: String,
    /// The cause of the store's error.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// A store that lives as long as the process.
#[derive(Debug, Default)]
pub struct MemoryStore {
    verdicts: Mutex<HashMap<Digest, Verdict>>,
    checkpoints: Mutex<HashMap<Digest, Checkpoint>>,
}

impl Store for MemoryStore {
    fn verdict(&self, key: &Digest) -> Result<Option<Verdict>, StoreError> {
        Ok(locked(&self.verdicts).get(key).cloned())
    }

    fn keep_verdict(&self, key: &Digest, verdict: &Verdict) -> Result<(), StoreError> {
        locked(&self.verdicts).insert(*key, verdict.clone());
        Ok(())
    }

    fn checkpoint(&self, job: &Digest) -> Result<Option<Checkpoint>, StoreError> {
        Ok(locked(&self.checkpoints).get(job).cloned())
    }

    fn keep_checkpoint(&self, job: &Digest, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        locked(&self.checkpoints).insert(*job, checkpoint.clone());
        Ok(())
    }

    fn forget_checkpoint(&self, job: &Digest) -> Result<(), StoreError> {
        locked(&self.checkpoints).remove(job);
        Ok(())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
