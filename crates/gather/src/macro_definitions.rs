//! Tells which tokens are in definitions of macros, where a path may be meant for the crate that calls the macro.

use reduce_syntax::TokenCursor;

/// Returns whether a token stands in the body of a `macro_rules! name`. The name may be a variable
/// of another macro, or left out.
pub(crate) fn is_in_definition(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    let is_defined = |opener: usize, back: usize| {
        cursor.before(opener, back) == "!" && cursor.before(opener, back + 1) == "macro_rules"
    };
    let mut openers = cursor.groups_around(idx);
    openers.any(|opener| (1..=3).any(|back| is_defined(opener, back)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let cursor = TokenCursor::new(text);
        let names = cursor.indices().filter(|&idx| cursor.is_name(idx));
        let inside = names.filter(|&idx| is_in_definition(&cursor, idx));
        let inside: Vec<&str> = inside.map(|idx| cursor.word(idx)).collect();
        assert_eq!(inside, expected);
    }

    #[test]
    fn only_what_is_between_the_brackets_is_defined() {
        check("a macro_rules! m { (b) => { { c } } } d", &["b", "c"]);
        check("macro_rules! $m { () => { a } } b! { c }", &["a"]);
    }

    #[test]
    fn the_token_behind_a_definition_is_not_in_it() {
        check("macro_rules! m [(a)=>{}]; mod n { b }", &["a"]);
    }
}
