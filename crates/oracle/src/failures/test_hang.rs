//! `--run --hang` of a package's tests: a test does not end.

use super::failure::Failure;
use crate::check::Execution;
use crate::check::program::Program;
use crate::error::OracleError;
use crate::evidence::program::Harness;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::failure_info::{DirectoryWord, FailureInfo, Given, TESTS};
use crate::search::original::Call;
use crate::search::original::naming::{self, Meant};
use crate::search::original::target::{Listed, Target, Which, one_test, targets};
use crate::signature::{CrashKind, Signature};
use crate::system::process::Ending;
use crate::test_name::TestName;
use std::time::Duration;

/// A test that does not end, of those whose name has the filter in it.
pub(super) struct HangingTest<'a> {
    pub(super) filter: &'a Option<String>,
    pub(super) seconds: u64,
}

impl Failure for HangingTest<'_> {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            executes: true,
            takes_test_name: true,
            directory: DirectoryWord::incomplete("test-hang"),
            given: Some(Given::Seconds("--hang", self.seconds)),
            verbs: TESTS,
            ..FailureInfo::of(format!("a test that runs for {} s", self.seconds))
        }
    }

    /// Finds a test that does not end: as for any hang, it must run for twice the time here.
    fn find(
        &self,
        calls: &[Call],
        context: &BaselineContext<'_>,
    ) -> Result<Option<(Plan, Signature)>, OracleError> {
        (context.note)("running the tests");
        let targets = targets(calls.to_vec(), context);
        let name = self.filter.as_deref().map(TestName::parse);
        let meant = naming::meant(name.as_ref(), &targets, context)?;
        if let (Some(name), true) = (&name, meant.is_empty()) {
            return Err(naming::no_such_test(name, &targets, context)?);
        }
        let mut hanging = self.hanging(&meant, context)?;
        let seconds = self.seconds.to_string();
        let offers = hanging
            .iter()
            .map(|(target, name, _)| naming::offer(target, name, &["--run", "--hang", &seconds]))
            .collect();
        match (hanging.pop(), hanging.is_empty()) {
            (Some((.., plan)), true) => Ok(Some((plan, Signature::of_kind(CrashKind::Hang, "")))),
            (Some(_), false) => Err(OracleError::SeveralTests { tests: offers }),
            (None, _) => Err(OracleError::NoFailure {
                wanted: context.wanted.words.clone(),
                command: "cargo test".to_owned(),
                output: String::new(),
                compiles: true,
            }),
        }
    }
}

impl HangingTest<'_> {
    /// Returns the tests that do not end, by their names, each with its plan.
    fn hanging<'t>(
        &self,
        meant: &[Meant<'t>],
        context: &BaselineContext<'_>,
    ) -> Result<Vec<(&'t Target, String, Plan)>, OracleError> {
        let after = Duration::from_secs(self.seconds);
        let mut hanging = vec![];
        for Meant { target, which } in meant {
            for test in hanging_in(target, which, after * 2, context)? {
                let execution = execution(target, which, test.as_ref(), Some(after));
                let check = Program::check(execution);
                let plan = target.plan.clone();
                let name = test.map_or_else(|| plan.call.crate_name.clone(), |test| test.name);
                hanging.push((*target, name, plan.checked(check)));
            }
        }
        Ok(hanging)
    }
}

/// Returns the tests among some of a target that do not end in time; `None` stands for the whole program, where it has a
/// harness of its own.
fn hanging_in(
    target: &Target,
    which: &Which,
    time: Duration,
    context: &BaselineContext<'_>,
) -> Result<Vec<Option<Listed>>, OracleError> {
    let all = target.run_for(&which.args(), time, context)?;
    if all.ending != Ending::TimedOut {
        return Ok(vec![]);
    }
    if !target.is_libtest() {
        return Ok(vec![None]);
    }
    let mut hanging = vec![];
    for test in target.unfinished(which, &all, context)? {
        let alone = execution(target, which, Some(&test), None);
        let ran = target.run_for(&alone.args, time, context)?;
        if ran.ending == Ending::TimedOut {
            hanging.push(Some(test));
        }
    }
    Ok(hanging)
}

/// Makes the execution of one test, or of the whole program.
fn execution(
    target: &Target,
    which: &Which,
    test: Option<&Listed>,
    hangs_after: Option<Duration>,
) -> Execution {
    let of_program = || (which.args(), Harness::None);
    let (args, harness) = test.map_or_else(of_program, one_test);
    Execution {
        args,
        harness,
        hangs_after,
        ..target.execution.clone()
    }
}
