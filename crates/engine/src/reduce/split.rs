//! Separates a failing unit test from the code that it tests: only what is there for tests is reduced,
//! and the rest of the crate stays as it is.

use super::baseline::Input;
use crate::context::Context;
use crate::event::Event;
use crate::failure::{Failure, FailureKind};
use crate::unit_test::UnitTest;
use camino::Utf8PathBuf;
use reduce_gather::{OtherTests, SplitCrate, split_unit_test};
use reduce_oracle::{
    Baseline, Expectation, Harness, OneTest, Plan, Shown, Sources, TestPackage, Worker,
};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// Makes the tests alone the input, where the failing test is a unit test that still fails in the same
/// way when it stands apart from the rest of its crate.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn split(context: &Context<'_>, input: Input) -> Result<Input, Failure> {
    // A `main` is one of a whole crate.
    let is_meant = context.reduces_test_alone() && !context.request.search.as_main;
    let unit_test = is_meant.then(|| unit_test(&input.baseline));
    let Some((name, package)) = unit_test.flatten() else {
        return apart_from_versions(input);
    };
    for others in [OtherTests::LeftOut, OtherTests::Kept] {
        let Some(parts) = split_unit_test(&input.sources, &name, others) else {
            break;
        };
        let root = &input.baseline.plan.call.root;
        let Some(fixed) = SourceTree::from_files(root, parts.fixed.clone()) else {
            break;
        };
        if let Some((plan, shown)) = shown_apart(context, &input, &parts)? {
            let test = plan.execution().map(OneTest::of);
            let baseline = Baseline {
                plan,
                shown,
                ..input.baseline
            };
            let unit_test = UnitTest {
                name,
                test: test.expect("a unit test is run"),
                place: parts.place,
                whole: input.sources,
                fixed,
                tests: parts.tests.clone(),
                package,
            };
            return Ok(Input {
                baseline,
                sources: parts.tests,
                unit_test: Some(unit_test),
            });
        }
    }
    let message = format!(
        "the whole crate is reduced: the test `{name}` does not fail in the same way once it stands apart from \
         the code that it tests"
    );
    let input = apart_from_versions(input)?;
    (context.emit)(Event::Warning { message });
    Ok(input)
}

/// Refuses an input whose code under test is there in two versions, as these have nothing but the tests in
/// common.
fn apart_from_versions(input: Input) -> Result<Input, Failure> {
    let version = input.baseline.plan.other_version();
    let Some(own) = version.filter(|one| one.own_crate.is_some()) else {
        return Ok(input);
    };
    let name = own.version.as_ref().map_or("", |version| &version.name);
    let message = format!(
        "failed to reduce the test with the version `{name}`: it has to be reduced apart from the crate that it is in"
    );
    Err(Failure::new(FailureKind::BadInput, message).hint(
        "with `--good`, a unit test is reduced without the code under test: leave out `--whole`, `--free` and \
         `--as-main`, or move the test into `tests/`",
    ))
}

/// Returns the path of the failing test and its package, where it is a unit test.
pub(super) fn unit_test(baseline: &Baseline) -> Option<(String, TestPackage)> {
    let plan = &baseline.plan;
    let Harness::Libtest { test } = &plan.execution()?.harness else {
        return None;
    };
    if plan.is_hang() {
        // The package would be run until the longest time that a run may take.
        return None;
    }
    let package = baseline.package.as_ref()?;
    let package = package.of_unit_tests(&plan.call.root)?;
    Some((test.clone(), package))
}

/// Makes the plan that compiles the separated tests, and returns it with its outcome, if that is the
/// failure. Otherwise the files are again as they were.
fn shown_apart(
    context: &Context<'_>,
    input: &Input,
    parts: &SplitCrate,
) -> Result<Option<(Plan, Shown)>, Failure> {
    let whole = input.sources.to_files();
    let tests = parts.tests.to_files();
    let apart: Sources = parts
        .fixed
        .clone()
        .into_iter()
        .chain(tests.clone())
        .collect();
    let before = &input.baseline.plan;
    let mut plan = before.with_files(&apart, &missing_in(&apart, &whole))?;
    let root = parts.tests.path(parts.tests.root());
    plan.inputs.edited_root = Some(root.to_owned());
    let shown = shown(context, input, &plan, &tests)?;
    if shown.is_none() {
        before.with_files(&whole, &missing_in(&whole, &apart))?;
    }
    Ok(shown.map(|shown| (plan, shown)))
}

/// Returns the paths of `others` that are not among `files`.
fn missing_in(files: &Sources, others: &Sources) -> BTreeSet<Utf8PathBuf> {
    let missing = others.keys().filter(|path| !files.contains_key(*path));
    missing.cloned().collect()
}

/// Runs the separated tests, and returns their outcome if it is the failure.
fn shown(
    context: &Context<'_>,
    input: &Input,
    plan: &Plan,
    tests: &Sources,
) -> Result<Option<Shown>, Failure> {
    let edited = tests.keys().cloned().collect();
    let mut worker = Worker::new(context.site.scratch.join("split"), plan, &edited)?;
    // The input has no better program before it that would bound its time.
    worker.expect(Expectation::default().again());
    let property = &input.baseline.property;
    let answer = worker.judge(plan, tests, property, context.cancel)?;
    if !answer.verdict.is_interesting() {
        return Ok(None);
    }
    let is_same = |shown: &Shown| shown.signature.as_ref() == Some(&property.signature);
    let shown = worker.show(plan, tests, &is_same, context.cancel)?;
    Ok(Some(shown))
}
