//! Parses what the compiler prints of an expanded program. Some of it is no Rust that anybody may write, and syn does not know
//! it: it becomes a macro call again before it is parsed.

use super::{is_ours, is_put_around};
use crate::rewriting::{Rewriting, rewrite_tokens};
use reduce_syntax::SpanGuard;
use syn::File;

/// An expanded program without what the compiler puts around it.
pub(super) struct PrintedExpansion {
    /// The text that was parsed, to which the positions in the syntax refer.
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

/// Replaces expansions of `offset_of!` and `pin!`, which syn cannot parse, by calls of these macros.
fn writable(text: &str) -> String {
    if !text.contains("builtin # ") && !text.contains("super let ") {
        return text.to_owned();
    }
    rewrite_tokens(text, |rewriting, idx| {
        offset_of(rewriting, idx);
        pinned(rewriting, idx);
    })
}

/// Writes `builtin # offset_of(S, x)` as a call of `offset_of!`.
fn offset_of(rewriting: &mut Rewriting<'_>, idx: usize) {
    if rewriting.cursor.are(idx, &["builtin", "#", "offset_of"]) {
        rewriting.replace_all(&(idx..idx + 3), "::core::mem::offset_of!");
    }
}

/// Replaces the expansion of `pin!` by a call: `{ super let mut pinned = x; unsafe { ::core::pin::Pin::new_unchecked(&mut pinned)
/// } }` becomes `::core::pin::pin!(x)`.
fn pinned(rewriting: &mut Rewriting<'_>, idx: usize) {
    const START: [&str; 6] = ["{", "super", "let", "mut", "pinned", "="];
    let cursor = &rewriting.cursor;
    let Some(close) = cursor.closing(idx).filter(|_| cursor.are(idx, &START)) else {
        return;
    };
    if let Some(at) = cursor.find(idx + START.len()..close, ";") {
        rewriting.replace_all(&(idx..idx + START.len()), "::core::pin::pin!(");
        rewriting.replace_all(&(at..close + 1), ")");
    }
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
            "::core::pin::pin!( { a; b });",
        );
    }

    #[test]
    fn pins_may_hold_pins() {
        check(
            "{ super let mut pinned = f({ super let mut pinned = x; unsafe { y } }); z }",
            "::core::pin::pin!( f(::core::pin::pin!( x)))",
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
