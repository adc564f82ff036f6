//! Keeps apart what a later edition reserves: names that are keywords there are written as raw names (`r#async`), and a space
//! separates characters that would become one token with what follows (`k"..."`).

use crate::rewriting::{rewrite_tokens, with_words_at};
use reduce_syntax::TokenCursor;

/// Keywords since edition 2018, which are ordinary names in 2015.
pub(crate) const KEYWORDS_OF_2018: &[&str] = &["async", "await", "dyn", "try"];

/// Keywords since edition 2024, which are ordinary names up to 2021.
pub(crate) const KEYWORDS_OF_2024: &[&str] = &["gen"];

/// Writes names that are in `keywords` as raw names: `r#async`.
pub(crate) fn in_raw_form(text: &str, keywords: &[&str]) -> String {
    with_words_at(text, |cursor, idx| {
        let word = cursor.word(idx);
        let is_name = keywords.contains(&word) && !is_weak_keyword(cursor, idx);
        is_name.then(|| format!("r#{word}"))
    })
}

/// Returns whether a word is the `dyn` of a trait object, which 2015 knows too. `dyn::a` and
/// `dyn<T>` are paths there.
fn is_weak_keyword(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    let next = cursor.word(idx + 1);
    let is_bound = cursor.is_name(idx + 1) && next != "as" || cursor.is_lifetime(idx + 1);
    cursor.is(idx, "dyn") && (is_bound || matches!(next, "(" | "?" | "$"))
}

/// Puts a space after each token that a later edition would read as the prefix of a literal (`k"..."`, `k#a`, `c"..."`) or as a
/// guarded string (`#"..."`, `##`). Only macros are given such tokens.
pub(crate) fn separate(text: &str) -> String {
    // A prefix may be followed by another one: `cr#"a"#` is `cr # "a"#`.
    [(); 2].iter().fold(text.to_owned(), |text, ()| {
        rewrite_tokens(&text, |rewriting, idx| {
            if let Some(at) = end_of_prefix(&rewriting.cursor, idx) {
                rewriting.insert_at(at, " ");
            }
        })
    })
}

/// Finds the end of the prefix that a token is or begins with.
fn end_of_prefix(cursor: &TokenCursor<'_>, idx: usize) -> Option<usize> {
    let (word, range) = (cursor.word(idx), cursor.range(idx));
    if ["c\"", "cr\"", "cr#"].iter().any(|c| word.starts_with(c)) {
        return Some(range.start + word.find(['"', '#'])?);
    }
    let behind = cursor.char_behind(idx)?;
    let is_prefix = match behind {
        '#' => cursor.is_name(idx) || cursor.is_lifetime(idx) || word == "#",
        '"' => cursor.is_name(idx) || word == "#",
        '\'' => cursor.is_name(idx),
        _ => false,
    };
    is_prefix.then_some(range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str) {
        assert_eq!(in_raw_form(before, KEYWORDS_OF_2018), after);
    }

    #[track_caller]
    fn check_apart(before: &str, after: &str) {
        assert_eq!(separate(before), after);
    }

    #[test]
    fn new_keywords_become_raw_names() {
        check(
            "mod async { fn await() {} }",
            "mod r#async { fn r#await() {} }",
        );
        check("try!(a.try().await)", "r#try!(a.r#try().r#await)");
        check(
            "macro_rules! try { ($try:expr) => {} }",
            "macro_rules! r#try { ($r#try:expr) => {} }",
        );
        check(
            "r#async 'try \"try\" /* try */ // try",
            "r#async 'try \"try\" /* try */ // try",
        );
        check("async_std::trying", "async_std::trying");
    }

    #[test]
    fn dyn_before_a_bound_is_the_keyword() {
        check(
            "Box<dyn T>, &dyn for<'a> F, &(dyn 'a + T)",
            "Box<dyn T>, &dyn for<'a> F, &(dyn 'a + T)",
        );
        check(
            "dyn::f(); let dyn = dyn as u8;",
            "r#dyn::f(); let r#dyn = r#dyn as u8;",
        );
        check("dyn<T>, dyn.a", "r#dyn<T>, r#dyn.a");
    }

    #[test]
    fn gen_is_a_keyword_since_2024() {
        let raw = in_raw_form("rng.gen::<u8>(); gen_range()", KEYWORDS_OF_2024);
        assert_eq!(raw, "rng.r#gen::<u8>(); gen_range()");
    }

    #[test]
    fn prefixes_are_kept_apart() {
        check_apart("m!(k\"a\" z'a' w#b)", "m!(k \"a\" z 'a' w #b)");
        check_apart("m!(c\"a\" cr#\"a\"#)", "m!(c \"a\" cr # \"a\"#)");
        check_apart("m!('a#b)", "m!('a #b)");
    }

    #[test]
    fn literals_and_raw_names_that_are_old_stay() {
        let text = "b\"a\" br#\"##\"# r\"a\" r#a b'c' r##\"a\"## #[a] 'a' \"##\" // ##\n";
        check_apart(text, text);
    }

    #[test]
    fn guarded_strings_are_kept_apart() {
        check_apart("m!(#\"a ; b\" ## c)", "m!(# \"a ; b\" # # c)");
        check_apart("m!(###)", "m!(# # #)");
    }
}
