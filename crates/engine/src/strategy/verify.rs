//! Proves that a result is 1-minimal: every single edit of every pass is tried on it.

use super::rewrites::first_of_each_state;
use crate::failure::Failure;
use crate::figures::Verification;
use crate::propose::Methods;
use crate::propose::single_edits;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::Program;

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
    let passes = methods.options.passes;
    let find = |program: &Program| single_edits(program, passes);
    let mut accepted = session.in_stage(Stage::VerifyMinimal, 1, |session| {
        first_of_each_state(session, find)
    })?;
    if accepted == 0 {
        accepted += session.ask_late_again(1)?;
        session.count_out_of_time();
    }
    session.ledger.begin_round(true);
    let edits = single_edits(&session.program(), passes).len() as u64;
    Ok(Verification { edits, accepted })
}
