//! The stage that puts functions of a test in place of all their calls, on trial. That makes the program larger at first;
//! but then arguments are known where they are used, loops are entered once, and structs that were only passed along become
//! variables.

use super::rewrites::first_of_each_state;
use super::row::Then;
use super::unused::{delete_unused, leave_out_dead_code};
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::inlinings;

/// The factor by which a program may grow when functions are inlined; one that grows more is not
/// tried.
const MOST_TIMES: u64 = 3;

/// The number of rounds after which an inlined program is given up if it is not smaller than the
/// one before.
const MOST_ROUNDS: usize = 3;

/// Puts as many functions of a test as possible in place of their calls, and reduces what comes of
/// that. Returns how many programs were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn inline_calls(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
    then: &Then<'_>,
) -> Result<u64, Failure> {
    let before = session.best().tree.count_tokens();
    if !session.mode.inlines_calls(before) {
        return Ok(0);
    }
    session.in_chosen_stage(methods, Stage::InlineCalls, round, |session| {
        let mut n_inlined = 0;
        let go = |session: &mut Session<'_>| {
            n_inlined = session.of_any_size(|session| inline_all(session, before))?;
            match n_inlined {
                0 => Ok(()),
                _ => shorten(session, methods, (round, before), then),
            }
        };
        let has_paid = session.on_trial(Stage::InlineCalls, go, |session, end| {
            session.best.is_beaten_by(end)
        })?;
        session.mode.note_inlining(before, has_paid);
        Ok(u64::from(has_paid))
    })
}

/// Puts one function after the other in place of its calls. Returns how many.
fn inline_all(session: &mut Session<'_>, before: u64) -> Result<u64, Failure> {
    first_of_each_state(session, |program| {
        let sources = program.sources();
        let most = i64::try_from(MOST_TIMES * before).unwrap_or(i64::MAX);
        let size = i64::try_from(sources.count_tokens()).unwrap_or(i64::MAX);
        let mut all = inlinings(program);
        all.retain(|edits| size.saturating_add(edits.growth(sources).0) <= most);
        all
    })
}

/// Reduces the program with inlined functions, as long as that brings something and there is hope that it ends
/// smaller.
fn shorten(
    session: &mut Session<'_>,
    methods: &Methods,
    (round, before): (u32, u64),
    then: &Then<'_>,
) -> Result<(), Failure> {
    for done in 0.. {
        leave_out_dead_code(session)?;
        delete_unused(session, methods, round)?;
        let accepted = then(session, round)?;
        let is_larger = session.best().tree.count_tokens() >= before;
        if accepted == 0 || session.is_cancelled() || (is_larger && done + 1 >= MOST_ROUNDS) {
            break;
        }
    }
    Ok(())
}
