//! Searches by waves, where the user wants them (`--width`): several proposals are made at once.

use super::search::{Proposals, run_search};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::session::Session;
use reduce_algorithms::{Combine, Combined, Search, Waves};

/// Proposals of which several can be made at once.
pub(crate) trait Together<C>: Proposals<C> {
    /// Makes the program that several candidates stand for, on top of what was accepted. Where two of them touch
    /// the same place, the later one may be left out.
    fn together(&self, proposals: &[C]) -> Candidate;

    /// Notes that several candidates were accepted at once, which are this program.
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

/// Runs a search on top of the best so far, by waves if the user wants them. Returns the number of accepted candidates.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_wide<S, P>(
    session: &mut Session<'_>,
    search: S,
    proposals: P,
) -> Result<u64, Failure>
where
    S: Search<Candidate: Combine>,
    P: Together<S::Candidate>,
{
    match session.width() {
        1 => run_search(session, search, proposals),
        _ => run_search(
            session,
            Waves::new(search, session.wave_size()),
            Wide { proposals },
        ),
    }
}

/// Runs one wave of a search, to the first success: the program is read again then.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_one_wave<S, P>(
    session: &mut Session<'_>,
    search: S,
    proposals: P,
) -> Result<u64, Failure>
where
    S: Search<Candidate: Combine>,
    P: Together<S::Candidate>,
{
    let waves = Waves::new(search, session.wave_size()).ending_with_a_success();
    run_search(session, waves, Wide { proposals })
}

struct Wide<P> {
    proposals: P,
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
