//! Runs a worker's processes: here, as our own children, or where an executor takes them.

use super::confined::Rights;
use crate::error::OracleError;
use crate::plan::Sources;
use crate::system::process::{self, Decides, Invocation, Outcome};
use camino::Utf8Path;
use reduce_platform::Cancel;
use std::fmt::Debug;
use std::sync::Arc;

/// The place where a worker's processes run. Clones are the same place.
#[derive(Debug, Clone, Default)]
pub struct Executor(Option<Arc<dyn Execute>>);

/// An executor that runs processes elsewhere than as our own children.
pub(crate) trait Execute: Debug + Send + Sync {
    /// Runs a process to its end, its deadline, or `cancel`, or until `decides` has seen enough of stderr. What it wrote
    /// is in the worker's directory afterwards. `decides` may be told the same line several times.
    ///
    /// # Errors
    /// Where there is no outcome, which is never a verdict. What can be asked here is asked here: see
    /// [`Order::run_here`].
    fn run_until(
        &self,
        order: &Order<'_>,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Outcome, OracleError>;

    /// Notes that a query was in the end asked on this machine, as for this reason it never came to an outcome
    /// elsewhere.
    fn note_asked_here(&self, _reason: &str) {}

    /// Returns a notice for the user about the executor, once.
    fn take_notice(&self) -> Option<String> {
        None
    }
}

/// An order to run a process, with what it may do.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    /// The program with its arguments, without a confinement, which is made where the process runs.
    pub(crate) invocation: &'a Invocation<'a>,
    /// The rights from which the confinement is made.
    pub(crate) rights: &'a Rights,
    /// The worker's tree. Its parent directory belongs to the worker, too.
    pub(crate) tree: &'a Utf8Path,
    /// The candidate, as it was written to the tree.
    pub(crate) candidate: &'a Sources,
}

impl Executor {
    /// Makes the executor by which processes are our own children.
    #[must_use]
    pub fn local() -> Self {
        Self(None)
    }

    /// Makes an executor that runs processes elsewhere.
    pub(crate) fn new(execute: impl Execute + 'static) -> Self {
        Self(Some(Arc::new(execute)))
    }

    /// Whether the executor runs processes as our own children. Only these can be asked of a warm compiler.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.0.is_none()
    }

    /// Whether two executors are the same one.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// Returns a notice for the user about the executor, once.
    #[must_use]
    pub fn take_notice(&self) -> Option<String> {
        self.0.as_ref()?.take_notice()
    }

    /// Notes that a query was in the end asked on this machine.
    pub(super) fn note_asked_here(&self, reason: &str) {
        if let Some(elsewhere) = &self.0 {
            elsewhere.note_asked_here(reason);
        }
    }

    /// Runs a process by this executor, or as our own child if processes run here.
    ///
    /// # Errors
    /// As [`Execute::run_until`].
    pub(super) fn run_until(
        &self,
        order: &Order<'_>,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Outcome, OracleError> {
        match &self.0 {
            Some(elsewhere) => elsewhere.run_until(order, cancel, decides),
            None => order.run_here(cancel, decides),
        }
    }
}

impl Order<'_> {
    /// Runs the process as our own child.
    ///
    /// # Errors
    /// Where it cannot be confined, started or watched.
    pub(crate) fn run_here(
        &self,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Outcome, OracleError> {
        let confined = self.invocation.confined(self.rights.confinement()?);
        process::run_until(&confined, cancel, decides)
    }
}
