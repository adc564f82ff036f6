//! The failure of a test of a package.

use super::doc_test::{self, Written};
use super::failure::{Failure, Package};
use super::fuzz;
use super::test_case;
use crate::check::program::Program;
use crate::compiler::target::{PackageInput, TargetSelection};
use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::failure_info::{DirectoryWord, FailureInfo, Needed, TESTS};
use crate::search::original::naming::{self, Meant};
use crate::search::original::target::{FailingTest as Failing, Target, Which, targets};
use crate::search::original::{Call, outside};
use crate::signature::Signature;
use crate::test_name::TestName;
use crate::text::output::tail;
use std::cell::OnceCell;

/// A test that fails, of those whose name has the filter in it.
pub(super) struct FailingTest<'a> {
    filter: &'a Option<String>,
    /// The test that was written in the place of a doc test.
    written: OnceCell<Written>,
}

impl Failure for FailingTest<'_> {
    fn info(&self) -> FailureInfo {
        let words = match self.filter {
            None => "a failing test".to_owned(),
            Some(filter) => match TestName::parse(filter) {
                TestName::Place { .. } => format!("a failing test in `{filter}`"),
                _ => format!("a failing test whose name has `{filter}` in it"),
            },
        };
        FailureInfo {
            executes: true,
            takes_test_name: true,
            test_name: self.filter.clone(),
            needs_package: true,
            directory: DirectoryWord::complete("test").needed(Needed::WithoutTarget),
            verbs: TESTS,
            as_hang: Some(vec!["--run".to_owned()]),
            ..FailureInfo::of(words)
        }
    }

    fn prepare(
        &self,
        package: &Package<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Option<PackageInput>, OracleError> {
        match &package.input.target {
            TargetSelection::Doc => {}
            TargetSelection::Fuzz { target, input } => {
                return fuzz::write(target, input, package, context).map(Some);
            }
            _ => return Ok(None),
        }
        let name = self.name();
        let written = doc_test::write_failing(name.as_ref(), package, context)?;
        let input = written.input.clone();
        // A failure is looked for once.
        let _ = self.written.set(written);
        Ok(Some(input))
    }

    /// Runs the tests until one fails; again and again where it need not fail each time.
    fn find(
        &self,
        calls: &[Call],
        context: &BaselineContext<'_>,
    ) -> Result<Option<(Plan, Signature)>, OracleError> {
        let mut found = self.find_once(calls, context);
        for _ in 1..context.options.repeat.attempts() {
            if !matches!(found, Err(OracleError::NoFailure { .. })) {
                break;
            }
            found = self.find_once(calls, context);
        }
        let found = found.map_err(|error| self.told(error))?;
        if let Some(written) = self.written.get() {
            written.compare(&found.1, context);
        }
        Ok(Some(found))
    }
}

/// Failing tests, each with the target that it belongs to.
type InTargets<'t> = Vec<(&'t Target, Failing)>;

impl<'a> FailingTest<'a> {
    pub(super) fn new(filter: &'a Option<String>) -> Self {
        let written = OnceCell::new();
        Self { filter, written }
    }

    /// Returns an error, changed to speak of the doc test if the test was written from one.
    fn told(&self, error: OracleError) -> OracleError {
        match (error, self.written.get()) {
            (
                OracleError::NoFailure {
                    command,
                    output,
                    compiles,
                    ..
                },
                Some(written),
            ) => OracleError::NoFailure {
                wanted: format!(
                    "the doc test `{}` fail as an integration test",
                    written.title
                ),
                command,
                output,
                compiles,
            },
            (error, _) => error,
        }
    }

    /// Returns the name of the test, if the user has given one. A file that we have written has no other test.
    fn name(&self) -> Option<TestName> {
        let filter = self.filter.as_deref();
        let filter = filter.filter(|_| self.written.get().is_none());
        filter.map(TestName::parse)
    }

    /// Runs the tests once, and returns the plan for the only one that fails, with its failure.
    fn find_once(
        &self,
        calls: &[Call],
        context: &BaselineContext<'_>,
    ) -> Result<(Plan, Signature), OracleError> {
        (context.note)("running the tests");
        let targets = targets(calls.to_vec(), context);
        let name = self.name();
        let meant = naming::meant(name.as_ref(), &targets, context)?;
        let is_unknown = meant
            .iter()
            .all(|one| matches!(one.which, Which::OwnHarness(_)));
        let mut failing: InTargets<'_> = vec![];
        let mut printed = String::new();
        for Meant { target, which } in &meant {
            let (tests, output) = target.failing(which, context)?;
            printed = output;
            failing.extend(tests.into_iter().map(|test| (*target, test)));
        }
        // One run tells nothing of which tests are meant, where some may pass.
        if failing.len() != 1 && outside::is_comparable(context) {
            failing = those_of_user(failing, &meant, context)?;
        }
        if let (Some(name), true, true) = (&name, is_unknown, failing.is_empty()) {
            return Err(naming::no_such_test(name, &targets, context)?);
        }
        let offers = failing
            .iter()
            .map(|(target, test)| naming::offer(target, &test.name, &[]))
            .collect();
        match (failing.pop(), failing.is_empty()) {
            (Some((target, test)), true) => match test_case::plain(target, &test, context)? {
                Some((target, test)) => plan_of(&target, test, context),
                None => plan_of(target, test, context),
            },
            (Some(_), false) => Err(OracleError::SeveralTests { tests: offers }),
            (None, _) => Err(OracleError::NoFailure {
                wanted: context.wanted.words.clone(),
                command: "cargo test".to_owned(),
                output: tail(&printed),
                compiles: true,
            }),
        }
    }
}

/// Selects the tests that fail for the user, where it is not clear in the sandbox which one is meant: others may fail because the
/// sandbox withholds what they need.
fn those_of_user<'t>(
    failing: InTargets<'t>,
    meant: &[Meant<'t>],
    context: &BaselineContext<'_>,
) -> Result<InTargets<'t>, OracleError> {
    let of_user = naming::failing(meant, context)?;
    // A test that fails in neither run is no failure, and one that fails only here is told as such.
    match of_user.is_empty() {
        true => Ok(failing.into_iter().take(1).collect()),
        false => Ok(of_user),
    }
}

/// Returns the plan for a test that fails, where it fails outside of the sandbox too.
fn plan_of(
    target: &Target,
    test: Failing,
    context: &BaselineContext<'_>,
) -> Result<(Plan, Signature), OracleError> {
    let what = format!("the test `{}`", test.name);
    outside::compare(target, &test.execution, &what, context)?;
    let check = Program::check(test.execution);
    Ok((target.plan.clone().checked(check), test.failure))
}
