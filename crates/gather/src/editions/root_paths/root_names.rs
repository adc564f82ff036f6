//! The names that are at the root of a crate: its items, what it imports there, and its `extern crate`s.

use reduce_syntax::TokenCursor;
use std::collections::BTreeSet;

/// What the root of a crate defines.
pub(crate) struct RootNames {
    names: BTreeSet<String>,
    /// Names of the standard library's crates that some module may define too.
    ambiguous: BTreeSet<String>,
}

impl RootNames {
    pub(crate) fn new(cursor: &TokenCursor<'_>) -> Self {
        let mut found = Self {
            names: BTreeSet::new(),
            ambiguous: ambiguous(cursor),
        };
        found.add_items(cursor);
        found
    }

    /// Whether the root has an item of this name. `extern crate std;` does not count: the name is
    /// there without it.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether an import by this name needs `::` to mean the standard library.
    pub(crate) fn is_ambiguous(&self, name: &str) -> bool {
        self.ambiguous.contains(name)
    }

    /// Goes over the items of the root, and into the macros that are called there, as they may
    /// expand to what they are given.
    fn add_items(&mut self, cursor: &TokenCursor<'_>) {
        let (mut idx, mut end_of_macro) = (0, 0);
        while idx < cursor.indices().end {
            self.add_item(cursor, idx);
            let is_called = cursor.before(idx, 1) == "!" && cursor.before(idx, 2) != "#";
            if is_called && let Some(end) = cursor.partner(idx).filter(|&end| end > idx) {
                end_of_macro = end_of_macro.max(end);
            }
            idx = match idx < end_of_macro {
                true => idx + 1,
                false => cursor.skip_group(idx),
            };
        }
    }

    fn add_item(&mut self, cursor: &TokenCursor<'_>, idx: usize) {
        match cursor.word(idx) {
            "use" => self.add_imports(cursor, idx + 1),
            "crate" if cursor.before(idx, 1) == "extern" => self.add_crate(cursor, idx + 1),
            "static" if matches!(cursor.word(idx + 1), "mut" | "ref") => self.add(cursor, idx + 2),
            word if ITEMS.contains(&word) => self.add(cursor, idx + 1),
            _ => {}
        }
    }

    fn add(&mut self, cursor: &TokenCursor<'_>, idx: usize) {
        let name = cursor.word(idx);
        let is_none = matches!(name, "_" | "fn" | "self");
        let is_in_doubt = || is_standard(name) && is_conditional(cursor, idx);
        if cursor.is_name(idx) && !is_none && !is_in_doubt() {
            self.names.insert(name.to_owned());
        }
    }

    fn add_crate(&mut self, cursor: &TokenCursor<'_>, idx: usize) {
        if cursor.is(idx + 1, "as") {
            self.add(cursor, idx + 2);
        } else if !matches!(cursor.word(idx), "std" | "core") {
            self.add(cursor, idx);
        }
    }

    /// The names that an import ends with.
    fn add_imports(&mut self, cursor: &TokenCursor<'_>, start: usize) {
        let mut idx = start;
        while !matches!(cursor.word(idx), "" | ";" | ")" | "=>" | "use") {
            if matches!(cursor.word(idx + 1), ";" | "," | "}") {
                self.add(cursor, idx);
            }
            idx += 1;
        }
    }
}

/// Keywords before the names of items.
const ITEMS: [&str; 9] = [
    "const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union",
];

/// Whether a name is that of a crate that is there without `extern crate`, or may come with another
/// `extern crate` than we see.
pub(crate) fn is_standard(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc")
}

/// So many tokens may stand between an item's attributes and its name.
const MAX_KEYWORDS: usize = 8;

/// Whether the item of a name has a `#[cfg(..)]`. With `#[cfg(..)] extern crate core as std;` there is
/// a `std` either way.
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

/// Names of the standard library's crates that are mentioned as anything but the begin of a path.
fn ambiguous(cursor: &TokenCursor<'_>) -> BTreeSet<String> {
    let is_mentioned = |&idx: &usize| {
        matches!(cursor.word(idx), "std" | "core")
            && matches!(
                cursor.before(idx, 1),
                "mod" | "as" | "type" | "trait" | "," | "::"
            )
            && !cursor.is(idx + 1, "::")
    };
    let found = cursor.indices().filter(is_mentioned);
    found.map(|idx| cursor.word(idx).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let names = RootNames::new(&TokenCursor::new(text)).names;
        assert_eq!(names.iter().collect::<Vec<_>>(), expected);
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
