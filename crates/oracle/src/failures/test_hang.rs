//! `--run --hang` of a package's tests: a test does not end.

use super::failure::Failure;
use crate::check::Execution;
use crate::check::program::Program;
use crate::error::OracleError;
use crate::observed::program::Harness;
use crate::plan::Plan;
use crate::search::original::Call;
use crate::search::original::target::{Target, one_test, targets};
use crate::search::setting::Setting;
use crate::search::wanted::{DirectoryWord, Given, TESTS, Wanted};
use crate::signature::{CrashKind, Signature};
use crate::system::process::Ending;
use std::time::Duration;

/// A test that does not end, of those whose name has the filter in it.
pub(super) struct HangingTest<'a> {
    pub(super) filter: &'a Option<String>,
    pub(super) seconds: u64,
}

impl Failure for HangingTest<'_> {
    fn wanted(&self) -> Wanted {
        Wanted {
            executes: true,
            takes_test_name: true,
            directory: DirectoryWord::incomplete("test-hang"),
            given: Some(Given::Seconds("--hang", self.seconds)),
            verbs: TESTS,
            ..Wanted::of(format!("a test that runs for {} s", self.seconds))
        }
    }

    /// As for any hang, the test must run for twice the time here.
    fn find(
        &self,
        calls: &[Call],
        setting: &Setting<'_>,
    ) -> Result<Option<(Plan, Signature)>, OracleError> {
        (setting.note)("running the tests");
        let mut hanging = self.hanging(calls, setting)?;
        let is_named = |(name, _): &(String, Plan)| Some(name) == self.filter.as_ref();
        if let Some(at) = hanging.iter().position(is_named) {
            hanging = vec![hanging.swap_remove(at)];
        }
        let names = hanging.iter().map(|(name, _)| name.clone()).collect();
        match (hanging.pop(), hanging.is_empty()) {
            (Some((_, plan)), true) => Ok(Some((plan, Signature::of_kind(CrashKind::Hang, "")))),
            (Some(_), false) => Err(OracleError::SeveralTests { tests: names }),
            (None, _) => Err(OracleError::NoFailure {
                wanted: setting.wanted.words.clone(),
                command: "cargo test".to_owned(),
                output: String::new(),
                compiles: true,
            }),
        }
    }
}

impl HangingTest<'_> {
    /// The tests that do not end, by their names, each with its plan.
    fn hanging(
        &self,
        calls: &[Call],
        setting: &Setting<'_>,
    ) -> Result<Vec<(String, Plan)>, OracleError> {
        let after = Duration::from_secs(self.seconds);
        let mut hanging = vec![];
        for target in targets(calls.to_vec(), setting) {
            for test in self.hanging_in(&target, after * 2, setting)? {
                let execution = self.execution(&target, test.as_deref(), Some(after));
                let check = Program::check(execution);
                let plan = target.plan.clone();
                let name = test.unwrap_or_else(|| plan.call.crate_name.clone());
                hanging.push((name, plan.checked(check)));
            }
        }
        Ok(hanging)
    }

    /// The tests of a target that do not end in time; `None` stands for the whole program, where it has a
    /// harness of its own.
    fn hanging_in(
        &self,
        target: &Target,
        time: Duration,
        setting: &Setting<'_>,
    ) -> Result<Vec<Option<String>>, OracleError> {
        let args: Vec<String> = self.filter.clone().into_iter().collect();
        let all = target.run_for(&args, time, setting)?;
        if all.ending != Ending::TimedOut {
            return Ok(vec![]);
        }
        if !crate::compiler::args::is_test(&target.plan.call.args) {
            return Ok(vec![None]);
        }
        let mut hanging = vec![];
        for test in target.unfinished(&args, &all, setting)? {
            let execution = self.execution(target, Some(&test), None);
            let ran = target.run_for(&execution.args, time, setting)?;
            if ran.ending == Ending::TimedOut {
                hanging.push(Some(test));
            }
        }
        Ok(hanging)
    }

    /// How one test is run, or the whole program.
    fn execution(
        &self,
        target: &Target,
        test: Option<&str>,
        hangs_after: Option<Duration>,
    ) -> Execution {
        let of_program = || (self.filter.clone().into_iter().collect(), Harness::None);
        let (args, harness) = test.map_or_else(of_program, one_test);
        Execution {
            args,
            harness,
            hangs_after,
            ..target.execution.clone()
        }
    }
}
