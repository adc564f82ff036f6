//! Runs test targets and programs as cargo has linked them, and finds which of their tests fail.

use super::{Call, CargoTarget, environment_of_program, execution};
use crate::check::Execution;
use crate::check::input::with_input;
use crate::compiler::args;
use crate::error::OracleError;
use crate::evidence::program::{self, Harness};
use crate::plan::{Plan, TARGET_TMPDIR};
use crate::search::context::BaselineContext;
use crate::signature::Signature;
use crate::system::files;
use crate::system::process::{Bounds, Ending, Invocation, Outcome, run};
use crate::test_name::BinaryId;
use crate::worker::{confine_program, places, set_own_places, without_own_places};
use camino::Utf8PathBuf;
use std::time::Duration;

/// The option of libtest by which a name stands for the test of exactly this name.
const EXACT: &str = "--exact";
/// The flag of libtest that runs tests with `#[ignore]` too.
pub(crate) const INCLUDE_IGNORED: &str = "--include-ignored";
/// Arguments with which the harness runs one test in a process that prints what the test does.
const ONE_TEST: [&str; 3] = [EXACT, "--test-threads=1", "--nocapture"];

/// A test target, or a program, that was compiled.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) plan: Plan,
    pub(crate) executable: Utf8PathBuf,
    pub(crate) execution: Execution,
    pub(crate) home: Home,
    /// The target in the user's workspace.
    pub(crate) cargo: Option<CargoTarget>,
}

/// The home and the directory for temporary files that a program finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    /// The program finds a directory of cargo-reduce's own.
    Ours,
    /// The program finds the user's own home and directory for temporary files.
    Users,
}

/// A test that fails; without a name the program is one test.
pub(crate) struct FailingTest {
    pub(crate) name: String,
    pub(crate) is_ignored: bool,
    pub(crate) execution: Execution,
    pub(crate) failure: Signature,
}

/// A test that a target lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) name: String,
    /// Whether the test has `#[ignore]`, and is run only if somebody asks for it.
    pub(crate) is_ignored: bool,
}

/// The part of a target that is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Which {
    /// All tests of the target.
    All,
    /// Some tests of the target.
    Tests(Vec<Listed>),
    /// All that a harness of the user's own runs with these arguments.
    OwnHarness(Vec<String>),
}

impl Which {
    /// Returns the arguments with which the selected tests run.
    pub(crate) fn args(&self) -> Vec<String> {
        match self {
            Self::All => vec![],
            Self::Tests(tests) => {
                let names = tests.iter().map(|test| test.name.as_str());
                let asked = tests.iter().any(|test| test.is_ignored);
                let words = names.chain([EXACT]).chain(asked.then_some(INCLUDE_IGNORED));
                words.map(str::to_owned).collect()
            }
            Self::OwnHarness(args) => args.clone(),
        }
    }
}

/// Returns the arguments with which one test is run alone, and the harness that it has.
pub(crate) fn one_test(test: &Listed) -> (Vec<String>, Harness) {
    let name = test.name.clone();
    let args = [name.as_str()].into_iter().chain(ONE_TEST);
    let args = args.chain(test.is_ignored.then_some(INCLUDE_IGNORED));
    (
        args.map(str::to_owned).collect(),
        Harness::Libtest { test: name },
    )
}

/// Whether cargo runs the executable of this call as a test. Programs and examples are only compiled,
/// for tests to start them.
fn is_run(call: &Call) -> bool {
    let args = &call.plan.call.args;
    let has_cfg = args::has_value(args, "--cfg", "test");
    args::is_test(args) || has_cfg || !call.plan.call.env.contains_key("CARGO_BIN_NAME")
}

/// Returns the targets of cargo's calls that are run, in the order in which cargo runs them.
pub(crate) fn targets(calls: Vec<Call>, context: &BaselineContext<'_>) -> Vec<Target> {
    let linked = calls.into_iter().filter(is_run).filter_map(|call| {
        let executable = call.executable?;
        let execution = execution(&call.plan, vec![], Harness::None, context);
        Some(Target {
            plan: call.plan,
            executable,
            execution,
            home: Home::Ours,
            cargo: call.target,
        })
    });
    let mut targets: Vec<Target> = linked.collect();
    targets.sort_by_cached_key(|target| target.id().order());
    targets
}

impl Target {
    /// Returns the target's name in the form of nextest; empty where the workspace does not have the
    /// target.
    pub(crate) fn id(&self) -> BinaryId {
        let cargo = self.cargo.as_ref();
        cargo.map(|cargo| cargo.id.clone()).unwrap_or_default()
    }

