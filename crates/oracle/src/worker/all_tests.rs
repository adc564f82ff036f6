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
    /// Runs all tests of the program that was compiled last but the one that fails and those of `left_out`, with another variable: the
    /// names of those that pass, and the time that it took. Tests that come after one that ends the process, or for which there is no
    /// time any more, are not among them.
    ///
    /// # Errors
    /// Where the program is not there or cannot be started, and on cancellation.
    pub fn passing_tests(
        &mut self,
        plan: &Plan,
        variable: Option<(&str, &str)>,
        left_out: &BTreeSet<String>,
        cancel: &Cancel,
    ) -> Result<(BTreeSet<String>, TimeSpent), OracleError> {
        let Some(one) = plan.execution() else {
            return Ok(Default::default());
        };
        let Harness::Libtest { test } = &one.harness else {
            return Ok(Default::default());
        };
        let left_out = std::iter::once(test).chain(left_out);
        let mut execution = Execution {
            args: args_without(left_out),
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

/// What makes a harness run all tests but these.
fn args_without<'n>(names: impl Iterator<Item = &'n String>) -> Vec<String> {
    let skipped = names.flat_map(|name| ["--skip", name]);
    let args = [ONE_BY_ONE, "--exact"].into_iter().chain(skipped);
    args.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::args_without;

    #[test]
    fn each_test_that_is_left_out_is_named() {
        let names = ["a::b".to_owned(), "c".to_owned()];
        let line = args_without(names.iter()).join(" ");
        assert_eq!(line, "--test-threads=1 --exact --skip a::b --skip c");
    }
}
