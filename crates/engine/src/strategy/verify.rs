//! Proves that a result is 1-minimal: every single edit of every pass is tried on it.

use super::rewrites::first_of_each_state;
use crate::failure::Failure;
use crate::figures::Verification;
use crate::methods::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::{PASSES, Program};
use reduce_syntax::{EditSet, SourceTree, pretty};
use std::sync::Arc;

/// Tries all single edits of the enabled passes. What is accepted makes the result simpler; it was
/// not 1-minimal then.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn verify_minimal(
    session: &mut Session<'_>,
    methods: &Methods,
) -> Result<Verification, Failure> {
    session.ledger.begin_round(false);
    let find = |program: &Program| all_edits(program, methods);
    let mut accepted = session.in_stage(Stage::VerifyMinimal, 1, |session| {
        first_of_each_state(session, find)
    })?;
    if accepted == 0 {
        accepted += session.ask_late_again(1)?;
        session.count_out_of_time();
    }
    session.ledger.begin_round(true);
    let edits = all_edits(&session.program(), methods).len() as u64;
    Ok(Verification { edits, accepted })
}

/// All single edits that make the program simpler, but for those that only undo its layout, such as
/// the comma after the last of several lines.
fn all_edits(program: &Program, methods: &Methods) -> Vec<EditSet> {
    let sources = program.sources();
    let wanted = PASSES
        .iter()
        .filter(|pass| methods.options.passes.contains(Stage::Pass(pass)));
    let mut edits: Vec<EditSet> = wanted.flat_map(|pass| pass.single_edits(program)).collect();
    edits.retain(|edits| {
        let left = edits.apply(sources);
        left.is_simpler_than(sources) && laid_out(left).is_simpler_than(sources)
    });
    edits
}

fn laid_out(mut sources: SourceTree) -> SourceTree {
    let printed: Vec<_> = sources
        .files()
        .filter_map(|(file, _, text)| Some((file, pretty(text)?)))
        .collect();
    for (file, text) in printed {
        sources.set_text(file, Arc::from(text));
    }
    sources
}
