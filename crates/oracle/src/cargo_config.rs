//! cargo's configuration, read as cargo 1.95 reads it: the files of a directory and of those above it, what they
//! include, and what all of them say together.
//!
//! cargo merges tables key by key. Of two other values the one counts whose file is nearer to the user's directory, lists are
//! joined, and what a file includes counts less than the file itself. So all files are one list here, in which those that
//! count more come later. A file that cannot be read says nothing: cargo reports it when it is called.
//!
//! - `merging`: one table from several.
//! - `paths`: the values that are paths, and the directories at which relative ones begin.
//! - `wrappers`: the programs that cargo calls in place of the compiler.
//!
//! See docs/decisions/cargo-configuration-and-wrappers.md.

mod merging;
mod paths;
mod wrappers;

pub(crate) use merging::merged;
pub(crate) use paths::{OF_SOURCE, map_paths, table_in, tables_in};
pub use wrappers::{Wrapper, Wrappers};

use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// The name of cargo's own directory in a user's directory.
const DIRECTORY: &str = ".cargo";
/// The names of a configuration file; the first that is there counts.
pub(crate) const NAMES: [&str; 2] = ["config", "config.toml"];
const INCLUDE: &str = "include";

/// One configuration file of cargo.
#[derive(Debug, Clone)]
pub struct ConfigLayer {
    /// The absolute path of the file.
    pub path: Utf8PathBuf,
    /// The content of the file, without that of the files that it includes.
    pub document: DocumentMut,
}

/// A variable that a table `[env]` sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredVariable {
    /// The value of the variable; a path that begins at the file is absolute.
    pub value: String,
    /// Whether the value counts more than the user's own variable.
    pub force: bool,
}

/// The configuration that cargo finds at one place, from all files.
#[derive(Debug, Clone, Default)]
pub struct CargoConfig {
    /// The files, those that count less first.
    layers: Vec<ConfigLayer>,
}

impl CargoConfig {
    /// Reads what cargo finds in the directory `cwd` with `home` as `CARGO_HOME`.
    #[must_use]
    pub fn read(cwd: &Utf8Path, home: Option<&Utf8Path>) -> Self {
        Self::of_files(&files_at(cwd, home))
    }

    /// Reads some files, of which those that count less come first, and what they include.
    #[must_use]
    pub fn of_files(files: &[Utf8PathBuf]) -> Self {
        let mut layers = Vec::new();
        for file in files {
            add_with_includes(file, &mut BTreeSet::new(), &mut layers);
        }
        Self { layers }
    }

    /// Returns the configuration as if one of its files were empty; what that file includes stays.
    #[must_use]
    pub fn without(mut self, file: &Utf8Path) -> Self {
        self.layers.retain(|layer| layer.path != file);
        self
    }

    /// Returns the files that could be read. Those that count less come first.
    #[must_use]
    pub fn layers(&self) -> &[ConfigLayer] {
        &self.layers
    }

    /// Returns whether some file has this key or table at its top.
    #[must_use]
    pub fn says_something_of(&self, key: &str) -> bool {
        let mut layers = self.layers.iter();
        layers.any(|layer| layer.document.contains_key(key))
    }

    /// Returns the value under these keys that counts most, with its file. A table is none.
    #[must_use]
    pub fn value(&self, keys: &[&str]) -> Option<(&ConfigLayer, &Value)> {
        let mut layers = self.layers.iter().rev();
        layers.find_map(|layer| Some((layer, layer.item(keys)?.as_value()?)))
    }

    /// Returns the program that the value under these keys names, such as `build.rustc`. A path is absolute; a name that
    /// has no slash is looked for by cargo.
    #[must_use]
    pub fn program(&self, keys: &[&str]) -> Option<String> {
        let (layer, value) = self.value(keys)?;
        let program = value.as_str()?;
        Some(paths::program_at(layer.base(), program))
    }

    /// Returns the variables that the tables `[env]` set for compilers and for programs that cargo runs.
    #[must_use]
    pub fn variables(&self) -> BTreeMap<String, ConfiguredVariable> {
        let merged = self.merged();
        let table = merged.get("env").and_then(Item::as_table_like);
        let entries = table.into_iter().flat_map(TableLike::iter);
        let variables = entries.filter_map(|(name, item)| {
            let inner = |key: &str| item.as_table_like().and_then(|table| table.get(key));
            let value = item.as_str().or_else(|| inner("value")?.as_str())?;
            let force = inner("force").and_then(Item::as_bool).unwrap_or_default();
            let value = value.to_owned();
            Some((name.to_owned(), ConfiguredVariable { value, force }))
        });
        variables.collect()
    }

