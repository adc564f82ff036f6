//! The limit of the size of an expansion: a program whose expansion is larger is not expanded.

use reduce_syntax::SourceTree;

/// The factor of the limit: an expansion that is so many times larger than the program, and these
/// tokens more, does not end below it.
const LARGEST_GROWTH: u64 = 4;
const SMALLEST_LIMIT: u64 = 1000;

/// Returns the number of tokens up to which the expansion of a program is gone on with.
pub(super) fn most_tokens_of_expansion(tree: &SourceTree) -> u64 {
    LARGEST_GROWTH * tree.count_tokens() + SMALLEST_LIMIT
}
