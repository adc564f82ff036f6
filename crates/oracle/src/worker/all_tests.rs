//! Runs the tests of a target except for the failing one, and finds which of them pass in a variant.

use super::Worker;
use super::original::{RECORD, variables};
use crate::check::Execution;
use crate::error::OracleError;
use crate::evidence::program::{Harness, passed_tests, tests_listed};
use crate::plan::Plan;
use crate::system::budget::TimeSpent;
use reduce_platform::Cancel;
use std::collections::BTreeSet;

/// The arguments by which tests run one after the other, so that a test that ends the process ends the same other
/// tests each time.
const ONE_BY_ONE: [&str; 2] = ["--test-threads=1", "--exact"];

/// The result of a run of several tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestsRun {
    /// The names of the tests that pass. Tests that come after one that ends the process, or for which there is no time any more, are
    /// not among them.
    pub passing: BTreeSet<String>,
    /// The time that the run took.
    pub spent: TimeSpent,
    /// The bytes that the program wrote to the file that it was to write to, if it did.
    pub record: Option<Vec<u8>>,
}

impl Worker {
    /// Returns the names of the tests in the program that was compiled last, without the failing one.
    ///
    /// # Errors
    /// Where the program is not there or cannot be started, and on cancellation.
    pub fn other_tests(
        &mut self,
        plan: &Plan,
        cancel: &Cancel,
    ) -> Result<BTreeSet<String>, OracleError> {
        let Some((failing, execution)) = libtest(plan) else {
            return Ok(BTreeSet::new());
        };
        let list = Execution {
            args: vec!["--list".to_owned()],
            ..execution
        };
        let (ran, _) = self.execute_original(plan, &list, cancel)?;
        let mut names: BTreeSet<String> = tests_listed(&ran.stdout).into_iter().collect();
        names.remove(failing);
        Ok(names)
    }

    /// Runs some of the tests except for the failing one, one after the other, with an additional environment
    /// variable. `record` names the variable that has the path of a file for the program to write to.
    ///
    /// # Errors
    /// Where the program is not there or cannot be started, and on cancellation.
    pub fn run_tests<'t>(
        &mut self,
        plan: &Plan,
        names: impl IntoIterator<Item = &'t str>,
        variable: Option<(&str, &str)>,
        record: Option<&str>,
        cancel: &Cancel,
    ) -> Result<TestsRun, OracleError> {
        let mut names = names.into_iter().peekable();
        // Without a name, all would run.
        let Some((_, mut execution)) = libtest(plan).filter(|_| names.peek().is_some()) else {
            return Ok(TestsRun::default());
        };
        let args = ONE_BY_ONE.into_iter().chain(names);
        execution.args = args.map(str::to_owned).collect();
        let file = self.place.temporary.join(RECORD);
        execution.env.extend(variables(variable, record, &file));
        let (ran, spent) = self.execute_original(plan, &execution, cancel)?;
        Ok(TestsRun {
            passing: passed_tests(&ran.stdout),
            spent,
            record: record.and_then(|_| std::fs::read(&file).ok()),
        })
    }
}

/// Returns the failing test and how its harness is run, if it is the harness of the standard library; `None` for
/// another one.
fn libtest(plan: &Plan) -> Option<(&str, Execution)> {
    let one = plan.execution()?;
    let Harness::Libtest { test } = &one.harness else {
        return None;
    };
    let execution = Execution {
        harness: Harness::None,
        ..one.clone()
    };
    Some((test, execution))
}
