//! Literals as a trace has them, taken apart into the literals that they are made of.

use reduce_syntax::{TokenCursor, is_number_type, tokens};
use std::collections::BTreeSet;
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
    let cursor = TokenCursor::new(text);
    if cursor.is(0, "&") {
        return Shape::Reference(text[cursor.range(0).end..].trim().to_owned());
    }
    let is_in_path = |idx: &usize| cursor.is(*idx, "::") || is_name(cursor.word(*idx));
    let head = cursor.indices().take_while(is_in_path).count();
    let path = cursor.text_of(&(0..head));
    let is_list = path == "vec" && cursor.is(head, "!");
    let open = head + usize::from(is_list);
    let close = cursor.closing(open);
    let Some(close) = close.filter(|close| close + 1 == cursor.len()) else {
        return other();
    };
    let inner = open + 1..close;
    let parts = || -> Vec<String> {
        let parts = cursor.split_values_by_commas(inner.clone());
        let texts = parts.iter().map(|part| cursor.text_of(part).to_owned());
        texts.collect()
    };
    let is_parenthesised =
        open == 0 && !inner.is_empty() && cursor.find(inner.clone(), ",").is_none();
    match cursor.word(open) {
        "[" if is_list || path.is_empty() => Shape::List(parts()),
        "(" if is_parenthesised => shape(cursor.text_of(&inner)),
        "(" if !is_list => Shape::Tuple(path.to_owned(), parts()),
        "{" if !path.is_empty() => {
            let named = parts().into_iter().map(|part| {
                let (name, value) = part.split_once(':')?;
                Some((name.trim().to_owned(), value.trim().to_owned()))
            });
            let named: Option<Vec<_>> = named.collect();
            named.map_or_else(other, |named| Shape::Fields(path.to_owned(), named))
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

/// A number with the suffix of its type, as `4_u8`.
pub(super) fn number(text: &str) -> Option<(i128, &str)> {
    let (digits, suffix) = text.split_once('_').unwrap_or((text, "i32"));
    Some((digits.parse().ok()?, suffix))
}

/// The text without the suffixes of numbers that a trace has written.
pub(super) fn without_suffixes(text: &str) -> String {
    let edits = tokens(text).into_iter().filter_map(|token| {
        let word = &text[token.range()];
        let is_number = word.starts_with(|one: char| one.is_ascii_digit());
        let (number, suffix) = word.rsplit_once('_').filter(|_| is_number)?;
        is_number_type(suffix).then(|| (token.range(), number.to_owned()))
    });
    edited(text, 0, &edits.collect::<Vec<_>>())
}

/// The text with byte strings in place of references to lists of bytes that a trace has written, where these are words.
pub(super) fn with_byte_strings(text: &str) -> String {
    let cursor = TokenCursor::new(text);
    let edits = cursor.indices().filter_map(|start| {
        let open = start + 1;
        let close = cursor.closing(open)?;
        if !cursor.are(start, &["&", "["]) {
            return None;
        }
        let bytes = cursor.split_values_by_commas(open + 1..close).into_iter();
        let bytes = bytes.map(|part| cursor.text_of(&part).strip_suffix("_u8")?.parse().ok());
        let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
        let range = cursor.range(start).start..cursor.range(close).end;
        are_words(&bytes).then(|| (range, format!("b\"{}\"", bytes.escape_ascii())))
    });
    edited(text, 0, &edits.collect::<Vec<_>>())
}

/// A text in which lists of references to lists have slices in them where these are of other lengths: `[&[1, 2][..], &[3][..]]`.
pub(super) fn with_slices(text: &str) -> String {
    let cursor = TokenCursor::new(text);
    // The bracket at the end of each referred list, with the number of its elements.
    let referred = |range: Range<usize>| -> Vec<(usize, usize)> {
        let opens = range.filter(|at| cursor.are(*at, &["&", "["]));
        let whole = |at: usize| {
            let close = cursor.closing(at + 1)?;
            Some((close, cursor.split_values_by_commas(at + 2..close).len()))
        };
        opens.filter_map(whole).collect()
    };
    let mut ends = BTreeSet::new();
    for open in cursor.indices().filter(|at| cursor.is(*at, "[")) {
        let Some(close) = cursor.closing(open) else {
            continue;
        };
        let elements = cursor.split_values_by_commas(open + 1..close).into_iter();
        let inner: Vec<Vec<(usize, usize)>> = elements.map(referred).collect();
        let differ = |pair: &[Vec<(usize, usize)>]| {
            let mut lengths = pair[0].iter().zip(&pair[1]);
            pair[0].len() == pair[1].len() && lengths.any(|(one, other)| one.1 != other.1)
        };
        if inner.windows(2).any(differ) {
            ends.extend(inner.iter().flatten().map(|(close, _)| *close));
        }
    }
    let edits = ends.into_iter().filter(|close| !cursor.is(*close + 1, "["));
    let edits = edits.map(|close| {
        let end = cursor.range(close).end;
        (end..end, "[..]".to_owned())
    });
    edited(text, 0, &edits.collect::<Vec<_>>())
}

/// Whether bytes are a text with a letter or a digit in it.
fn are_words(bytes: &[u8]) -> bool {
    let is_text = |byte: &u8| *byte >= b' ' && *byte != 0x7f || byte.is_ascii_whitespace();
    bytes.iter().all(is_text) && bytes.iter().any(u8::is_ascii_alphanumeric)
}

/// A text with other texts in place of ranges; of ranges in each other the outer one counts. `start` is the byte at which
/// the text begins where the ranges are counted.
pub(super) fn edited(text: &str, start: usize, edits: &[(Range<usize>, String)]) -> String {
    let mut result = String::new();
    let mut done = 0;
    for (range, with) in edits {
        let range = range.start - start..range.end - start;
        if range.start < done {
            continue;
        }
        result.push_str(&text[done..range.start]);
        result.push_str(with);
        done = range.end;
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
    fn lists_of_several_lengths_are_slices() {
        assert_eq!(
            with_slices("f([(1, &[2, 3]), (4, &[5])], [&[6], &[7]], x[&[8]])"),
            "f([(1, &[2, 3][..]), (4, &[5][..])], [&[6], &[7]], x[&[8]])"
        );
        let others = "vec![&[1][..], &[2, 3][..]]; [g(&[1]), g(2)]";
        assert_eq!(with_slices(others), others);
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
    fn lists_of_bytes_are_byte_strings_where_they_are_words() {
        for (list, expected) in [
            ("f(&[97_u8, 34_u8, 10_u8], 1)", "f(b\"a\\\"\\n\", 1)"),
            ("&[195_u8, 188_u8, 66_u8]", "b\"\\xc3\\xbcB\""),
            ("&[0_u8, 66_u8]", "&[0_u8, 66_u8]"),
            ("&[97_u16]", "&[97_u16]"),
            ("&[]", "&[]"),
            ("&[32_u8]", "&[32_u8]"),
            ("[97_u8]", "[97_u8]"),
            ("&x[97_u8]", "&x[97_u8]"),
        ] {
            assert_eq!(with_byte_strings(list), expected);
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
