//! Sets up cargo's configuration in the copy of a workspace, so that it says the same there as in the original.
//!
//! Files that were copied stay where they are. What they include becomes a part of them, as the path of an included
//! file may lead elsewhere from the copy, and other paths that would do so become absolute. What cargo finds above the
//! original and not above the copy becomes one file above the copy, which cargo then weighs as it does the originals: more than
//! its own directory, and less than what was copied and than variables.

use crate::cargo_config::{self, CargoConfig, base_of, map_paths, merged};
use crate::error::OracleError;
use crate::search::context::{BaselineContext, config_secrets};
use crate::system::files;
use crate::system::private::cargo_home;
use crate::system::snapshot::{Snapshot, common_ancestor};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use toml_edit::DocumentMut;

/// Returns the configuration that cargo finds for the user.
pub(crate) fn of_user(context: &BaselineContext<'_>) -> CargoConfig {
    let files = home_file(context).into_iter().chain(files_of_user(context));
    CargoConfig::of_files(&files.collect::<Vec<_>>())
}

/// Returns the configuration files that cargo would find above the user's directory but not above the copy. Those that count less
/// come first.
pub(crate) fn outer_files(snapshot: &Snapshot, context: &BaselineContext<'_>) -> Vec<Utf8PathBuf> {
    if snapshot.place_of(&context.user.cwd).is_none() {
        return vec![];
    }
    let mut files = files_of_user(context);
    files.retain(|file| {
        let is_found_anyway = snapshot.tree.starts_with(base_of(file));
        snapshot.place_of(file).is_none() && !is_found_anyway
    });
    files
}

/// Writes cargo's configuration without tokens as one file above the copy of the workspace, for cargo that works in
/// the copy. Returns the tokens, as variables.
///
/// # Errors
/// Where it cannot be written.
pub(super) fn write_outer(
    snapshot: &Snapshot,
    context: &BaselineContext<'_>,
) -> Result<BTreeMap<String, String>, OracleError> {
    let outer = CargoConfig::of_files(&outer_files(snapshot, context)).merged();
    let clean = config_secrets::without_secrets(outer, &context.options.env);
    let above = snapshot.tree.parent().unwrap_or(&snapshot.tree);
    files::write(
        &above.join(".cargo/config.toml"),
        &clean.document.to_string(),
    )?;
    let of_user = CargoConfig::of_files(&files_of_user(context)).merged();
    let of_user = config_secrets::without_secrets(of_user, &context.options.env);
    Ok(of_user.secrets)
}

/// Removes the configuration file above the copy of the workspace, for a cargo that gets this configuration by other means.
///
/// # Errors
/// Where it cannot be removed.
pub(super) fn remove_outer(snapshot: &Snapshot) -> Result<(), OracleError> {
    let above = snapshot.tree.parent().unwrap_or(&snapshot.tree);
    files::remove(&above.join(".cargo/config.toml"))
}

/// Makes each copied configuration file of cargo say in the copy of the workspace what the original says for the
/// user.
///
/// # Errors
/// Where the copy cannot be written.
pub(super) fn settle(
    snapshot: &Snapshot,
    context: &BaselineContext<'_>,
) -> Result<(), OracleError> {
    for file in files_of_user(context) {
        let copied = snapshot.place_of(&file).filter(|copy| copy.is_file());
        let Some(copied) = copied else { continue };
        let text = files::read(&copied)?;
        // cargo says what is wrong with one that is no TOML.
        if text.parse::<DocumentMut>().is_ok() {
            files::write(&copied, &settled(&file, snapshot, context).to_string())?;
        }
    }
    Ok(())
}

/// Returns the text that a copied configuration file must have in the copy of the workspace.
fn settled(file: &Utf8Path, snapshot: &Snapshot, context: &BaselineContext<'_>) -> DocumentMut {
    let config = CargoConfig::of_files(&[file.to_owned()]);
    let is_copied = |path: &Utf8Path| snapshot.place_of(path).is_some();
    let parts = config.layers().iter().map(|layer| {
        let document = layer.with_absolute_paths();
        match is_copied(&layer.path) {
            true => document,
            // Candidates read the copy.
            false => config_secrets::without_secrets(document, &context.options.env).document,
        }
    });
    let mut settled = merged(parts);
    let base = base_of(file);
    map_paths(settled.as_table_mut(), &|path| {
        let path = Utf8Path::new(path);
        is_copied(path).then(|| path_from(base, path))
    });
    settled
}

/// Returns a relative path that leads from a directory to another place. Both are absolute.
fn path_from(directory: &Utf8Path, to: &Utf8Path) -> String {
    let shared = common_ancestor(&[directory.to_owned(), to.to_owned()]);
    let above = directory.components().count() - shared.components().count();
    let inner = to.strip_prefix(&shared).unwrap_or(to);
    match above {
        0 => format!("./{inner}"),
        above => format!("{}{inner}", "../".repeat(above)),
    }
}

/// Returns the configuration files that cargo finds above the user's directory, without that of cargo's own directory and without
/// what they include. Those that count less come first.
fn files_of_user(context: &BaselineContext<'_>) -> Vec<Utf8PathBuf> {
    let home = home_file(context);
    let files = |cwd: &Utf8Path| cargo_config::files_at(cwd, None);
    // The files above the user's own directory, not above ours.
    let stands_for = context.stand_in.and_then(|stand_in| stand_in.of.as_ref());
    let above = stands_for.and_then(|of| of.parent()).map(files);
    let all = above.unwrap_or_default().into_iter();
    let all = all.chain(files(&context.user.cwd));
    all.filter(|file| Some(file) != home.as_ref()).collect()
}

/// Returns the configuration file in cargo's own directory.
fn home_file(context: &BaselineContext<'_>) -> Option<Utf8PathBuf> {
    let home = cargo_home(&context.user.vars)?;
    cargo_config::file_in(&context.user.cwd.join(home))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_from_one_place_to_another() {
        let check = |from: &str, to: &str, expected: &str| {
            assert_eq!(path_from(from.into(), to.into()), expected);
        };
        check("/ws", "/ws/tools/ld", "./tools/ld");
        check("/ws/member", "/ws/tools/ld", "../tools/ld");
        check("/ws", "/other/a", "../other/a");
    }
}
