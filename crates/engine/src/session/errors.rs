//! The errors of a candidate that the compiler reports.

use super::state::Session;
use crate::Failure;
use crate::answer::Effort;
use crate::candidate::Candidate;
use reduce_model::Lack;
use std::time::Instant;

impl Session<'_> {
    /// Asks the compiler for all errors of a candidate, even if its verdict is known. That is a run outside of the
    /// search, as what it says is not kept for later ones. `None` where the compiler cannot say them.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn errors_of(
        &mut self,
        candidate: &Candidate,
    ) -> Result<Option<Vec<Lack>>, Failure> {
        let started = Instant::now();
        let told = self.tools.oracle.errors(candidate, self.tools.cancel)?;
        let Some(told) = told else {
            return Ok(None);
        };
        let effort = Effort {
            wall: started.elapsed(),
            cpu: told.cpu,
            ..Effort::default()
        };
        self.ledger.figures.add_effort(effort);
        self.ledger.final_checks += 1;
        Ok(Some(told.errors))
    }
}
