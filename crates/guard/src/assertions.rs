//! Finds assertions that only compare constants. A program that computes nothing may fail with the
//! values of one that has a bug; it is then about nothing any more.

use reduce_model::captured_names;
use reduce_syntax::{SourceTree, TokenCursor, is_integer_type};
use std::ops::Range;

/// Whether an assertion of the crate names nothing, and does not hold: `assert_eq!(10, 64)`, `assert!(false)`.
#[must_use]
pub fn asserts_constants(sources: &SourceTree) -> bool {
    let mut texts = sources.files().map(|(_, _, text)| text);
    texts.any(|text| has_constant_assertion(text))
}

fn has_constant_assertion(text: &str) -> bool {
    // Most texts are decided by this alone.
    if !text.contains("assert") {
        return false;
    }
    let cursor = TokenCursor::new(text);
    let mut all = cursor.indices();
    all.any(|idx| {
        let name = cursor.word(idx).trim_start_matches("debug_");
        let is_assertion = name.starts_with("assert") && cursor.is(idx + 1, "!");
        let end = cursor.closing(idx + 2).filter(|_| is_assertion);
        end.is_some_and(|end| {
            let inner = idx + 3..end;
            let are_constant = inner.clone().all(|idx| is_constant(&cursor, idx));
            are_constant && !holds(&cursor, name, inner)
        })
    })
}

/// Whether an assertion with this name compares something with itself, or asserts `true`: such a one is not what fails.
fn holds(cursor: &TokenCursor<'_>, name: &str, inner: Range<usize>) -> bool {
    let values = cursor.split_values_by_commas(inner);
    let texts: Vec<&str> = values.iter().map(|one| cursor.text_of(one)).collect();
    match (name, texts.as_slice()) {
        ("assert", [one, ..]) => *one == "true",
        ("assert_eq", [left, right, ..]) => left == right,
        _ => false,
    }
}

/// Whether a token names nothing but a macro.
fn is_constant(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    if !cursor.is_name(idx) {
        return !captures(cursor, idx);
    }
    cursor.is(idx + 1, "!")
        || matches!(cursor.word(idx), "true" | "false" | "as")
        || is_integer_type(cursor.word(idx))
}

/// Whether a token is the text of a macro call such as `format!("{x}")`, with a name in it.
fn captures(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    let is_first = idx > 2 && cursor.are(idx - 2, &["!", "("]);
    let text = cursor.word(idx);
    is_first && text.contains('"') && !captured_names(text).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(has_constant_assertion(text), expected, "{text}");
    }

    #[test]
    fn an_assertion_of_literals_alone_is_one_of_constants() {
        check("fn f() { assert_eq!(10, 64); }", true);
        check("fn f() { assert!(false); }", true);
        check(
            "fn f() { debug_assert_ne!(1 + 2, 3u8 as u16, \"why\") }",
            true,
        );
        check("fn f() { assert_eq!(b\"a\", r#\"b\"#); }", true);
        check("fn f() { assert_eq!(vec![1], [2]); }", true);
        check("fn f() { a(x); assert! { 1 > 2 } }", true);
    }

    #[test]
    fn one_that_holds_is_not() {
        check("fn f() { assert_eq!(7.5, 7.5, \"why\"); }", false);
        check("fn f() { assert!(true); }", false);
        check("fn f() { debug_assert_eq!([1, 2], [1, 2],); }", false);
        check("fn f() { assert_ne!(1, 1); }", true);
        check(
            "fn f() { assert_eq!(7.5, 7.5); assert_eq!(7.5, 1.5); }",
            true,
        );
    }

    #[test]
    fn one_that_names_something_is_not() {
        check("fn f() { assert_eq!(x.len(), 64); }", false);
        check("fn f() { assert!(f()); }", false);
        check("fn f() { assert_eq!(10, N) }", false);
        check("fn f() { assert_eq!(format!(\"a: {x:?}\"), \"b\") }", false);
        check(
            "fn f() { assert_eq!(format!(\"{{x}}{}\", 1), \"b\") }",
            true,
        );
        check("fn f() { assert_eq!(format!(\"\\u{e9}\"), \"b\") }", true);
        check("fn f() { assert_eq!(1, 2, \"{x}\") }", true);
        check("fn assert(x: u8) {} fn f() { assert(1); }", false);
        check(
            "/* assert_eq!(1, 2) */ const S: &str = \"assert!(false)\";",
            false,
        );
        check("fn f() { assert!(", false);
    }
}
