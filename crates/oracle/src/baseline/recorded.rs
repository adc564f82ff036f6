//! Turns a compiler call of cargo's that was recorded into a plan.

use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::Compiler;
use crate::error::OracleError;
use crate::plan::{CompilerCall, Plan};
use crate::search::context::reading::{named_files, read_files};
use crate::search::context::{BaselineContext, environment};
use crate::search::original::package_dir;
use crate::search::workspace::wrappers;
use crate::system::snapshot::{Snapshot, joined};
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// Turns a recorded compiler call that was made in the copy of the workspace into a plan.
///
/// # Errors
/// Where it cannot be replayed there.
pub(super) fn plan(
    record: Record,
    snapshot: &Snapshot,
    context: &BaselineContext<'_>,
) -> Result<Plan, OracleError> {
    let mut compiler = compiler(&record, context)?;
    if let Some(command) = wrappers::command(&record, snapshot) {
        match record.code {
            Some(0) => context.remark(&format!(
                "`{command}` has compiled `{}` without calling the compiler; candidates are compiled by the compiler itself",
                args::value(&record.args, "--crate-name").unwrap_or_default(),
            )),
            _ => compiler.command = command,
        }
    }
    let reads = wrappers::reads(&record, context);
    let (record, tree) = in_a_tree(record, snapshot, context)?;
    let mut plan = plan_in(record, tree, compiler, context)?;
    plan.access.reads.extend(reads);
    Ok(plan)
}

/// Turns a recorded compiler call that was made in this tree into a plan.
///
/// # Errors
/// Where it cannot be replayed there.
pub(super) fn plan_in(
    record: Record,
    tree: Utf8PathBuf,
    compiler: Compiler,
    context: &BaselineContext<'_>,
) -> Result<Plan, OracleError> {
    let mut args = args::without_output(&record.args);
    let env = environment::of_call(&record.env, &context.user.vars);
    let cwd = inner(&record.cwd, &tree)?;
    let root = args::root(&args).unwrap_or_default();
    let absolute = normal(&record.cwd.join(root));
    let root = inner(&absolute, &tree)?;
    let reading = read_files(&compiler.path, &args, &env, &record.cwd, context)?;
    let files = match reading {
        Some(reading) => reading.files,
        None => named_files(&absolute, &package_dir(&env, &record.cwd), context),
    };
    let files: BTreeSet<_> = files
        .iter()
        .filter_map(|file| inner(file, &tree).ok())
        .chain(absolute.is_file().then(|| root.clone()))
        .collect();
    if args::value(&args, "--crate-name").is_none() {
        args.insert(
            0,
            format!("--crate-name={}", args::crate_name(&args, &root)),
        );
    }
    let mut plan = context.bare_plan(compiler, tree);
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

/// Returns a path relative to the tree.
fn inner(path: &Utf8Path, tree: &Utf8Path) -> Result<Utf8PathBuf, OracleError> {
    path.strip_prefix(tree)
        .map(Utf8Path::to_owned)
        .map_err(|error| OracleError::Format {
            what: format!("the compiler call: `{path}` is outside its package"),
            source: error.into(),
        })
}

/// Returns the compiler that cargo chose; its configuration may name another than the user would
/// get.
fn compiler(record: &Record, context: &BaselineContext<'_>) -> Result<Compiler, OracleError> {
    let name = Utf8Path::new(&record.program);
    let known = &context.toolchain.compiler;
    if name == known.path {
        return Ok(known.clone());
    }
    let surroundings = Surroundings {
        cwd: record.cwd.clone(),
        vars: record.env.clone(),
        rustc: None,
    };
    let found = Compiler::find(name, &surroundings, context.cancel)?;
    Ok(if found.path == known.path {
        known.clone()
    } else {
        found
    })
}

/// Makes sure that the crate of a recorded call lies in a tree, and returns that tree. A package outside the
/// workspace, such as a dependency from a registry, gets a copy of itself as its tree.
fn in_a_tree(
    record: Record,
    snapshot: &Snapshot,
    context: &BaselineContext<'_>,
) -> Result<(Record, Utf8PathBuf), OracleError> {
    if record.cwd.starts_with(&snapshot.tree) {
        context.note_origin(&snapshot.base);
        return Ok((record, snapshot.tree.clone()));
    }
    let dir = package_dir(&record.env, &record.cwd);
    let tree = context.scratch.join("package");
    Snapshot::take(vec![dir.clone()], tree.clone(), &BTreeSet::new())?;
    context.note_origin(&dir);
    let cwd = record
        .cwd
        .strip_prefix(&dir)
        .map_or_else(|_| tree.clone(), |inner| joined(&tree, inner));
    let record = record.moved(&dir, &tree);
    Ok((Record { cwd, ..record }, tree))
}
