//! Deletion of all that the compiler calls unused or dead, at once. A slice keeps imports by their names alone, and each of
//! them would cost a query; so would each item of a crate that was merged.

use super::alternatives::Alternatives;
use super::unentered::empty_unentered;
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::{
    Program, without_dead_code, without_faulty_declarations, without_hints, without_visibilities,
};
use reduce_syntax::EditSet;

/// The largest number of times that a program is mended which does not compile without its dead code: the compiler
/// finds errors in imports before those in types.
const MOST_MENDED: usize = 8;

/// Deletes code that is unused. A program that is not run is not asked, as a compiler that crashes says nothing of
/// this. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn delete_unused(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    session.in_chosen_stage(methods, Stage::DeleteUnused, round, |session| {
        let edits = session
            .tools
            .in_turn(|oracle, cancel| oracle.unused(session.best(), cancel))?;
        try_edits(
            session,
            Some(edits).filter(|edits| !edits.is_empty()),
            "unused",
        )
    })
}

/// Empties blocks that no run enters, deletes items that the compiler calls dead, and all visibilities and hints where nothing needs
/// them. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn delete_dead_code(
    session: &mut Session<'_>,
    _: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    let mut accepted = empty_unentered(session)?;
    accepted += leave_out_dead_code(session)?;
    let edits = without_visibilities(&session.program());
    accepted += try_edits(session, edits, "visibilities")?;
    let edits = without_hints(&session.program());
    Ok(accepted + try_edits(session, edits, "hints")?)
}

fn try_edits(
    session: &mut Session<'_>,
    edits: Option<EditSet>,
    kind: &'static str,
) -> Result<u64, Failure> {
    let base = session.best().clone();
    let candidates = edits.map(|edits| base.with_tree(edits.apply(&base.tree)));
    let candidates = candidates.into_iter().collect();
    Alternatives { candidates, kind }.try_in(session)
}

/// Deletes items that the compiler calls dead, and what is then dead. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn leave_out_dead_code(session: &mut Session<'_>) -> Result<u64, Failure> {
    let mut accepted = 0;
    while !session.is_cancelled() && try_without_dead_code(session)? > 0 {
        accepted += 1;
    }
    Ok(accepted)
}

fn try_without_dead_code(session: &mut Session<'_>) -> Result<u64, Failure> {
    let names = session
        .tools
        .in_turn(|oracle, cancel| oracle.dead_names(session.best(), cancel))?;
    let base = session.best().clone();
    let program = session.program();
    let mut candidates = Vec::new();
    for edits in without_dead_code(&program, &names) {
        let without = base.with_tree(edits.apply(&base.tree));
        candidates.extend(mended(session, without)?);
    }
    let kind = "dead";
    Alternatives { candidates, kind }.try_in(session)
}

/// Removes from a program what does not compile in it, as something that it names is gone. `None` where errors
/// stay.
fn mended(session: &Session<'_>, mut program: Candidate) -> Result<Option<Candidate>, Failure> {
    for _ in 0..MOST_MENDED {
        let errors = session
            .tools
            .in_turn(|oracle, cancel| oracle.error_places(&program, cancel))?;
        let Some(errors) = errors.filter(|_| !session.is_cancelled()) else {
            return Ok(None);
        };
        if errors.is_empty() {
            return Ok(Some(program));
        }
        let Some(edits) = without_faulty_declarations(&Program::new(&program.tree), &errors) else {
            return Ok(None);
        };
        program = program.with_tree(edits.apply(&program.tree));
    }
    Ok(None)
}
