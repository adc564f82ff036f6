//! Which test fails, and how.

mod hanging;

pub(super) use hanging::find_hanging;

use super::package::{Call, tail};
use super::{Setting, checks, environment, outside};
use crate::args;
use crate::check::{Check, Execution};
use crate::error::OracleError;
use crate::plan::Plan;
use crate::process::{Bounds, Ending, Invocation, Outcome, run};
use crate::program::{self, Harness};
use crate::signature::Signature;
use crate::worker::{confine_program, places, set_own_places};
use camino::Utf8PathBuf;
use std::time::Duration;

/// Arguments with which the harness runs one test in a process that prints what the test does.
const ONE_TEST: [&str; 3] = ["--exact", "--test-threads=1", "--nocapture"];

/// A test target, or a program, that was compiled.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) plan: Plan,
    pub(super) executable: Utf8PathBuf,
    pub(super) execution: Execution,
    pub(super) home: Home,
}

/// Whose home and directory for temporary files a program finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// A directory of ours.
    Ours,
    /// Those of the user.
    Users,
}

/// The plan for the one test that fails, and its failure.
///
/// # Errors
/// [`OracleError::NoFailure`] where none does, [`OracleError::SeveralTests`] where it is not clear
/// which one is meant.
pub(super) fn find(
    calls: Vec<Call>,
    filter: Option<&str>,
    setting: &Setting<'_>,
) -> Result<(Plan, Signature), OracleError> {
    (setting.note)("running the tests");
    let mut failing = vec![];
    let mut printed = String::new();
    let targets = targets(calls, setting);
    for target in &targets {
        let (tests, output) = target.failing(filter, setting)?;
        printed = output;
        failing.extend(tests.into_iter().map(|test| (target, test)));
    }
    failing = meant(failing, filter);
    // Where some may pass, one run tells nothing of which are meant.
    if failing.len() != 1 && outside::is_comparable(setting) {
        failing = those_of_user(failing, &targets, filter, setting)?;
    }
    let names = failing.iter().map(|(_, test)| test.name.clone()).collect();
    match (failing.pop(), failing.is_empty()) {
        (Some((target, test)), true) => {
            let what = format!("the test `{}`", test.name);
            outside::compare(target, &test.execution, &what, setting)?;
            let check = Check::Run(test.execution);
            let plan = target.plan.clone();
            Ok((Plan { check, ..plan }, test.failure))
        }
        (Some(_), false) => Err(OracleError::SeveralTests { tests: names }),
        (None, _) => Err(OracleError::NoFailure {
            wanted: setting.options.goal.describe(),
            command: "cargo test".to_owned(),
            output: tail(&printed),
            compiles: true,
        }),
    }
}

/// Of several tests the one that was named, if one was.
fn meant<'t>(
    mut failing: Vec<(&'t Target, FailingTest)>,
    filter: Option<&str>,
) -> Vec<(&'t Target, FailingTest)> {
    let is_named = |(_, test): &(&Target, FailingTest)| Some(test.name.as_str()) == filter;
    match failing.iter().position(is_named) {
        Some(at) => vec![failing.swap_remove(at)],
        None => failing,
    }
}

/// Where it is not clear in the sandbox which test is meant, those that fail for the user: others may
/// fail for want of what the sandbox does not give.
fn those_of_user<'t>(
    failing: Vec<(&'t Target, FailingTest)>,
    targets: &'t [Target],
    filter: Option<&str>,
    setting: &Setting<'_>,
) -> Result<Vec<(&'t Target, FailingTest)>, OracleError> {
    let mut of_user = vec![];
    for target in targets {
        let tests = outside::failing(target, filter, setting)?;
        of_user.extend(tests.into_iter().map(|test| (target, test)));
    }
    // What none of the two sees is no failure, and what only we see is told as such.
    match of_user.is_empty() {
        true => Ok(failing.into_iter().take(1).collect()),
        false => Ok(meant(of_user, filter)),
    }
}

/// A test that fails; without a name the program is one test.
pub(super) struct FailingTest {
    name: String,
    pub(super) execution: Execution,
    failure: Signature,
}

/// Whether cargo runs it as a test. Programs and examples are only compiled, for tests to start them.
fn is_run(call: &Call) -> bool {
    let args = &call.plan.args;
    let has_cfg = args::has_value(args, "--cfg", "test");
    args::is_test(args) || has_cfg || !call.plan.env.contains_key("CARGO_BIN_NAME")
}

fn targets(calls: Vec<Call>, setting: &Setting<'_>) -> Vec<Target> {
    let linked = calls.into_iter().filter(is_run).filter_map(|call| {
        let executable = call.executable?;
        let execution = checks::execution(&call.plan, vec![], Harness::None, setting);
        Some(Target {
            plan: call.plan,
            executable,
            execution,
            home: Home::Ours,
        })
    });
    linked.collect()
}

impl Target {
    /// The tests that fail, and what was printed.
    pub(super) fn failing(
        &self,
        filter: Option<&str>,
        setting: &Setting<'_>,
    ) -> Result<(Vec<FailingTest>, String), OracleError> {
        let args: Vec<String> = filter.map(str::to_owned).into_iter().collect();
        if !args::is_test(&self.plan.args) {
            return self.failing_program(args, setting);
        }
        let all = self.run(&args, setting)?;
        if all.ending == Ending::TimedOut {
            return self.failed_before_the_end(&args, all, setting);
        }
        let names = match has_result(&all) {
            true => program::failed_tests(&all.stdout),
            // The whole process may have ended with one of them, before others were run.
            false => {
                let list = [args, vec!["--list".to_owned()]].concat();
                program::tests_listed(&self.run(&list, setting)?.stdout)
            }
        };
        let mut failing = vec![];
        for name in names {
            failing.extend(self.failing_test(name, setting)?);
        }
        Ok((failing, all.stdout))
    }

