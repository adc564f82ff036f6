//! Tells a `::` that begins a path from one that goes on one.

use reduce_syntax::TokenCursor;

/// Keywords before paths.
const PATHS_FOLLOW: [&str; 24] = [
    "as", "break", "const", "do", "dyn", "else", "for", "if", "impl", "in", "let", "loop", "match",
    "move", "mut", "pub", "ref", "return", "static", "unsafe", "use", "where", "while", "yield",
];

/// The number of tokens that may stand between `impl<` and `>`. Comparisons have no other end.
const MAX_PARAMETERS: usize = 400;

/// Returns whether the `::` at a token begins a path.
pub(crate) fn begins_global_path(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    let Some(before) = idx.checked_sub(1) else {
        return true;
    };
    match cursor.word(before) {
        ">" | ">>" => closes_parameters(cursor, before),
        ")" => bracket_follows(cursor, before, &["pub"]),
        "]" => bracket_follows(cursor, before, &["#", "!"]),
        word => !cursor.is_name(before) || PATHS_FOLLOW.contains(&word),
    }
}

fn bracket_follows(cursor: &TokenCursor<'_>, closing: usize, expected: &[&str]) -> bool {
    let opening = cursor.partner(closing);
    opening.is_some_and(|opening| expected.contains(&cursor.before(opening, 1)))
}

/// Returns whether a `>` ends the parameters of `impl<..>` or `for<..>`, and no type.
fn closes_parameters(cursor: &TokenCursor<'_>, closing: usize) -> bool {
    let mut depth = 0_i32;
    for idx in (closing.saturating_sub(MAX_PARAMETERS)..=closing).rev() {
        match cursor.word(idx) {
            ">" => depth += 1,
            ">>" => depth += 2,
            "<" => depth -= 1,
            "<<" => depth -= 2,
            ";" | "{" | "}" => return false,
            _ => {}
        }
        if depth <= 0 {
            return matches!(cursor.before(idx, 1), "impl" | "for");
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        let cursor = TokenCursor::new(text);
        let mut all = cursor.indices();
        let colons = all
            .find(|&idx| cursor.is(idx, "::"))
            .expect("it has a path");
        assert_eq!(begins_global_path(&cursor, colons), expected, "{text}");
    }

    #[test]
    fn a_path_begins_behind_what_is_no_part_of_one() {
        for text in [
            "::a::b",
            "(::a)",
            "as ::a",
            "impl<T> ::a for S",
            "impl<T: A<B>> ::a",
        ] {
            check(text, true);
        }
        for text in ["pub ::a", "pub(crate) ::a", "#[b] ::a", "$m!() + ::a"] {
            check(text, true);
        }
    }

    #[test]
    fn a_path_goes_on_behind_names_and_types() {
        for text in [
            "a::b",
            "crate::a",
            "A<B>::c",
            "<A as B<C>>::d",
            "[u8]::a",
            "(A, B)::c",
        ] {
            check(text, false);
        }
    }
}
