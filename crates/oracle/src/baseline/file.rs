//! Finds the compiler call by which a single file fails: rustc with the user's arguments.

use super::companions;
use super::file_call::{args_of, environment_of};
use super::first::replay_first;
use super::linked_files;
use super::replay::Replayed;
use crate::compiler::args;
use crate::compiler::target::FileInput;
use crate::error::OracleError;
use crate::failures::failure::Failure;
use crate::plan::{CompilerCall, Plan, Sources};
use crate::search::context::BaselineContext;
use crate::search::context::reading::{Reading, named_files, read_files};
use crate::search::original::Call;
use crate::search::original::data_files::data_files;
use crate::signature::Signature;
use crate::system::files;
use crate::system::snapshot::common_ancestor;
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// The remark for the user about a file that is no program.
const IS_LIBRARY: &str = "the file has no `main`: it is compiled as a library, `--crate-type lib`";
/// The compiler's error for a program without `main`.
pub(super) const NO_MAIN: &str = "E0601";

/// Finds how a file fails, and replays the failing compiler call. A file without `main` that does not fail as it is,
/// or for that alone, is tried as a library, and kept as one if it fails so.
pub(super) fn find_failure(
    failure: &dyn Failure,
    input: &FileInput,
    context: &BaselineContext<'_>,
) -> Result<Replayed, OracleError> {
    let plan = call(input, Naming::Asked, context)?;
    let found = match replay_alone(failure, plan.clone(), context) {
        Err(error @ OracleError::NoFailure { .. }) => match without_main(&plan, context)? {
            Some(library) => {
                context.remark(IS_LIBRARY);
                replay_alone(failure, library, context)?
            }
            None => return Err(error),
        },
        found => found?,
    };
    let found = match is_for_lack_of_main(&found.property.signature) {
        true => as_library_if_it_fails(failure, &plan, context)?.unwrap_or(found),
        false => found,
    };
    companions::add(found, None, context)
}

fn replay_alone(
    failure: &dyn Failure,
    plan: Plan,
    context: &BaselineContext<'_>,
) -> Result<Replayed, OracleError> {
    let call = Call {
        plan,
        executable: None,
        target: None,
    };
    replay_first(failure, vec![call], context)
}

/// Returns the plan that compiles the file as a library, if the file lacks a `main`, nothing of it is to be run and
/// the user has said no crate type.
fn without_main(plan: &Plan, context: &BaselineContext<'_>) -> Result<Option<Plan>, OracleError> {
    if !may_be_library(plan, context) {
        return Ok(None);
    }
    let (seen, _) = context
        .worker(plan)?
        .observe(plan, &Sources::new(), context.cancel)?;
    context.count(1);
    let lacks_main = seen.errors.iter().any(|error| error == NO_MAIN);
    Ok(lacks_main.then(|| as_library(plan, context)).flatten())
}

/// Whether a file may be compiled as a library: nothing of it is to be run, and the user has said no crate type.
fn may_be_library(plan: &Plan, context: &BaselineContext<'_>) -> bool {
    let is_said = args::value(&plan.call.args, "--crate-type").is_some();
    !is_said && !context.wanted.executes
}

/// Returns the plan that compiles the file as a library, if that is allowed.
pub(super) fn as_library(plan: &Plan, context: &BaselineContext<'_>) -> Option<Plan> {
    let library = args::as_library(&plan.call.args).filter(|_| may_be_library(plan, context))?;
    Some(plan.with_args(library))
}

/// Compiles the file as a library, and replays its failure. `None` if it does not fail as one.
fn as_library_if_it_fails(
    failure: &dyn Failure,
    plan: &Plan,
    context: &BaselineContext<'_>,
) -> Result<Option<Replayed>, OracleError> {
    let Some(library) = as_library(plan, context) else {
        return Ok(None);
    };
    match replay_alone(failure, library, context) {
        Err(OracleError::NoFailure { .. }) => Ok(None),
        found => {
            context.remark(IS_LIBRARY);
            found.map(Some)
        }
    }
}

/// Whether the compiler crashes at the error that there is no `main`, as `-Ztreat-err-as-bug` has it.
pub(super) fn is_for_lack_of_main(signature: &Signature) -> bool {
    signature.message.starts_with(&format!("[{NO_MAIN}] "))
}

/// The way to find out which files and variables a file reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// The compiler is asked.
    Asked,
    /// The compiler is asked only about a file that names others, or reads variables, as far as its text tells.
    AskedIfNeeded,
}

