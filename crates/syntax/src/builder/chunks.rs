//! Text that syn does not understand, in removable pieces: token trees up to a `;`, a `,` or a
//! closing brace, one list for each pair of brackets; or lines. In a macro the pieces have pieces
//! in turn: single token trees, but for what means something only together.

use super::Builder;
use crate::tree::ListKind;
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// The fewest pieces of a chunk that become a list: a single piece would have nothing to be split from.
const FEWEST_PIECES: usize = 2;

impl Builder<'_> {
    /// Adds the chunks of a token stream (its runs of tokens up to a `;`, a `,` or a brace) as a list, and those of all
    /// groups in it.
    pub(super) fn token_chunks(&mut self, tokens: TokenStream) {
        for group in self.chunks(tokens, false) {
            self.deeper(|inside| inside.token_chunks(group));
        }
    }

    /// Adds the rules of a macro, and the pieces of what is in them.
    pub(super) fn macro_rules(&mut self, tokens: TokenStream) {
        for group in self.chunks(tokens, false) {
            self.deeper(|inside| inside.macro_chunks(group));
        }
    }

    /// Adds the chunks of one side of a macro's rule, and the pieces of each chunk, such as `$x:ty`.
    pub(super) fn macro_chunks(&mut self, tokens: TokenStream) {
        for group in self.chunks(tokens, true) {
            self.deeper(|inside| inside.macro_chunks(group));
        }
    }

    /// Adds the chunks of a token stream as a list, and returns the contents of the groups in it.
    fn chunks(&mut self, tokens: TokenStream, with_pieces: bool) -> Vec<TokenStream> {
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        let chunks: Vec<&[TokenTree]> = all.split_inclusive(ends_a_chunk).collect();
        self.trees(&chunks);
        if with_pieces {
            for chunk in &chunks {
                self.deeper(|inside| inside.pieces(chunk));
            }
        }
        let groups = all.iter().filter_map(|tree| match tree {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        });
        groups.collect()
    }

    fn pieces(&mut self, chunk: &[TokenTree]) {
        let mut pieces = Vec::new();
        let mut rest = chunk;
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(length_of_piece(rest));
            pieces.push(piece);
            rest = others;
        }
        if pieces.len() >= FEWEST_PIECES {
            self.trees(&pieces);
        }
    }

    /// Adds a list each of whose elements is a run of token trees. The tokens that a doc comment stands for are all where
    /// the comment is, and become one element.
    fn trees(&mut self, all: &[&[TokenTree]]) {
        let mut done = 0;
        let mut elements = Vec::new();
        for trees in all {
            let (Some(first), Some(last)) = (trees.first(), trees.last()) else {
                continue;
            };
            let range = first.span().byte_range().start..last.span().byte_range().end;
            if range.start >= done {
                done = range.end;
                elements.push(self.element(range));
            }
        }
        self.list(ListKind::Chunks, elements);
    }

    /// Adds the lines of the current file as pieces.
    pub(super) fn line_chunks(&mut self) {
        let text = self.sources.text(self.current.file);
        let mut start = 0;
        let mut elements = Vec::new();
        for line in text.split_inclusive('\n') {
            if !line.trim().is_empty() {
                elements.push(self.element(start..start + line.len()));
            }
            start += line.len();
        }
        self.list(ListKind::Chunks, elements);
    }
}

/// Returns the number of token trees in the first piece of a chunk of a macro's rule: `=>` is one piece, and so are
/// `$x:ty`, `$(..),*` and `#[..]`.
fn length_of_piece(trees: &[TokenTree]) -> usize {
    let is_punct = |idx: usize, wanted: char| match trees.get(idx) {
        Some(TokenTree::Punct(punct)) => punct.as_char() == wanted,
        _ => false,
    };
    let joint = |tree: &&TokenTree| match tree {
        TokenTree::Punct(punct) => punct.spacing() == Spacing::Joint,
        _ => false,
    };
    let length = match trees.get(1) {
        Some(TokenTree::Ident(_)) if is_punct(0, '$') && is_punct(2, ':') => 4,
        Some(TokenTree::Ident(_)) if is_punct(0, '$') => 2,
        Some(TokenTree::Group(group)) if is_punct(0, '#') && is_bracket(group) => 2,
        Some(TokenTree::Group(_)) if is_punct(0, '$') => 2 + length_of_repetition(&trees[2..]),
        _ => 1 + trees.iter().take_while(joint).count(),
    };
    length.min(trees.len())
}

fn is_bracket(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
}

/// Returns the number of tokens behind `$(..)` that belong to the repetition: a separator, if there is one, and the operator.
fn length_of_repetition(trees: &[TokenTree]) -> usize {
    let is_operator = |tree: &TokenTree| match tree {
        TokenTree::Punct(punct) => matches!(punct.as_char(), '*' | '+' | '?'),
        _ => false,
    };
    let operator = trees.iter().take(2).position(is_operator);
    operator.map_or(0, |idx| idx + 1)
}

/// Returns whether a chunk ends with this tree: a `;`, a `,` or a group in braces.
#[must_use]
pub fn ends_a_chunk(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{TokenTree, length_of_piece};
    use proc_macro2::TokenStream;

    /// The pieces of some tokens.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let trees: Vec<TokenTree> = text.parse::<TokenStream>().unwrap().into_iter().collect();
        let mut rest = trees.as_slice();
        let mut found = Vec::new();
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(length_of_piece(rest));
            found.push(piece.iter().cloned().collect::<TokenStream>().to_string());
            rest = others;
        }
        let expected = expected
            .iter()
            .map(|one| one.parse::<TokenStream>().unwrap());
        let expected: Vec<String> = expected.map(|one| one.to_string()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_means_something_only_together_is_one_piece() {
        check("$x:ty, $y $z", &["$x:ty", ",", "$y", "$z"]);
        check("$(a)* $(b),* $(c);+ d", &["$(a)*", "$(b),*", "$(c);+", "d"]);
        check("a => b..=c", &["a", "=>", "b", "..=", "c"]);
        check("$", &["$"]);
        check("#[a] # b [c]", &["#[a]", "#", "b", "[c]"]);
    }
}
