//! Reads the rules of a `macro_rules!`, with their variables and repetitions.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use reduce_syntax::is_punct;

/// A rule of a macro: the pattern of its arguments, and the body that stands in place of a call.
pub(super) struct Rule {
    pub(super) pattern: Vec<Piece>,
    pub(super) body: Vec<Piece>,
}

/// A part of the pattern or the body of a macro's rule: a token, a group, a variable or a repetition.
pub(super) enum Piece {
    Token(TokenTree),
    Group(Delimiter, Vec<Piece>),
    /// A variable `$x`, with the kind of its fragment (`expr`) where it is in a pattern.
    Variable(String, Option<String>),
    Repeat(Repeat),
}

/// A repetition in a macro's rule: `$(..) separator operator`.
pub(super) struct Repeat {
    pub(super) pieces: Vec<Piece>,
    pub(super) separator: Vec<TokenTree>,
    pub(super) operator: char,
}

/// Returns the rules of a macro's definition; `None` if it is not understood.
pub(super) fn rules(definition: &TokenStream) -> Option<Vec<Rule>> {
    let trees: Vec<TokenTree> = definition.clone().into_iter().collect();
    let mut rest = trees.as_slice();
    let mut found = Vec::new();
    while let [
        TokenTree::Group(pattern),
        arrow,
        end,
        TokenTree::Group(body),
        after @ ..,
    ] = rest
    {
        if !is_punct(arrow, '=') || !is_punct(end, '>') {
            return None;
        }
        found.push(Rule {
            pattern: pieces(&inside(pattern), true)?,
            body: pieces(&inside(body), false)?,
        });
        rest = match after {
            [semicolon, after @ ..] if is_punct(semicolon, ';') => after,
            _ => after,
        };
    }
    rest.is_empty().then_some(found)
}

pub(super) fn inside(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

/// Returns the names of all variables in pieces of a macro's rule.
pub(super) fn names(pieces: &[Piece]) -> Vec<&String> {
    let names_of = |piece| match piece {
        &Piece::Token(_) => Vec::new(),
        Piece::Variable(name, _) => vec![name],
        Piece::Group(_, pieces) | Piece::Repeat(Repeat { pieces, .. }) => names(pieces),
    };
    pieces.iter().flat_map(names_of).collect()
}

fn pieces(trees: &[TokenTree], is_pattern: bool) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut rest = trees;
    while let Some((first, after)) = rest.split_first() {
        let piece;
        (piece, rest) = match first {
            dollar if is_punct(dollar, '$') => variable(after, is_pattern)?,
            TokenTree::Group(group) => {
                let inner = pieces(&inside(group), is_pattern)?;
                (Piece::Group(group.delimiter(), inner), after)
            }
            other => (Piece::Token(other.clone()), after),
        };
        found.push(piece);
    }
    Some(found)
}

/// Reads a variable, a repetition or `crate` after a `$`.
fn variable(after: &[TokenTree], is_pattern: bool) -> Option<(Piece, &[TokenTree])> {
    match after {
        [
            TokenTree::Ident(name),
            colon,
            TokenTree::Ident(kind),
            rest @ ..,
        ] if is_pattern && is_punct(colon, ':') => {
            let kind = Some(kind.to_string());
            Some((Piece::Variable(name.to_string(), kind), rest))
        }
        [name @ TokenTree::Ident(word), rest @ ..] if word == "crate" => {
            Some((Piece::Token(name.clone()), rest))
        }
        [TokenTree::Ident(name), rest @ ..] if !is_pattern => {
            Some((Piece::Variable(name.to_string(), None), rest))
        }
        [TokenTree::Group(group), rest @ ..] if group.delimiter() == Delimiter::Parenthesis => {
            let is_operator =
                |tree: &TokenTree| ['*', '+', '?'].iter().any(|&one| is_punct(tree, one));
            let at = rest.iter().take(4).position(is_operator)?;
            let TokenTree::Punct(operator) = &rest[at] else {
                return None;
            };
            let repeat = Repeat {
                pieces: pieces(&inside(group), is_pattern)?,
                separator: rest[..at].to_vec(),
                operator: operator.as_char(),
            };
            Some((Piece::Repeat(repeat), &rest[at + 1..]))
        }
        _ => None,
    }
}
