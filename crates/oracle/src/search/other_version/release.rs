//! Gets published versions by cargo: of the package itself, or of one of its dependencies.

use super::refusal::Refusal;
use crate::compiler::toolchain::run_quickly;
use crate::error::OracleError;
use crate::search::context::{BaselineContext, environment};
use crate::search::workspace::Workspace;
use crate::system::files;
use crate::system::process::{Ending, Outcome};
use crate::system::snapshot::Snapshot;
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Metadata, MetadataCommand};
use toml_edit::{DocumentMut, Item, value};

/// Returns the directory in which cargo keeps the sources of a published package. For this, cargo resolves
/// an empty package in `scratch` that depends on it, and nothing is compiled.
pub(super) fn find(
    package: &str,
    number: &str,
    scratch: &Utf8Path,
    context: &BaselineContext<'_>,
) -> Result<Result<Utf8PathBuf, Refusal>, OracleError> {
    files::make_empty(scratch)?;
    let manifest = scratch.join("Cargo.toml");
    files::write(&manifest, &manifest_for(package, number))?;
    files::write(&scratch.join("src/lib.rs"), "")?;
    let outcome = metadata(&manifest, context)?;
    if outcome.ending != Ending::Exited(0) {
        return Ok(Err(Refusal {
            reason: format!("cargo does not get it ({})", first_error(&outcome.stderr)),
            hint: "`=1.2.3` is a published version of the package that is reduced; else give a revision of git, \
                   or a path with a `/` in it",
        }));
    }
    let resolved = parsed(outcome)?;
    let mut packages = resolved.packages.iter();
    let found = packages.find(|one| one.name == package && one.version.to_string() == number);
    let directory = found.and_then(|one| one.manifest_path.parent());
    Ok(directory.map(Utf8Path::to_owned).ok_or_else(|| Refusal {
        reason: "cargo gets another version".to_owned(),
        hint: "give the whole number of the version, such as `=1.2.3`",
    }))
}

fn manifest_for(package: &str, number: &str) -> String {
    format!(
        "[package]\nname = \"asked\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [dependencies]\n{package} = \"={number}\"\n\n[workspace]\n"
    )
}

/// Has the copy of a workspace use this version of a dependency.
pub(super) fn pin(
    package: &str,
    number: &str,
    workspace: &Workspace,
    snapshot: &Snapshot,
    context: &BaselineContext<'_>,
) -> Result<Result<(), Refusal>, OracleError> {
    let manifest = workspace.root().join("Cargo.toml");
    let manifest = snapshot.place_of(&manifest).unwrap_or(manifest);
    let args = [
        "update",
        "--manifest-path",
        manifest.as_str(),
        "--package",
        package,
        "--precise",
        number,
    ];
    let outcome = cargo(&args, context)?;
    let is_updated = outcome.ending == Ending::Exited(0);
    if is_updated && !is_used(package, number, &manifest, context)? {
        // cargo finds no older version where a directory stands in for the registry.
        write_into_lock(package, number, &manifest.with_file_name("Cargo.lock"))?;
    }
    Ok(
        match is_updated && is_used(package, number, &manifest, context)? {
            true => Ok(()),
            false => Err(Refusal {
                reason: format!("cargo does not take it ({})", first_error(&outcome.stderr)),
                hint: "`NAME=1.2.3` names a dependency and a version that fits what `Cargo.toml` asks for; where it \
                   asks for another, give a path or a revision in which it does not",
            }),
        },
    )
}

/// Has cargo say which packages it compiles for a manifest.
fn metadata(manifest: &Utf8Path, context: &BaselineContext<'_>) -> Result<Outcome, OracleError> {
    let args = [
        "metadata",
        "--format-version=1",
        "--manifest-path",
        manifest.as_str(),
    ];
    cargo(&args, context)
}

/// Whether cargo compiles this version of a dependency.
fn is_used(
    package: &str,
    number: &str,
    manifest: &Utf8Path,
    context: &BaselineContext<'_>,
) -> Result<bool, OracleError> {
    let outcome = metadata(manifest, context)?;
    if outcome.ending != Ending::Exited(0) {
        return Ok(false);
    }
    let mut packages = parsed(outcome)?.packages.into_iter();
    Ok(packages.any(|one| one.name == package && one.version.to_string() == number))
}

/// Changes the version of a package in a lock file, where the file has the package.
fn write_into_lock(package: &str, number: &str, lock: &Utf8Path) -> Result<(), OracleError> {
    let Ok(mut document) = files::read(lock)?.parse::<DocumentMut>() else {
        return Ok(());
    };
    let packages = document.get_mut("package");
    let packages = packages.and_then(Item::as_array_of_tables_mut);
    for table in packages
        .into_iter()
        .flat_map(|packages| packages.iter_mut())
    {
        if table.get("name").and_then(Item::as_str) == Some(package) {
            table.insert("version", value(number));
            table.remove("checksum");
        }
    }
    files::write(lock, &document.to_string())
}

fn parsed(outcome: Outcome) -> Result<Metadata, OracleError> {
    MetadataCommand::parse(outcome.stdout).map_err(|error| OracleError::Format {
        what: "what `cargo metadata` prints".to_owned(),
        source: error.into(),
    })
}

/// Returns cargo's first error in a line.
fn first_error(stderr: &str) -> String {
    let mut lines = stderr.lines();
    let error = lines.find_map(|line| line.strip_prefix("error: "));
    error.unwrap_or("it takes another one").to_owned()
}

/// Runs cargo where the user stands, so that it finds the user's configuration.
fn cargo(args: &[&str], context: &BaselineContext<'_>) -> Result<Outcome, OracleError> {
    let cargo = context.toolchain.cargo(context.user, context.cancel)?;
    let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    let env = environment::of_cargo(&context.user.vars, &context.toolchain);
    let outcome = run_quickly(&cargo, &args, &env, &context.user.cwd, context.cancel)?;
    context.count(1);
    match outcome.ending {
        Ending::Cancelled => Err(OracleError::Cancelled),
        _ => Ok(outcome),
    }
}
