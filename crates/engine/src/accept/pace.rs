//! The time that candidates get: as much as the last accepted program has used, and more where they are
//! larger than that.

use crate::answer::Timing;
use crate::ask::Asking;
use crate::candidate::Candidate;
use reduce_oracle::{Expectation, TimeSpent};

/// The pace of candidates: the time that the last accepted program has used, and its size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// The time that the input has used; `None` where the time of candidates is not bounded by that
    /// of programs.
    of_input: Option<TimeSpent>,
    /// The time that was used by the last accepted program whose time is known.
    usual: Option<TimeSpent>,
    /// The size in tokens of the last accepted program whose time is known.
    tokens: u64,
}

impl Pace {
    /// Makes the pace of a search from the time that its input has used, and the input's size in
    /// tokens.
    pub(crate) fn new(of_input: Option<TimeSpent>, tokens: u64) -> Self {
        Self {
            of_input,
            usual: of_input,
            tokens,
        }
    }

    /// Whether the time of candidates is bounded by what programs have used.
    pub(crate) fn is_known(&self) -> bool {
        self.usual.is_some()
    }

    /// Returns the time that a candidate is expected to use. It does not depend on the worker that
    /// is asked.
    pub(crate) fn expectation(&self, candidate: &Candidate) -> (Expectation, Asking) {
        let tokens = candidate.tree.count_tokens();
        let times = tokens.div_ceil(self.tokens.max(1)).max(1);
        let expectation = Expectation {
            usual: self.usual,
            times: u32::try_from(times).unwrap_or(u32::MAX),
        };
        match self.usual {
            Some(_) => (expectation, Asking::Twice),
            None => (Expectation::default(), Asking::Once),
        }
    }

    /// Notes the time that an accepted program has used.
    pub(crate) fn note(&mut self, spent: TimeSpent, tokens: u64) {
        if self.usual.is_some() {
            (self.usual, self.tokens) = (Some(spent), tokens);
        }
    }

    /// Whether a candidate that ran out of time would get more of it now.
    pub(crate) fn has_more_for(&self, candidate: &Candidate, timing: &Timing) -> bool {
        let Some(usual) = self.of_input else {
            return false;
        };
        let then = timing.expectation.budget(usual);
        let now = self.expectation(candidate).0.budget(usual);
        !now.is_within(&then)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::CompileOptions;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    fn program(n_tokens: usize) -> Candidate {
        Candidate {
            tree: SourceTree::single("lib.rs".into(), Arc::from("; ".repeat(n_tokens))),
            compile_options: CompileOptions::default(),
        }
    }

    #[test]
    fn a_larger_candidate_gets_more_time() {
        let pace = Pace::new(Some(TimeSpent::default()), 10);
        let times = |n_tokens| pace.expectation(&program(n_tokens)).0.times;
        assert_eq!([times(1), times(10), times(11), times(40)], [1, 1, 2, 4]);
    }

    #[test]
    fn without_a_usual_time_nothing_is_asked_twice() {
        let mut pace = Pace::new(None, 10);
        pace.note(TimeSpent::default(), 5);
        assert!(!pace.is_known());
        assert_eq!(pace.expectation(&program(40)).1, Asking::Once);
    }
}
