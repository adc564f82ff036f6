//! The rounds of a strategy: all its passes and stages, again and again until nothing more goes.

use super::at_once::run_once;
use super::clean::clean_errors;
use super::crates::{merge_crate, open_crate};
use super::difference::narrow_difference;
use super::fold_values::fold_values;
use super::forms::try_instead;
use super::inline_calls::inline_calls;
use super::put_values::put_values;
use super::recompute::recompute_expected;
use super::unused::{delete_dead_code, delete_unused};
use super::{lists, neighbours};
use crate::auxiliary::own_and_others;
use crate::failure::Failure;
use crate::methods::Methods;
use crate::request::{Closure, Stage};
use crate::session::{Again, Session};
use reduce_gather::inline_modules;
use reduce_passes::PASSES;

/// The share of a program's tokens, as a divisor, below which a round has brought little.
const LITTLE: u64 = 20;

/// Makes rounds of the strategy until one of everything brings nothing.
pub(super) fn run_rounds(
    session: &mut Session<'_>,
    methods: &Methods,
    first_round: u32,
) -> Result<(), Failure> {
    let mut methods = methods.clone();
    for round in first_round.. {
        merge_files(session, &methods)?;
        merge_crate(session, &methods, round, Again::Smaller)?;
        delete_dead_code(session, &methods, round)?;
        delete_unused(session, &methods, round)?;
        fold_values(session, &methods, round)?;
        put_values(session, &methods, round)?;
        let accepted = match run_round(session, &mut methods, round)? {
            0 => session.ask_late_again(round)?,
            accepted => accepted,
        };
        if accepted == 0 || session.is_cancelled() {
            session.end_at_fixpoint();
            return Ok(());
        }
    }
    Ok(())
}

/// Makes one round: first of the edits that did not fail before, then of all edits, then of changes
/// that take more than one edit. It ends with the first of these that brings something. Returns how
/// much that was.
fn run_round(session: &mut Session<'_>, methods: &mut Methods, round: u32) -> Result<u64, Failure> {
    session.ledger.begin_round(true);
    let before = session.best().tree.count_tokens();
    let mut accepted = narrow_difference(session, methods, round)?;
    accepted += run_once(session, methods, round)?;
    let gained = before.saturating_sub(session.best().tree.count_tokens());
    if methods.is_rough || gained * LITTLE > before {
        return Ok(accepted);
    }
    // Inlining gives another program, so that edits which would be asked about for this one are not known to fail
    // there.
    accepted += inline_calls(session, methods, round)?;
    if accepted > 0 {
        return Ok(accepted);
    }
    // A part that only seemed to be a user has kept what it uses.
    methods.options.closure = Closure::Alone;
    session.ledger.begin_round(false);
    accepted = run_once(session, methods, round)?;
    if accepted == 0 {
        accepted = recompute_expected(session, methods, PASSES, round)?;
    }
    if accepted == 0 {
        accepted = merge_crate(session, methods, round, Again::Changed)?;
    }
    if accepted == 0 {
        accepted = open_crate(session, methods, round)?;
    }
    if accepted == 0 {
        accepted = delete_with_users(session, methods, round)?;
    }
    if accepted == 0 {
        accepted = neighbours::delete_neighbours(session, methods, round)?;
    }
    if accepted == 0 {
        accepted = clean_errors(session, methods, round)?;
    }
    Ok(accepted)
}

/// Deletes parts together with their users, for what cannot go alone.
fn delete_with_users(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    session.in_chosen_stage(
        methods,
        Stage::DeleteWithUsers,
        round,
        lists::delete_with_users,
    )
}

/// Makes one file of several, if it still crashes: modules can then be dissolved.
pub(super) fn merge_files(session: &mut Session<'_>, methods: &Methods) -> Result<(), Failure> {
    let is_wanted = methods.options.passes.contains(Stage::MergeFiles);
    let (own, others) = own_and_others(&session.best().tree);
    match inline_modules(&own).filter(|_| is_wanted) {
        Some(mut tree) => {
            for (path, text) in others {
                tree.add(path, text);
            }
            try_instead(session, Stage::MergeFiles, tree)
        }
        None => Ok(()),
    }
}
