//! What the compiler calls unused, deleted all at once. A slice keeps imports by their names alone, and each of them
//! would cost a query.

use super::alternatives::Alternatives;
use crate::failure::Failure;
use crate::methods::Methods;
use crate::request::Stage;
use crate::session::Session;

/// Deletes what is unused. A program that is not run is not asked, as a compiler that crashes says nothing of this.
/// Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn delete_unused(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    if !session.tools.oracle.runs_programs() {
        return Ok(0);
    }
    session.in_chosen_stage(methods, Stage::DeleteUnused, round, |session| {
        let edits = session.tools.unused(session.best())?;
        let candidate = session.best().with_tree(edits.apply(&session.best().tree));
        match edits.is_empty() {
            true => Ok(0),
            false => {
                let (candidates, kind) = (vec![candidate], "unused");
                Alternatives { candidates, kind }.try_in(session)
            }
        }
    })
}
