//! Separates a unit test from the code that it tests: the code that is only there for the test becomes a tree of its own, which
//! is reduced, and the rest of the crate reads it and stays as it is.
//!
//! A module of tests becomes a file that a `#[path]` names, so that all that may stand in a module may
//! stand in it. Tests that stand among other items become a file that an `include!` reads.
//!
//! - `place`: where a test stands, and what belongs to it.
//! - `others`: other tests of the crate, which are left out.
//! - `shared`: another version of the crate, with the same tests.

mod others;
mod place;
mod shared;

pub use place::TestPlace;
pub use shared::{SharedUnitTest, share_unit_test};

use crate::modules::{collect_sources, visit_files};
use camino::{Utf8Path, Utf8PathBuf};
use others::without_other_tests;
use place::{Form, TestPart};
use reduce_syntax::{Edit, EditSet, ModuleDirectory, Parsed, SourceTree};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of the file for the separated tests, without its extension.
const NAME: &str = "cargo_reduce_tests";

/// A crate in two parts: the tests that are reduced, and the code that stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitCrate {
    /// The files that stay as they are, by path.
    pub fixed: BTreeMap<Utf8PathBuf, Arc<str>>,
    /// The module with the tests, which is reduced. Its root is a module of the crate, or a part of one.
    pub tests: SourceTree,
    /// The place of the tests in the crate.
    pub place: TestPlace,
}

/// The treatment of tests that have nothing to do with the one that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherTests {
    /// Other tests go, unless something that stays mentions them by name.
    LeftOut,
    /// Other tests stay, as a part of the code that is not reduced.
    Kept,
}

/// Splits a crate into the module of a unit test and all other code. `test` is the path of the test as libtest names it.
///
/// Returns `None` where the test is not found, as those that macros make, or where the whole crate is
/// only there for tests.
#[must_use]
pub fn split_unit_test(sources: &SourceTree, test: &str, others: OtherTests) -> Option<SplitCrate> {
    let part = TestPart::find(sources, test)?;
    let splitting = Splitting::of(sources, &part)?;
    let tests = splitting.tests(sources)?;
    Some(SplitCrate {
        fixed: rest(&splitting.edits.apply(sources), &tests, others)?,
        tests,
        place: part.place,
    })
}

/// Returns the files of a crate that stay as they are, once the tests are in a file of their own.
fn rest(
    sources: &SourceTree,
    tests: &SourceTree,
    others: OtherTests,
) -> Option<BTreeMap<Utf8PathBuf, Arc<str>>> {
    let rest = fixed_files(sources, tests)?;
    let rest = match others {
        OtherTests::LeftOut => without_other_tests(rest, tests)?,
        OtherTests::Kept => rest,
    };
    let files = rest.files();
    Some(
        files
            .map(|(_, path, text)| (path.to_owned(), text.clone()))
            .collect(),
    )
}

/// Puts the tests that [`split_unit_test`] takes out of a crate back into it, in their reduced form.
#[must_use]
pub fn put_back(sources: &SourceTree, test: &str, reduced: &SourceTree) -> Option<SourceTree> {
    let part = TestPart::find(sources, test)?;
    let text = reduced.text(reduced.root());
    let mut edits = EditSet::new();
    match &part.form {
        Form::Inline { content, .. } => {
            edits.add(Edit::replace(part.file, content, &format!("\n{text}\n")));
        }
        Form::Items { ranges } => {
            let (last, before) = ranges.split_last()?;
            before
                .iter()
                .for_each(|range| edits.add(Edit::delete(part.file, range)));
            edits.add(Edit::replace(part.file, last, text));
        }
        Form::File { .. } => {}
    }
    let mut whole = edits.apply(sources);
    if let Form::File { .. } = part.form {
        whole.set_text(part.file, reduced.shared_text(reduced.root()));
    }
    for (file, path, text) in reduced.files() {
        match whole.find(path) {
            _ if file == reduced.root() => {}
            Some(there) => whole.set_text(there, text.clone()),
            None => {
                whole.add(path.to_owned(), text.clone());
            }
        }
    }
    Some(whole)
}

/// Returns the files that the crate root reaches by `mod` and that are not files of the tests.
fn fixed_files(sources: &SourceTree, tests: &SourceTree) -> Option<SourceTree> {
    let is_fixed = |path: &Utf8Path| tests.find(path).is_none();
    let read = |path: &Utf8Path| text_at(sources, path).filter(|_| is_fixed(path));
    collect_sources(sources.path(sources.root()), &read)
}

fn text_at(sources: &SourceTree, path: &Utf8Path) -> Option<Arc<str>> {
    sources.find(path).map(|file| sources.shared_text(file))
}

