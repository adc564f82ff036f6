//! Documentation that a macro makes: `#[doc = include_str!(..)]`, `#![doc = concat!(..)]`,
//! `#[cfg_attr(x, doc = ..)]`. Nobody needs it in a program that crashes a compiler.

use super::calls::Calls;
use std::ops::Range;

/// The bytes that may go because of an attribute whose `#` is the token at `idx`.
pub(super) fn documentation_at(calls: &Calls<'_>, idx: usize) -> Vec<Range<usize>> {
    if !calls.is(idx, "#") {
        return Vec::new();
    }
    let open = idx + 1 + usize::from(calls.is(idx + 1, "!"));
    let Some(closing) = calls.closing(open).filter(|_| calls.is(open, "[")) else {
        return Vec::new();
    };
    let inside = open + 1..closing;
    if is_made_by_macro(calls, &inside) {
        return vec![calls.bytes(&(idx..closing + 1))];
    }
    match calls.word(inside.start) {
        "cfg_attr" => conditional(calls, &(idx..closing + 1), inside.start + 1),
        _ => Vec::new(),
    }
}

/// The same of a `cfg_attr`: all of it, or the parts that are documentation.
fn conditional(calls: &Calls<'_>, whole: &Range<usize>, open: usize) -> Vec<Range<usize>> {
    let Some(closing) = calls.closing(open) else {
        return Vec::new();
    };
    let parts = calls.split(&(open + 1..closing));
    let attributes = parts.get(1..).unwrap_or_default();
    let made = attributes
        .iter()
        .filter(|part| is_made_by_macro(calls, part));
    let made: Vec<&Range<usize>> = made.collect();
    if !made.is_empty() && made.len() == attributes.len() {
        return vec![calls.bytes(whole)];
    }
    // Each with the comma before it.
    let with_comma = |part: &&Range<usize>| calls.bytes(&(part.start - 1..part.end));
    made.iter().map(with_comma).collect()
}

/// `doc = path!(..)`. In a definition of a macro, what mentions its parameters stays: a repetition
/// must mention some.
fn is_made_by_macro(calls: &Calls<'_>, range: &Range<usize>) -> bool {
    if !(calls.is(range.start, "doc") && calls.is(range.start + 1, "=")) {
        return false;
    }
    let mut value = range.start + 2..range.end;
    let is_literal = calls.word(value.start).starts_with(['"', '\'']);
    !is_literal
        && value.clone().any(|idx| calls.is(idx, "!"))
        && !value.any(|idx| calls.is(idx, "$"))
}
