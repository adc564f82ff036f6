//! Literals as a trace has them, taken apart into the literals that they are made of.

use reduce_syntax::tokens;
use std::ops::Range;

/// The form of a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// `&x`
    Reference(String),
    /// `[a, b]` or `vec![a, b]`
    List(Vec<String>),
    /// A tuple, or what is made by a path with arguments: `(a, b)`, `Some(a)`.
    Tuple(String, Vec<String>),
    /// `S { a: b }`
    Fields(String, Vec<(String, String)>),
    /// A path by itself, or anything else.
    Other(String),
}

/// Reads the form of a literal.
pub(super) fn shape(text: &str) -> Shape {
    let text = text.trim();
    let other = || Shape::Other(text.to_owned());
    let all = tokens(text);
    let words: Vec<&str> = all.iter().map(|token| &text[token.range()]).collect();
    let Some(first) = words.first() else {
        return other();
    };
    if *first == "&" {
        return Shape::Reference(text[all[0].range().end..].trim().to_owned());
    }
    let is_in_path = |word: &&&str| **word == "::" || is_name(word);
    let head = words.iter().take_while(is_in_path).count();
    let (path, mut open) = (text_of(text, &all, 0..head), head);
    let is_list = path == "vec" && words.get(open) == Some(&"!");
    open += usize::from(is_list);
    let is_whole = closing(&words, open) == Some(words.len() - 1);
    let parts = || parts(text, &all, &words, open + 1..words.len() - 1);
    match words.get(open) {
        Some(&"[") if is_whole && (is_list || path.is_empty()) => Shape::List(parts()),
        Some(&"(") if is_whole && is_parenthesised(&words) => {
            shape(&text_of(text, &all, 1..words.len() - 1))
        }
        Some(&"(") if is_whole && !is_list => Shape::Tuple(path, parts()),
        Some(&"{") if is_whole && !path.is_empty() => {
            let named = parts().into_iter().map(|part| {
                let (name, value) = part.split_once(':')?;
                Some((name.trim().to_owned(), value.trim().to_owned()))
            });
            let named: Option<Vec<_>> = named.collect();
            named.map_or_else(other, |named| Shape::Fields(path, named))
        }
        _ => other(),
    }
}

/// The elements of a literal that is a list, or a reference to one.
pub(super) fn list_elements(text: &str) -> Option<Vec<String>> {
    match shape(text) {
        Shape::List(parts) => Some(parts),
        Shape::Reference(inner) => list_elements(&inner),
        _ => None,
    }
}

/// The literal behind one that is a reference.
pub(super) fn behind_reference(text: &str) -> Option<&str> {
    text.strip_prefix('&').map(str::trim)
}

/// The literal of a key or index in the form in which keys are compared: the same for a text and a reference to it, and without
/// the type of a number.
pub(super) fn key_of(literal: &str) -> String {
    let text = literal.trim().trim_start_matches('&').trim();
    let owned = [".to_string()", ".to_owned()", ".into()"];
    let text = owned
        .iter()
        .find_map(|end| text.strip_suffix(end))
        .unwrap_or(text);
    match number(text) {
        Some((number, _)) => number.to_string(),
        None => text.to_owned(),
    }
}

/// The last name of a path.
pub(super) fn last_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path).trim()
}

/// Whether a text stays one operand wherever it is put: a path, a literal, or calls and fields of one.
pub(super) fn is_atom(text: &str) -> bool {
    let all = tokens(text);
    let (mut depth, mut angles) = (0_usize, 0_usize);
    let mut before = "";
    for (nth, token) in all.iter().enumerate() {
        let word = &text[token.range()];
        let before = std::mem::replace(&mut before, word);
        match word {
            // Types in a path.
            "<" if before == "::" || angles > 0 => angles += 1,
            ">" if angles > 0 => angles -= 1,
            ">>" if angles > 0 => angles = angles.saturating_sub(2),
            _ if angles > 0 => {}
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            "." | "::" | "?" => {}
            "!" if nth > 0 => {}
            "match" | "if" | "move" | "return" | "unsafe" | "as" | "loop" | "while" | "for" => {
                return false;
            }
            word if is_name(word) => {}
            word if word
                .starts_with(|one: char| one.is_ascii_digit() || one == '"' || one == '\'') => {}
            word if word.starts_with("r\"")
                || word.starts_with("b\"")
                || word.starts_with("b'")
                || word.starts_with("r#") => {}
            _ => return false,
        }
    }
    true
}