/// Makes the plan for a file, in a tree that holds a copy of all files that it consists of.
pub(super) fn call(
    input: &FileInput,
    naming: Naming,
    context: &BaselineContext<'_>,
) -> Result<Plan, OracleError> {
    let path = match &input.text {
        Some(text) => written(text, input, context)?,
        None => normal(&context.user.cwd.join(&input.path)),
    };
    std::fs::File::open(&path).map_err(OracleError::io("open", &path))?;
    let mut args = args_of(input, context)?;
    args.extend(linked_files::compile(input, context)?);
    let mut reading = match alone(&path, naming, context) {
        Some(alone) => alone,
        None => reading(&path, &args, &environment_of(input, &[], context), context)?,
    };
    if context.wanted.executes {
        let cwd = &context.user.cwd;
        let hidden = context.private.hidden_in(cwd);
        let data = data_files(reading.files.iter().cloned(), cwd, &hidden);
        reading.files.extend(data);
    }
    let tree = context.snapshot();
    let base = base(&path, &reading.files);
    context.note_origin(&base);
    let (root, files) = copy(&path, &reading.files, &base, &tree)?;
    let elsewhere = reading.files.iter().cloned();
    args.push(root.to_string());
    let mut plan = context.bare_plan(context.toolchain.compiler.clone(), tree);
    plan.call = CompilerCall {
        crate_name: args::crate_name(&args, &root),
        edition: args::edition(&args),
        args,
        env: environment_of(input, &reading.vars, context),
        root,
        ..plan.call
    };
    plan.inputs.files = files;
    plan.access.reads = elsewhere.chain([context.scratch.clone()]).collect();
    Ok(plan)
}

/// Writes a program that was read from standard input to a file of the name that it should have.
fn written(
    text: &str,
    input: &FileInput,
    context: &BaselineContext<'_>,
) -> Result<Utf8PathBuf, OracleError> {
    let directory = context.scratch.join("standard-input");
    let path = directory.join(input.path.file_name().unwrap_or("stdin.rs"));
    files::make_empty(&directory)?;
    files::write(&path, text)?;
    Ok(path)
}

/// Returns the reading of a file that reads nothing but itself, as far as its text tells. `None` where the compiler has to be asked.
fn alone(path: &Utf8Path, naming: Naming, context: &BaselineContext<'_>) -> Option<Reading> {
    let text = std::fs::read_to_string(path).ok()?;
    // `option_env!` ends like `env!`.
    if naming == Naming::Asked || text.contains("env!") {
        return None;
    }
    let files = named_files(path, path.parent().unwrap_or(path), context);
    let vars = Vec::new();
    (files == BTreeSet::from([path.to_owned()])).then_some(Reading { files, vars })
}

/// Lists the files that the compiler says it reads, or else those that the file names.
fn reading(
    path: &Utf8Path,
    args: &[String],
    env: &BTreeMap<String, String>,
    context: &BaselineContext<'_>,
) -> Result<Reading, OracleError> {
    let mut args = args.to_vec();
    args.push(path.to_string());
    let compiler = &context.toolchain.compiler.path;
    let reading = read_files(compiler, &args, env, &context.user.cwd, context)?;
    Ok(reading.unwrap_or_else(|| Reading {
        files: named_files(path, path.parent().unwrap_or(path), context),
        vars: vec![],
    }))
}

/// Returns the deepest directory that contains the crate root and all files that share more than `/` with its path.
fn base(root: &Utf8Path, files: &BTreeSet<Utf8PathBuf>) -> Utf8PathBuf {
    let home = root.parent().unwrap_or(root);
    let first = |path: &Utf8Path| path.components().nth(1).map(|c| c.as_str().to_owned());
    let dirs = files.iter().filter_map(|file| file.parent());
    let near: Vec<_> = dirs
        .filter(|dir| dir.starts_with(home) || first(dir) == first(home))
        .collect();
    let dirs: Vec<Utf8PathBuf> = near
        .into_iter()
        .chain([home])
        .map(Utf8Path::to_owned)
        .collect();
    common_ancestor(&dirs)
}

/// Copies the files below `base` to `tree`; returns the root and all files relative to it. Other
/// files are read where they are.
fn copy(
    root: &Utf8Path,
    files: &BTreeSet<Utf8PathBuf>,
    base: &Utf8Path,
    tree: &Utf8Path,
) -> Result<(Utf8PathBuf, BTreeSet<Utf8PathBuf>), OracleError> {
    files::make_empty(tree)?;
    let mut copied = BTreeSet::new();
    for file in files {
        if let Ok(inner) = file.strip_prefix(base) {
            files::copy(file, &tree.join(inner))?;
            copied.insert(inner.to_owned());
        }
    }
    let root = root.strip_prefix(base).unwrap_or(root).to_owned();
    Ok((root, copied))
}
