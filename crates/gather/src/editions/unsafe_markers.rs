//! What 2024 wants to be marked: `unsafe extern` blocks, and `#[unsafe(no_mangle)]`.

use super::scan::{Rewriting, Scan, rewrite};

/// Attributes that have to be marked.
const UNSAFE_ATTRIBUTES: [&str; 3] = ["export_name", "link_section", "no_mangle"];

/// The text with `unsafe` where it belongs.
pub(crate) fn added(text: &str) -> String {
    rewrite(text, |rewriting| {
        for idx in rewriting.scan.indices() {
            let scan = &rewriting.scan;
            if scan.is(idx, "extern") && is_block(scan, idx) {
                rewriting.insert(idx, "unsafe ");
            } else if UNSAFE_ATTRIBUTES.contains(&scan.word(idx)) && is_attribute(scan, idx) {
                mark(rewriting, idx);
            }
        }
    })
}

/// Whether an `extern` begins a block that is not marked yet.
fn is_block(scan: &Scan<'_>, idx: usize) -> bool {
    let abi = scan.word(idx + 1);
    let is_braced = match abi {
        "$" => scan.is(idx + 3, "{"),
        "{" => true,
        _ => scan.is(idx + 2, "{") && abi.contains('"'),
    };
    is_braced && scan.before(idx, 1) != "unsafe"
}

/// Whether a word is an attribute, or one of those that a `cfg_attr` brings.
fn is_attribute(scan: &Scan<'_>, idx: usize) -> bool {
    let is_first = |idx: usize| {
        scan.before(idx, 1) == "["
            && (scan.before(idx, 2) == "#"
                || (scan.before(idx, 2), scan.before(idx, 3)) == ("!", "#"))
    };
    is_first(idx) || scan.before(idx, 1) == "," && is_conditional(scan, idx)
}

/// So many tokens may stand between `cfg_attr` and the attributes.
const MAX_CONDITION: usize = 200;

/// Whether the bracket around a word is that of a `cfg_attr`.
fn is_conditional(scan: &Scan<'_>, idx: usize) -> bool {
    let mut at = idx;
    for _ in 0..MAX_CONDITION {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        at = match scan.word(before) {
            "(" => return scan.before(before, 1) == "cfg_attr",
            "[" | "{" | ";" => return false,
            ")" | "]" | "}" => scan.partner(before).unwrap_or(0),
            _ => before,
        };
    }
    false
}

/// `no_mangle` becomes `unsafe(no_mangle)`, and `link_section = ".."` likewise.
fn mark(rewriting: &mut Rewriting<'_>, idx: usize) {
    let mut end = idx + 1;
    while !matches!(rewriting.scan.word(end), "" | "," | ")" | "]") {
        end = rewriting.scan.skip(end);
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
