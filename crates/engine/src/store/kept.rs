//! The verdicts and the last step of a job: the verdicts are kept in the store, the step in the store and beside the
//! result. A store that fails in the middle of a job costs time and no step: the job goes on without it, and says so
//! once (docs/decisions/store-and-daemon.md).

use super::{Checkpoint, Digest, Store, StoreError};
use crate::event::Event;
use crate::failure::Failure;
use crate::output::OutputDirectory;
use reduce_oracle::Verdict;
use std::sync::atomic::{AtomicBool, Ordering};

/// The keeper of the verdicts and steps of one job.
pub(crate) struct Kept<'r> {
    /// The store; `None` where nothing is kept beyond this run.
    store: Option<&'r dyn Store>,
    output: &'r OutputDirectory,
    job: Digest,
    emit: &'r (dyn Fn(Event) + Sync),
    /// Whether the last operation of the store succeeded.
    works: AtomicBool,
    is_failure_told: AtomicBool,
}

impl<'r> Kept<'r> {
    pub(crate) fn new(
        store: Option<&'r dyn Store>,
        output: &'r OutputDirectory,
        job: Digest,
        emit: &'r (dyn Fn(Event) + Sync),
    ) -> Self {
        Self {
            store,
            output,
            job,
            emit,
            works: AtomicBool::new(true),
            is_failure_told: AtomicBool::new(false),
        }
    }

    /// Returns the verdict that an earlier query has left in the store.
    pub(crate) fn verdict(&self, key: &Digest) -> Option<Verdict> {
        let store = self.store_that_works()?;
        self.note(store.verdict(key)).flatten()
    }

    pub(crate) fn keep_verdict(&self, key: &Digest, verdict: &Verdict) {
        if let Some(store) = self.store_that_works() {
            self.note(store.keep_verdict(key, verdict));
        }
    }

    /// Returns the last step of the job, if it was interrupted.
    pub(crate) fn checkpoint(&self) -> Option<Checkpoint> {
        let store = self.store?;
        let stored = self.note(store.checkpoint(&self.job)).flatten();
        let beside = self.output.kept_step(&self.job);
        stored
            .into_iter()
            .chain(beside)
            .max_by_key(|step| step.step)
    }

    /// Keeps a step as the last one of the job. A store that has failed may have room again.
    ///
    /// # Errors
    /// Where neither the store nor the output directory can be written.
    pub(crate) fn keep_checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        let Some(store) = self.store else {
            return Ok(());
        };
        let stored = self.note(store.keep_checkpoint(&self.job, checkpoint));
        let beside = self.output.keep_step(&self.job, checkpoint);
        match stored {
            Some(()) => Ok(()),
            None => beside,
        }
    }

    /// Forgets the steps of the job, which has ended.
    ///
    /// # Errors
    /// Where the output directory cannot be written.
    pub(crate) fn forget_checkpoint(&self) -> Result<(), Failure> {
        if let Some(store) = self.store {
            self.note(store.forget_checkpoint(&self.job));
        }
        self.output.forget_step()
    }

    fn store_that_works(&self) -> Option<&'r dyn Store> {
        self.store.filter(|_| self.works.load(Ordering::Relaxed))
    }

    /// Returns the store's answer; `None` where the store has failed, of which the user is warned
    /// the first time.
    fn note<T>(&self, said: Result<T, StoreError>) -> Option<T> {
        self.works.store(said.is_ok(), Ordering::Relaxed);
        let error = match said {
            Ok(said) => return Some(said),
            Err(error) => error,
        };
        if !self.is_failure_told.swap(true, Ordering::Relaxed) {
            let failure = Failure::from(error);
            let causes = std::iter::once(&failure.message).chain(&failure.causes);
            let causes: Vec<&str> = causes.map(String::as_str).collect();
            let message = format!(
                "{}; the reduction goes on without it, and its steps are kept in `{}`",
                causes.join(": "),
                self.output.path()
            );
            (self.emit)(Event::Warning { message });
        }
        None
    }
}