    /// The tests that failed before the run was stopped, as another one did not end.
    ///
    /// # Errors
    /// [`OracleError::NeverEnds`] where none did.
    fn failed_before_the_end(
        &self,
        args: &[String],
        stopped: Outcome,
        setting: &Setting<'_>,
    ) -> Result<(Vec<FailingTest>, String), OracleError> {
        let mut failing = vec![];
        for name in program::failed_tests(&stopped.stdout) {
            failing.extend(self.failing_test(name, setting)?);
        }
        if !failing.is_empty() {
            return Ok((failing, stopped.stdout));
        }
        let unfinished = self.unfinished(args, &stopped, setting)?;
        let only = match unfinished.as_slice() {
            [only] => Some(only.as_str()),
            _ => None,
        };
        Err(self.never_ends(&stopped, only, setting))
    }

    fn never_ends(
        &self,
        stopped: &Outcome,
        test: Option<&str>,
        setting: &Setting<'_>,
    ) -> OracleError {
        let words = ["cargo", "test"].into_iter().chain(test);
        let command = words.collect::<Vec<_>>().join(" ");
        let printed = format!("{}{}", stopped.stdout, stopped.stderr);
        setting.never_ends(command, setting.longest_run(), &printed, test)
    }

    fn failing_test(
        &self,
        name: String,
        setting: &Setting<'_>,
    ) -> Result<Option<FailingTest>, OracleError> {
        let args = [name.as_str()].into_iter().chain(ONE_TEST);
        let execution = Execution {
            args: args.map(str::to_owned).collect(),
            harness: Harness::Libtest { test: name.clone() },
            ..self.execution.clone()
        };
        let failure = self.failure_alone(&execution, setting)?;
        Ok(failure.map(|failure| FailingTest {
            name,
            execution,
            failure,
        }))
    }

    /// How a test fails that is run without the others. Where it need not fail each time it is run
    /// until it does.
    fn failure_alone(
        &self,
        execution: &Execution,
        setting: &Setting<'_>,
    ) -> Result<Option<Signature>, OracleError> {
        for _ in 0..setting.options.repeat.attempts() {
            let ran = self.run(&execution.args, setting)?;
            if ran.ending == Ending::TimedOut {
                let test = execution.args.first().map(String::as_str);
                return Err(self.never_ends(&ran, test, setting));
            }
            if let Some(failure) = self.failure(&ran, &execution.harness) {
                return Ok(Some(failure));
            }
        }
        Ok(None)
    }

    fn failure(&self, ran: &Outcome, harness: &Harness) -> Option<Signature> {
        let failures = program::failures_in(ran, self.plan.tree.as_str(), harness);
        failures.into_iter().next()
    }

    /// A program with a harness of its own.
    fn failing_program(
        &self,
        args: Vec<String>,
        setting: &Setting<'_>,
    ) -> Result<(Vec<FailingTest>, String), OracleError> {
        let ran = self.run(&args, setting)?;
        if ran.ending == Ending::TimedOut {
            return Err(self.never_ends(&ran, None, setting));
        }
        let execution = Execution {
            args,
            ..self.execution.clone()
        };
        let name = self.plan.crate_name.clone();
        let failure = self.failure(&ran, &Harness::None);
        let failing = failure.map(|failure| FailingTest {
            name,
            execution,
            failure,
        });
        Ok((failing.into_iter().collect(), ran.stdout + &ran.stderr))
    }

    /// How it is run where it sees these variables of the user's.
    pub(super) fn with_variables(&self, names: &[String], setting: &Setting<'_>) -> Execution {
        let libraries = self.plan.compiler.libraries();
        let (call, user) = (&self.plan.env, &setting.user.vars);
        Execution {
            env: environment::of_program(call, user, names, libraries.as_str()),
            ..self.execution.clone()
        }
    }

    /// The directory that it may write to.
    pub(super) fn places(&self, setting: &Setting<'_>) -> Utf8PathBuf {
        setting.scratch.join("tests")
    }

    /// Runs what cargo has linked, in the copy of the package.
    pub(super) fn run(
        &self,
        args: &[String],
        setting: &Setting<'_>,
    ) -> Result<Outcome, OracleError> {
        self.run_for(args, setting.longest_run(), setting)
    }

    /// The same, stopped after so much wall time.
    fn run_for(
        &self,
        args: &[String],
        time: Duration,
        setting: &Setting<'_>,
    ) -> Result<Outcome, OracleError> {
        let temporary = self.places(setting);
        crate::files::make_empty(&temporary)?;
        let mut env = self.execution.env.clone();
        if self.home == Home::Ours {
            set_own_places(&mut env, &temporary);
        }
        let compiler = self.plan.compiler.directories();
        let places = places(&self.plan, compiler, vec![temporary]);
        let confinement = confine_program(self.plan.sandbox, &places)?;
        let invocation = Invocation {
            program: &self.executable,
            args,
            env: &env,
            dir: &self.plan.tree.join(&self.execution.cwd),
            bounds: Bounds {
                deadline: Some(time),
                memory_bytes: Some(setting.options.limits.memory_bytes),
                ..setting.free_bounds()
            },
            confinement: confinement.as_ref(),
        };
        let outcome = setting.reminding("the tests", || run(&invocation, setting.cancel))?;
        setting.count(1);
        match outcome.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            _ => Ok(outcome),
        }
    }
}

/// Whether the harness came to the end of all tests.
fn has_result(ran: &Outcome) -> bool {
    let mut lines = ran.stdout.lines();
    ran.ending == Ending::Exited(0) || lines.any(|line| line.starts_with("test result: "))
}
