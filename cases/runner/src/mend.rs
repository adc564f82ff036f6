//! Finds the faulty statement in a result that has the code under test in it, and mends it. Names may be
//! others there, so texts are compared token by token.

use reduce_syntax::tokens;
use std::collections::HashMap;
use std::ops::Range;

/// The result with the right line in place of the wrong one, once for each place where the wrong one
/// stands.
pub fn mended(result: &str, wrong: &str, right: &str) -> Vec<String> {
    let all = without_last_commas(result);
    let words: Vec<&str> = all.iter().map(|range| &result[range.clone()]).collect();
    let wrong = split(wrong);
    let mut texts = Vec::new();
    if wrong.is_empty() || wrong.len() > words.len() {
        return texts;
    }
    for at in 0..=words.len() - wrong.len() {
        let Some(names) = names(&wrong, &words[at..at + wrong.len()]) else {
            continue;
        };
        let start = all[at].start;
        let end = all[at + wrong.len() - 1].end;
        let line = renamed(right, &names);
        texts.push(format!("{}{line}{}", &result[..start], &result[end..]));
    }
    texts
}

fn split(text: &str) -> Vec<&str> {
    let all = without_last_commas(text).into_iter();
    all.map(|range| &text[range]).collect()
}

/// Where the tokens of a text are, without the commas before closing brackets: a formatter puts them there.
fn without_last_commas(text: &str) -> Vec<Range<usize>> {
    let all: Vec<Range<usize>> = tokens(text)
        .into_iter()
        .map(|token| token.range())
        .collect();
    let is_last_comma = |idx: usize| {
        let next = all.get(idx + 1).map(|range| &text[range.clone()]);
        &text[all[idx].clone()] == "," && matches!(next, Some(")" | "]" | "}"))
    };
    let kept = (0..all.len()).filter(|&idx| !is_last_comma(idx));
    kept.map(|idx| all[idx].clone()).collect()
}

/// What the names of one text are called in the other; `None` if the texts differ otherwise.
fn names<'t>(ours: &[&'t str], theirs: &[&'t str]) -> Option<HashMap<&'t str, &'t str>> {
    let mut forth = HashMap::new();
    let mut back = HashMap::new();
    for (our, their) in ours.iter().zip(theirs) {
        let is_same = match is_name(our) && is_name(their) {
            true => {
                *forth.entry(*our).or_insert(*their) == *their
                    && *back.entry(*their).or_insert(*our) == *our
            }
            false => our == their,
        };
        if !is_same {
            return None;
        }
    }
    Some(forth)
}

fn renamed(text: &str, names: &HashMap<&str, &str>) -> String {
    let mut renamed = String::new();
    let mut at = 0;
    for token in tokens(text) {
        let word = &text[token.range()];
        renamed.push_str(&text[at..token.range().start]);
        renamed.push_str(names.get(word).unwrap_or(&word));
        at = token.range().end;
    }
    renamed.push_str(&text[at..]);
    renamed
}

/// Whether a token is a name that a reduction may change.
fn is_name(token: &str) -> bool {
    const KEPT: [&str; 16] = [
        "as", "else", "false", "fn", "for", "if", "in", "let", "loop", "match", "mut", "ref",
        "return", "true", "while", "_",
    ];
    let is_first = |character: char| character.is_alphabetic() || character == '_';
    token.starts_with(is_first) && !KEPT.contains(&token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_found_under_other_names() {
        let result = "fn main() { if x > *y.get() { f() } }";
        let mended = mended(result, "if next > *ent.get() {", "if next < *ent.get() {");
        assert_eq!(mended, ["fn main() { if x < *y.get() { f() } }"]);
    }

    #[test]
    fn a_comma_before_a_bracket_does_not_matter() {
        let result = "f(S {\n    a,\n    b: 1,\n});";
        let mended = mended(result, "S { a, b: 1 }", "S { a, b: 2 }");
        assert_eq!(mended, ["f(S { a, b: 2 });"]);
    }

    #[test]
    fn two_names_do_not_become_one() {
        let result = "fn main() { f(a, a) }";
        assert_eq!(mended(result, "g(x, y)", "g(y, x)"), [""; 0]);
        assert_eq!(mended("f(b, a)", "g(x, y)", "g(y, x)"), ["f(a, b)"]);
    }

    #[test]
    fn a_name_is_no_keyword() {
        assert_eq!(mended("return x", "a b", "b a"), [""; 0]);
    }

    #[test]
    fn each_place_is_mended_by_itself() {
        let both = mended("a + 1; b + 1", "c + 1", "c + 2");
        assert_eq!(both, ["a + 2; b + 1", "a + 1; b + 2"]);
    }
}
