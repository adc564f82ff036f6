//! What is asked of proc-macro2's token trees wherever they are read.

use proc_macro2::{Group, TokenTree};
use std::ops::Range;

/// Whether a tree is this character of an operator or of punctuation.
#[must_use]
pub fn is_punct(tree: &TokenTree, expected: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == expected)
}

/// What stands between commas, without empty parts.
#[must_use]
pub fn split_trees_by_commas(trees: &[TokenTree]) -> Vec<&[TokenTree]> {
    let parts = trees.split(|tree| is_punct(tree, ','));
    parts.filter(|part| !part.is_empty()).collect()
}

/// The bytes from the first to the last of some trees.
#[must_use]
pub fn bytes_of_trees(trees: &[TokenTree]) -> Option<Range<usize>> {
    let (first, last) = (trees.first()?, trees.last()?);
    Some(first.span().byte_range().start..last.span().byte_range().end)
}

/// The bytes between a group's brackets.
#[must_use]
pub fn bytes_inside(group: &Group) -> Range<usize> {
    group.span_open().byte_range().end..group.span_close().byte_range().start
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
        let bytes: Vec<_> = parts.iter().map(|part| bytes_of_trees(part)).collect();
        assert_eq!(bytes, [Some(0..3), Some(5..11)]);
        assert_eq!(bytes_of_trees(&[]), None);
        let TokenTree::Group(group) = &trees[3] else {
            panic!("it is a group");
        };
        assert_eq!(bytes_inside(group), 6..10);
    }
}
