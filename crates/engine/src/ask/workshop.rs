//! The making of an oracle's workers: each has a scratch directory of its own, and an executor that
//! runs its processes.

use camino::Utf8PathBuf;
use reduce_oracle::{Executor, OracleError, Plan, WarmCompiler, Worker};
use std::collections::BTreeSet;

/// The workshop of an oracle, which makes workers, each in a scratch directory of its own.
pub(super) struct Workshop {
    pub(super) scratch: Utf8PathBuf,
    /// The paths of the files that candidates bring themselves.
    pub(super) edited: BTreeSet<Utf8PathBuf>,
    pub(super) warm: Option<WarmCompiler>,
    /// The executor that runs the processes of queries.
    pub(super) executor: Executor,
}

impl Workshop {
    /// Makes a worker in the scratch directory of this name, which starts a compiler for each query.
    ///
    /// # Errors
    /// Where its directory cannot be made.
    pub(super) fn worker(&self, directory: &str, plan: &Plan) -> Result<Worker, OracleError> {
        Worker::new(self.scratch.join(directory), plan, &self.edited)
    }

    /// Makes a worker that asks the warm compiler, if there is one.
    ///
    /// # Errors
    /// Where its directory cannot be made.
    pub(super) fn warm_worker(&self, directory: &str, plan: &Plan) -> Result<Worker, OracleError> {
        let mut worker = self.worker(directory, plan)?;
        self.warm.iter().for_each(|warm| worker.warm_up(warm));
        Ok(worker)
    }
}
