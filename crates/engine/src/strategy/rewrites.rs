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
    find: impl Fn(&Program<'_>) -> Vec<EditSet>,
) -> Result<u64, Failure> {
    let mut accepted = 0;
    let mut tried = HashSet::new();
    while !session.is_cancelled() {
        let base = session.best().clone();
        let found = find(&session.program()).into_iter();
        let found = found.map(|edits| (edits.fingerprint(&base.tree), edits));
        let mut changes: Vec<Change> = found.filter(|one| !tried.contains(&one.0)).collect();
        let n_untried = changes.len();
        changes.retain(|one| session.ledger.is_worth_trying(&one.0));
        trace::left_out(n_untried - changes.len());
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

type Change = (Fingerprint, EditSet);

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
