//! Finds documentation that a macro makes, to remove it: `#[doc = include_str!(..)]`, `#![doc = concat!(..)]`, `#[cfg_attr(x, doc
//! = ..)]`. Nobody needs it in a program that crashes a compiler.

use reduce_syntax::{TokenCursor, TokenKind};
use std::ops::Range;

/// Returns the bytes of documentation made by a macro that may go from the attribute whose `#` is the token at `idx`.
pub(super) fn documentation_at(cursor: &TokenCursor<'_>, idx: usize) -> Vec<Range<usize>> {
    let end = cursor.skip_attribute(idx);
    let closing = end.checked_sub(1).filter(|&closing| closing > idx);
    let Some(open) = closing.and_then(|closing| cursor.partner(closing)) else {
        return Vec::new();
    };
    match cursor.word(open + 1) {
        "doc" if is_made_by_macro(cursor, &(open + 1..end - 1)) => {
            vec![cursor.bytes_of(&(idx..end))]
        }
        "cfg_attr" => conditional(cursor, &(idx..end), open + 2),
        _ => Vec::new(),
    }
}

/// Finds the documentation made by macros in a `cfg_attr`: the whole attribute, or its parts that are documentation.
fn conditional(cursor: &TokenCursor<'_>, whole: &Range<usize>, open: usize) -> Vec<Range<usize>> {
    let Some(closing) = cursor.closing(open) else {
        return Vec::new();
    };
    let parts = cursor.split_values_by_commas(open + 1..closing);
    let attributes = parts.get(1..).unwrap_or_default();
    let made = attributes
        .iter()
        .filter(|part| is_made_by_macro(cursor, part));
    let made: Vec<&Range<usize>> = made.collect();
    if !made.is_empty() && made.len() == attributes.len() {
        return vec![cursor.bytes_of(whole)];
    }
    // Each with the comma before it.
    let with_comma = |part: &&Range<usize>| cursor.bytes_of(&(part.start - 1..part.end));
    made.iter().map(with_comma).collect()
}

/// Returns whether some tokens are `doc = path!(..)`. In a definition of a macro, what mentions its parameters stays: a
/// repetition must mention some.
fn is_made_by_macro(cursor: &TokenCursor<'_>, range: &Range<usize>) -> bool {
    if !(cursor.is(range.start, "doc") && cursor.is(range.start + 1, "=")) {
        return false;
    }
    let mut value = range.start + 2..range.end;
    let is_literal = cursor.kind(value.start).is_some_and(TokenKind::is_literal);
    !is_literal
        && value.clone().any(|idx| cursor.is(idx, "!"))
        && !value.any(|idx| cursor.is(idx, "$"))
}