    /// Joins the configuration in one file that says the same wherever it stands: relative paths are absolute, and nothing is
    /// included.
    #[must_use]
    pub fn merged(&self) -> DocumentMut {
        merged(self.layers.iter().map(ConfigLayer::with_absolute_paths))
    }
}

impl ConfigLayer {
    /// Returns the directory at which relative paths of the file begin: at the directory that has the file's directory, which
    /// is called `.cargo` unless the file is included.
    #[must_use]
    pub fn base(&self) -> &Utf8Path {
        base_of(&self.path)
    }

    /// Returns the value of the file under these keys.
    #[must_use]
    pub fn item(&self, keys: &[&str]) -> Option<&Item> {
        let (first, rest) = keys.split_first()?;
        let found = self.document.get(first);
        rest.iter()
            .fold(found, |item, key| item?.as_table_like()?.get(key))
    }

    /// Returns the content of the file with absolute paths, so that it means the same anywhere.
    pub(crate) fn with_absolute_paths(&self) -> DocumentMut {
        let mut document = self.document.clone();
        let base = self.base();
        map_paths(document.as_table_mut(), &|path| {
            Some(normal(&base.join(path)).into_string())
        });
        document
    }

    /// Returns the absolute paths of the configuration files that a configuration file includes, in their order.
    fn includes(&self) -> Vec<Utf8PathBuf> {
        let directory = self.path.parent().unwrap_or(&self.path);
        let named = named_includes(&self.document).into_iter();
        named.map(|path| normal(&directory.join(path))).collect()
    }
}

/// Returns the files that a configuration file includes, as they are written. cargo takes a list of paths, or of tables with
/// a path.
fn named_includes(document: &DocumentMut) -> Vec<String> {
    let item = document.get(INCLUDE);
    let of_table = |table: &dyn TableLike| Some(table.get("path")?.as_str()?.to_owned());
    let values = item.and_then(Item::as_array).into_iter().flatten();
    let in_list = values.filter_map(|value| match value {
        Value::InlineTable(table) => of_table(table),
        value => value.as_str().map(str::to_owned),
    });
    let tables = item.and_then(Item::as_array_of_tables).into_iter();
    let in_tables = tables.flatten().filter_map(|table| of_table(table));
    in_list.chain(in_tables).collect()
}

/// Returns the configuration files that cargo finds at a place, without what they include. Those that count less come first.
#[must_use]
pub fn files_at(cwd: &Utf8Path, home: Option<&Utf8Path>) -> Vec<Utf8PathBuf> {
    let directories = cwd.ancestors().map(|dir| dir.join(DIRECTORY));
    let mut directories: Vec<Utf8PathBuf> = directories.collect();
    let is_same = |one: &Utf8Path, other: &Utf8Path| {
        let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
        one == other || real(one) == real(other)
    };
    if let Some(home) = home
        && !directories.iter().any(|dir| is_same(dir, home))
    {
        directories.push(home.to_owned());
    }
    directories.reverse();
    directories.iter().filter_map(|dir| file_in(dir)).collect()
}

/// Returns the configuration file in a directory such as `.cargo`; the old name counts first.
#[must_use]
pub fn file_in(directory: &Utf8Path) -> Option<Utf8PathBuf> {
    let mut files = NAMES.iter().map(|name| directory.join(name));
    files.find(|path| path.is_file())
}

/// Returns the directory at which relative paths in a file begin.
pub(crate) fn base_of(file: &Utf8Path) -> &Utf8Path {
    let directory = file.parent().unwrap_or(file);
    directory.parent().unwrap_or(directory)
}

/// Adds a configuration file with those that it includes. `seen` are the files that were read for the same one: cargo refuses
/// one that is included twice.
fn add_with_includes(
    file: &Utf8Path,
    seen: &mut BTreeSet<Utf8PathBuf>,
    layers: &mut Vec<ConfigLayer>,
) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let document = text.parse().unwrap_or_default();
    if !seen.insert(file.to_owned()) {
        return;
    }
    let path = file.to_owned();
    let mut layer = ConfigLayer { path, document };
    for included in layer.includes() {
        add_with_includes(&included, seen, layers);
    }
    layer.document.remove(INCLUDE);
    layers.push(layer);
}

#[cfg(test)]
mod tests;
