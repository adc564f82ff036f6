//! Finds assertions that only compare constants. A program that computes nothing may fail with the
//! values of one that has a bug; it is then about nothing any more.

use reduce_syntax::{SourceTree, TokenCursor, is_integer_type};

/// Whether an assertion of the crate names nothing: `assert_eq!(10, 64)`, `assert!(false)`.
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
        end.is_some_and(|end| (idx + 3..end).all(|idx| is_constant(&cursor, idx)))
    })
}

/// Whether a token names nothing but a macro.
fn is_constant(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    !cursor.is_name(idx)
        || cursor.is(idx + 1, "!")
        || matches!(cursor.word(idx), "true" | "false" | "as")
        || is_integer_type(cursor.word(idx))
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
    fn one_that_names_something_is_not() {
        check("fn f() { assert_eq!(x.len(), 64); }", false);
        check("fn f() { assert!(f()); }", false);
        check("fn f() { assert_eq!(10, N) }", false);
        check("fn assert(x: u8) {} fn f() { assert(1); }", false);
        check(
            "/* assert_eq!(1, 2) */ const S: &str = \"assert!(false)\";",
            false,
        );
        check("fn f() { assert!(", false);
    }
}