    /// Runs the selected tests, and returns those that fail and what was printed.
    pub(crate) fn failing(
        &self,
        which: &Which,
        context: &BaselineContext<'_>,
    ) -> Result<(Vec<FailingTest>, String), OracleError> {
        if !self.is_libtest() {
            return self.failing_program(which.args(), context);
        }
        let all = self.run(&which.args(), context)?;
        if all.ending == Ending::TimedOut {
            return self.failed_before_the_end(which, all, context);
        }
        let tests = match which {
            // Before 1.59 the harness knew only the first of several names.
            Which::Tests(tests) if !has_run(&all, tests.len()) => tests.clone(),
            _ if has_result(&all) => self.of_names(program::failed_tests(&all.stdout), which),
            // The whole process may have ended with one of them, before others were run.
            _ => self.among(which, context)?,
        };
        let mut failing = vec![];
        for test in tests {
            failing.extend(self.failing_test(test, context)?);
        }
        Ok((failing, all.stdout))
    }

    /// Returns whether the standard library's harness runs the target.
    pub(crate) fn is_libtest(&self) -> bool {
        args::is_test(&self.plan.call.args)
    }

    /// Returns the names of the tests that the target lists with these arguments.
    pub(crate) fn names(
        &self,
        args: &[&str],
        context: &BaselineContext<'_>,
    ) -> Result<Vec<String>, OracleError> {
        let words = args.iter().chain(&["--list"]);
        let list: Vec<String> = words.map(|word| (*word).to_owned()).collect();
        Ok(program::tests_listed(&self.run(&list, context)?.stdout))
    }

    /// Returns the selected tests, as the target lists them.
    fn among(
        &self,
        which: &Which,
        context: &BaselineContext<'_>,
    ) -> Result<Vec<Listed>, OracleError> {
        match which {
            Which::Tests(tests) => Ok(tests.clone()),
            Which::All | Which::OwnHarness(_) => {
                Ok(self.of_names(self.names(&[], context)?, which))
            }
        }
    }

    /// Returns the tests of these names, with whether each has `#[ignore]`.
    fn of_names(&self, names: Vec<String>, which: &Which) -> Vec<Listed> {
        let is_ignored = |name: &String| match which {
            Which::Tests(tests) => tests.iter().any(|one| one.name == *name && one.is_ignored),
            Which::All | Which::OwnHarness(_) => false,
        };
        let listed = names.into_iter().map(|name| Listed {
            is_ignored: is_ignored(&name),
            name,
        });
        listed.collect()
    }

    /// Returns the tests that failed before the run was stopped because another test did not end.
    ///
    /// # Errors
    /// [`OracleError::NeverEnds`] where none did.
    fn failed_before_the_end(
        &self,
        which: &Which,
        stopped: Outcome,
        context: &BaselineContext<'_>,
    ) -> Result<(Vec<FailingTest>, String), OracleError> {
        let mut failing = vec![];
        for test in self.of_names(program::failed_tests(&stopped.stdout), which) {
            failing.extend(self.failing_test(test, context)?);
        }
        if !failing.is_empty() {
            return Ok((failing, stopped.stdout));
        }
        let unfinished = self.unfinished(which, &stopped, context)?;
        let only = match unfinished.as_slice() {
            [only] => Some(only.name.as_str()),
            _ => None,
        };
        Err(self.never_ends(&stopped, only, context))
    }

    /// Returns the tests of which a run that was stopped does not say how they ended.
    pub(crate) fn unfinished(
        &self,
        which: &Which,
        stopped: &Outcome,
        context: &BaselineContext<'_>,
    ) -> Result<Vec<Listed>, OracleError> {
        let mut tests = self.among(which, context)?;
        let ended = program::ended_tests(&stopped.stdout);
        tests.retain(|test| !ended.contains(&test.name));
        Ok(tests)
    }

    fn never_ends(
        &self,
        stopped: &Outcome,
        test: Option<&str>,
        context: &BaselineContext<'_>,
    ) -> OracleError {
        let words = ["cargo", "test"].into_iter().chain(test);
        let command = words.collect::<Vec<_>>().join(" ");
        let printed = format!("{}{}", stopped.stdout, stopped.stderr);
        context.never_ends(command, context.longest_run(), &printed, test)
    }

    /// Runs a test alone, and returns it with its failure if it fails.
    pub(crate) fn failing_test(
        &self,
        test: Listed,
        context: &BaselineContext<'_>,
    ) -> Result<Option<FailingTest>, OracleError> {
        let (args, harness) = one_test(&test);
        let Listed { name, is_ignored } = test;
        let execution = Execution {
            args,
            harness,
            ..self.execution.clone()
        };
        let failure = self.failure_alone(&execution, context)?;
        Ok(failure.map(|failure| FailingTest {
            name,
            is_ignored,
            execution,
            failure,
        }))
    }

