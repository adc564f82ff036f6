//! The outcome of a test under a mutant, and those of the other tests of its package.

use reduce_mutants::MutantId;
use reduce_oracle::Signature;
use std::collections::{BTreeMap, BTreeSet};

/// The outcome of the original under a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The test passes.
    Passes,
    /// The test fails where it fails without a mutant, with this failure.
    Fails(Box<Signature>),
    /// The test fails at another place, or does not end, so that the outcome tells nothing.
    Elsewhere,
}

impl Outcome {
    /// Whether the outcome differs from the usual failure, in a way that tells something.
    pub(crate) fn differs_from(&self, usual: &Signature) -> bool {
        match self {
            Self::Passes => true,
            Self::Fails(failure) => **failure != *usual,
            Self::Elsewhere => false,
        }
    }

    /// Returns the failure that a candidate must show under the mutant, `Some(None)` where it must
    /// pass, and `None` where the outcome tells nothing.
    pub(crate) fn told(&self) -> Option<Option<Signature>> {
        match self {
            Self::Passes => Some(None),
            Self::Fails(failure) => Some(Some((**failure).clone())),
            Self::Elsewhere => None,
        }
    }
}

/// The outcomes of the other tests, with and without mutants.
#[derive(Debug, Clone, Default)]
pub(crate) struct OtherTests {
    /// The number of other tests that pass without a mutant.
    pub(crate) n_passing: usize,
    /// The number of other tests that do not pass under a mutant, for each mutant that all of them
    /// were run under.
    pub(crate) broken: BTreeMap<MutantId, usize>,
    /// For each mutant as in `broken`, the number of broken tests in the failing test's own target alone. They use the same
    /// helpers, and so they see what would keep these.
    pub(crate) broken_in_target: BTreeMap<MutantId, usize>,
    /// The mutants under which another test does not pass, of those that any other test was run
    /// under.
    pub(crate) seen: BTreeSet<MutantId>,
}
