//! Searches among whole changes of a program, of which each may be in several places.

use crate::failure::Failure;
use crate::propose::{Change, Changes, disjoint_first};
use crate::session::{Session, run_one_wave, run_search};
use crate::trace;
use reduce_algorithms::Tmin;
use reduce_passes::{Program, Rewriter};
use reduce_syntax::EditSet;
use std::collections::HashSet;

/// The least number of changes that are first tried all together.
const FEWEST_TOGETHER: usize = 3;

/// Makes the changes that a rewrite finds, one after the other. Once one is made, the program is
/// read again: the places of the others have moved, and there may be new ones. What failed is not
/// tried again before the next round.
pub(super) fn rewrite(session: &mut Session<'_>, rewriter: Rewriter) -> Result<u64, Failure> {
    first_of_each_state(session, |program| rewriter.changes(program))
}

/// Makes the changes that `find` finds in the best program, one after the other.
pub(super) fn first_of_each_state(
    session: &mut Session<'_>,
    find: impl Fn(&Program) -> Vec<EditSet>,
) -> Result<u64, Failure> {
    of_each_state(session, find, |session, accepted, changes| {
        let is_worth_it = accepted == 0 && changes.len() >= FEWEST_TOGETHER;
        match is_worth_it && try_together(session, &changes)? {
            true => Ok(None),
            false => Ok(Some(changes)),
        }
    })
}

/// Makes the changes that `find` finds in the best program, several at once, wave after wave until none is accepted.
/// A change that failed is not tried again before the next round. No wave follows one that has brought less than `least` per cent
/// of the tokens.
pub(super) fn waves_of_each_state(
    session: &mut Session<'_>,
    find: impl Fn(&Program) -> Vec<EditSet>,
    least: Option<u64>,
) -> Result<u64, Failure> {
    let mut before = None;
    of_each_state(session, find, |session, _, changes| {
        let tokens = session.best.tokens();
        let last = before.replace(tokens);
        let brought_little = last
            .zip(least)
            .is_some_and(|(before, least)| before.saturating_sub(tokens) * 100 < before * least);
        let changes = match brought_little {
            true => Vec::new(),
            false => disjoint_first(&session.best().tree, changes),
        };
        Ok(Some(changes))
    })
}

/// Finds changes of the best program and tries them, again and again until none is accepted. `prepare` is told how many
/// were accepted, and gives those that are tried; `None` where it has made all of them.
fn of_each_state(
    session: &mut Session<'_>,
    find: impl Fn(&Program) -> Vec<EditSet>,
    mut prepare: impl FnMut(&mut Session<'_>, u64, Vec<Change>) -> Result<Option<Vec<Change>>, Failure>,
) -> Result<u64, Failure> {
    let mut accepted = 0;
    let mut tried = HashSet::new();
    while !session.is_cancelled() {
        let base = session.best().clone();
        let mut changes = worth_trying(session, find(&session.program()));
        changes.retain(|one| !tried.contains(&one.0));
        let Some(changes) = prepare(session, accepted, changes)? else {
            accepted += 1;
            continue;
        };
        let mut search = Changes::new(base, changes);
        let n_accepted = try_changes(session, &mut search)?;
        for fingerprint in search.failed() {
            session.ledger.attempts.note_failed(fingerprint);
            tried.insert(fingerprint);
        }
        if n_accepted == 0 {
            break;
        }
        accepted += n_accepted;
    }
    Ok(accepted)
}

/// Returns the changes of the best so far that this round tries.
pub(super) fn worth_trying(session: &Session<'_>, all: Vec<EditSet>) -> Vec<Change> {
    let n_all = all.len();
    let sources = &session.best().tree;
    let told_apart = all
        .into_iter()
        .map(|edits| (edits.fingerprint(sources), edits));
    let is_worth_trying = |one: &Change| session.ledger.attempts.is_worth_trying(&one.0);
    let left: Vec<Change> = told_apart.filter(is_worth_trying).collect();
    trace::left_out(n_all - left.len());
    left
}

fn try_together(session: &mut Session<'_>, changes: &[Change]) -> Result<bool, Failure> {
    let edits = changes.iter().map(|change| &change.1);
    let all = EditSet::union_of_disjoint(&session.best().tree, edits);
    let together = vec![([0; 32], all)];
    let search = Changes::new(session.best().clone(), together);
    let n_accepted = run_search(session, Tmin::new(vec![1]), search)?;
    Ok(n_accepted > 0)
}

/// Makes the first of the changes that can be made, or several of a wave.
fn try_changes(session: &mut Session<'_>, changes: &mut Changes) -> Result<u64, Failure> {
    let n_changes = changes.len();
    match session.goes_by_waves() {
        false => run_search(session, Tmin::new(vec![n_changes]), changes),
        true => run_one_wave(session, Tmin::new(vec![1; n_changes]), changes),
    }
}