    /// Runs a test without the others, and returns its failure. Where it need not fail each time, it
    /// is run until it does.
    fn failure_alone(
        &self,
        execution: &Execution,
        context: &BaselineContext<'_>,
    ) -> Result<Option<Signature>, OracleError> {
        for _ in 0..context.options.repeat.attempts() {
            let ran = self.run(&execution.args, context)?;
            if ran.ending == Ending::TimedOut {
                let test = execution.args.first().map(String::as_str);
                return Err(self.never_ends(&ran, test, context));
            }
            if let Some(failure) = self.failure(&ran, &execution.harness) {
                return Ok(Some(failure));
            }
        }
        Ok(None)
    }

    /// Returns the first failure that a run showed.
    pub(crate) fn failure(&self, ran: &Outcome, harness: &Harness) -> Option<Signature> {
        let failures = program::failures_in(ran, self.plan.inputs.tree.as_str(), harness);
        failures.into_iter().next()
    }

    /// Runs a program with a harness of its own, and returns how it fails.
    fn failing_program(
        &self,
        args: Vec<String>,
        context: &BaselineContext<'_>,
    ) -> Result<(Vec<FailingTest>, String), OracleError> {
        let ran = self.run(&args, context)?;
        if ran.ending == Ending::TimedOut {
            return Err(self.never_ends(&ran, None, context));
        }
        let execution = Execution {
            args,
            ..self.execution.clone()
        };
        let name = self.plan.call.crate_name.clone();
        let failure = self.failure(&ran, &Harness::None);
        let failing = failure.map(|failure| FailingTest {
            name,
            is_ignored: false,
            execution,
            failure,
        });
        Ok((failing.into_iter().collect(), ran.stdout + &ran.stderr))
    }

    /// Returns the execution of the program with these variables of the user's.
    pub(crate) fn with_variables(
        &self,
        names: &[String],
        context: &BaselineContext<'_>,
    ) -> Execution {
        Execution {
            env: environment_of_program(&self.plan, names, context),
            ..self.execution.clone()
        }
    }

    /// Returns the directory that the target may write to.
    pub(crate) fn places(&self, context: &BaselineContext<'_>) -> Utf8PathBuf {
        context.scratch.join("tests")
    }

    /// Runs the executable that cargo has linked, in the copy of the package.
    pub(crate) fn run(
        &self,
        args: &[String],
        context: &BaselineContext<'_>,
    ) -> Result<Outcome, OracleError> {
        self.run_for(args, context.longest_run(), context)
    }

    /// Runs the program, and stops it after so much wall time.
    pub(crate) fn run_for(
        &self,
        args: &[String],
        time: Duration,
        context: &BaselineContext<'_>,
    ) -> Result<Outcome, OracleError> {
        let temporary = self.places(context);
        files::make_empty(&temporary)?;
        let of_target = self.plan.call.env.get(TARGET_TMPDIR);
        let of_target = of_target.map(Utf8PathBuf::from);
        if let Some(dir) = &of_target {
            files::make_empty(dir)?;
        }
        let mut env = self.execution.env.clone();
        if self.home == Home::Ours {
            set_own_places(&mut env, &temporary);
        }
        let compiler = self.plan.call.compiler.directories();
        let writes = std::iter::once(temporary.clone()).chain(of_target.clone());
        let places = places(&self.plan, compiler, writes.collect());
        let confinement = confine_program(self.plan.access.sandbox, &places)?;
        let input = self.execution.input.as_deref();
        let (program, args) = with_input(&self.executable, args, input, &context.scratch)?;
        let invocation = Invocation {
            program: &program,
            args: &args,
            env: &env,
            dir: &self.plan.inputs.tree.join(&self.execution.cwd),
            bounds: Bounds {
                deadline: Some(time),
                memory_bytes: Some(context.options.limits.memory_bytes),
                ..context.free_bounds()
            },
            confinement: confinement.as_ref(),
        };
        let outcome = context.reminding("the tests", || run(&invocation, context.cancel))?;
        context.count(1);
        match outcome.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            _ => Ok(without_own_places(
                outcome,
                &temporary,
                of_target.as_deref(),
            )),
        }
    }
}

/// Returns whether the harness has printed that it runs `number` tests.
fn has_run(ran: &Outcome, number: usize) -> bool {
    let plural = if number == 1 { "test" } else { "tests" };
    let expected = format!("running {number} {plural}");
    ran.stdout.lines().any(|line| line == expected)
}

/// Whether the harness came to the end of all tests.
fn has_result(ran: &Outcome) -> bool {
    let mut lines = ran.stdout.lines();
    ran.ending == Ending::Exited(0) || lines.any(|line| line.starts_with("test result: "))
}
