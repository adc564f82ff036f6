//! Finds the compiler call by which a package fails: cargo is run on a copy of the workspace, with a wrapper that
//! records how it calls the compiler.

use super::companions;
use super::elsewhere::Selected;
use super::first::{replay, replay_first};
use super::recorded;
use super::replay::Replayed;
use super::test_package::{TestPackage, makes_tests};
use crate::compiler::args;
use crate::compiler::target::{PackageInput, TargetSelection};
use crate::error::OracleError;
use crate::failures::doc_test;
use crate::failures::failure::{Failure, Package};
use crate::plan::programs::{self, Programs};
use crate::search::context::BaselineContext;
use crate::search::original::Call;
use crate::search::workspace::{Compiling, Workspace};

/// Finds the failing compiler call of a package, and replays it. Returns also the package, for cargo to build it
/// again.
pub(super) fn find_failure(
    failure: &dyn Failure,
    input: &PackageInput,
    context: &BaselineContext<'_>,
) -> Result<(Replayed, TestPackage), OracleError> {
    let workspace = Workspace::find(input, context)?;
    let wanted = &context.wanted;
    if workspace.may_read_any_variable(context) || wanted.needs_no_call {
        context.variables.note_any();
    }
    let snapshot = workspace.copy(context)?;
    let package = Package {
        workspace: &workspace,
        input,
        snapshot: &snapshot,
    };
    let prepared = match failure.prepare(&package, context)? {
        None if input.target == TargetSelection::Doc => {
            Some(doc_test::write_uncompiled(failure, &package, context)?)
        }
        prepared => prepared,
    };
    let package = Package {
        input: prepared.as_ref().unwrap_or(input),
        ..package
    };
    let (replayed, calls) = find_in(failure, &package, context)?;
    let input = package.input.clone();
    let package = TestPackage::new(workspace, snapshot, input, calls);
    Ok((replayed, package))
}

/// Finds and replays the failing compiler call of a package; returns also the calls that make programs which may
/// fail.
fn find_in(
    failure: &dyn Failure,
    package: &Package<'_>,
    context: &BaselineContext<'_>,
) -> Result<(Replayed, Vec<Call>), OracleError> {
    let without_calls = |replayed| (replayed, Vec::new());
    if context.wanted.shows_in_cargo {
        return find_crash(package, context).map(without_calls);
    }
    if let Some(plan) = failure.plan_of_package(package, context)? {
        let replayed = replay(plan, None, context)?;
        return companions::add(replayed, None, context).map(without_calls);
    }
    find_call(failure, package, context)
}

/// Finds and replays the compiler call that crashes while cargo compiles a package.
fn find_crash(
    package: &Package<'_>,
    context: &BaselineContext<'_>,
) -> Result<Replayed, OracleError> {
    let Package {
        workspace,
        input,
        snapshot,
    } = *package;
    let record = workspace.find_crash(input, snapshot, context)?;
    let verb: &[&str] = match args::generates_code(&record.args) {
        true => &["build"],
        false => &["check"],
    };
    let found = replay(recorded::plan(record, snapshot, context)?, None, context)?;
    companions::add(found, Some(&selected(package, verb)), context)
}

/// Finds and replays the call that fails among the compiler calls that cargo makes.
fn find_call(
    failure: &dyn Failure,
    package: &Package<'_>,
    context: &BaselineContext<'_>,
) -> Result<(Replayed, Vec<Call>), OracleError> {
    let has_own_tool = context.wanted.has_own_tool;
    let for_tool = package.input.rustc_args.clone();
    let mut input = package.input.clone();
    if has_own_tool {
        // rustc does not take what is meant for another tool.
        input.rustc_args.clear();
    }
    let package = &Package {
        input: &input,
        ..*package
    };
    let compiling = match context.wanted.executes {
        true => Compiling::MustSucceed,
        false => Compiling::MayFail,
    };
    let mut first_error = None;
    for verb in context.wanted.verbs {
        let snapshot = package.snapshot;
        let records = package
            .workspace
            .calls(verb, compiling, &input, snapshot, context)?;
        let calls = records.into_iter().map(|record| {
            let executable = args::executable(&record.args, &record.cwd);
            let mut plan = recorded::plan(record, snapshot, context)?;
            let test = executable.as_deref().filter(|_| makes_tests(&plan));
            plan.inputs.programs = test.map_or_else(|| Ok(Programs::new()), programs::beside)?;
            let plan = failure.with_tool(plan, &for_tool, context)?;
            let target = package.cargo_target(&plan);
            Ok(Call {
                plan,
                executable,
                target,
            })
        });
        let calls = with_programs(calls.collect::<Result<_, OracleError>>()?, context)?;
        match replay_first(failure, calls.clone(), context) {
            Err(error @ OracleError::NoFailure { .. }) => {
                first_error = first_error.or(Some(error));
            }
            found => {
                let selected = selected(package, verb);
                let replayed = companions::add(found?, Some(&selected), context)?;
                return Ok((replayed, calls));
            }
        }
    }
    Err(first_error.expect("there is a verb for each goal"))
}

/// Returns the selected packages and targets, as cargo compiles them by a verb.
fn selected<'a>(package: &Package<'a>, verb: &'a [&'a str]) -> Selected<'a> {
    Selected {
        input: package.input,
        snapshot: package.snapshot,
        workspace: package.workspace,
        verb,
    }
}

/// Removes the compiler calls that make no program, if candidates are to be run.
///
/// # Errors
/// [`OracleError::NoTarget`] where none does: a library is not run.
fn with_programs(
    calls: Vec<Call>,
    context: &BaselineContext<'_>,
) -> Result<Vec<Call>, OracleError> {
    if !context.wanted.executes {
        return Ok(calls);
    }
    let programs = calls.into_iter().filter(|call| call.executable.is_some());
    match programs.collect::<Vec<_>>() {
        programs if programs.is_empty() => Err(OracleError::NoTarget {
            what: "a program",
            known: vec![],
        }),
        programs => Ok(programs),
    }
}
