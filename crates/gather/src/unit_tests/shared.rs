//! Lets another version of a crate read the tests that are reduced, in place of its own tests.

use super::place::{Form, TestPart, is_called, is_module_of_tests, of_tests};
use super::{OtherTests, Splitting, rest};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::{Edit, EditSet, FileId, ModuleDirectory, Parsed, SourceTree, byte_range};
use std::collections::BTreeMap;
use std::sync::Arc;
use syn::{Item, ItemMod};

/// The name of an empty file that makes a directory exist: the compiler resolves `..` only in directories that exist.
const PLACEHOLDER: &str = "cargo_reduce_empty";

/// Another version of a crate that reads the tests of the one that is reduced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedUnitTest {
    /// The tests that both versions read; the same as [`super::SplitCrate::tests`].
    pub tests: SourceTree,
    /// All other files of the other version, by path.
    pub fixed: BTreeMap<Utf8PathBuf, Arc<str>>,
}

/// Makes the crate `there` read the tests that [`super::split_unit_test`] would take out of the crate `here`. The paths of both
/// are relative to the same directory.
///
/// Returns `None` where the test is not found, or `there` has no module in which it could stand.
#[must_use]
pub fn share_unit_test(
    here: &SourceTree,
    there: &SourceTree,
    test: &str,
    others: OtherTests,
) -> Option<SharedUnitTest> {
    let part = TestPart::find(here, test)?;
    let tests = Splitting::of(here, &part)?.tests(here)?;
    let path: Vec<&str> = test.split("::").collect();
    let (modules, inner) = path.split_at(part.n_modules);
    let root = tests.path(tests.root());
    let reading = match part.form {
        Form::Items { .. } => {
            let name = inner.first()?;
            changed(there, modules, &|level, items| {
                level.include(items, name, root)
            })?
        }
        Form::Inline { .. } | Form::File { .. } => {
            let (name, around) = modules.split_last()?;
            changed(there, around, &|level, items| {
                level.declare(items, name, root)
            })?
        }
    };
    let mut fixed = rest(&reading.edits.apply(there), &tests, others)?;
    if !fixed.keys().any(|path| path.starts_with(&reading.from)) {
        fixed.insert(reading.from.join(PLACEHOLDER), Arc::from(""));
    }
    Some(SharedUnitTest { tests, fixed })
}

/// The edits that make another version of a crate read the file of the tests.
struct Reading {
    edits: EditSet,
    /// The directory to which the path of the tests' file is relative.
    from: Utf8PathBuf,
}

/// A function that changes the items of a module.
type Change<'c> = dyn Fn(&Level<'_>, &[Item]) -> Option<Reading> + 'c;

/// Applies a change to the module with this path; `None` where there is none.
fn changed(there: &SourceTree, path: &[&str], change: &Change<'_>) -> Option<Reading> {
    let root = there.root();
    let directory = ModuleDirectory::of_file(there.path(root), true, false);
    in_file((there, root), directory, path, change)
}

fn in_file(
    (there, file): (&SourceTree, FileId),
    directory: ModuleDirectory,
    path: &[&str],
    change: &Change<'_>,
) -> Option<Reading> {
    let text = there.text(file);
    let parsed = Parsed::without_islands(text);
    let level = Level {
        there,
        file,
        directory,
        end: text.len(),
    };
    level.change(&parsed.file()?.items, path, change)
}

/// A module of the other version of the crate.
struct Level<'l> {
    there: &'l SourceTree,
    file: FileId,
    directory: ModuleDirectory,
    /// The byte at which the module's items end.
    end: usize,
}

impl Level<'_> {
    fn change(&self, items: &[Item], path: &[&str], change: &Change<'_>) -> Option<Reading> {
        let Some((name, path)) = path.split_first() else {
            return change(self, items);
        };
        named(items, name).find_map(|module| match &module.content {
            Some((braces, items)) => {
                let level = Level {
                    directory: self.directory.inline(module),
                    end: braces.span.close().byte_range().start,
                    ..*self
                };
                level.change(items, path, change)
            }
            None => self.change_in_file(module, path, change),
        })
    }

    fn change_in_file(
        &self,
        module: &ItemMod,
        path: &[&str],
        change: &Change<'_>,
    ) -> Option<Reading> {
        let mut candidates = self.directory.candidates(module).into_iter();
        candidates.find_map(|(file, by_path_attribute)| {
            let directory = ModuleDirectory::of_file(&file, false, by_path_attribute);
            in_file(
                (self.there, self.there.find(&file)?),
                directory,
                path,
                change,
            )
        })
    }

    /// Declares a module of this name that is the file `root`, in place of the module of this name that there may be.
    fn declare(&self, items: &[Item], name: &str, root: &Utf8Path) -> Option<Reading> {
        let from = self.directory.of_paths();
        let path = format!("#[path = {:?}] ", relative(from, root));
        let mut edits = EditSet::new();
        let mut replace = |range, text: &str| edits.add(Edit::replace(self.file, &range, text));
        match named(items, name).next() {
            Some(module) if !is_module_of_tests(module) || has_path(module) => return None,
            Some(module) => {
                let start = byte_range(module).start;
                replace(start..start, &path);
                if let Some((braces, _)) = &module.content {
                    let (open, close) = (braces.span.open(), braces.span.close());
                    replace(open.byte_range().start..close.byte_range().end, ";");
                }
            }
            None => replace(
                self.end..self.end,
                &format!("\n#[cfg(test)] {path}mod {name};\n"),
            ),
        }
        let from = from.to_owned();
        Some(Reading { edits, from })
    }

    /// Includes the items of the file `root`, in place of the module's items that are only there for tests.
    fn include(&self, items: &[Item], name: &str, root: &Utf8Path) -> Option<Reading> {
        let from = self.there.path(self.file).parent()?.to_owned();
        let mut edits = EditSet::new();
        for range in of_tests(items, name) {
            edits.add(Edit::delete(self.file, &range));
        }
        let include = format!("\ninclude!({:?});\n", relative(&from, root));
        edits.add(Edit::replace(self.file, &(self.end..self.end), &include));
        Some(Reading { edits, from })
    }
}

fn named<'i>(items: &'i [Item], name: &str) -> impl Iterator<Item = &'i ItemMod> {
    items.iter().filter_map(move |item| match item {
        Item::Mod(module) if is_called(&module.ident, name) => Some(module),
        _ => None,
    })
}

fn has_path(module: &ItemMod) -> bool {
    module.attrs.iter().any(|one| one.path().is_ident("path"))
}

/// Returns a path as it is written in a directory; both are relative to the same one.
fn relative(from: &Utf8Path, path: &Utf8Path) -> String {
    let common = from
        .components()
        .zip(path.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = from.components().skip(common).map(|_| "..");
    let down = path.components().skip(common).map(|part| part.as_str());
    up.chain(down).collect::<Vec<_>>().join("/")
}
