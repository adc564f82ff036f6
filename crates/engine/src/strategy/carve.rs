//! The stage that writes a test anew from what it did where it ran: as a straight line of calls into the code under test, on
//! trial. What is left of the test's own structs, functions and loops goes then.
//!
//! See docs/decisions/carving.md.

use super::alternatives::Alternatives;
use super::row::Then;
use super::unused::leave_out_dead_code;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;

/// Puts the first of the carved forms that fails in the same way in place of the test, and reduces it. Returns whether that
/// ended smaller, as a number of accepted programs.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn carve(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
    then: &Then<'_>,
) -> Result<u64, Failure> {
    session.in_chosen_stage(methods, Stage::Carve, round, |session| {
        let forms = session
            .tools
            .in_turn(|oracle, cancel| oracle.carved(session.best(), cancel))?;
        if forms.is_empty() {
            return Ok(0);
        }
        let mut n_calls = 0;
        let go = |session: &mut Session<'_>| {
            let candidates = forms.iter();
            let candidates = candidates.map(|one| session.best().with_tree(one.tree.clone()));
            let alternatives = Alternatives {
                candidates: candidates.collect(),
                kind: "carved form",
            };
            match session.of_any_size(|session| alternatives.try_in(session))? {
                0 => Ok(()),
                _ => {
                    let accepted = forms.iter().find(|one| one.tree == session.best().tree);
                    n_calls = accepted.map_or(0, |one| one.n_calls as u64);
                    leave_out_dead_code(session)?;
                    then(session, round).map(drop)
                }
            }
        };
        let has_paid = session.on_trial(Stage::Carve, go, |session, end| {
            session.best.is_beaten_by(end)
        })?;
        if has_paid {
            session.ledger.carved_calls = n_calls;
        }
        Ok(u64::from(has_paid))
    })
}
