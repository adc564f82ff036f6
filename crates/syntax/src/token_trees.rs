//! Questions about proc-macro2's token trees that are asked wherever they are read.

use proc_macro2::TokenTree;

/// Returns whether a tree is this character of an operator or of punctuation.
#[must_use]
pub fn is_punct(tree: &TokenTree, expected: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == expected)
}

/// Splits trees at commas, without empty parts.
#[must_use]
pub fn split_trees_by_commas(trees: &[TokenTree]) -> Vec<&[TokenTree]> {
    let parts = trees.split(|tree| is_punct(tree, ','));
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{SpanGuard, parse_tokens};

    #[test]
    fn commas_separate_trees_at_the_same_level() {
        let _positions = SpanGuard::new();
        let trees: Vec<TokenTree> = parse_tokens("a b, (c, d),").unwrap().into_iter().collect();
        let parts = split_trees_by_commas(&trees);
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        assert_eq!(lengths, [2, 1]);
    }
}
