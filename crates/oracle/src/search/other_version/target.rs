//! Adds the failing target to a version that does not have it yet: a test is often written when the bug is there
//! already. Only the crates that it is linked with count, so that it need not even compile there.

use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::original::package_dir;
use crate::system::files;
use crate::system::snapshot::Snapshot;
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::Package;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

/// The tables of a manifest for tests, benches and examples, each with the directory in which cargo looks for more of
/// them, and the key that forbids this.
const KINDS: [(&str, &str, &str); 3] = [
    ("test", "tests", "autotests"),
    ("bench", "benches", "autobenches"),
    ("example", "examples", "autoexamples"),
];

/// Puts the crate root of the plan into the copy of another version, unless the version has it already.
///
/// # Errors
/// Where the copy cannot be written.
pub(super) fn add_missing(
    plan: &Plan,
    package: &Package,
    snapshot: &Snapshot,
) -> Result<(), OracleError> {
    let tree = &plan.inputs.tree;
    let here = package_dir(&plan.call.env, &tree.join(&plan.call.cwd));
    let manifest = &package.manifest_path;
    let there = manifest.parent().unwrap_or(manifest);
    let root = tree.join(&plan.call.root);
    let Ok(inner) = root.strip_prefix(&here) else {
        return Ok(());
    };
    let is_known = package
        .targets
        .iter()
        .any(|one| one.src_path == there.join(inner));
    let (Some(to), Some(manifest)) = (
        snapshot.place_of(&there.join(inner)),
        snapshot.place_of(manifest),
    ) else {
        return Ok(());
    };
    // A published manifest may name tests that are left out of the package.
    if !to.is_file() {
        files::copy(&root, &to)?;
    }
    if is_known {
        return Ok(());
    }
    let (ours, theirs) = (
        files::read(&here.join("Cargo.toml"))?,
        files::read(&manifest)?,
    );
    match with_target(&ours, &theirs, inner) {
        Some(text) => files::write(&manifest, &text),
        None => Ok(()),
    }
}

/// Returns the manifest `theirs` with the target whose root is `inner`, as the manifest `ours` describes
/// it; `None` where cargo finds it by itself.
fn with_target(ours: &str, theirs: &str, inner: &Utf8Path) -> Option<String> {
    let ours: DocumentMut = ours.parse().ok()?;
    let mut theirs: DocumentMut = theirs.parse().ok()?;
    let described = KINDS.iter().find_map(|(kind, directory, _)| {
        let tables = ours.get(kind)?.as_array_of_tables()?;
        let mut tables = tables.iter();
        let table = tables.find(|table| is_of(table, directory, inner))?;
        // A clone would stand where the original does in its own file.
        let entries = table
            .iter()
            .map(|(key, item)| (key.to_owned(), item.clone()));
        Some((*kind, entries.collect()))
    });
    let (kind, table) = described.or_else(|| forbidden(&theirs, inner))?;
    let tables = theirs
        .entry(kind)
        .or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    tables.as_array_of_tables_mut()?.push(table);
    Some(theirs.to_string())
}

/// Whether a table describes the target with this root.
fn is_of(table: &Table, directory: &str, inner: &Utf8Path) -> bool {
    let text = |key: &str| table.get(key).and_then(Item::as_str);
    match (text("path"), text("name")) {
        (Some(path), _) => normal(Utf8Path::new(path)) == inner,
        (None, Some(name)) => usual_roots(directory, name)
            .iter()
            .any(|root| root == inner),
        (None, None) => false,
    }
}

fn usual_roots(directory: &str, name: &str) -> [Utf8PathBuf; 2] {
    let directory = Utf8Path::new(directory);
    [
        directory.join(format!("{name}.rs")),
        directory.join(name).join("main.rs"),
    ]
}

/// Returns the table that describes the target where the manifest keeps cargo from finding it.
fn forbidden(manifest: &DocumentMut, inner: &Utf8Path) -> Option<(&'static str, Table)> {
    let package = manifest.get("package")?;
    let (kind, ..) = KINDS.iter().find(|(_, directory, key)| {
        let may_be_found = package.get(key).and_then(Item::as_bool);
        inner.starts_with(directory) && may_be_found == Some(false)
    })?;
    let name = match inner.file_name() {
        Some("main.rs") => inner.parent()?.file_name()?,
        _ => inner.file_stem()?,
    };
    let mut table = Table::new();
    table.insert("name", value(name));
    table.insert("path", value(inner.as_str()));
    Some((kind, table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ours: &str, theirs: &str, inner: &str, added: Option<&str>) {
        let expected = added.map(|added| format!("{theirs}{added}"));
        assert_eq!(with_target(ours, theirs, inner.into()), expected);
    }

    #[test]
    fn a_test_that_cargo_finds_needs_no_words() {
        check("[package]\n", "[package]\n", "tests/a.rs", None);
        let other = "[[test]]\nname = \"b\"\n";
        check(other, "[package]\n", "tests/a.rs", None);
    }

    #[test]
    fn a_test_that_is_described_is_described_there_too() {
        let own = "\n[[test]]\nname = \"a\"\nharness = false\n";
        check(own, "[package]\nname = \"x\"\n", "tests/a.rs", Some(own));
        let there = "[package]\n\n[[test]]\nname = \"b\"\n";
        check(own, there, "tests/a/main.rs", Some(own));
        let moved = "\n[[test]]\nname = \"a\"\npath = \"checks/./all.rs\"\n";
        check(moved, "[package]\n", "checks/all.rs", Some(moved));
    }

    #[test]
    fn a_manifest_that_forbids_cargo_to_look_for_tests_names_it() {
        let theirs = "[package]\nautotests = false\n";
        let added = "\n[[test]]\nname = \"a\"\npath = \"tests/a.rs\"\n";
        check("[package]\n", theirs, "tests/a.rs", Some(added));
        let nested = "\n[[test]]\nname = \"a\"\npath = \"tests/a/main.rs\"\n";
        check("[package]\n", theirs, "tests/a/main.rs", Some(nested));
        check("[package]\n", theirs, "examples/a.rs", None);
    }
}
