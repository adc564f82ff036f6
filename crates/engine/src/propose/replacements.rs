//! Places of a program, each with what may stand there instead.

use super::attempts::{Attempts, Fingerprint};
use super::proposals::{Proposals, Together};
use crate::candidate::Candidate;
use crate::trace;
use reduce_algorithms::Replacement;
use reduce_syntax::{EditSet, EditedTree};

/// The replacements for nodes on one level of the tree: for each place its alternatives, the
/// preferred one first.
pub(crate) type Choices = Vec<Vec<EditSet>>;

/// The places on one level of a program's tree that may be replaced; none lies in another.
pub(crate) struct Replacements {
    base: Candidate,
    edited: EditedTree,
    choices: Choices,
    kind: &'static str,
    accepted: EditSet,
}

impl Replacements {
    /// Makes the replacements of a program in which nothing is replaced yet; `kind` names what is
    /// done to it.
    pub(crate) fn new(base: &Candidate, kind: &'static str, choices: Choices) -> Self {
        Self {
            base: base.clone(),
            edited: EditedTree::new(base.tree.clone()),
            choices,
            kind,
            accepted: EditSet::new(),
        }
    }

    /// Returns the number of alternatives of each place.
    pub(crate) fn alternatives(&self) -> Vec<usize> {
        self.choices.iter().map(Vec::len).collect()
    }

    /// Leaves out the replacements that this round does not try, as they failed in an earlier one.
    /// Returns the fingerprints of the others.
    pub(crate) fn leave_out_failed(&mut self, attempts: &Attempts) -> Vec<Fingerprint> {
        let (mut left, mut n_all) = (Vec::new(), 0);
        for alternatives in &mut self.choices {
            n_all += alternatives.len();
            alternatives.retain(|edits| {
                let fingerprint = edits.fingerprint(&self.base.tree);
                let is_worth_trying = attempts.is_worth_trying(&fingerprint);
                left.extend(is_worth_trying.then_some(fingerprint));
                is_worth_trying
            });
        }
        trace::left_out(n_all - left.len());
        left
    }

    /// Returns the edits of all accepted replacements, and those of some further ones.
    fn edits(&self, proposals: &[Replacement]) -> EditSet {
        let mut edits = self.accepted.clone();
        for one in proposals {
            edits.extend(&self.choices[one.element][one.alternative]);
        }
        edits
    }
}

impl Together<Replacement> for Replacements {
    fn together(&self, proposals: &[Replacement]) -> Candidate {
        self.base
            .with_tree(self.edited.candidate(&self.edits(proposals)))
    }

    fn accepted_together(&mut self, proposals: &[Replacement], program: &Candidate) {
        self.accepted = self.edits(proposals);
        self.edited.accept(&self.accepted, &program.tree);
    }
}

impl Proposals<Replacement> for Replacements {
    fn candidate(&self, proposal: &Replacement) -> Candidate {
        self.together(std::slice::from_ref(proposal))
    }

    fn kind(&self, _proposal: &Replacement) -> &'static str {
        self.kind
    }

    fn accepted(&mut self, proposal: &Replacement, program: &Candidate) {
        self.accepted_together(std::slice::from_ref(proposal), program);
    }
}
