//! Compares values that were observed with those that a failure shows.

use reduce_syntax::{Token, TokenKind, is_number_type, tokens};

/// The number of characters from which on a value of one token is looked for within others: many values hold a `1`.
const TELLING: usize = 3;

/// A value that a failure shows, as its `Debug` form has it.
pub(super) struct Shown(Vec<String>);

impl Shown {
    pub(super) fn new(text: &str) -> Self {
        Self(parts(text))
    }

    /// Whether a literal is this value, in whatever wrapping, or holds it.
    pub(super) fn is_held_by(&self, literal: &str) -> bool {
        let literal = parts(literal);
        let is_telling = match self.0.as_slice() {
            [] => return false,
            [one] => one.len() >= TELLING,
            _ => true,
        };
        let mut windows = literal.windows(self.0.len());
        literal == self.0 || is_telling && windows.any(|window| window == self.0)
    }
}

/// Returns the parts of a value that tell it from others: its numbers without their types, its texts, and names but for those of
/// wrappers and conversions.
fn parts(text: &str) -> Vec<String> {
    const WRAPPERS: [&str; 8] = [
        "Some",
        "Ok",
        "Err",
        "vec",
        "String",
        "from",
        "to_owned",
        "to_string",
    ];
    let part = |token: Token| {
        let word = &text[token.range()];
        match token.kind {
            TokenKind::Integer | TokenKind::Float => Some(without_type(word)),
            TokenKind::Str | TokenKind::Char => Some(word.to_owned()),
            TokenKind::Ident if WRAPPERS.contains(&word) => None,
            TokenKind::Ident => Some(word.to_owned()),
            _ => None,
        }
    };
    tokens(text).into_iter().filter_map(part).collect()
}

/// Removes the type and the underlines of a number.
fn without_type(number: &str) -> String {
    let types = number.char_indices().map(|(at, _)| at);
    let end = types.skip(1).find(|&at| is_number_type(&number[at..]));
    number[..end.unwrap_or(number.len())].replace('_', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(shown: &str, literal: &str, expected: bool) {
        let is_held = Shown::new(shown).is_held_by(literal);
        assert_eq!(is_held, expected, "{shown} in {literal}");
    }

    #[test]
    fn a_value_is_the_same_in_any_wrapping() {
        check("Some(-7.0)", "-7.0", true);
        check("-7.0", "Some(-7.0f64)", true);
        check("\"1520.64\"", "\"1520.64\".to_string()", true);
        check(
            "[\"Abe\", \"Berg\"]",
            "vec![\"Abe\".to_owned(), \"Berg\".to_owned()]",
            true,
        );
        check("2299", "2_299_u64", true);
        check("None", "None", true);
        check("2299", "2298", false);
        check("Err(Empty)", "Empty", true);
    }

    #[test]
    fn a_value_may_be_a_part_of_another_if_it_tells_much() {
        check("2299", "(1, 2299)", true);
        check("Some(1)", "(1, 2)", false);
        check("1", "1", true);
        check("[]", "3", false);
    }
}
