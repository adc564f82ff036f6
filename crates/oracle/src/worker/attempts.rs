//! Repeats a question to a worker if a process that was to run elsewhere has come to no outcome: the worker asks
//! again, and in the end here, so that the same verdict comes of it.

use super::Worker;
use super::query::Query;
use crate::check::Bench;
use crate::error::OracleError;
use crate::plan::Plan;
use reduce_platform::Cancel;

/// The number of times that a candidate is asked about elsewhere before it is asked about on this machine.
const ATTEMPTS: u32 = 3;

impl Worker {
    /// Asks about the candidate in the tree, again if a process elsewhere has come to no outcome, and in the end on
    /// this machine.
    pub(super) fn in_attempts<T>(
        &mut self,
        plan: &Plan,
        mut ask: impl FnMut(&mut Self) -> Result<T, OracleError>,
    ) -> Result<T, OracleError> {
        let mut last = String::new();
        for _ in 0..ATTEMPTS {
            match ask(self) {
                Err(OracleError::Lost { reason }) => last = reason,
                known => return known,
            }
            self.begin_anew(plan)?;
        }
        self.place.executor.note_asked_here(&last);
        let elsewhere = std::mem::take(&mut self.place.executor);
        let known = ask(self);
        self.place.executor = elsewhere;
        known
    }

    /// Removes what an attempt to run processes elsewhere may have left: nobody knows how far it came.
    fn begin_anew(&mut self, plan: &Plan) -> Result<(), OracleError> {
        self.place.compiled.clear();
        self.place.clean_up()?;
        if plan.run_policy.check.command().is_some() {
            let never = Cancel::new().map_err(OracleError::io("clean up", &self.place.tree))?;
            Query::new(&mut self.place, plan, self.expectation, &never).sweep()?;
        }
        Ok(())
    }
}
