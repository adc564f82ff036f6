//! Makes programs end where they would loop for ever. Many passes put `loop {}` in place of a body or an expression, as it fits
//! each type and is short. Where such a place is run, the program loops until its deadline; with a call that ends the process in
//! the same place, it tells at once.
//!
//! See docs/decisions/time.md.

mod constants;

pub use constants::{count_loops_in_constants, halting_in_constants};
use reduce_syntax::{SourceTree, TokenCursor};
use std::sync::Arc;

/// A program in which each `loop {}` is replaced by something that ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Halting {
    /// The program without its endless loops.
    pub tree: SourceTree,
    /// Whether the replaced loops end the whole process for certain, whatever thread they are in and whatever panics are caught.
    /// Otherwise the place panics, which is also allowed in a `const fn`.
    pub is_certain: bool,
}

/// Replaces each `loop {}` in a program by an end of the process with `status`, or by a panic where the process
/// cannot end; `None` where there is no such loop.
#[must_use]
pub fn halting_at_loops(tree: &SourceTree, status: i32) -> Option<Halting> {
    let mut texts = tree.files().map(|(_, _, text)| text);
    // Most programs are decided by this alone.
    if !texts.any(|text| text.contains("loop")) {
        return None;
    }
    let is_certain = !tree.files().any(|(_, _, text)| may_be_constant(text));
    let end = match is_certain {
        true => format!("{{ ::std::process::exit({status}) }}"),
        false => "panic! {}".to_owned(),
    };
    let mut halting = tree.clone();
    let mut is_changed = false;
    for (file, _, text) in tree.files() {
        if let Some(changed) = replaced(text, &end) {
            halting.set_text(file, Arc::from(changed));
            is_changed = true;
        }
    }
    is_changed.then_some(Halting {
        tree: halting,
        is_certain,
    })
}

/// Counts the `loop {}` without a label in a program.
#[must_use]
pub fn count_endless_loops(tree: &SourceTree) -> usize {
    let of_text = |text: &str| {
        if !text.contains("loop") {
            return 0;
        }
        let cursor = TokenCursor::without_docs(text);
        let is_endless = |idx: &usize| is_endless_loop(&cursor, *idx);
        cursor.indices().filter(is_endless).count()
    };
    tree.files().map(|(_, _, text)| of_text(text)).sum()
}

/// Whether a text may have code that the compiler evaluates, or does without the standard library: nothing can end the process
/// there.
fn may_be_constant(text: &str) -> bool {
    let has_word = |word| text.contains(word);
    if !["const", "static", "no_std"].into_iter().any(has_word) {
        return false;
    }
    let cursor = TokenCursor::without_docs(text);
    cursor.indices().any(|idx| match cursor.word(idx) {
        "const" => cursor.before(idx, 1) != "*",
        "static" | "no_std" => true,
        _ => false,
    })
}

/// Replaces each `loop {}` without a label in a text by `end`; `None` where there is none.
fn replaced(text: &str, end: &str) -> Option<String> {
    let cursor = TokenCursor::without_docs(text);
    let mut result = String::new();
    let mut from = 0;
    for idx in cursor.indices() {
        if is_endless_loop(&cursor, idx) {
            let range = cursor.bytes(idx, idx + 2);
            result.push_str(&text[from..range.start]);
            result.push_str(end);
            from = range.end;
        }
    }
    result.push_str(&text[from..]);
    (from > 0).then_some(result)
}

fn is_endless_loop(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    cursor.are(idx, &["loop", "{", "}"]) && !has_label(cursor, idx)
}

/// Whether the tokens before a loop are `'label:`.
fn has_label(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    cursor.before(idx, 1) == ":" && cursor.is_lifetime(idx.saturating_sub(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::is_parsable;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, bool)>) {
        let tree = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let halting = halting_at_loops(&tree, 86);
        let found = halting
            .as_ref()
            .map(|halting| (halting.tree.text(halting.tree.root()), halting.is_certain));
        assert_eq!(found, expected, "{text}");
        assert!(found.is_none_or(|(text, _)| is_parsable(text)), "{found:?}");
    }

    #[test]
    fn a_loop_without_a_body_ends_the_process_wherever_it_stands() {
        check(
            "fn f() -> u8 { loop {} } fn g() { loop { } f(); h(loop {}, || loop {}) }",
            Some((
                "fn f() -> u8 { { ::std::process::exit(86) } } fn g() { { ::std::process::exit(86) } f(); \
                 h({ ::std::process::exit(86) }, || { ::std::process::exit(86) }) }",
                true,
            )),
        );
        check(
            "fn f() -> S { S { x: loop {} } }",
            Some((
                "fn f() -> S { S { x: { ::std::process::exit(86) } } }",
                true,
            )),
        );
    }

    #[test]
    fn what_may_be_evaluated_by_the_compiler_panics() {
        for before in [
            "const fn a() {} ",
            "static A: u8 = 1; ",
            "#![no_std] ",
            "trait T { const A: u8; } ",
        ] {
            let text = format!("{before}fn f() {{ loop {{}} }}");
            let expected = format!("{before}fn f() {{ panic! {{}} }}");
            check(&text, Some((&expected, false)));
        }
        check(
            "fn f(a: *const u8, b: &'static str) { loop {} }",
            Some((
                "fn f(a: *const u8, b: &'static str) { { ::std::process::exit(86) } }",
                true,
            )),
        );
    }

    #[test]
    fn other_loops_labels_and_quoted_code_stay() {
        for text in [
            "fn f() { loop { g() } }",
            "fn f() { 'a: loop {} }",
            "fn f() { \"loop {}\"; }",
            "// loop {}\nfn f() { while true {} }",
            "fn f() {}",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn endless_loops_are_counted() {
        let count =
            |text: &str| count_endless_loops(&SourceTree::single("lib.rs".into(), Arc::from(text)));
        assert_eq!(count("fn f() { loop {} } fn g() { h(loop { }, 1) }"), 2);
        assert_eq!(count("fn f() { 'a: loop {} loop { g() } \"loop {}\"; }"), 0);
    }
}
