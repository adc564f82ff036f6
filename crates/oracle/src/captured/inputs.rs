//! Finds the files that a compiler call reads: the compiler lists them itself, unless it crashes before it can. Where it
//! does not, they are what the last call said, or all that lies in the package.

use super::invocation::Compilation;
use crate::compiler::args::{dependency_directories, extern_files, with_emit, without_output};
use crate::compiler::toolchain::Compiler;
use crate::error::OracleError;
use crate::plan::is_compiled;
use crate::search::context::environment;
use crate::search::context::reading::{Reading, parse};
use crate::search::original::package_dir;
use crate::system::files;
use crate::system::process::{Bounds, Invocation, run};
use crate::system::snapshot::all_files;
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

type Vars = BTreeMap<String, String>;

/// The time that the compiler may take to say what it reads.
const DEADLINE: Duration = Duration::from_secs(120);
/// The limit of what the compiler may print, in bytes.
const MOST_OUTPUT: usize = 1 << 20;

/// The files, compiled crates and variables that a compiler call reads.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// The sources and the files that they include, absolute.
    pub(super) files: BTreeSet<Utf8PathBuf>,
    /// The compiled crates, without those that come with the compiler, absolute.
    pub(super) dependencies: BTreeSet<Utf8PathBuf>,
    /// The environment variables that the sources name.
    pub(super) named: Vec<String>,
}

/// Finds the files that a call reads. `scratch` is an empty directory.
///
/// # Errors
/// Where our own files cannot be written.
pub(super) fn inputs(
    call: &Compilation,
    compiler: &Compiler,
    env: &Vars,
    scratch: &Utf8Path,
) -> Result<Inputs, OracleError> {
    let said = asked(call, compiler, env, scratch)?;
    let sysroots = sysroots(compiler);
    let known = said.unwrap_or_default();
    let (compiled, mut files): (BTreeSet<_>, BTreeSet<_>) =
        known.files.into_iter().partition(|path| is_compiled(path));
    let mut dependencies: BTreeSet<_> = compiled
        .into_iter()
        .filter(|path| !sysroots.iter().any(|root| path.starts_with(root)))
        .collect();
    if files.is_empty() {
        files = known_of_old(call).unwrap_or_else(|| all_of_package(call, env));
        dependencies = all_that_may_be_linked(call);
    }
    dependencies.extend(
        extern_files(&call.args)
            .iter()
            .map(|path| normal(&call.cwd.join(path))),
    );
    files.insert(call.root.clone());
    let is_there = |path: &Utf8PathBuf| path.is_file();
    Ok(Inputs {
        files: files.into_iter().filter(is_there).collect(),
        dependencies: dependencies.into_iter().filter(is_there).collect(),
        named: known.vars,
    })
}

/// Returns the directories of the compiler's own crates, by all names: a toolchain may be a link to another one.
fn sysroots(compiler: &Compiler) -> Vec<Utf8PathBuf> {
    let named = compiler.sysroot.iter().cloned();
    let real = named
        .clone()
        .filter_map(|root| root.canonicalize_utf8().ok());
    named.chain(real).collect()
}

/// Asks the compiler which files the call reads. `RUSTC_BOOTSTRAP` lets it name compiled crates too.
fn asked(
    call: &Compilation,
    compiler: &Compiler,
    env: &Vars,
    scratch: &Utf8Path,
) -> Result<Option<Reading>, OracleError> {
    let target = scratch.join("files.d");
    let mut args = with_emit(&without_output(&call.args), &format!("dep-info={target}"));
    args.push("-Zbinary-dep-depinfo".to_owned());
    let mut env = env.clone();
    env.insert("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned());
    env.insert("RUSTC_ICE".to_owned(), "0".to_owned());
    run(
        &Invocation {
            program: &compiler.path,
            args: &args,
            env: &env,
            dir: &call.cwd,
            bounds: Bounds::of_time(DEADLINE, MOST_OUTPUT),
            confinement: None,
        },
        &cancel()?,
    )?;
    let text = std::fs::read_to_string(&target).ok();
    let reading = text.map(|text| parse(&text, &call.cwd));
    Ok(reading.filter(|reading| !reading.files.is_empty()))
}

/// Makes a cancellation that never comes: nobody cancels what a wrapper does.
///
/// # Errors
/// Where there are no descriptors left.
pub(super) fn cancel() -> Result<Cancel, OracleError> {
    Cancel::new().map_err(OracleError::io("prepare", Utf8Path::new("a pipe")))
}

/// Returns the files that an earlier call of the same crate has listed in its dep-info file.
fn known_of_old(call: &Compilation) -> Option<BTreeSet<Utf8PathBuf>> {
    let text = files::read(&call.dep_info()?).ok()?;
    Some(parse(&text, &call.cwd).files).filter(|files| !files.is_empty())
}

/// Returns the sources of the package, and what a build script has made.
fn all_of_package(call: &Compilation, env: &Vars) -> BTreeSet<Utf8PathBuf> {
    let package = package_dir(env, call.root.parent().unwrap_or(&call.cwd));
    let root = Utf8Path::new("/");
    let is_source = |path: &Utf8PathBuf| path.extension() == Some("rs");
    let sources = all_files(&package, root).unwrap_or_default();
    let made = env
        .get("OUT_DIR")
        .map(|dir| all_files(Utf8Path::new(dir), root));
    let made = made.and_then(Result::ok).unwrap_or_default();
    let sources = sources.into_iter().filter(is_source);
    sources.chain(made).map(|path| root.join(path)).collect()
}

fn all_that_may_be_linked(call: &Compilation) -> BTreeSet<Utf8PathBuf> {
    let directories = dependency_directories(&call.args).into_iter();
    let entries = directories
        .flat_map(|dir| files::entries(&call.cwd.join(dir)).unwrap_or_default())
        .map(camino::Utf8DirEntry::into_path);
    entries.filter(|path| is_compiled(path)).collect()
}

/// Returns the variables that are kept of a call: what cargo and build scripts have set for it, what decides what a
/// compiler does, and what the sources name. What is secret by its name is not.
pub(super) fn kept_variables(env: &Vars, named: &[String]) -> Vars {
    let kept = env.iter().filter(|(name, _)| {
        let is_named = named.iter().any(|one| one == *name);
        (is_named || environment::is_of_compilation(name)) && !environment::is_secret(name)
    });
    kept.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_never_kept_even_where_the_sources_name_them() {
        let names = [
            "CARGO_PKG_NAME",
            "CARGO_REGISTRY_TOKEN",
            "CARGO_REGISTRIES_OWN_TOKEN",
            "CARGO_MAKEFLAGS",
            "GREETING",
            "MY_SECRET",
            "AWS_ACCESS_KEY_ID",
            "OUT_DIR",
            "RUSTFLAGS",
            "RUSTC_BOOTSTRAP",
            "SSH_AUTH_SOCK",
        ];
        let env = names.map(|name| (name.to_owned(), "x".to_owned())).into();
        let named = ["GREETING", "MY_SECRET"].map(str::to_owned);
        let kept = kept_variables(&env, &named);
        let kept: Vec<&str> = kept.keys().map(String::as_str).collect();
        let expected = [
            "CARGO_PKG_NAME",
            "GREETING",
            "OUT_DIR",
            "RUSTC_BOOTSTRAP",
            "RUSTFLAGS",
        ];
        assert_eq!(kept, expected);
    }
}