/// The file for the tests of a split crate, and the edits that make the rest of the crate read it.
struct Splitting {
    /// The path of the file for the tests.
    root: Utf8PathBuf,
    text: Arc<str>,
    /// The edits that let the rest of the crate read the file of the tests.
    edits: EditSet,
}

impl Splitting {
    fn of(sources: &SourceTree, part: &TestPart) -> Option<Self> {
        match &part.form {
            Form::Inline { .. } => Self::of_inline_module(sources, part),
            Form::File { .. } => Self::of_file(sources, part),
            Form::Items { .. } => Self::of_items(sources, part),
        }
    }

    /// Returns the file of the tests, with the files of its modules.
    fn tests(&self, sources: &SourceTree) -> Option<SourceTree> {
        let moved = |path: &Utf8Path| match path == self.root {
            true => Some(self.text.clone()),
            false => text_at(sources, path),
        };
        collect_sources(&self.root, &moved)
    }

    fn of_inline_module(sources: &SourceTree, part: &TestPart) -> Option<Self> {
        let Form::Inline {
            declaration,
            braces,
            content,
            around,
            inside,
        } = &part.form
        else {
            return None;
        };
        let text = &sources.text(part.file)[content.clone()];
        let directory = match has_files(text, inside) {
            true => inside.of_children(),
            false => around.of_paths(),
        };
        let root = free_path(sources, directory);
        let mut edits = EditSet::new();
        edits.add(Edit::replace(
            part.file,
            &(*declaration..*declaration),
            &path_attribute(&root, around)?,
        ));
        let blank = blank_lines(&sources.text(part.file)[braces.clone()]);
        edits.add(Edit::replace(part.file, braces, &format!(";{blank}")));
        let text = Arc::from(text);
        Some(Self { root, text, edits })
    }

    /// Splits off a file of tests; it gets a name in the directory of its modules, if that is another one than its own.
    fn of_file(sources: &SourceTree, part: &TestPart) -> Option<Self> {
        let Form::File {
            declared_in,
            declaration,
            around,
            inside,
        } = &part.form
        else {
            return None;
        };
        let (path, text) = (sources.path(part.file), sources.shared_text(part.file));
        let mut edits = EditSet::new();
        let is_in_place = inside.of_children() == path.parent()?;
        if is_in_place || !has_files(&text, inside) {
            let root = path.to_owned();
            return Some(Self { root, text, edits });
        }
        let root = free_path(sources, inside.of_children());
        edits.add(Edit::replace(
            *declared_in,
            &(*declaration..*declaration),
            &path_attribute(&root, around)?,
        ));
        Some(Self { root, text, edits })
    }

    fn of_items(sources: &SourceTree, part: &TestPart) -> Option<Self> {
        let Form::Items { ranges } = &part.form else {
            return None;
        };
        let root = free_path(sources, sources.path(part.file).parent()?);
        let text = sources.text(part.file);
        let texts: Vec<&str> = ranges.iter().map(|range| &text[range.clone()]).collect();
        let (last, before) = ranges.split_last()?;
        let mut edits = EditSet::new();
        for range in before {
            let blank = blank_lines(&text[range.clone()]);
            edits.add(Edit::replace(part.file, range, &blank));
        }
        let blank = blank_lines(&text[last.clone()]);
        let include = format!("include!({:?});{blank}", root.file_name()?);
        edits.add(Edit::replace(part.file, last, &include));
        let text = Arc::from(texts.join("\n\n") + "\n");
        Some(Self { root, text, edits })
    }
}

/// Returns as many empty lines as a text has: in code that stays as it is, each line is where the user
/// has it.
fn blank_lines(text: &str) -> String {
    "\n".repeat(text.matches('\n').count())
}

/// Returns whether a module declares modules that are files.
fn has_files(text: &str, directory: &ModuleDirectory) -> bool {
    let parsed = Parsed::new(text);
    let mut has_files = false;
    if let Some(syntax) = parsed.file() {
        visit_files(&syntax.items, directory, &mut |_, _| has_files = true);
    }
    has_files
}

/// Returns a path in a directory that no file of the crate has yet.
fn free_path(sources: &SourceTree, directory: &Utf8Path) -> Utf8PathBuf {
    let numbers = std::iter::once(String::new()).chain((2..).map(|number| format!("_{number}")));
    let mut paths = numbers.map(|number| directory.join(format!("{NAME}{number}.rs")));
    let free = paths.find(|path| sources.find(path).is_none());
    free.expect("a crate has fewer files than there are numbers")
}

/// Returns the attribute before a `mod x;` in `directory` that makes it read the file at `path`.
fn path_attribute(path: &Utf8Path, directory: &ModuleDirectory) -> Option<String> {
    let relative = path.strip_prefix(directory.of_paths()).ok()?;
    Some(format!("#[path = {:?}] ", relative.as_str()))
}

#[cfg(test)]
mod tests;
