//! Finds the tests that the user's test name stands for, among the tests of some targets.

use super::outside;
use super::target::{FailingTest, INCLUDE_IGNORED, Listed, Target, Which};
use crate::error::OracleError;
use crate::offer::Offer;
use crate::search::context::BaselineContext;
use crate::system::files;
use crate::test_name::{Fit, TestName, ends_with_path};
use crate::text::path::normal;
use camino::Utf8Path;
use std::collections::BTreeSet;

/// The flag of libtest for the tests alone that have `#[ignore]`.
const IGNORED: &str = "--ignored";

/// A target, and the part of it that the user's test name stands for.
pub(crate) struct Meant<'t> {
    pub(crate) target: &'t Target,
    pub(crate) which: Which,
}

/// Finds the part of each target that the user's test name stands for: all of them without a name, and otherwise the
/// tests that it fits best. Of these, tests with `#[ignore]` are left out unless they are all. Harnesses of the
/// user's own get the name, unless a test is called so.
///
/// # Errors
/// Where a target cannot be asked for its tests.
pub(crate) fn meant<'t>(
    name: Option<&TestName>,
    targets: &'t [Target],
    context: &BaselineContext<'_>,
) -> Result<Vec<Meant<'t>>, OracleError> {
    let Some(name) = name else {
        return Ok(all(targets));
    };
    let mut fitting = vec![];
    for target in targets.iter().filter(|target| target.is_libtest()) {
        let fits = fits(name, target, context);
        let names = target.names(&[INCLUDE_IGNORED], context)?;
        let found = names.into_iter();
        let found = found.filter_map(|test| Some((fits(&test)?, target, test)));
        fitting.extend(found);
    }
    let best = fitting.iter().map(|(fit, ..)| *fit).min();
    fitting.retain(|(fit, ..)| Some(*fit) == best);
    let tests = fitting
        .into_iter()
        .map(|(_, target, test)| (target, test))
        .collect();
    let mut meant = in_targets(tests, targets, context)?;
    let is_called_so = best.is_some_and(|best| best <= Fit::End);
    let own = targets.iter().filter(|target| !target.is_libtest());
    for target in own.filter(|_| !is_called_so) {
        let args = match name {
            TestName::Place { .. } if place_in(name, target, context).is_none() => continue,
            _ => name.for_own_harness(&target.id()).into_iter().collect(),
        };
        let which = Which::OwnHarness(args);
        meant.push(Meant { target, which });
    }
    Ok(meant)
}

/// Selects all tests of all targets.
pub(crate) fn all(targets: &[Target]) -> Vec<Meant<'_>> {
    let which = || Which::All;
    let meant = targets.iter().map(|target| Meant {
        target,
        which: which(),
    });
    meant.collect()
}

/// Makes the offer to reduce a failing test.
pub(crate) fn offer(target: &Target, test: &str, asking: &[&str]) -> Offer {
    let name = match target.is_libtest() {
        true => Some(test),
        false => None,
    };
    let asking: Vec<&str> = asking.iter().copied().chain(name).collect();
    match &target.cargo {
        Some(cargo) => cargo.offer(test, &asking),
        None => Offer {
            what: test.to_owned(),
            words: asking.iter().map(|word| (*word).to_owned()).collect(),
        },
    }
}

/// Makes the error that no test has the name that the user asked for, with the names of the tests that fail.
///
/// # Errors
/// Where they cannot be run.
pub(crate) fn no_such_test(
    name: &TestName,
    targets: &[Target],
    context: &BaselineContext<'_>,
) -> Result<OracleError, OracleError> {
    (context.note)("running all tests, as none has this name");
    let failing = failing(&all(targets), context)?;
    let offers = failing.iter();
    Ok(OracleError::NoSuchTest {
        name: name.to_string(),
        failing: offers
            .map(|(target, test)| offer(target, &test.name, &[]))
            .collect(),
    })
}

/// Returns those of the meant tests that fail where the user has run them: outside of the sandbox, unless all of it
/// was asked for.
///
/// # Errors
/// Where they cannot be run.
pub(crate) fn failing<'t>(
    meant: &[Meant<'t>],
    context: &BaselineContext<'_>,
) -> Result<Vec<(&'t Target, FailingTest)>, OracleError> {
    let mut failing = vec![];
    for Meant { target, which } in meant {
        let tests = match outside::is_comparable(context) {
            true => outside::failing(target, which, context)?,
            false => target.failing(which, context)?.0,
        };
        failing.extend(tests.into_iter().map(|test| (*target, test)));
    }
    Ok(failing)
}

/// Groups tests by their targets, and finds which of them have `#[ignore]`.
fn in_targets<'t>(
    tests: Vec<(&'t Target, String)>,
    targets: &'t [Target],
    context: &BaselineContext<'_>,
) -> Result<Vec<Meant<'t>>, OracleError> {
    let mut listed = vec![];
    for target in targets {
        let own = tests.iter().filter(|(of, _)| std::ptr::eq(*of, target));
        let mut own = own.map(|(_, test)| test).peekable();
        if own.peek().is_none() {
            continue;
        }
        let ignored: BTreeSet<_> = target.names(&[IGNORED], context)?.into_iter().collect();
        let own = own.map(|name| Listed {
            name: name.clone(),
            is_ignored: ignored.contains(name),
        });
        listed.push((target, own.collect::<Vec<_>>()));
    }
    let mut all = listed.iter().flat_map(|(_, tests)| tests);
    if all.any(|test| !test.is_ignored) {
        for (_, tests) in &mut listed {
            tests.retain(|test| !test.is_ignored);
        }
    }
    let listed = listed.into_iter().filter(|(_, tests)| !tests.is_empty());
    let meant = listed.map(|(target, tests)| Meant {
        target,
        which: Which::Tests(tests),
    });
    Ok(meant.collect())
}

/// A function that says how well the user's test name fits a test of this name in a target; `None` where it does not
/// fit.
type Fitting = Box<dyn Fn(&str) -> Option<Fit>>;

/// Makes the function that says how well the user's test name fits the tests of a target.
fn fits(name: &TestName, target: &Target, context: &BaselineContext<'_>) -> Fitting {
    let (id, name) = (target.id(), name.clone());
    if !matches!(name, TestName::Place { .. }) {
        return Box::new(move |test| name.fit(&id, test));
    }
    let Some(function) = place_in(&name, target, context).flatten() else {
        return Box::new(|_| None);
    };
    // Macros make a module of a function with several cases.
    let case = format!("{function}::");
    Box::new(move |test| match ends_with_path(test, &function) {
        true => Some(Fit::End),
        false => test.contains(&case).then_some(Fit::Part),
    })
}

/// Finds the function that stands at a place `FILE:LINE`, if the target has that file.
fn place_in(
    name: &TestName,
    target: &Target,
    context: &BaselineContext<'_>,
) -> Option<Option<String>> {
    let TestName::Place { file, line } = name else {
        return None;
    };
    let inputs = &target.plan.inputs;
    let absolute = normal(&context.user.cwd.join(file));
    let base = context.origin.get();
    let inner = base.and_then(|base| absolute.strip_prefix(base).ok());
    let has = |path: &&Utf8Path| inputs.files.contains(*path);
    let same = inner.filter(has);
    let mut files = inputs.files.iter();
    let found = same.or_else(|| {
        files
            .find(|one| one.ends_with(file))
            .map(|one| one.as_path())
    });
    let text = files::read(&inputs.tree.join(found?)).ok()?;
    Some(context.plain_tests.function_in_line(&text, *line))
}
