//! Converts the spelling of patterns and of macro matchers: since 2021, `...` in a pattern is written `..=`, and a fragment such
//! as `$x:pat` matches more than before, so that its old meaning has another name (`pat_param`).

use crate::rewriting::with_words_at;
use reduce_syntax::TokenCursor;

/// Replaces `...` by `..=` in patterns. Variadic functions keep it.
pub(crate) fn inclusive_ranges(text: &str) -> String {
    with_words_at(text, |cursor, idx| {
        let is_old = cursor.is(idx, "...") && is_range(cursor, idx);
        is_old.then(|| "..=".to_owned())
    })
}

/// Returns whether a `...` is a range in a pattern, with a value before and after it.
fn is_range(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    let is_end = |idx: usize| {
        let kind = cursor.kind(idx);
        kind.is_some_and(|kind| kind.is_name() || kind.is_literal())
    };
    let is_begun = idx.checked_sub(1).is_some_and(is_end);
    (is_begun || matches!(cursor.before(idx, 1), ")" | "}"))
        && (is_end(idx + 1) || matches!(cursor.word(idx + 1), "-" | "$" | "::" | "<" | "(" | "{"))
}

/// Replaces the fragment specifier `old` in `$x:old` by `new`.
pub(crate) fn renamed(text: &str, old: &str, new: &str) -> String {
    with_words_at(text, |cursor, idx| {
        let is_old = cursor.is(idx, old) && is_fragment(cursor, idx);
        is_old.then(|| new.to_owned())
    })
}

/// Returns whether a word is a fragment specifier, such as `expr` in `$x:expr`.
fn is_fragment(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    idx >= 3 && cursor.is(idx - 1, ":") && cursor.is_name(idx - 2) && cursor.is(idx - 3, "$")
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_syntax::spaced;

    #[track_caller]
    fn check(before: &str, after: &str) {
        assert_eq!(spaced(&inclusive_ranges(before)), spaced(after));
    }

    #[test]
    fn patterns_have_inclusive_ranges() {
        check(
            "match x { 0...9 | b'a' ... b'z' => 1 }",
            "match x { 0..=9 | b'a' ..= b'z' => 1 }",
        );
        check(
            "-2...-1, A...b::C, '\\0'...'z', $a...$b",
            "-2..=-1, A..=b::C, '\\0'..='z', $a..=$b",
        );
        check("m!(0x0...0xF)", "m!(0x0..=0xF)");
    }

    #[test]
    fn variadic_functions_stay() {
        let text = "extern { fn f(x: u8, ...); fn g(...); fn h(mut a: ...) } x[..], 0..1, 0..=2";
        check(text, text);
    }

    #[test]
    fn fragments_keep_what_they_match() {
        let renamed = |text: &str| renamed(text, "pat", "pat_param");
        assert_eq!(
            renamed("($p:pat | $($q:pat),* $r:path) => { pat: pat }"),
            "($p:pat_param | $($q:pat_param),* $r:path) => { pat: pat }"
        );
        assert_eq!(renamed("fn f(x: pat) {}"), "fn f(x: pat) {}");
    }
}
