//! Runs of candidates with the good version (`--good`) alone, which show what the right outcome is.

use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::store::Digest;
use reduce_oracle::{Cancel, Comparison, OracleError, Plan, Worker};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The worker that runs candidates with the good version, and its answers up to now.
#[derive(Default)]
pub(super) struct GoodVersion {
    asked: Mutex<Asked>,
}

#[derive(Default)]
struct Asked {
    /// The worker that runs candidates with the good version, made when it is first needed.
    worker: Option<Worker>,
    /// The answers by the digests of plan and candidate, which decide them.
    known: HashMap<(Digest, Digest), Option<Comparison>>,
}

impl GoodVersion {
    /// Returns the comparison (the two sides of `assert_eq!`) by which a candidate fails with the good version.
    /// `digest` is that of the plan, and `worker` makes one for it.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(super) fn compared(
        &self,
        (plan, digest): (&Plan, Digest),
        candidate: &Candidate,
        worker: impl FnOnce() -> Result<Worker, OracleError>,
        cancel: &Cancel,
    ) -> Result<Option<Comparison>, Failure> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (digest, candidate.tree.digest());
        if let Some(known) = asked.known.get(&key) {
            return Ok(known.clone());
        }
        let worker = match &mut asked.worker {
            Some(worker) => worker,
            none => none.insert(worker()?),
        };
        let seen = worker.compared_in_version(plan, &candidate.tree.to_files(), cancel)?;
        asked.known.insert(key, seen.clone());
        Ok(seen)
    }
}
