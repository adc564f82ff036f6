//! Searches among whole changes of a program, of which each may be in several places.

use super::search::{Proposals, run_search};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::session::{Fingerprint, Session};
use crate::trace;
use reduce_algorithms::{Replacement, Tmin};
use reduce_passes::{Program, Rewriter};
use reduce_syntax::EditSet;
use std::collections::HashSet;

/// With so many changes they are first tried together.
const FEWEST_TOGETHER: usize = 3;

/// Makes one change after the other. Once one is made, the program is read again: the places of the
/// others have moved, and there may be new ones. What failed is not tried again before the next
/// round.
pub(super) fn rewrite(session: &mut Session<'_>, rewriter: Rewriter) -> Result<u64, Failure> {
    first_of_each_state(session, |program| rewriter.changes(program))
}

/// The same with changes from anywhere.
pub(super) fn first_of_each_state(
    session: &mut Session<'_>,
    find: impl Fn(&Program) -> Vec<EditSet>,
) -> Result<u64, Failure> {
    let mut accepted = 0;
    let mut tried = HashSet::new();
    while !session.is_cancelled() {
        let base = session.best().clone();
        let mut changes = worth_trying(session, find(&session.program()));
        changes.retain(|one| !tried.contains(&one.0));
        if accepted == 0 && changes.len() >= FEWEST_TOGETHER && try_together(session, &changes)? {
            accepted += 1;
            continue;
        }
        let mut search = Changes::new(base, changes);
        let n_accepted = run_search(session, Tmin::new(vec![search.changes.len()]), &mut search)?;
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

/// A change of a program, with what tells it from others.
pub(super) type Change = (Fingerprint, EditSet);

/// The changes of the best so far that this round tries.
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

/// Alternatives of one state.
struct Changes {
    base: Candidate,
    changes: Vec<Change>,
    accepted: Option<usize>,
}

impl Changes {
    fn new(base: Candidate, changes: Vec<Change>) -> Self {
        Self {
            base,
            changes,
            accepted: None,
        }
    }

    /// What has failed: all before the one that was accepted.
    fn failed(&self) -> impl Iterator<Item = Fingerprint> + '_ {
        let n_failed = self.accepted.unwrap_or(self.changes.len());
        self.changes[..n_failed].iter().map(|change| change.0)
    }
}

impl Proposals<Replacement> for Changes {
    fn candidate(&self, proposal: &Replacement) -> Candidate {
        let edits = &self.changes[proposal.alternative].1;
        self.base.with_tree(edits.apply(&self.base.tree))
    }

    fn kind(&self, _proposal: &Replacement) -> &'static str {
        "rewrite"
    }

    fn accepted(&mut self, proposal: &Replacement, _program: &Candidate) {
        self.accepted = Some(proposal.alternative);
    }
}
