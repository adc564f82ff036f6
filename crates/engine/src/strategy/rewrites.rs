//! Searches among whole changes of a program, of which each may be in several places.

use super::search::{Proposals, run_search};
use super::wide::{Together, run_one_wave};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Fingerprint;
use crate::session::Session;
use crate::trace;
use reduce_algorithms::{Replacement, Tmin};
use reduce_passes::{Program, Rewriter};
use reduce_syntax::EditSet;
use std::collections::HashSet;

/// The number of changes from which on they are first tried together.
const FEWEST_TOGETHER: usize = 3;

/// Makes one change after the other. Once one is made, the program is read again: the places of the
/// others have moved, and there may be new ones. What failed is not tried again before the next
/// round.
pub(super) fn rewrite(session: &mut Session<'_>, rewriter: Rewriter) -> Result<u64, Failure> {
    first_of_each_state(session, |program| rewriter.changes(program))
}

/// Makes the changes that `find` gives, one after the other.
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

/// Makes wave after wave of changes from anywhere, until none is made. What failed is not tried again before the next
/// round.
pub(super) fn waves_of_each_state(
    session: &mut Session<'_>,
    find: impl Fn(&Program) -> Vec<EditSet>,
) -> Result<u64, Failure> {
    of_each_state(session, find, |_, _, changes| {
        Ok(Some(disjoint_first(changes)))
    })
}

/// Makes changes until none is made any more. `prepare` is told how many were accepted, and gives those that are tried;
/// `None` where it has made all of them.
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
        let n_accepted = search.run(session)?;
        for fingerprint in search.failed() {
            session.ledger.note_failed(fingerprint);
            tried.insert(fingerprint);
        }
        if n_accepted == 0 {
            break;
        }
        accepted += n_accepted;
    }
    Ok(accepted)
}

/// Orders the changes so that few of a wave touch the same place: what one of them leaves of it is for the next
/// wave.
fn disjoint_first(mut changes: Vec<Change>) -> Vec<Change> {
    let edits: Vec<&EditSet> = changes.iter().map(|one| &one.1).collect();
    let order = EditSet::disjoint_first(&edits);
    let taken = order
        .into_iter()
        .map(|idx| std::mem::take(&mut changes[idx]));
    taken.collect()
}

/// A change of a program, with what tells it from others.
pub(super) type Change = (Fingerprint, EditSet);

/// Returns the changes of the best so far that this round tries.
pub(super) fn worth_trying(session: &Session<'_>, all: Vec<EditSet>) -> Vec<Change> {
    let n_all = all.len();
    let sources = &session.best().tree;
    let told_apart = all
        .into_iter()
        .map(|edits| (edits.fingerprint(sources), edits));
    let is_worth_trying = |one: &Change| session.ledger.is_worth_trying(&one.0);
    let left: Vec<Change> = told_apart.filter(is_worth_trying).collect();
    trace::left_out(n_all - left.len());
    left
}

fn try_together(session: &mut Session<'_>, changes: &[Change]) -> Result<bool, Failure> {
    let all = EditSet::union_of_disjoint(changes.iter().map(|change| &change.1));
    let together = vec![([0; 32], all)];
    let search = Changes::new(session.best().clone(), together);
    let n_accepted = run_search(session, Tmin::new(vec![1]), search)?;
    Ok(n_accepted > 0)
}

/// The alternative changes of one state.
struct Changes {
    base: Candidate,
    changes: Vec<Change>,
    /// The indices of the changes of a wave that were refused.
    refused: Vec<usize>,
    accepted: Option<usize>,
}

impl Changes {
    fn new(base: Candidate, changes: Vec<Change>) -> Self {
        Self {
            base,
            changes,
            refused: Vec::new(),
            accepted: None,
        }
    }

    /// Makes the first of the changes that can be made, or several of a wave.
    fn run(&mut self, session: &mut Session<'_>) -> Result<u64, Failure> {
        let n_changes = self.changes.len();
        match session.width() {
            1 => run_search(session, Tmin::new(vec![n_changes]), self),
            _ => run_one_wave(session, Tmin::new(vec![1; n_changes]), self),
        }
    }

    /// Returns the changes that have failed: all before the one that was accepted, or those of the
    /// wave that were refused.
    fn failed(&self) -> impl Iterator<Item = Fingerprint> + '_ {
        let n_before = match self.refused.is_empty() {
            true => self.accepted.unwrap_or(self.changes.len()),
            false => 0,
        };
        let failed = (0..n_before).chain(self.refused.iter().copied());
        failed.map(|idx| self.changes[idx].0)
    }

    /// Returns the index of the proposed change: it is one of several alternatives, or a part of a
    /// wave that is there or not.
    fn idx(&self, proposal: &Replacement) -> usize {
        proposal.element.max(proposal.alternative)
    }
}

impl Together<Replacement> for Changes {
    fn together(&self, proposals: &[Replacement]) -> Candidate {
        let edits = proposals.iter().map(|one| &self.changes[self.idx(one)].1);
        let edits = EditSet::union_of_disjoint(edits);
        self.base.with_tree(edits.apply(&self.base.tree))
    }

    fn accepted_together(&mut self, proposals: &[Replacement], _program: &Candidate) {
        self.accepted = proposals.first().map(|first| self.idx(first));
    }
}

impl Proposals<Replacement> for Changes {
    fn candidate(&self, proposal: &Replacement) -> Candidate {
        let edits = &self.changes[self.idx(proposal)].1;
        self.base.with_tree(edits.apply(&self.base.tree))
    }

    fn kind(&self, _proposal: &Replacement) -> &'static str {
        "rewrite"
    }

    fn accepted(&mut self, proposal: &Replacement, _program: &Candidate) {
        self.accepted = Some(self.idx(proposal));
    }

    fn refused(&mut self, proposal: &Replacement) {
        self.refused.push(self.idx(proposal));
    }
}
