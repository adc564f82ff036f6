//! The record of a session's joint compilations.

use crate::ask::References;
use std::collections::HashSet;

/// The joint compilations of a session.
#[derive(Debug, Default)]
pub(super) struct JointCompilations {
    /// The number of windows that were opened since a candidate was accepted.
    pub(super) opened: usize,
    pub(super) made: u64,
    /// The number of joint compilations in a row, where errors alone decide, that refused no more candidates than
    /// they made compiler calls.
    pub(super) idle: usize,
    /// The numbers of the joint compilations whose answers the search has used.
    pub(super) counted: HashSet<u64>,
    /// The programs that were compiled beside others, with whether each was the same there as
    /// alone.
    pub(super) programs: References,
}

/// A joint compilation, as it is needed to count it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointCompilation {
    pub(super) number: u64,
    pub(super) compiler_runs: u64,
    pub(super) most_queries: u64,
}

impl JointCompilation {
    /// Returns the number of the joint compilation in the session.
    pub(crate) fn number(self) -> u64 {
        self.number
    }

    /// Returns the number of compiler calls that the joint compilation might have made.
    pub(crate) fn most_queries(self) -> u64 {
        self.most_queries
    }
}
