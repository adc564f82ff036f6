//! Makes endless loops end in code that the compiler evaluates. Queries let it do so without an end: lints are capped, and what
//! ends the evaluation of a constant is a lint.

use super::is_endless_loop;
use reduce_syntax::{Constants, Parsed, SourceTree, TokenCursor};
use std::ops::Range;
use std::sync::Arc;

/// The expression that replaces an endless loop in code that the compiler evaluates. It is of each type, as the loop is, and ends
/// the evaluation with an error.
const END: &str = "panic! {}";

/// Replaces each `loop {}` in the constants and constant functions of a program by a panic, if there are more of them than
/// `known`. `None` otherwise, and where there is no such macro.
#[must_use]
pub fn halting_in_constants(tree: &SourceTree, known: usize) -> Option<SourceTree> {
    let loops: Vec<_> = tree
        .files()
        .map(|(file, _, text)| (file, loops_in_constants(text)))
        .collect();
    if loops.iter().map(|(_, loops)| loops.len()).sum::<usize>() <= known {
        return None;
    }
    let mut halting = tree.clone();
    for (file, loops) in loops {
        let mut text = tree.text(file).to_owned();
        for range in loops.into_iter().rev() {
            text.replace_range(range, END);
        }
        halting.set_text(file, Arc::from(text));
    }
    Some(halting)
}

/// Counts the `loop {}` in the constants and constant functions of a program.
#[must_use]
pub fn count_loops_in_constants(tree: &SourceTree) -> usize {
    let texts = tree.files().map(|(_, _, text)| text);
    texts.map(|text| loops_in_constants(text).len()).sum()
}

fn loops_in_constants(text: &str) -> Vec<Range<usize>> {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    // Most programs are decided by this alone. A number of elements needs no word.
    if !has(&["loop"]) || !has(&["const", "static", "; ", "enum"]) || has(&["no_core"]) {
        return Vec::new();
    }
    let cursor = TokenCursor::without_docs(text);
    let is_endless = |idx: &usize| is_endless_loop(&cursor, *idx);
    let loops: Vec<usize> = cursor.indices().filter(is_endless).collect();
    if loops.is_empty() {
        return Vec::new();
    }
    let parsed = Parsed::new(text);
    let constants = parsed.file().map(Constants::of).unwrap_or_default();
    let all: Vec<Range<usize>> = constants.bodies().collect();
    let loops = loops.into_iter().map(|idx| cursor.bytes(idx, idx + 2));
    let is_evaluated = |one: &Range<usize>| {
        let is_within =
            |constant: &Range<usize>| constant.start <= one.start && one.end <= constant.end;
        all.iter().any(is_within)
    };
    loops.filter(is_evaluated).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let tree = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let halting = halting_in_constants(&tree, 0);
        let found = halting.as_ref().map(|tree| tree.text(tree.root()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn what_is_evaluated_ends() {
        check(
            "const C: u8 = loop {}; fn f() { loop {} }",
            Some("const C: u8 = panic! {}; fn f() { loop {} }"),
        );
        check(
            "static S: u8 = { 1; loop {} };",
            Some("static S: u8 = { 1; panic! {} };"),
        );
        check(
            "const fn f() { loop {} }",
            Some("const fn f() { panic! {} }"),
        );
        check(
            "struct S; impl S { const C: u8 = loop {}; const fn f() { loop {} } }",
            Some("struct S; impl S { const C: u8 = panic! {}; const fn f() { panic! {} } }"),
        );
        check(
            "fn f(x: [u8; loop {}]) { const { loop {} }; [1; { loop {} }]; g::<{ loop {} }>() }",
            Some(
                "fn f(x: [u8; panic! {}]) { const { panic! {} }; [1; { panic! {} }]; g::<{ panic! {} }>() }",
            ),
        );
        check(
            "enum E { A = loop {} } trait T { const C: u8 = loop {}; }",
            Some("enum E { A = panic! {} } trait T { const C: u8 = panic! {}; }"),
        );
    }

    #[test]
    fn what_runs_or_has_no_macros_stays() {
        check("fn f() { loop {} } const C: u8 = 1;", None);
        check("fn f(x: *const u8) { loop {} }", None);
        check("#![no_core] const C: u8 = loop {};", None);
    }

    #[test]
    fn as_many_as_are_known_may_stay() {
        let text = "const C: u8 = loop {};";
        let tree = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        assert_eq!(count_loops_in_constants(&tree), 1);
        assert_eq!(halting_in_constants(&tree, 1), None);
    }
}
