//! The compiler call for a package: cargo is run on a copy of the workspace, with a wrapper that
//! records how it calls the compiler.

mod cargo;
mod elsewhere;

use cargo::Compiling;
pub(super) use cargo::{Workspace, selection, tail};
pub(super) use elsewhere::Selected;

use super::Setting;
use super::checks;
use super::commands;
use super::companions;
use super::environment;
use super::file::crate_name;
use super::reading::read_files;
use super::replay::Replayed;
use crate::args;
use crate::capture::Record;
use crate::error::OracleError;
use crate::files::normal;
use crate::goal::Goal;
use crate::plan::Plan;
use crate::snapshot::{Snapshot, all_files, joined};
use crate::target::{PackageInput, Surroundings};
use crate::toolchain::Compiler;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// A call of cargo's, as a plan.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) plan: Plan,
    /// What it was linked to by cargo, if it was.
    pub(super) executable: Option<Utf8PathBuf>,
}

/// Finds the call that fails, and replays it.
pub(super) fn find_failure(
    input: &PackageInput,
    setting: &Setting<'_>,
) -> Result<Replayed, OracleError> {
    let workspace = cargo::Workspace::find(input, setting)?;
    if workspace.may_read_any_variable(setting) || commands::serves(&setting.options.goal) {
        setting.variables.note_any();
    }
    let snapshot = workspace.copy(setting)?;
    let snapshot = &snapshot;
    let selected = |verb| Selected {
        input,
        snapshot,
        verb,
    };
    if setting.options.goal == Goal::Ice {
        let record = workspace.find_crash(input, snapshot, setting)?;
        let verb: &[&str] = match args::generates_code(&record.args) {
            true => &["build"],
            false => &["check"],
        };
        let found = checks::replay(plan(record, snapshot, setting)?, None, setting)?;
        return companions::add(found, Some(&selected(verb)), setting);
    }
    if commands::serves(&setting.options.goal) {
        let found = commands::find(&workspace, input, snapshot, setting)?;
        return companions::add(found, None, setting);
    }
    let of_rustdoc = setting.options.goal == Goal::Rustdoc;
    let for_rustdoc = input.rustc_args.clone();
    let input = &match of_rustdoc {
        // rustc does not take what is meant for rustdoc.
        true => PackageInput {
            rustc_args: vec![],
            ..input.clone()
        },
        false => input.clone(),
    };
    let compiling = match setting.options.goal.executes() {
        true => Compiling::MustSucceed,
        false => Compiling::MayFail,
    };
    let mut failure = None;
    for verb in checks::verbs(&setting.options.goal) {
        let records = workspace.calls(verb, compiling, input, snapshot, setting)?;
        let calls = records.into_iter().map(|record| {
            let executable = args::executable(&record.args, &record.cwd);
            let mut plan = plan(record, snapshot, setting)?;
            if of_rustdoc {
                plan = commands::documented(plan, &for_rustdoc, setting)?;
            }
            Ok(Call { plan, executable })
        });
        let calls = with_programs(calls.collect::<Result<_, OracleError>>()?, setting)?;
        match checks::replay_first(calls, setting) {
            Err(error @ OracleError::NoFailure { .. }) => failure = failure.or(Some(error)),
            found => return companions::add(found?, Some(&selected(verb)), setting),
        }
    }
    Err(failure.expect("there is a verb for each goal"))
}

/// Where programs are run, those of the calls that make one.
///
/// # Errors
/// [`OracleError::NoTarget`] where none does: a library is not run.
fn with_programs(calls: Vec<Call>, setting: &Setting<'_>) -> Result<Vec<Call>, OracleError> {
    if !setting.options.goal.executes() {
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
        args.insert(0, format!("--crate-name={}", crate_name(&args, &root)));
    }
    Ok(Plan {
        crate_name: crate_name(&args, &root),
        edition: args::edition(&args),
        args,
        env,
        cwd,
        root,
        files,
        ..setting.bare_plan(compiler, tree)
    })
}

/// The package's own directory.
pub(super) fn package_dir(
    env: &std::collections::BTreeMap<String, String>,
    cwd: &Utf8Path,
) -> Utf8PathBuf {
    env.get("CARGO_MANIFEST_DIR")
        .map_or_else(|| cwd.to_owned(), Utf8PathBuf::from)
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
