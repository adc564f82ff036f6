//! The comparison of two candidates, which says which is the simpler one.

use crate::candidate::Candidate;

/// The figures by which candidates are compared first: fewer tokens, then fewer linked crates, then fewer allowed errors, then fewer flags,
/// then fewer differences between the flags of two calls. Where these are the same, the simpler text does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Size {
    pub(super) tokens: u64,
    linked: usize,
    forbidden: std::cmp::Reverse<usize>,
    left_out: std::cmp::Reverse<usize>,
    shared: std::cmp::Reverse<usize>,
}

impl Size {
    pub(super) fn of(candidate: &Candidate) -> Self {
        Self {
            tokens: candidate.tree.count_tokens(),
            linked: candidate.compile_options.linkage.count(),
            forbidden: std::cmp::Reverse(candidate.compile_options.forbidden.len()),
            left_out: std::cmp::Reverse(candidate.compile_options.left_out.len()),
            shared: std::cmp::Reverse(candidate.compile_options.shared.len()),
        }
    }
}
