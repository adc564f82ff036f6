//! Decides the `cfg` conditions that cannot be removed from the text: those within macro definitions and calls, and those at
//! places where we leave them. Their predicates can be decided all the same, so that they mean what they meant when the text is
//! compiled with the flags of another crate.

use super::Configuration;
use crate::rewriting::with_replaced;
use reduce_syntax::{SpanGuard, TokenCursor};
use std::ops::Range;

/// Writes `all()` (always true) or `any()` (never true) in place of each predicate of `cfg(..)`, `cfg_attr(.., ..)` and
/// `cfg!(..)` that has another value in the configuration `there`. To be used after [`super::configured`]: it looks at tokens
/// alone, in macro definitions and calls too, and takes nothing out. Other predicates stay, because there are macros that match
/// some of them literally. Text whose brackets do not match stays as it is.
#[must_use]
pub fn decided_in_macros(text: &str, here: &Configuration, there: &Configuration) -> String {
    let _positions = SpanGuard::new();
    let Some(cursor) = TokenCursor::balanced(text) else {
        return text.to_owned();
    };
    let constant = |idx| {
        let range = cursor.bytes_of(&predicate_at(&cursor, idx)?);
        let predicate = &text[range.clone()];
        let is_on = here.decide_text(predicate)?;
        let by = if is_on { "all()" } else { "any()" };
        (there.decide_text(predicate) != Some(is_on)).then_some((range, by))
    };
    with_replaced(text, cursor.indices().filter_map(constant))
}

/// Finds the tokens of the predicate in the `cfg(..)`, `cfg_attr(..)` or `cfg!(..)` that begins at the token `idx`. Where it
/// stands does not matter: macros also take `cfg(..)` to put it into an attribute of their own.
fn predicate_at(cursor: &TokenCursor<'_>, idx: usize) -> Option<Range<usize>> {
    let opener = match cursor.word(idx) {
        "[" => return bare_predicate(cursor, idx),
        "cfg" if cursor.is(idx + 1, "!") => idx + 2,
        "cfg" | "cfg_attr" if cursor.is(idx + 1, "(") => idx + 1,
        _ => return None,
    };
    let parts = cursor.split_values_by_commas(opener + 1..cursor.closing(opener)?);
    let is_one = parts.len() == 1 || cursor.is(idx, "cfg_attr");
    parts.into_iter().next().filter(|_| is_one)
}

/// Returns the predicate in `#[any(..)]`: some macros take predicates like this, to put them into a `cfg`.
fn bare_predicate(cursor: &TokenCursor<'_>, opener: usize) -> Option<Range<usize>> {
    let is_attribute = match cursor.before(opener, 1) {
        "!" => cursor.before(opener, 2) == "#",
        before => before == "#",
    };
    let is_operator = matches!(cursor.word(opener + 1), "all" | "any" | "not");
    let inside = opener + 1..cursor.closing(opener)?;
    let is_whole = cursor.closing(opener + 2)? + 1 == inside.end;
    (is_attribute && is_operator && is_whole).then_some(inside)
}
