//! Whole changes of a program, of which each may be in several places.

use super::attempts::Fingerprint;
use super::proposals::{Proposals, Together};
use crate::candidate::Candidate;
use reduce_algorithms::Replacement;
use reduce_syntax::{EditSet, SourceTree};

/// A change of a program, with what tells it from others.
pub(crate) type Change = (Fingerprint, EditSet);

/// Orders changes of a program so that those come first that touch no place in common, as few changes of a wave should touch the
/// same place.
pub(crate) fn disjoint_first(sources: &SourceTree, mut changes: Vec<Change>) -> Vec<Change> {
    let edits: Vec<&EditSet> = changes.iter().map(|one| &one.1).collect();
    let order = EditSet::disjoint_first(sources, &edits);
    let taken = order
        .into_iter()
        .map(|idx| std::mem::take(&mut changes[idx]));
    taken.collect()
}

/// The changes that may be made to one program, and which of them were accepted or refused.
pub(crate) struct Changes {
    base: Candidate,
    changes: Vec<Change>,
    /// The indices of the changes of a wave that were refused.
    refused: Vec<usize>,
    accepted: Option<usize>,
}

impl Changes {
    /// Returns the number of changes.
    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Makes the changes of a program, of which none was tried yet.
    pub(crate) fn new(base: Candidate, changes: Vec<Change>) -> Self {
        Self {
            base,
            changes,
            refused: Vec::new(),
            accepted: None,
        }
    }

    /// Returns the changes that have failed: all before the one that was accepted, or those of the
    /// wave that were refused.
    pub(crate) fn failed(&self) -> impl Iterator<Item = Fingerprint> + '_ {
        let n_before = match self.refused.is_empty() {
            true => self.accepted.unwrap_or(self.changes.len()),
            false => 0,
        };
        let failed = (0..n_before).chain(self.refused.iter().copied());
        failed.map(|idx| self.changes[idx].0)
    }

    /// Returns the index of the change that a proposal of the algorithm makes.
    fn idx(&self, proposal: &Replacement) -> usize {
        proposal.element.max(proposal.alternative)
    }
}

impl Together<Replacement> for Changes {
    fn together(&self, proposals: &[Replacement]) -> Candidate {
        let edits = proposals.iter().map(|one| &self.changes[self.idx(one)].1);
        let edits = EditSet::union_of_disjoint(&self.base.tree, edits);
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
