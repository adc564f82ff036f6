//! Proposals: the programs that an algorithm's candidates stand for, one at a time or several at once.

use crate::candidate::Candidate;
use reduce_algorithms::Combined;

/// A translation of an algorithm's candidates, such as "without elements 2 to 5", into programs.
pub(crate) trait Proposals<C> {
    /// Makes the program that an algorithm's candidate stands for, with all that was accepted
    /// before.
    fn candidate(&self, proposal: &C) -> Candidate;
    /// Returns the sort of change that the candidate makes to the program, as a word or two, for
    /// the figures.
    fn kind(&self, _proposal: &C) -> &'static str {
        "candidate"
    }
    /// Notes that a candidate was accepted; `program` is the program that it has made.
    fn accepted(&mut self, proposal: &C, program: &Candidate);
    /// Notes that a candidate was refused. Only a search that uses all verdicts tells it.
    fn refused(&mut self, _proposal: &C) {}
}

impl<C, P: Proposals<C>> Proposals<C> for &mut P {
    fn candidate(&self, proposal: &C) -> Candidate {
        P::candidate(self, proposal)
    }

    fn kind(&self, proposal: &C) -> &'static str {
        P::kind(self, proposal)
    }

    fn accepted(&mut self, proposal: &C, program: &Candidate) {
        P::accepted(self, proposal, program);
    }

    fn refused(&mut self, proposal: &C) {
        P::refused(self, proposal);
    }
}

/// A translation of an algorithm's candidates into programs, by which several can be tried in one
/// program.
pub(crate) trait Together<C>: Proposals<C> {
    /// Makes the program that several candidates stand for, on top of what was accepted. Where two of them touch
    /// the same place, the later one may be left out.
    fn together(&self, proposals: &[C]) -> Candidate;

    /// Notes that several candidates were accepted at once; `program` is the program that they have
    /// made.
    fn accepted_together(&mut self, proposals: &[C], program: &Candidate);
}

impl<C, P: Together<C>> Together<C> for &mut P {
    fn together(&self, proposals: &[C]) -> Candidate {
        P::together(self, proposals)
    }

    fn accepted_together(&mut self, proposals: &[C], program: &Candidate) {
        P::accepted_together(self, proposals, program);
    }
}

/// Proposals for an algorithm that combines several candidates into one.
pub(crate) struct Wide<P> {
    proposals: P,
}

impl<P> Wide<P> {
    pub(crate) fn new(proposals: P) -> Self {
        Self { proposals }
    }
}

impl<C, P: Together<C>> Proposals<Combined<C>> for Wide<P> {
    fn candidate(&self, proposal: &Combined<C>) -> Candidate {
        match proposal.parts() {
            [one] => self.proposals.candidate(one),
            several => self.proposals.together(several),
        }
    }

    fn kind(&self, proposal: &Combined<C>) -> &'static str {
        match proposal.parts() {
            [one] => self.proposals.kind(one),
            _ => "combined",
        }
    }

    fn accepted(&mut self, proposal: &Combined<C>, program: &Candidate) {
        match proposal.parts() {
            [one] => self.proposals.accepted(one, program),
            several => self.proposals.accepted_together(several, program),
        }
    }

    fn refused(&mut self, proposal: &Combined<C>) {
        if let [one] = proposal.parts() {
            self.proposals.refused(one);
        }
    }
}
