//! Assertions that only compare constants. A program that computes nothing may fail with the values of
//! one that has a bug; it is then about nothing any more.

use reduce_syntax::{SourceTree, tokens};

/// Whether an assertion of the crate names nothing: `assert_eq!(10, 64)`, `assert!(false)`.
#[must_use]
pub fn asserts_constants(sources: &SourceTree) -> bool {
    let mut texts = sources.files().map(|(_, _, text)| text);
    texts.any(|text| has_constant_assertion(text))
}

fn has_constant_assertion(text: &str) -> bool {
    // Most texts are decided by this alone.
    if !text.contains("assert") {
        return false;
    }
    let tokens: Vec<&str> = tokens(text)
        .iter()
        .map(|token| &text[token.range()])
        .collect();
    let calls = tokens.windows(3).enumerate().filter(|(_, three)| {
        let name = three[0].trim_start_matches("debug_");
        name.starts_with("assert") && three[1] == "!" && matches!(three[2], "(" | "[" | "{")
    });
    calls
        .into_iter()
        .any(|(at, _)| is_constant(&tokens[at + 3..]))
}

/// Whether the tokens up to the bracket that closes the call name nothing but macros.
fn is_constant(tokens: &[&str]) -> bool {
    let mut depth = 1;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            name if is_name(name) && tokens.get(at + 1) != Some(&"!") => return false,
            _ => {}
        }
        if depth == 0 {
            return true;
        }
    }
    false
}

fn is_name(token: &str) -> bool {
    let is_word = token.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_literal = ["b\"", "c\"", "r\"", "r#", "br", "cr", "b'"];
    let is_literal =
        is_literal.iter().any(|start| token.starts_with(start)) && token.contains(['"', '\'']);
    is_word
        && !is_literal
        && !matches!(token, "true" | "false" | "as")
        && !matches!(token, "u8" | "u16" | "u32" | "u64" | "u128" | "usize")
        && !matches!(token, "i8" | "i16" | "i32" | "i64" | "i128" | "isize")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(has_constant_assertion(text), expected, "{text}");
    }

    #[test]
    fn an_assertion_of_literals_alone_is_one_of_constants() {
        check("fn f() { assert_eq!(10, 64); }", true);
        check("fn f() { assert!(false); }", true);
        check(
            "fn f() { debug_assert_ne!(1 + 2, 3u8 as u16, \"why\") }",
            true,
        );
        check("fn f() { assert_eq!(b\"a\", r#\"b\"#); }", true);
        check("fn f() { assert_eq!(vec![1], [2]); }", true);
        check("fn f() { a(x); assert! { 1 > 2 } }", true);
    }

    #[test]
    fn one_that_names_something_is_not() {
        check("fn f() { assert_eq!(x.len(), 64); }", false);
        check("fn f() { assert!(f()); }", false);
        check("fn f() { assert_eq!(10, N) }", false);
        check("fn assert(x: u8) {} fn f() { assert(1); }", false);
        check(
            "/* assert_eq!(1, 2) */ const S: &str = \"assert!(false)\";",
            false,
        );
        check("fn f() { assert!(", false);
    }
}
