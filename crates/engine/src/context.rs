//! The context of a reduction, which each of its parts is given: the request, the surroundings, and
//! the receiver of events.

use crate::clock::Clock;
use crate::control::Control;
use crate::event::Event;
use crate::failure::Failure;
use crate::plain_tests::WrittenTests;
use crate::request::{PropertyOptions, ReductionRequest};
use crate::site::Site;
use crate::store::Store;
use crate::turns::{Work, WorkerPermit};
use reduce_guard::Fidelity;
use reduce_oracle::{
    BaselineOptions, BaselineSite, Cancel, Executor, Goal, Launcher, Limits, OracleError, Testing,
};
use reduce_syntax::interruptible;
use std::time::Duration;

/// The context of a reduction: its request, its surroundings, and the receiver of its events.
#[derive(Clone, Copy)]
pub(crate) struct Context<'r> {
    pub(crate) request: &'r ReductionRequest,
    pub(crate) site: &'r Site,
    pub(crate) store: &'r dyn Store,
    pub(crate) emit: &'r (dyn Fn(Event) + Sync),
    pub(crate) control: &'r Control,
    pub(crate) cancel: &'r Cancel,
    pub(crate) started: &'r Clock,
}

impl Context<'_> {
    /// Returns how faithful the result has to be to the cause of a failing test; of other failures, it need not be.
    pub(crate) fn fidelity(&self) -> Fidelity {
        let property = &self.request.property;
        match property.goal {
            Goal::Test { .. } => property.fidelity,
            _ => Fidelity::Free,
        }
    }

    /// Whether the cause of a failing test must not be lost. Then the code under test stays as it is while the test is
    /// reduced.
    pub(crate) fn keeps_cause(&self) -> bool {
        !self.fidelity().may_lose_cause()
    }

    /// Whether the test alone is reduced.
    pub(crate) fn reduces_test_alone(&self) -> bool {
        self.fidelity() == Fidelity::Test
    }

    /// Whether the code under test is reduced after the test.
    pub(crate) fn goes_on_into_code_under_test(&self) -> bool {
        self.fidelity() == Fidelity::Whole
    }

    /// Waits for a turn to call the compiler. Where the user stops the reduction meanwhile, what follows
    /// is the writing of the best so far, which waits for nobody.
    pub(crate) fn turn(&self, work: Work) -> Option<WorkerPermit> {
        self.control.turns.wait(work, self.cancel)
    }

    /// Does some of our own work before the search, which ends as soon as the user cancels the reduction.
    ///
    /// # Errors
    /// Those of the work, and that the user has cancelled.
    pub(crate) fn interruptibly<T>(
        &self,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let cancel = self.cancel.clone();
        let done = interruptible(move || cancel.is_cancelled(), work);
        done.unwrap_or_else(|| Err(OracleError::Cancelled.into()))
    }

    /// Returns the directories that the oracle may write to, and the programs that it needs.
    pub(crate) fn oracle_site(&self) -> BaselineSite<'_> {
        BaselineSite {
            scratch: &self.site.scratch,
            builds: &self.site.builds,
            capture_program: &self.site.capture_program,
            plain_tests: &WrittenTests,
        }
    }

    /// Makes the executor that runs the processes of queries: on this machine, or by the user's
    /// launcher.
    ///
    /// # Errors
    /// Where the launcher cannot be prepared.
    pub(crate) fn executor(&self) -> Result<Executor, OracleError> {
        let request = self.request;
        match request.launcher.is_empty() {
            true => Ok(Executor::local()),
            false => Launcher::executor(
                request.launcher.clone(),
                request.surroundings.vars.clone(),
                &self.site.capture_program,
                &self.site.scratch,
            ),
        }
    }

    /// Returns the surroundings in which cargo tests a package once more.
    pub(crate) fn testing<'t>(
        &'t self,
        options: &'t BaselineOptions,
        cancel: &'t Cancel,
    ) -> Testing<'t> {
        Testing {
            surroundings: &self.request.surroundings,
            site: self.oracle_site(),
            options,
            note: &|_| {},
            cancel,
        }
    }

    /// Makes the oracle's options for the search for the failure, from the request.
    pub(crate) fn oracle_options(&self) -> BaselineOptions {
        BaselineOptions {
            instead: self.request.instead.clone(),
            ..baseline_options(&self.request.property)
        }
    }
}

/// Makes the oracle's options for the search for a failure from those by which a candidate is decided.
pub(crate) fn baseline_options(property: &PropertyOptions) -> BaselineOptions {
    let limits = Limits {
        deadline: property.timeout_seconds.map(Duration::from_secs),
        longest: Duration::from_secs(property.baseline_timeout_seconds),
        memory_bytes: property.memory_mib.saturating_mul(1 << 20),
        ..Limits::default()
    };
    BaselineOptions {
        limits,
        demands: property.demands.clone(),
        env: property.env.clone(),
        reads: property.reads.clone(),
        repeat: property.repeat,
        at_least: property.at_least,
        sandbox: property.sandbox,
        allow_errors: property.allow_errors,
        ignore_location: property.ignore_location,
        any_message: property.any_message,
        instead: None,
    }
}
