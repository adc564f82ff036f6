//! Parsing what the compiler prints of an expanded program. Some of it is no Rust that anybody may
//! write, and syn does not know it: it becomes a macro call again before it is parsed.

use super::{is_ours, is_put_around};
use reduce_syntax::{SpanGuard, Token, tokens};
use syn::File;

/// An expanded program without what the compiler puts around it.
pub(super) struct PrintedExpansion {
    /// The text in which the positions of the syntax are.
    pub(super) text: String,
    pub(super) file: File,
    _positions: SpanGuard,
}

/// Parses an expanded program.
pub(super) fn parse_expanded(text: &str) -> Option<PrintedExpansion> {
    let positions = SpanGuard::new();
    let text = writable(text);
    let mut file = syn::parse_file(&text).ok()?;
    file.attrs.retain(|attribute| !is_ours(attribute));
    file.items.retain(|item| !is_put_around(item));
    Some(PrintedExpansion {
        text,
        file,
        _positions: positions,
    })
}

/// The text with `offset_of!` and `pin!` in place of what they expand to.
fn writable(text: &str) -> String {
    if !text.contains("builtin # ") && !text.contains("super let ") {
        return text.to_owned();
    }
    let all = tokens(text);
    let mut edits = Vec::new();
    for at in 0..all.len() {
        offset_of(text, &all[at..], &mut edits);
        pinned(text, &all, at, &mut edits);
    }
    edits.sort_unstable();
    edited(text, &edits)
}

type Edits = Vec<(usize, usize, &'static str)>;

fn edited(text: &str, edits: &Edits) -> String {
    let mut result = String::with_capacity(text.len());
    let mut position = 0;
    for &(start, end, by) in edits.iter() {
        if let Some(kept) = text.get(position..start) {
            result.push_str(kept);
            result.push_str(by);
            position = end;
        }
    }
    result.push_str(text.get(position..).unwrap_or_default());
    result
}

/// `builtin # offset_of(S, x)`.
fn offset_of(text: &str, rest: &[Token], edits: &mut Edits) {
    let [first, mark, name, ..] = rest else {
        return;
    };
    if [first, mark, name].map(|one| &text[one.range()]) == ["builtin", "#", "offset_of"] {
        let (start, end) = (first.range().start, name.range().end);
        edits.push((start, end, "::core::mem::offset_of!"));
    }
}

/// `{ super let mut pinned = x; unsafe { ::core::pin::Pin::new_unchecked(&mut pinned) } }`.
fn pinned(text: &str, all: &[Token], at: usize, edits: &mut Edits) {
    const START: [&str; 6] = ["{", "super", "let", "mut", "pinned", "="];
    let word = |index: usize| all.get(index).map_or("", |one| &text[one.range()]);
    if (0..START.len()).any(|index| word(at + index) != START[index]) {
        return;
    }
    let value = at + START.len();
    let end_of = |from: usize, stop: &str| closing(text, all, from, stop);
    let found = end_of(value, ";").and_then(|semi| Some((semi, end_of(semi + 1, "}")?)));
    if let (Some((semi, close)), Some(first)) = (found, all.get(value)) {
        edits.push((
            all[at].range().start,
            first.range().start,
            "::core::pin::pin!(",
        ));
        edits.push((all[semi].range().start, all[close].range().end, ")"));
    }
}

/// The first token from `from` on that is `stop` and in no brackets that open there.
fn closing(text: &str, all: &[Token], from: usize, stop: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, one) in all.iter().enumerate().skip(from) {
        let word = &text[one.range()];
        if depth == 0 && word == stop {
            return Some(index);
        }
        match word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(writable(text), expected);
    }

    #[test]
    fn what_only_the_compiler_may_write_is_a_call_again() {
        check(
            "const { builtin # offset_of(S, x) };",
            "const { ::core::mem::offset_of!(S, x) };",
        );
        check(
            "{ super let mut pinned = { a; b }; unsafe { P::new_unchecked(&mut pinned) } };",
            "::core::pin::pin!({ a; b });",
        );
    }

    #[test]
    fn pins_may_hold_pins() {
        check(
            "{ super let mut pinned = f({ super let mut pinned = x; unsafe { y } }); z }",
            "::core::pin::pin!(f(::core::pin::pin!(x)))",
        );
    }

    #[test]
    fn everything_else_stays_as_it_is() {
        check(
            "{ super let mut other = 1; }",
            "{ super let mut other = 1; }",
        );
        check("{ super let mut pinned = 1", "{ super let mut pinned = 1");
    }
}
