//! Changes the expected value of an assertion to the value that was computed: where another version of the code says what is
//! right, a smaller setup has another right answer.
//!
//! `written` makes an expression of what `{:?}` has printed.

mod written;

use crate::failing_test::isolation::FailedAt;
use reduce_model::Position;
use reduce_syntax::{Edit, EditSet, FileId, SourceTree, TokenCursor};
use std::ops::Range;
use syn::Expr;
use written::written;
pub(crate) use written::{elements_of_vec, is_value};

/// A failed `assert_eq!`, with the values that std has printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailedComparison<'a> {
    /// The place of the assertion.
    pub at: FailedAt<'a>,
    /// The value of the first argument.
    pub left: &'a str,
    /// The value of the second argument.
    pub right: &'a str,
}

/// Changes a program so that the failed assertion expects the value that was computed. `None` where the assertion has no value
/// that is written out, or where what was printed is no expression.
#[must_use]
pub fn with_expected_value(
    sources: &SourceTree,
    failed: &FailedComparison<'_>,
) -> Option<SourceTree> {
    let Position { file, at } = failed.at.position(sources)?;
    let text = sources.text(file);
    let [left, right] = arguments(text, at)?;
    let edit = expecting(file, text, right, failed.left);
    let edit = edit.or_else(|| expecting(file, text, left, failed.right))?;
    let mut edits = EditSet::new();
    edits.add(edit);
    Some(edits.apply(sources))
}

/// Replaces a value of a failed assertion by what was printed of the other side.
fn expecting(file: FileId, text: &str, place: Range<usize>, printed: &str) -> Option<Edit> {
    let old: Expr = syn::parse_str(text.get(place.clone())?).ok()?;
    let computed: Expr = syn::parse_str(printed).ok()?;
    let new = written(&computed, Some(&old)).filter(|_| is_value(&old))?;
    Some(Edit::replace(file, &place, &new))
}

/// Finds the first two arguments of the `assert_eq!` that begins at this byte.
fn arguments(text: &str, at: usize) -> Option<[Range<usize>; 2]> {
    let cursor = TokenCursor::new(text);
    let first = cursor
        .indices()
        .find(|idx| cursor.range(*idx).start == at)?;
    // `std::assert_eq!` begins with its path.
    let path = cursor.indices().skip(first);
    let mut path = path.take_while(|idx| cursor.is_name(*idx) || cursor.is(*idx, ":"));
    let name = path.find(|idx| cursor.is(idx + 1, "!"))?;
    let is_comparison = matches!(cursor.word(name), "assert_eq" | "debug_assert_eq");
    let open = name + 2;
    let end = cursor.closing(open).filter(|_| is_comparison)?;
    let arguments = cursor.split_values_by_commas(open + 1..end);
    let mut arguments = arguments.iter().map(|one| cursor.bytes_of(one));
    Some([arguments.next()?, arguments.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// The text whose first `assert_eq!` has failed with these values, with the computed value in place of
    /// the expected one.
    fn expected(text: &str, left: &str, right: &str) -> Option<String> {
        let sources = SourceTree::single("tests/a.rs".into(), Arc::from(text));
        let at = text.find("assert_eq").unwrap_or_default();
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let failed = FailedComparison {
            at: FailedAt {
                path: "tests/a.rs",
                line: before.matches('\n').count() + 1,
                column: before[line_start..].chars().count() + 1,
            },
            left,
            right,
        };
        let tree = with_expected_value(&sources, &failed)?;
        Some(tree.text(tree.root()).to_owned())
    }

    #[track_caller]
    fn check(text: &str, left: &str, right: &str, result: &str) {
        let expected = expected(text, left, right);
        assert_eq!(expected.as_deref(), Some(result));
    }

    #[test]
    fn the_value_on_the_right_becomes_what_is_on_the_left() {
        check(
            "fn f() {\n    let x = \"ü\"; assert_eq!(sum(&[1, 2], \",\"), 67, \"the {}\", 1);\n}",
            "20",
            "67",
            "fn f() {\n    let x = \"ü\"; assert_eq!(sum(&[1, 2], \",\"), 20, \"the {}\", 1);\n}",
        );
    }

    #[test]
    fn a_value_on_the_left_becomes_what_is_on_the_right() {
        check(
            "assert_eq!(Some(&11), ways.get(\"F\"),)",
            "Some(11)",
            "None",
            "assert_eq!(None, ways.get(\"F\"),)",
        );
        check(
            "assert_eq! { (\"D\", 11), f() }",
            "(\"D\", 11)",
            "(\"E\", 2)",
            "assert_eq! { (\"E\", 2), f() }",
        );
    }

    #[test]
    fn what_is_no_value_stays() {
        assert_eq!(expected("assert_eq!(f(), g(1))", "1", "2"), None);
        assert_eq!(expected("assert_eq!(f(), expected)", "1", "2"), None);
        assert_eq!(expected("assert_eq!(f(), 1)", "{1: 2}", "1"), None);
        assert_eq!(
            expected("assert_ne!(f(), 1); assert_eq!(1)", "2", "1"),
            None
        );
    }

    #[test]
    fn an_assertion_that_does_not_begin_there_stays() {
        let text = "fn f() { assert_eq!(f(), 1) }";
        let sources = SourceTree::single("a.rs".into(), Arc::from(text));
        for (path, line, column) in [
            ("a.rs", 1, 11),
            ("a.rs", 9, 1),
            ("b.rs", 1, 10),
            ("a.rs", 0, 0),
        ] {
            let failed = FailedComparison {
                at: FailedAt { path, line, column },
                left: "2",
                right: "1",
            };
            assert_eq!(with_expected_value(&sources, &failed), None, "{failed:?}");
        }
    }
}
