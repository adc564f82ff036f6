//! A search among a few programs of which one is wanted.

use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Proposals;
use crate::session::Session;
use crate::session::run_search;
use reduce_algorithms::{Replacement, Tmin};

/// A few programs of which one is wanted, the first in order: [`Tmin`] on one place.
pub(crate) struct Alternatives {
    pub(crate) candidates: Vec<Candidate>,
    /// The sort of change that the programs make, as a word or two.
    pub(crate) kind: &'static str,
}

impl Alternatives {
    /// Takes the first program that is interesting. Returns the number of accepted candidates.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn try_in(self, session: &mut Session<'_>) -> Result<u64, Failure> {
        run_search(session, Tmin::new(vec![self.candidates.len()]), self)
    }
}

impl Proposals<Replacement> for Alternatives {
    fn candidate(&self, proposal: &Replacement) -> Candidate {
        self.candidates[proposal.alternative].clone()
    }

    fn kind(&self, _proposal: &Replacement) -> &'static str {
        self.kind
    }

    fn accepted(&mut self, _proposal: &Replacement, _program: &Candidate) {}
}
