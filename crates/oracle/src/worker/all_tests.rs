//! Runs of the other tests of a target: which of them pass under a mutant.

use super::Worker;
use crate::check::{Bench, Execution};
use crate::error::OracleError;
use crate::observed::program::{Harness, passed_tests};
use crate::plan::Plan;
use crate::system::budget::TimeSpent;
use crate::system::cancel::Cancel;
use crate::system::process::Ending;
use std::collections::BTreeSet;

/// So that a test that ends the process ends the same tests each time.
const ONE_BY_ONE: &str = "--test-threads=1";

impl Worker {
    /// Runs all tests of the program that was compiled last but the one that fails, with another variable: the names of those that
    /// pass, and the time that it took. Tests that come after one that ends the process, or for which there is no
    /// time any more, are not among them.
    ///
    /// # Errors
    /// Where the program is not there or cannot be started, and on cancellation.
    pub fn passing_tests(
        &mut self,
        plan: &Plan,
        variable: Option<(&str, &str)>,
        cancel: &Cancel,
    ) -> Result<(BTreeSet<String>, TimeSpent), OracleError> {
        let Some(one) = plan.execution() else {
            return Ok(Default::default());
        };
        let Harness::Libtest { test } = &one.harness else {
            return Ok(Default::default());
        };
        let args = [ONE_BY_ONE, "--exact", "--skip", test].map(str::to_owned);
        let mut execution = Execution {
            args: args.into(),
            harness: Harness::None,
            ..one.clone()
        };
        let variable = variable.map(|(name, value)| (name.to_owned(), value.to_owned()));
        execution.env.extend(variable);
        let mut query = self.query(plan, cancel);
        query.clear_temporary()?;
        let ran = query.execute(&execution)?;
        match ran.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            _ => Ok((passed_tests(&ran.stdout), query.spent)),
        }
    }
}
