//! The compiler call for a package: cargo is run on a copy of the workspace, with a wrapper that
//! records how it calls the compiler.

mod cargo;

pub(super) use cargo::tail;

use super::Setting;
use super::environment;
use super::file::crate_name;
use super::reading::read_files;
use crate::args;
use crate::capture::Record;
use crate::error::OracleError;
use crate::files::normal;
use crate::plan::{ErrorFormat, Plan};
use crate::snapshot::{Snapshot, all_files, joined};
use crate::target::{PackageInput, Surroundings};
use crate::toolchain::Compiler;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// Finds the call that crashes and makes a plan of it.
pub(super) fn find_call(input: &PackageInput, setting: &Setting<'_>) -> Result<Plan, OracleError> {
    let workspace = cargo::Workspace::find(input, setting)?;
    let snapshot = workspace.copy(setting)?;
    let record = workspace.find_crash(input, &snapshot, setting)?;
    plan(record, &snapshot, setting)
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
        compiler,
        args,
        env,
        tree,
        cwd,
        root,
        files,
        error_format: ErrorFormat::Json,
        limits: setting.options.limits,
        repeat: setting.options.repeat.max(1),
        rung: None,
        auxiliaries: Vec::new(),
        contents: Default::default(),
        dependencies: Default::default(),
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
        return Ok((record, snapshot.tree.clone()));
    }
    let dir = package_dir(&record.env, &record.cwd);
    let tree = setting.scratch.join("package");
    Snapshot::take(vec![dir.clone()], tree.clone(), &BTreeSet::new())?;
    let cwd = record
        .cwd
        .strip_prefix(&dir)
        .map_or_else(|_| tree.clone(), |inner| joined(&tree, inner));
    let record = record.moved(&dir, &tree);
    Ok((Record { cwd, ..record }, tree))
}
