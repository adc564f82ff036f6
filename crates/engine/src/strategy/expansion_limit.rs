//! How large the expansion of a program may be to be gone on with.

use reduce_syntax::SourceTree;

/// An expansion that is so many times larger than the program, and these tokens more, does not end
/// below it.
const LARGEST_GROWTH: u64 = 4;
const SMALLEST_LIMIT: u64 = 1000;

/// The largest expansion of a program that is gone on with.
pub(super) fn most_tokens_of_expansion(tree: &SourceTree) -> u64 {
    LARGEST_GROWTH * tree.count_tokens() + SMALLEST_LIMIT
}
