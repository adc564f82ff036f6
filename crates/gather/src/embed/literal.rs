//! Writes text or bytes as a literal, in the form that reads best: plain, raw or with escapes.

use std::fmt::Write;

/// The most hashes of a raw string (`r##".."##`); with more of them, escapes are easier to read.
const MOST_HASHES: usize = 8;

/// Writes a text as a string literal: plain if nothing in it has to be escaped, else raw, else with escapes.
pub(crate) fn string_literal(value: &str) -> String {
    let raw = value.chars().all(is_readable).then(|| unescaped(value));
    raw.flatten()
        .unwrap_or_else(|| format!("\"{}\"", escaped(value)))
}

/// Writes bytes as a byte string literal: plain if nothing in it has to be escaped, else raw, else with escapes.
pub(crate) fn byte_literal(value: &[u8]) -> String {
    let is_readable = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    let text = std::str::from_utf8(value).ok();
    let text = text.filter(|_| value.iter().all(is_readable));
    match text.and_then(unescaped) {
        Some(literal) => format!("b{literal}"),
        None => format!("b\"{}\"", escaped_bytes(value)),
    }
}

/// Writes a text between quotes without escapes, as a raw string where needed; `None` if that takes too many hashes.
fn unescaped(value: &str) -> Option<String> {
    if !value.contains(['"', '\\']) {
        return Some(format!("\"{value}\""));
    }
    let hashes = "#".repeat(hashes_needed(value));
    (hashes.len() <= MOST_HASHES).then(|| format!("r{hashes}\"{value}\"{hashes}"))
}

/// Returns the number of hashes that a raw string needs: one more than follow a quote anywhere in
/// the text.
fn hashes_needed(value: &str) -> usize {
    let after_quote = value.split('"').skip(1);
    let n_hashes = |rest: &str| rest.bytes().take_while(|&byte| byte == b'#').count();
    after_quote
        .map(|rest| n_hashes(rest) + 1)
        .max()
        .unwrap_or(0)
}

/// Returns whether a character can stand unescaped in any literal and is visible to readers. A carriage return is not: the
/// compiler drops it before a line feed, and rejects it elsewhere.
fn is_readable(character: char) -> bool {
    matches!(character, '\n' | '\t') || !(character.is_control() || is_invisible(character))
}

/// Returns whether a character cannot be seen: a byte order mark, a joiner, or one that changes the direction of text, which
/// rustc denies.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn escaped(value: &str) -> String {
    let mut result = String::with_capacity(value.len() + value.len() / 8);
    for character in value.chars() {
        match character {
            '\0'..='\x7f' => push_ascii(&mut result, character),
            _ if is_readable(character) => result.push(character),
            _ => write!(result, "\\u{{{:x}}}", u32::from(character)).expect("strings grow"),
        }
    }
    result
}

fn escaped_bytes(value: &[u8]) -> String {
    let mut result = String::with_capacity(value.len() * 2);
    for &byte in value {
        match byte {
            0..=0x7f => push_ascii(&mut result, char::from(byte)),
            _ => write!(result, "\\x{byte:02x}").expect("strings grow"),
        }
    }
    result
}

fn push_ascii(result: &mut String, character: char) {
    match character {
        '\n' => result.push_str("\\n"),
        '\r' => result.push_str("\\r"),
        '\t' => result.push_str("\\t"),
        '\0' => result.push_str("\\0"),
        '"' | '\\' => result.extend(['\\', character]),
        ' '..='~' => result.push(character),
        _ => write!(result, "\\x{:02x}", u32::from(character)).expect("strings grow"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: &str) {
        let literal = string_literal(value);
        assert_eq!(literal, expected);
        let parsed: syn::LitStr = syn::parse_str(&literal).expect("a literal");
        assert_eq!(parsed.value(), value);
    }

    #[track_caller]
    fn check_bytes(value: &[u8], expected: &str) {
        let literal = byte_literal(value);
        assert_eq!(literal, expected);
        let parsed: syn::LitByteStr = syn::parse_str(&literal).expect("a literal");
        assert_eq!(parsed.value(), value);
    }

    #[test]
    fn a_plain_text_stands_between_quotes() {
        check("", r#""""#);
        check("1.0.2", r#""1.0.2""#);
        check("a\n\tä", "\"a\n\tä\"");
    }

    #[test]
    fn quotes_and_backslashes_make_it_raw() {
        check("a\\b", r#"r"a\b""#);
        check("say \"x\"", r##"r#"say "x""#"##);
        check("\"#", "r##\"\"#\"##");
        check("\"##\"#", "r###\"\"##\"#\"###");
    }

    #[test]
    fn what_no_raw_string_can_hold_is_escaped() {
        check("a\r\nb", r#""a\r\nb""#);
        check("\r\"\\", r#""\r\"\\""#);
        check("\0\x1b\u{feff}\u{202e}é", r#""\0\x1b\u{feff}\u{202e}é""#);
        check(
            &format!("\"{}", "#".repeat(300)),
            &format!("\"\\\"{}\"", "#".repeat(300)),
        );
    }

    #[test]
    fn bytes_need_not_be_text() {
        check_bytes(b"", "b\"\"");
        check_bytes(b"a\n\"", "br#\"a\n\"\"#");
        check_bytes(b"\xff\0\r\n'\"", r#"b"\xff\0\r\n'\"""#);
        check_bytes("é".as_bytes(), r#"b"\xc3\xa9""#);
    }
}
