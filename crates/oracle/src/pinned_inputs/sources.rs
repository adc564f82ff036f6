//! The sources of path dependencies that lie outside the copy of the user's workspace: cargo reads them where
//! they are. Their manifests lead to others.

use crate::system::files::entries;
use crate::system::snapshot::all_files;
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use toml_edit::{DocumentMut, Item, TableLike};

/// Returns the sources and manifests outside of `tree` to which path dependencies of the manifests below `tree` lead.
pub(super) fn outside(tree: &Utf8Path) -> BTreeSet<Utf8PathBuf> {
    let inner = all_files(tree, tree).unwrap_or_default();
    let inner = inner.into_iter().map(|path| tree.join(path));
    let mut manifests: Vec<Utf8PathBuf> = inner.filter(|path| is_manifest(path)).collect();
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    while let Some(manifest) = manifests.pop() {
        for path in paths_in(&manifest) {
            if path.starts_with(tree) || !seen.insert(path.clone()) {
                continue;
            }
            if path.join("Cargo.toml").is_file() {
                manifests.push(path.join("Cargo.toml"));
                found.extend(sources_below(&path));
            } else if path.is_file() {
                found.insert(path);
            }
        }
    }
    found
}

fn is_manifest(path: &Utf8Path) -> bool {
    path.file_name() == Some("Cargo.toml")
}

/// Returns all paths that a manifest names, absolute.
fn paths_in(manifest: &Utf8Path) -> Vec<Utf8PathBuf> {
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    let document = text.parse::<DocumentMut>().unwrap_or_default();
    let directory = manifest.parent().unwrap_or(manifest);
    let mut found = Vec::new();
    collect_paths(document.as_table(), &mut found);
    found
        .iter()
        .map(|path| normal(&directory.join(path)))
        .collect()
}

fn collect_paths(table: &dyn TableLike, found: &mut Vec<String>) {
    for (key, item) in table.iter() {
        match item.as_str() {
            Some(path) if key == "path" => found.push(path.to_owned()),
            _ => collect_in(item, found),
        }
    }
}

fn collect_in(item: &Item, found: &mut Vec<String>) {
    if let Some(table) = item.as_table_like() {
        collect_paths(table, found);
    }
    for table in item.as_array_of_tables().into_iter().flatten() {
        collect_paths(table, found);
    }
}

/// Returns Rust sources and manifests, but for those of caches and in hidden directories.
fn sources_below(root: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in entries(&directory).unwrap_or_default() {
            let path = entry.path();
            let is_hidden = entry.file_name().starts_with('.');
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden && !path.join("CACHEDIR.TAG").is_file() => {
                    directories.push(path.to_owned());
                }
                Ok(kind)
                    if !kind.is_dir() && (path.extension() == Some("rs") || is_manifest(path)) =>
                {
                    found.push(path.to_owned());
                }
                _ => {}
            }
        }
    }
    found
}