/// A text in parentheses, unless it stays one operand without.
pub(super) fn operand(text: &str) -> String {
    match is_atom(text) {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}

/// Whether a word is a name or a keyword.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|one: char| one.is_alphabetic() || one == '_')
        && word.chars().all(|one| one.is_alphanumeric() || one == '_')
}

fn is_parenthesised(words: &[&str]) -> bool {
    let mut depth = 0_usize;
    let has_comma = words.iter().any(|word| {
        match *word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        *word == "," && depth == 1
    });
    words.first() == Some(&"(") && words.len() > 2 && !has_comma
}

fn closing(words: &[&str], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (idx, word) in words.iter().enumerate().skip(open) {
        match *word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(idx);
        }
    }
    None
}

fn text_of(text: &str, all: &[reduce_syntax::Token], range: Range<usize>) -> String {
    match (
        all.get(range.start),
        range.end.checked_sub(1).and_then(|last| all.get(last)),
    ) {
        (Some(first), Some(last)) if !range.is_empty() => {
            text[first.range().start..last.range().end].to_owned()
        }
        _ => String::new(),
    }
}

fn parts(
    text: &str,
    all: &[reduce_syntax::Token],
    words: &[&str],
    within: Range<usize>,
) -> Vec<String> {
    let (mut found, mut start, mut depth) = (Vec::new(), within.start, 0_usize);
    for idx in within.clone() {
        match words[idx] {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                found.push(text_of(text, all, start..idx));
                start = idx + 1;
            }
            _ => {}
        }
    }
    if start < within.end {
        found.push(text_of(text, all, start..within.end));
    }
    found
}

/// A number with the suffix of its type, as `4_u8`.
pub(super) fn number(text: &str) -> Option<(i128, &str)> {
    let (digits, suffix) = text.split_once('_').unwrap_or((text, "i32"));
    Some((digits.parse().ok()?, suffix))
}

/// The text without the suffixes of numbers that a trace has written.
pub(super) fn without_suffixes(text: &str) -> String {
    let mut result = String::new();
    let mut done = 0;
    for token in tokens(text) {
        let range = token.range();
        let word = &text[range.clone()];
        if word.starts_with(|one: char| one.is_ascii_digit())
            && let Some((number, suffix)) = word.rsplit_once('_')
            && reduce_syntax::is_number_type(suffix)
        {
            result.push_str(&text[done..range.start]);
            result.push_str(number);
            done = range.end;
        }
    }
    result.push_str(&text[done..]);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(all: &[&str]) -> Vec<String> {
        all.iter().map(|one| (*one).to_owned()).collect()
    }

    #[test]
    fn literals_have_parts() {
        let tuple = |path: &str, parts: &[&str]| Shape::Tuple(path.to_owned(), strings(parts));
        assert_eq!(shape("Some(f(1, 2))"), tuple("Some", &["f(1, 2)"]));
        assert_eq!(shape("(1, \"a,b\")"), tuple("", &["1", "\"a,b\""]));
        assert_eq!(
            shape("vec![1..2, 3..4]"),
            Shape::List(strings(&["1..2", "3..4"]))
        );
        assert_eq!(shape("[]"), Shape::List(Vec::new()));
        assert_eq!(shape("&[1]"), Shape::Reference("[1]".to_owned()));
        assert_eq!(shape("(A::B)"), Shape::Other("A::B".to_owned()));
        let fields = vec![
            ("a".to_owned(), "1".to_owned()),
            ("b".to_owned(), "C::D".to_owned()),
        ];
        assert_eq!(
            shape("S { a: 1, b: C::D }"),
            Shape::Fields("S".to_owned(), fields)
        );
        let text = "\"a\".to_string()";
        assert_eq!(shape(text), Shape::Other(text.to_owned()));
    }

    #[test]
    fn what_falls_apart_stands_in_parentheses() {
        for atom in [
            "a",
            "a::b(1 + 2)",
            "a.b::<C<D<(E, F)>>>().g",
            "a.b[0]?.c()",
            "vec![1, 2]",
            "\"a b\"",
            "1_u8",
        ] {
            assert!(is_atom(atom), "{atom}");
        }
        for other in [
            "1..2",
            "-1",
            "&a",
            "a + b",
            "S { a: 1 }",
            "a as u8",
            "|a| a",
        ] {
            assert!(!is_atom(other), "{other}");
        }
    }

    #[test]
    fn numbers_of_a_trace_lose_their_suffixes() {
        assert_eq!(
            without_suffixes("f(1_u8, -2_i64..x_u8, \"3_u8\")"),
            "f(1, -2..x_u8, \"3_u8\")"
        );
        assert_eq!(number("4_u8"), Some((4, "u8")));
        assert_eq!(number("-4"), Some((-4, "i32")));
    }
}
