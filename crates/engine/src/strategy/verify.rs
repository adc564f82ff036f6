//! Proves that a result is 1-minimal: every single edit of every pass is tried on it.

use super::rewrites::first_of_each_state;
use crate::Failure;
use crate::methods::Methods;
use crate::session::Session;
use crate::summary::Verification;
use reduce_syntax::{EditSet, PASSES, SourceTree};

/// Tries all single edits of the enabled passes. What is accepted makes the result simpler; it was
/// not 1-minimal then.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn verify_minimal(
    session: &mut Session<'_>,
    methods: &Methods,
) -> Result<Verification, Failure> {
    session.begin_round(false);
    let find = |sources: &SourceTree| all_edits(sources, methods);
    let accepted = session.in_pass("verify_minimal", 1, |session| {
        first_of_each_state(session, find)
    })?;
    session.begin_round(true);
    let best = &session.best().tree;
    let edits = all_edits(best, methods);
    let is_simpler = |edits: &&EditSet| edits.apply(best).is_simpler_than(best);
    Ok(Verification {
        edits: edits.iter().filter(is_simpler).count() as u64,
        accepted,
    })
}

fn all_edits(sources: &SourceTree, methods: &Methods) -> Vec<EditSet> {
    let wanted = PASSES
        .iter()
        .filter(|pass| methods.options.passes.contains(pass.name));
    wanted.flat_map(|pass| pass.single_edits(sources)).collect()
}
