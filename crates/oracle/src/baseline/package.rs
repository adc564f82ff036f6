//! The compiler call for a package: cargo is run on a copy of the workspace, with a wrapper that
//! records how it calls the compiler.

use super::companions;
use super::elsewhere::Selected;
use super::first::{replay, replay_first};
use super::replay::Replayed;
use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::compiler::target::{PackageInput, Surroundings};
use crate::compiler::toolchain::Compiler;
use crate::error::OracleError;
use crate::failures::failure::{Failure, Package};
use crate::plan::{CompilerCall, Plan};
use crate::search::original::{Call, package_dir};
use crate::search::setting::reading::read_files;
use crate::search::setting::{Setting, environment};
use crate::search::workspace::{Compiling, Workspace};
use crate::system::files::normal;
use crate::system::snapshot::{Snapshot, all_files, joined};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// Finds the call that fails, and replays it.
pub(super) fn find_failure(
    failure: &dyn Failure,
    input: &PackageInput,
    setting: &Setting<'_>,
) -> Result<Replayed, OracleError> {
    let workspace = Workspace::find(input, setting)?;
    let wanted = &setting.wanted;
    if workspace.may_read_any_variable(setting) || wanted.needs_no_call {
        setting.variables.note_any();
    }
    let snapshot = workspace.copy(setting)?;
    let package = Package {
        workspace: &workspace,
        input,
        snapshot: &snapshot,
    };
    if wanted.shows_in_cargo {
        return find_crash(&package, setting);
    }
    if let Some(plan) = failure.plan_of_package(&package, setting)? {
        return companions::add(replay(plan, None, setting)?, None, setting);
    }
    find_call(failure, &package, setting)
}

/// Finds the call that crashes while cargo compiles.
fn find_crash(package: &Package<'_>, setting: &Setting<'_>) -> Result<Replayed, OracleError> {
    let Package {
        workspace,
        input,
        snapshot,
    } = *package;
    let record = workspace.find_crash(input, snapshot, setting)?;
    let verb: &[&str] = match args::generates_code(&record.args) {
        true => &["build"],
        false => &["check"],
    };
    let found = replay(plan(record, snapshot, setting)?, None, setting)?;
    companions::add(found, Some(&selected(package, verb)), setting)
}

/// Finds the call that fails among those that cargo makes.
fn find_call(
    failure: &dyn Failure,
    package: &Package<'_>,
    setting: &Setting<'_>,
) -> Result<Replayed, OracleError> {
    let has_own_tool = setting.wanted.has_own_tool;
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
    let compiling = match setting.wanted.executes {
        true => Compiling::MustSucceed,
        false => Compiling::MayFail,
    };
    let mut first_error = None;
    for verb in setting.wanted.verbs {
        let snapshot = package.snapshot;
        let records = package
            .workspace
            .calls(verb, compiling, &input, snapshot, setting)?;
        let calls = records.into_iter().map(|record| {
            let executable = args::executable(&record.args, &record.cwd);
            let plan = plan(record, snapshot, setting)?;
            let plan = failure.with_tool(plan, &for_tool, setting)?;
            Ok(Call { plan, executable })
        });
        let calls = with_programs(calls.collect::<Result<_, OracleError>>()?, setting)?;
        match replay_first(failure, calls, setting) {
            Err(error @ OracleError::NoFailure { .. }) => {
                first_error = first_error.or(Some(error));
            }
            found => return companions::add(found?, Some(&selected(package, verb)), setting),
        }
    }
    Err(first_error.expect("there is a verb for each goal"))
}

/// What cargo compiles of the package by a verb.
fn selected<'a>(package: &Package<'a>, verb: &'a [&'a str]) -> Selected<'a> {
    Selected {
        input: package.input,
        snapshot: package.snapshot,
        root: package.workspace.root(),
        verb,
    }
}

/// Where programs are run, those of the calls that make one.
///
/// # Errors
/// [`OracleError::NoTarget`] where none does: a library is not run.
fn with_programs(calls: Vec<Call>, setting: &Setting<'_>) -> Result<Vec<Call>, OracleError> {
    if !setting.wanted.executes {
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

fn plan(record: Record, snapshot: &Snapshot, setting: &Setting<'_>) -> Result<Plan, OracleError> {
    let compiler = compiler(&record, setting)?;
    let (record, tree) = in_a_tree(record, snapshot, setting)?;
    let mut args = args::without_output(&record.args);
    let env = environment::of_call(&record.env, &setting.user.vars);
    let cwd = inner(&record.cwd, &tree)?;
    let root = args::root(&args).unwrap_or_default();
    let root = inner(&normal(&record.cwd.join(root)), &tree)?;
    let reading = read_files(&compiler.path, &args, &env, &record.cwd, setting)?;
    let files = reading.map(|reading| reading.files).unwrap_or_default();
    let mut files: BTreeSet<_> = files
        .iter()
        .filter_map(|file| inner(file, &tree).ok())
        .collect();
    if files.is_empty() {
        files = all_files(&package_dir(&env, &record.cwd), &tree)?;
    }
    if args::value(&args, "--crate-name").is_none() {
        args.insert(
            0,
            format!("--crate-name={}", args::crate_name(&args, &root)),
        );
    }
    let mut plan = setting.bare_plan(compiler, tree);
    plan.call = CompilerCall {
        crate_name: args::crate_name(&args, &root),
        edition: args::edition(&args),
        args,
        env,
        cwd,
        root,
        ..plan.call
    };
    plan.inputs.files = files;
    Ok(plan)
}

/// A path relative to the tree.
fn inner(path: &Utf8Path, tree: &Utf8Path) -> Result<Utf8PathBuf, OracleError> {
    path.strip_prefix(tree)
        .map(Utf8Path::to_owned)
        .map_err(|error| OracleError::Format {
            what: format!("the compiler call: `{path}` is outside its package"),
            source: error.into(),
        })
}

/// The compiler that cargo chose; its configuration may name another than the user would get.
fn compiler(record: &Record, setting: &Setting<'_>) -> Result<Compiler, OracleError> {
    let name = Utf8Path::new(&record.program);
    let known = &setting.toolchain.compiler;
    if name == known.path {
        return Ok(known.clone());
    }
    let surroundings = Surroundings {
        cwd: record.cwd.clone(),
        vars: record.env.clone(),
        rustc: None,
    };
    let found = Compiler::find(name, &surroundings, setting.cancel)?;
    Ok(if found.path == known.path {
        known.clone()
    } else {
        found
    })
}

/// A call for a package outside the workspace, such as a dependency from a registry, gets a copy
/// of that package as its tree.
fn in_a_tree(
    record: Record,
    snapshot: &Snapshot,
    setting: &Setting<'_>,
) -> Result<(Record, Utf8PathBuf), OracleError> {
    if record.cwd.starts_with(&snapshot.tree) {
        setting.note_origin(&snapshot.base);
        return Ok((record, snapshot.tree.clone()));
    }
    let dir = package_dir(&record.env, &record.cwd);
    let tree = setting.scratch.join("package");
    Snapshot::take(vec![dir.clone()], tree.clone(), &BTreeSet::new())?;
    setting.note_origin(&dir);
    let cwd = record
        .cwd
        .strip_prefix(&dir)
        .map_or_else(|_| tree.clone(), |inner| joined(&tree, inner));
    let record = record.moved(&dir, &tree);
    Ok((Record { cwd, ..record }, tree))
}
