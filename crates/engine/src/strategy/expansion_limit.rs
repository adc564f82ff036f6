//! The limit of the size of an expansion: a program whose expansion is larger is not expanded.

use reduce_syntax::SourceTree;

/// The factor by which an expansion may be larger than the program, besides `SMALLEST_LIMIT`: one
/// that is larger still does not end below the program.
const LARGEST_GROWTH: u64 = 4;
const SMALLEST_LIMIT: u64 = 1000;

/// Returns the largest number of tokens with which the expansion of a program is still worth
/// reducing.
pub(super) fn most_tokens_of_expansion(tree: &SourceTree) -> u64 {
    LARGEST_GROWTH * tree.count_tokens() + SMALLEST_LIMIT
}
