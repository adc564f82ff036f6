//! Writes the failing case of a test that has several cases as a plain test. Where the case comes from is known by how the test
//! is written: the test's name says it, or what the test printed when it failed.

use super::test_file::{Change, TestFile, is_attribute};
use super::{benches, properties, quick, tables};
use crate::rewriting::with_replaced;
use reduce_syntax::Parsed;
use syn::{Item, ItemFn, ItemMacro};

/// The outcome of writing the failing case of a test as a plain test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailingCase {
    /// The test has no cases, as far as its file says.
    Plain,
    /// The failing case of the test cannot be written.
    Unreadable,
    /// The failing case as plain tests: several where types are not known, the likeliest first.
    Written(Vec<PlainTest>),
}

/// A file in which a plain test stands in place of the test with several cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainTest {
    /// The text of the file.
    pub text: String,
    /// The path of the test in the crate.
    pub test: String,
}

/// The item of a file that has a test.
enum Place<'a> {
    /// A function with attributes.
    Function(&'a ItemFn),
    /// A call of a macro that may define the test.
    Macro(&'a ItemMacro),
}

/// Writes the failing case of a test as a plain test, from what a run of it has printed, if the test is in this file.
#[must_use]
pub fn failing_case(text: &str, test: &str, printed: &str) -> FailingCase {
    let parsed = Parsed::new(text);
    let Some(file) = parsed.file() else {
        return FailingCase::Plain;
    };
    let path: Vec<&str> = test.split("::").collect();
    // The file of a module has the last parts of the path.
    let mut tails = (0..path.len()).filter_map(|from| {
        let (depth, items, place) = find(&file.items, &path[from..])?;
        let file = TestFile { text, items };
        let named = &path[from + depth..];
        let changes = changes(file, &place, named, printed)?;
        let modules = &path[..from + depth];
        Some(written(file, modules, changes))
    });
    tails.next().unwrap_or(FailingCase::Plain)
}

/// Finds a test by its path among some items: the number of modules around it, the items beside it, and its own item.
fn find<'f>(items: &'f [Item], path: &[&str]) -> Option<(usize, &'f [Item], Place<'f>)> {
    let name = *path.first()?;
    for item in items {
        match item {
            Item::Fn(function) if function.sig.ident == name => {
                return Some((0, items, Place::Function(function)));
            }
            Item::Mod(module) if module.ident == name => {
                let inner = &module.content.as_ref()?.1;
                let (depth, items, place) = find(inner, &path[1..])?;
                return Some((depth + 1, items, place));
            }
            Item::Macro(call) if has_function(call, name) => {
                return Some((0, items, Place::Macro(call)));
            }
            _ => {}
        }
    }
    None
}

fn has_function(call: &ItemMacro, name: &str) -> bool {
    let is_known = ["proptest", "quickcheck"]
        .iter()
        .any(|one| is_called(call, one));
    let mut words = call
        .mac
        .tokens
        .clone()
        .into_iter()
        .map(|tree| tree.to_string());
    is_known
        && std::iter::from_fn(|| words.find(|word| word == "fn").and_then(|_| words.next()))
            .any(|word| word == name)
}

fn is_called(call: &ItemMacro, name: &str) -> bool {
    let last = call.mac.path.segments.last();
    last.is_some_and(|segment| segment.ident == name)
}

/// Returns the changes that write the failing case: `None` where the test is a plain one already, an empty list where the case
/// cannot be read.
fn changes(
    file: TestFile<'_>,
    place: &Place<'_>,
    named: &[&str],
    printed: &str,
) -> Option<Vec<Change>> {
    match place {
        Place::Macro(call) if is_called(call, "proptest") => {
            Some(properties::changes(file, call, named.first()?, printed))
        }
        Place::Macro(call) => Some(quick::changes_of_macro(file, call, named.first()?, printed)),
        Place::Function(function) => {
            let has = |name| function.attrs.iter().any(|one| is_attribute(one, name));
            if has("bench") {
                return Some(benches::changes(file, function));
            }
            if has("rstest") {
                return Some(tables::of_rstest(file, function, &named[1..]));
            }
            if has("test_case") || has("case") {
                return Some(tables::of_test_case(file, function, named.get(1)?));
            }
            match has("quickcheck") {
                true => Some(quick::changes(function, printed)),
                false => quick::changes_of_call(file, function, printed),
            }
        }
    }
}

fn written(file: TestFile<'_>, modules: &[&str], changes: Vec<Change>) -> FailingCase {
    let mut tests: Vec<PlainTest> = vec![];
    for change in changes {
        let text = with_replaced(file.text, change.edits);
        let path = modules.iter().copied().chain([change.name.as_str()]);
        let test = path.collect::<Vec<_>>().join("::");
        if tests.iter().all(|known| known.text != text) {
            tests.push(PlainTest { text, test });
        }
    }
    match tests.is_empty() {
        true => FailingCase::Unreadable,
        false => FailingCase::Written(tests),
    }
}
