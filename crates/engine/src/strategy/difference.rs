//! Less of the difference between two versions that are one text.

use super::alternatives::Alternatives;
use crate::failure::Failure;
use crate::methods::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_gather::narrowed;
use std::sync::Arc;

/// Makes parts of the difference common to both versions, as they are in one of them, until each part that is
/// left is needed. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn narrow_difference(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    session.in_chosen_stage(methods, Stage::NarrowDifference, round, |session| {
        let mut accepted = 0;
        while !session.is_cancelled() && narrow_once(session)? > 0 {
            accepted += 1;
        }
        Ok(accepted)
    })
}

fn narrow_once(session: &mut Session<'_>) -> Result<u64, Failure> {
    let best = session.best();
    let file = best.tree.root();
    let candidates = narrowed(best.tree.text(file)).into_iter().map(|text| {
        let mut narrower = best.clone();
        narrower.tree.set_text(file, Arc::from(text));
        narrower
    });
    let candidates = candidates.collect();
    let kind = "less difference";
    Alternatives { candidates, kind }.try_in(session)
}
