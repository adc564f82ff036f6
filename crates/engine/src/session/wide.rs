//! Searches by waves: several candidates of the same program are asked about before one is accepted, with `--width` and where
//! one compilation decides about all of them.

use super::search::run_search;
use super::state::Session;
use crate::failure::Failure;
use crate::propose::{Together, Wide};
use reduce_algorithms::{Combine, Search, Waves};

/// Runs a search on top of the best so far, by waves where several candidates are decided together. Returns the number of accepted
/// candidates.
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
    match session.goes_by_waves() {
        false => run_search(session, search, proposals),
        true => run_search(
            session,
            Waves::new(search, session.wave_size()),
            Wide::new(proposals),
        ),
    }
}

/// Runs one wave of a search, up to the first success, after which the program is read again.
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
    run_search(session, waves, Wide::new(proposals))
}
