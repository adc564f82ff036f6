//! Which test does not end.

use super::{ONE_TEST, Target, targets};
use crate::baseline::Setting;
use crate::baseline::package::Call;
use crate::check::{Check, Execution};
use crate::error::OracleError;
use crate::plan::Plan;
use crate::process::{Ending, Outcome};
use crate::program::{self, Harness};
use crate::signature::{CrashKind, Signature};
use std::time::Duration;

/// The plan for the one test that runs for so long, and its failure. As for any hang, the test must run
/// for twice that time here.
///
/// # Errors
/// [`OracleError::NoFailure`] where none does, [`OracleError::SeveralTests`] where several do.
pub(in crate::baseline) fn find_hanging(
    calls: Vec<Call>,
    filter: Option<&str>,
    seconds: u64,
    setting: &Setting<'_>,
) -> Result<(Plan, Signature), OracleError> {
    (setting.note)("running the tests");
    let after = Duration::from_secs(seconds);
    let mut hanging = vec![];
    for target in targets(calls, setting) {
        for test in target.hanging(filter, after * 2, setting)? {
            let execution = target.execution_of(test.as_deref(), filter, Some(after));
            let plan = Plan {
                check: Check::Run(execution),
                ..target.plan.clone()
            };
            hanging.push((test.unwrap_or_else(|| plan.crate_name.clone()), plan));
        }
    }
    if let Some(at) = hanging
        .iter()
        .position(|(name, _)| Some(name.as_str()) == filter)
    {
        hanging = vec![hanging.swap_remove(at)];
    }
    let names = hanging.iter().map(|(name, _)| name.clone()).collect();
    match (hanging.pop(), hanging.is_empty()) {
        (Some((_, plan)), true) => Ok((plan, Signature::of_kind(CrashKind::Hang, ""))),
        (Some(_), false) => Err(OracleError::SeveralTests { tests: names }),
        (None, _) => Err(OracleError::NoFailure {
            wanted: setting.options.goal.describe(),
            command: "cargo test".to_owned(),
            output: String::new(),
            compiles: true,
        }),
    }
}

impl Target {
    /// The tests that do not end in time; `None` stands for the whole program, where it has a harness of
    /// its own.
    fn hanging(
        &self,
        filter: Option<&str>,
        time: Duration,
        setting: &Setting<'_>,
    ) -> Result<Vec<Option<String>>, OracleError> {
        let args: Vec<String> = filter.map(str::to_owned).into_iter().collect();
        let all = self.run_for(&args, time, setting)?;
        if all.ending != Ending::TimedOut {
            return Ok(vec![]);
        }
        if !crate::args::is_test(&self.plan.args) {
            return Ok(vec![None]);
        }
        let mut hanging = vec![];
        for test in self.unfinished(&args, &all, setting)? {
            let execution = self.execution_of(Some(&test), filter, None);
            let ran = self.run_for(&execution.args, time, setting)?;
            if ran.ending == Ending::TimedOut {
                hanging.push(Some(test));
            }
        }
        Ok(hanging)
    }

    /// The tests of which a run that was stopped does not say how they ended.
    pub(super) fn unfinished(
        &self,
        args: &[String],
        stopped: &Outcome,
        setting: &Setting<'_>,
    ) -> Result<Vec<String>, OracleError> {
        let list = [args, &["--list".to_owned()]].concat();
        let mut tests = program::tests_listed(&self.run(&list, setting)?.stdout);
        let ended = program::ended_tests(&stopped.stdout);
        tests.retain(|test| !ended.contains(test));
        Ok(tests)
    }

    /// How one test is run, or the whole program.
    fn execution_of(
        &self,
        test: Option<&str>,
        filter: Option<&str>,
        hangs_after: Option<Duration>,
    ) -> Execution {
        let (args, harness): (Vec<&str>, Harness) = match test {
            Some(test) => {
                let args = [test].into_iter().chain(ONE_TEST);
                let test = test.to_owned();
                (args.collect(), Harness::Libtest { test })
            }
            None => (filter.into_iter().collect(), Harness::None),
        };
        Execution {
            args: args.into_iter().map(str::to_owned).collect(),
            harness,
            hangs_after,
            ..self.execution.clone()
        }
    }
}
