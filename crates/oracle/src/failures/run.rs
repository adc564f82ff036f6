//! `--run`: a program fails, or prints what is looked for.

use super::failure::{Failure, checked};
use crate::check::Execution;
use crate::check::program::Program;
use crate::error::OracleError;
use crate::evidence::program::Harness;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::failure_info::{BUILD, DirectoryWord, FailureInfo};
use crate::search::original::outside::{self, is_comparable};
use crate::search::original::target::Target;
use crate::search::original::{Call, execution_of_program};
use crate::signature::Signature;
use crate::system::process::Outcome;
use crate::text::output::tail;
use crate::text::shell::line_of;

/// A program that fails.
pub(super) struct FailingProgram<'a> {
    pub(super) args: &'a [String],
    /// The standard input of the program.
    pub(super) input: Option<&'a str>,
}

impl FailingProgram<'_> {
    /// Returns the program that a call makes; `None` where it does not compile.
    fn target(
        &self,
        call: &Call,
        context: &BaselineContext<'_>,
    ) -> Result<Option<Target>, OracleError> {
        let target = outside::program(call, self.args, context)?;
        Ok(target.map(|mut target| {
            target.execution.input = self.input.map(str::to_owned);
            target
        }))
    }
}

impl Failure for FailingProgram<'_> {
    fn info(&self) -> FailureInfo {
        let flag = match self.args.is_empty() {
            true => "--run".to_owned(),
            false => format!("--run={}", line_of(self.args)),
        };
        FailureInfo {
            executes: true,
            one_target_for: Some("--run"),
            directory: match self.args.is_empty() {
                true => DirectoryWord::complete("run"),
                false => DirectoryWord::incomplete("run"),
            },
            verbs: BUILD,
            as_hang: Some(vec![flag]),
            ..FailureInfo::of("a program that fails")
        }
    }

    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        let execution = Execution {
            // Without a pattern every program would be one.
            may_succeed: !is_failure(context),
            input: self.input.map(str::to_owned),
            ..execution_of_program(&plan, self.args.to_vec(), context)?
        };
        Ok(checked(plan, Program(execution)))
    }

    /// Finds the failure of the program in the copy of the workspace, where all files are that it may read. In a
    /// tree with those alone that the compiler reads it may fail in another way.
    fn find(
        &self,
        calls: &[Call],
        context: &BaselineContext<'_>,
    ) -> Result<Option<(Plan, Signature)>, OracleError> {
        if !is_failure(context) {
            return Ok(None);
        }
        let mut passed = None;
        for call in calls {
            let Some(target) = self.target(call, context)? else {
                continue;
            };
            let (ran, failure) = run_until_it_fails(&target, context)?;
            // Of what does not end, whoever looks for the failure next tells.
            if !ran.ending.is_of_itself() {
                return Ok(None);
            }
            outside::compare_program(&target, context)?;
            if let Some(failure) = failure {
                let plan = checked(target.plan, Program(target.execution));
                return Ok(Some((plan, failure)));
            }
            passed = call.executable.is_some().then_some(ran).or(passed);
        }
        // A single file is compiled and run again by whoever looks for the failure next.
        passed.map_or(Ok(None), |ran| Err(no_failure(&ran, context)))
    }

    fn compare_outside(
        &self,
        call: &Call,
        context: &BaselineContext<'_>,
    ) -> Result<(), OracleError> {
        if !is_failure(context) || !is_comparable(context) {
            return Ok(());
        }
        match self.target(call, context)? {
            Some(target) => outside::compare_program(&target, context),
            None => Ok(()),
        }
    }
}

/// Returns whether the program must fail: with `--and` or `--not` its output decides instead.
fn is_failure(context: &BaselineContext<'_>) -> bool {
    context.options.demands.patterns.is_empty()
}

/// Runs a program until it fails, where it need not fail each time. Returns the last run, and the failure.
fn run_until_it_fails(
    target: &Target,
    context: &BaselineContext<'_>,
) -> Result<(Outcome, Option<Signature>), OracleError> {
    let mut left = context.options.repeat.attempts().max(1);
    loop {
        let ran = target.run(&target.execution.args, context)?;
        let failure = target.failure(&ran, &Harness::None);
        left -= 1;
        if failure.is_some() || left == 0 || !ran.ending.is_of_itself() {
            return Ok((ran, failure));
        }
    }
}

/// Makes the error that the program of a package succeeds.
fn no_failure(ran: &Outcome, context: &BaselineContext<'_>) -> OracleError {
    let command = ["cargo", "run"].map(str::to_owned).into_iter();
    let command: Vec<String> = command.chain(context.selected.clone()).collect();
    OracleError::NoFailure {
        wanted: context.wanted.words.clone(),
        command: line_of(&command),
        output: tail(&format!("{}{}", ran.stdout, ran.stderr)),
        compiles: true,
    }
}
