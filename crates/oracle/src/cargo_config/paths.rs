//! The values of cargo's configuration that are paths, and the directories at which relative ones begin.

use crate::text::path::normal;
use camino::Utf8Path;
use toml_edit::{Item, TableLike, Value, value};

/// The keys of paths in each table of `[source]`.
pub(crate) const OF_SOURCE: [&str; 2] = ["directory", "local-registry"];
/// The keys of paths in `[build]`.
const OF_BUILD: [&str; 3] = ["build-dir", "dep-info-basedir", "target-dir"];
/// The keys of programs in `[build]`.
const PROGRAMS_OF_BUILD: [&str; 4] = [
    "rustc",
    "rustc-workspace-wrapper",
    "rustc-wrapper",
    "rustdoc",
];
/// The keys of programs in each table of `[target]`.
const PROGRAMS_OF_TARGET: [&str; 4] = ["ar", "linker", "runner", "rustdoc"];

/// A function from a path to the one that replaces it; `None` leaves it as it is.
type Map<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Changes all paths in a configuration that are relative to the place of its file. A variable says whether its path is
/// relative then.
pub(crate) fn map_paths(table: &mut dyn TableLike, map: Map<'_>) {
    let path = |value: &mut Value| set_path(value, map);
    let program = |value: &mut Value| set_program(value, map);
    if let Some(paths) = table.get_mut("paths").and_then(Item::as_array_mut) {
        paths.iter_mut().for_each(path);
    }
    for (_, source) in tables_in(table, "source") {
        set_keys(source, &OF_SOURCE, &path);
    }
    if let Some(build) = table_in(table, "build") {
        set_keys(build, &OF_BUILD, &path);
        set_keys(build, &PROGRAMS_OF_BUILD, &program);
    }
    for name in ["target", "host"] {
        for (_, target) in tables_in(table, name) {
            set_keys(target, &PROGRAMS_OF_TARGET, &program);
        }
    }
    if let Some(http) = table_in(table, "http") {
        set_keys(http, &["cainfo"], &path);
    }
    set_paths_of_variables(table, &path);
    set_paths_of_patches(table, &path);
}

/// Returns the path of a program that a file at `base` names; a name without a slash stays as it is.
pub(super) fn program_at(base: &Utf8Path, program: &str) -> String {
    match program.contains('/') {
        true => normal(&base.join(program)).into_string(),
        false => program.to_owned(),
    }
}

/// Returns the table of this name.
pub(crate) fn table_in<'t>(
    table: &'t mut dyn TableLike,
    name: &str,
) -> Option<&'t mut dyn TableLike> {
    table.get_mut(name)?.as_table_like_mut()
}

/// Returns the tables in a table of tables.
pub(crate) fn tables_in<'t>(
    table: &'t mut dyn TableLike,
    name: &str,
) -> Vec<(String, &'t mut dyn TableLike)> {
    let tables = table_in(table, name).into_iter();
    let items = tables.flat_map(|table| table.iter_mut());
    items
        .filter_map(|(name, item)| Some((name.get().to_owned(), item.as_table_like_mut()?)))
        .collect()
}

fn set_path(value: &mut Value, map: Map<'_>) {
    if let Some(path) = value.as_str().and_then(map) {
        *value = path.into();
    }
}

/// Sets the program of a command: where the value is a list, its first word is the program.
fn set_program(value: &mut Value, map: Map<'_>) {
    let first = match value {
        Value::Array(words) => words.get_mut(0),
        value => Some(value),
    };
    let named = first.filter(|value| value.as_str().is_some_and(|text| text.contains('/')));
    named.into_iter().for_each(|value| set_path(value, map));
}

/// Changes the paths of variables such as `NAME = { value = "..", relative = true }`, also once they were made absolute.
fn set_paths_of_variables(table: &mut dyn TableLike, set: &dyn Fn(&mut Value)) {
    let is_absolute = |variable: &dyn TableLike| {
        let path = variable.get("value").and_then(Item::as_str);
        path.is_some_and(|path| Utf8Path::new(path).is_absolute())
    };
    for (_, variable) in tables_in(table, "env") {
        let relative = variable.get("relative").and_then(Item::as_bool);
        if relative.is_some_and(|is_relative| is_relative || is_absolute(variable)) {
            set_keys(variable, &["value"], set);
            let is_relative = !is_absolute(variable);
            variable.insert("relative", value(is_relative));
        }
    }
}

fn set_paths_of_patches(table: &mut dyn TableLike, set: &dyn Fn(&mut Value)) {
    for (_, registry) in tables_in(table, "patch") {
        for (_, item) in registry.iter_mut() {
            if let Some(patch) = item.as_table_like_mut() {
                set_keys(patch, &["path"], set);
            }
        }
    }
}

fn set_keys(table: &mut dyn TableLike, keys: &[&str], set: &dyn Fn(&mut Value)) {
    for key in keys {
        if let Some(value) = table.get_mut(key).and_then(Item::as_value_mut) {
            set(value);
        }
    }
}
