//! Collects the names at the root of a crate: its items, what it imports there, and its `extern crate`s.

use crate::imports::{extern_crates, imports};
use reduce_syntax::TokenCursor;
use std::collections::BTreeSet;

/// Keywords before the names of items.
const ITEMS: [&str; 9] = [
    "const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union",
];

/// The names that the root of a crate defines.
pub(crate) struct RootNames<'t> {
    names: BTreeSet<&'t str>,
    /// Names of the standard library's crates (`std`, `core`, ..) that may also be something that some module defines.
    ambiguous: BTreeSet<&'t str>,
}

impl<'t> RootNames<'t> {
    pub(crate) fn new(cursor: &TokenCursor<'t>) -> Self {
        let items = cursor.indices().filter_map(|idx| item_name(cursor, idx));
        let imports = imports(cursor).into_iter();
        let leaves = imports.flat_map(|import| import.leaves);
        let imported = leaves.filter_map(|leaf| leaf.name_at(cursor));
        let crates = extern_crates(cursor).into_iter().map(|found| found.here());
        let crates = crates.filter(|&idx| {
            cursor.before(idx, 1) == "as" || !matches!(cursor.word(idx), "std" | "core")
        });
        let all = items.chain(imported).chain(crates);
        let all = all.filter(|&idx| is_at_root(cursor, idx) && is_defined(cursor, idx));
        Self {
            names: all.map(|idx| cursor.word(idx)).collect(),
            ambiguous: ambiguous(cursor),
        }
    }

    /// Returns whether the root has an item of this name. `extern crate std;` does not count: the name
    /// is there without it.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns whether an import by this name needs `::` to mean the standard library.
    pub(crate) fn is_ambiguous(&self, name: &str) -> bool {
        self.ambiguous.contains(name)
    }
}

/// Finds the name of the item whose keyword is at `idx`.
fn item_name(cursor: &TokenCursor<'_>, idx: usize) -> Option<usize> {
    let has_mark = cursor.is(idx, "static") && matches!(cursor.word(idx + 1), "mut" | "ref");
    let is_item = ITEMS.contains(&cursor.word(idx));
    is_item.then_some(idx + 1 + usize::from(has_mark))
}

/// Returns whether a token is at the crate root: in no braces but those of an import, or in the arguments of a macro that is
/// called at the root.
fn is_at_root(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    let is_transparent = |opener: usize| match cursor.before(opener, 1) {
        "!" => cursor.before(opener, 2) != "#",
        before => matches!(before, "::" | "use"),
    };
    let outermost = cursor.groups_around(idx).last();
    outermost.is_none_or(is_transparent)
}

/// Returns whether a word is a name that is there for certain.
fn is_defined(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    let name = cursor.word(idx);
    let is_in_doubt = || is_standard(name) && is_conditional(cursor, idx);
    cursor.is_name(idx) && !matches!(name, "_" | "fn" | "self") && !is_in_doubt()
}

/// Returns whether a name is that of a crate that is there without `extern crate`, or may come with
/// another `extern crate` than we see.
pub(crate) fn is_standard(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc")
}

/// The number of tokens that may stand between an item's attributes and its name.
const MAX_KEYWORDS: usize = 8;

/// Returns whether the item of a name has a `#[cfg(..)]`. With `#[cfg(..)] extern crate core as std;`
/// there is a `std` either way.
fn is_conditional(cursor: &TokenCursor<'_>, name: usize) -> bool {
    let is_begin = |&back: &usize| matches!(cursor.before(name, back + 1), "]" | ";" | "}" | "");
    let begin = (0..MAX_KEYWORDS).find(is_begin);
    let mut start = name.saturating_sub(begin.unwrap_or(0));
    while let Some(attribute) = cursor.attribute_before(start) {
        if cursor.are(attribute, &["#", "[", "cfg"]) {
            return true;
        }
        start = attribute;
    }
    false
}

/// Returns the names of the standard library's crates that the text mentions anywhere but at the beginning of a path.
fn ambiguous<'t>(cursor: &TokenCursor<'t>) -> BTreeSet<&'t str> {
    let is_mentioned = |&idx: &usize| {
        let before = cursor.before(idx, 1);
        matches!(cursor.word(idx), "std" | "core")
            && matches!(before, "mod" | "as" | "type" | "trait" | "," | "::")
            && !cursor.is(idx + 1, "::")
    };
    let found = cursor.indices().filter(is_mentioned);
    found.map(|idx| cursor.word(idx)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let names = RootNames::new(&TokenCursor::new(text)).names;
        assert_eq!(names.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn items_have_names() {
        check(
            "mod a { fn b() {} } pub struct C; const fn d() { fn e() {} }",
            &["C", "a", "d"],
        );
        check(
            "static mut A: u8 = 0; const _: u8 = 1; union U { a: u8 }",
            &["A", "U"],
        );
        check("impl A { fn f() {} } enum E { V }", &["E"]);
    }

    #[test]
    fn imports_and_crates_have_names() {
        check(
            "use a::{b, c as d, e::*, f::{g}}; extern crate h; extern crate i as j;",
            &["b", "d", "g", "h", "j"],
        );
        check("extern crate std; extern crate core as k;", &["k"]);
        check("#[cfg(a)] #[macro_use] extern crate core as std;", &[]);
        check("#[cfg(a)] pub mod std {} #[cfg(b)] mod c {}", &["c"]);
        check("#[macro_use] extern crate core as std;", &["std"]);
    }

    #[test]
    fn macros_that_are_called_at_the_root_have_items() {
        check(
            "m! { pub struct A { fn b() {} } } macro_rules! n { () => {} } fn c() { o!(struct D;) }",
            &["A", "b", "c"],
        );
        check("m!(static ref A: u8 = 0;);", &["A"]);
        check("#![a(struct B)]", &[]);
    }
}
