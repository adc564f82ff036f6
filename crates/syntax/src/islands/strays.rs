//! Tokens that cannot be in any token tree: brackets without a partner, and characters that are no Rust.

use crate::lexer::tokens;
use crate::token::{Token, TokenKind};

/// Replaces the tokens of a text that cannot be in any token tree by spaces, and returns these tokens too. `None` if
/// there are more than `at_most`, or none.
pub(crate) fn without_strays(text: &str, at_most: usize) -> Option<(String, Vec<Token>)> {
    let strays = strays(text);
    if strays.is_empty() || strays.len() > at_most {
        return None;
    }
    let mut left = String::with_capacity(text.len());
    let mut done = 0;
    for range in strays.iter().map(|token| token.range()) {
        left.push_str(&text[done..range.start]);
        left.extend(std::iter::repeat_n(' ', range.len()));
        done = range.end;
    }
    left.push_str(&text[done..]);
    Some((left, strays))
}

fn strays(text: &str) -> Vec<Token> {
    let mut open: Vec<Token> = Vec::new();
    let mut strays = Vec::new();
    for token in tokens(text) {
        match token.kind {
            TokenKind::OpenParenthesis | TokenKind::OpenSquare | TokenKind::OpenBrace => {
                open.push(token);
            }
            TokenKind::Unknown => strays.push(token),
            kind => {
                let Some(opening) = opening(kind) else {
                    continue;
                };
                match open.iter().rposition(|one| one.kind == opening) {
                    // The brackets that were opened after the partner have none.
                    Some(partner) => strays.extend(open.drain(partner..).skip(1)),
                    None => strays.push(token),
                }
            }
        }
    }
    strays.extend(open);
    strays.sort_by_key(|token| token.start);
    strays
}

fn opening(closing: TokenKind) -> Option<TokenKind> {
    match closing {
        TokenKind::CloseParenthesis => Some(TokenKind::OpenParenthesis),
        TokenKind::CloseSquare => Some(TokenKind::OpenSquare),
        TokenKind::CloseBrace => Some(TokenKind::OpenBrace),
        _ => None,
    }
}
