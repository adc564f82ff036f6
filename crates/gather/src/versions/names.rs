//! Renames the two versions in a text, as tests of rustc have other names for them than `before` and `after`.

use crate::rewriting::with_replaced;
use reduce_syntax::{Token, TokenKind, tokens};

/// The words before the parentheses in which the name of a version may stand: `cfg(before)`.
const CHOOSING: [&str; 2] = ["cfg", "cfg_attr"];

/// Replaces the names of the versions in a text: each name in `from` by the one in `to`.
#[must_use]
pub fn with_other_names(text: &str, from: [&str; 2], to: [&str; 2]) -> String {
    let tokens = tokens(text);
    let word = |token: &Token| &text[token.range()];
    let (mut depth, mut inside) = (0_usize, None);
    let mut names = Vec::new();
    for (idx, token) in tokens.iter().enumerate() {
        match word(token) {
            "(" => {
                let before = [idx.checked_sub(1), idx.checked_sub(2)]
                    .map(|at| at.map(|at| word(&tokens[at])));
                let is_called =
                    |word: Option<&str>| word.is_some_and(|word| CHOOSING.contains(&word));
                let is_macro = before[0] == Some("!") && is_called(before[1]);
                depth += 1;
                if inside.is_none() && (is_called(before[0]) || is_macro) {
                    inside = Some(depth);
                }
            }
            ")" => {
                inside = inside.filter(|opened| *opened != depth);
                depth = depth.saturating_sub(1);
            }
            name if inside.is_some() && token.kind == TokenKind::Ident => {
                let known = from.iter().position(|one| *one == name);
                names.extend(known.map(|known| (token.range(), to[known])));
            }
            _ => {}
        }
    }
    with_replaced(text, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_others_only_where_they_choose_what_is_compiled() {
        let text = "#[cfg(before)] fn before(after: u8) { if cfg!(not(after)) { before(1) } }\n\
                    #[cfg_attr(all(after, x), path = \"after\")] mod m; // before\n";
        let expected = "#[cfg(a1)] fn before(after: u8) { if cfg!(not(b2)) { before(1) } }\n\
                        #[cfg_attr(all(b2, x), path = \"after\")] mod m; // before\n";
        let named = with_other_names(text, ["before", "after"], ["a1", "b2"]);
        assert_eq!(named, expected);
        assert_eq!(
            with_other_names(&named, ["a1", "b2"], ["before", "after"]),
            text
        );
    }
}
