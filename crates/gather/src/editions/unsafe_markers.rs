//! Marks the declarations that edition 2024 wants to be marked: `unsafe extern` blocks, and `#[unsafe(no_mangle)]`.

use crate::rewriting::{Rewriting, rewrite_tokens};
use reduce_syntax::TokenCursor;

/// Attributes that edition 2024 wants to be written with `unsafe`.
const UNSAFE_ATTRIBUTES: [&str; 3] = ["export_name", "link_section", "no_mangle"];

/// Marks `extern` blocks and attributes such as `no_mangle` with `unsafe`.
pub(crate) fn added(text: &str) -> String {
    rewrite_tokens(text, |rewriting, idx| {
        let cursor = &rewriting.cursor;
        if cursor.is(idx, "extern") && is_block(cursor, idx) {
            rewriting.insert(idx, "unsafe ");
        } else if UNSAFE_ATTRIBUTES.contains(&cursor.word(idx)) && is_attribute(cursor, idx) {
            mark(rewriting, idx);
        }
    })
}

/// Returns whether an `extern` begins a block that is not marked yet.
fn is_block(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    let abi = cursor.word(idx + 1);
    let is_braced = match abi {
        "$" => cursor.is(idx + 3, "{"),
        "{" => true,
        _ => cursor.is(idx + 2, "{") && cursor.is_string(idx + 1),
    };
    is_braced && cursor.before(idx, 1) != "unsafe"
}

/// Returns whether a word is the name of an attribute, also within `cfg_attr(..)`.
fn is_attribute(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    let Some(opener) = cursor.group(idx) else {
        return false;
    };
    let is_first = opener + 1 == idx && cursor.is(opener, "[");
    match cursor.before(opener, 1) {
        "#" => is_first,
        "!" => is_first && cursor.before(opener, 2) == "#",
        "cfg_attr" => cursor.before(idx, 1) == ",",
        _ => false,
    }
}

/// Turns `no_mangle` into `unsafe(no_mangle)`, and `link_section = ".."` likewise.
fn mark(rewriting: &mut Rewriting<'_>, idx: usize) {
    let mut end = idx + 1;
    while !matches!(rewriting.cursor.word(end), "" | "," | ")" | "]") {
        end = rewriting.cursor.skip_group(end);
    }
    rewriting.insert(idx, "unsafe(");
    rewriting.insert(end, ")");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str) {
        assert_eq!(added(before), after);
    }

    #[track_caller]
    fn check_kept(text: &str) {
        check(text, text);
    }

    #[test]
    fn foreign_blocks_are_unsafe() {
        check(
            "extern {} extern \"C\" {}",
            "unsafe extern {} unsafe extern \"C\" {}",
        );
        check(
            "extern r\"C\" {} extern $abi { }",
            "unsafe extern r\"C\" {} unsafe extern $abi { }",
        );
        check(
            "#[link(name = \"a\")] extern \"C\" { fn f(); }",
            "#[link(name = \"a\")] unsafe extern \"C\" { fn f(); }",
        );
    }

    #[test]
    fn other_foreign_things_stay() {
        check_kept(
            "unsafe extern \"C\" {} extern \"C\" fn f() {} extern crate a; type F = extern fn();",
        );
    }

    #[test]
    fn attributes_for_the_linker_are_unsafe() {
        check("#[no_mangle] fn f() {}", "#[unsafe(no_mangle)] fn f() {}");
        check("#[export_name = \"a\"]", "#[unsafe(export_name = \"a\")]");
        check(
            "#![link_section = concat!(\"a\", \"b\")]",
            "#![unsafe(link_section = concat!(\"a\", \"b\"))]",
        );
    }

    #[test]
    fn conditional_attributes_are_unsafe_too() {
        check(
            "#[cfg_attr(all(a, no_mangle), no_mangle)]",
            "#[cfg_attr(all(a, no_mangle), unsafe(no_mangle))]",
        );
        check(
            "#[cfg_attr(a, inline, link_section = \"b\", c)]",
            "#[cfg_attr(a, inline, unsafe(link_section = \"b\"), c)]",
        );
    }

    #[test]
    fn marked_attributes_and_names_stay() {
        check_kept("#[unsafe(no_mangle)] fn no_mangle() { f(a, no_mangle); [no_mangle] }");
        check_kept("#[cfg_attr(no_mangle, a)] #[cfg(any(a, no_mangle))]");
    }
}
