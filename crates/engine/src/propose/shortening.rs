//! The elements of a program's lists, each of which may go.

use super::attempts::{Attempts, Fingerprint};
use super::methods::Parts;
use super::proposals::{Proposals, Together};
use crate::candidate::Candidate;
use crate::trace;
use reduce_algorithms::Subset;
use reduce_syntax::{EditSet, EditedTree, List, remove_elements};
use std::collections::BTreeSet;

/// Lists of a program, taken as one list of elements.
pub(crate) struct Shortening {
    base: Candidate,
    edited: EditedTree,
    lists: Vec<List>,
    /// The list of each element and its index in it, in ascending order.
    elements: Vec<(usize, usize)>,
    /// The indices of the elements that are gone.
    removed: Vec<usize>,
}

impl Shortening {
    /// Makes one list of all elements in some lists of a program.
    pub(crate) fn new(base: &Candidate, lists: Vec<List>) -> Self {
        let of_list = |(idx, list): (usize, &List)| {
            (0..list.elements.len())
                .map(|element| (idx, element))
                .collect::<Vec<_>>()
        };
        let elements = lists.iter().enumerate().flat_map(of_list).collect();
        Self {
            base: base.clone(),
            edited: EditedTree::new(base.tree.clone()),
            lists,
            elements,
            removed: Vec::new(),
        }
    }

    /// Returns the lists of the program whose elements are searched.
    pub(crate) fn lists(&self) -> &[List] {
        &self.lists
    }

    /// Whether no element is left that could go.
    pub(crate) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Leaves out of the list the elements that this round does not try, as their deletion failed
    /// in an earlier one.
    pub(crate) fn leave_out_failed(&mut self, attempts: &Attempts) {
        let mut elements = std::mem::take(&mut self.elements);
        let n_all = elements.len();
        elements.retain(|element| {
            let fingerprint = self.fingerprint(*element);
            attempts.is_worth_trying(&fingerprint)
        });
        trace::left_out(n_all - elements.len());
        self.elements = elements;
    }

    /// Keeps all elements but some, given by their indices in ascending order.
    pub(crate) fn leave_out(&mut self, elements: &[usize]) {
        let mut idx = 0..;
        self.elements.retain(|_| {
            let is_out = idx
                .next()
                .is_some_and(|idx| elements.binary_search(&idx).is_ok());
            !is_out
        });
        trace::left_out(elements.len());
    }

    /// Notes that the elements which are left could not go.
    pub(crate) fn note_failed(&self, attempts: &mut Attempts) {
        for (idx, element) in self.elements.iter().enumerate() {
            if self.removed.binary_search(&idx).is_err() {
                attempts.note_failed(self.fingerprint(*element));
            }
        }
    }

    /// Returns a digest of an element's kind and text, which tells its deletion from others.
    fn fingerprint(&self, (list, idx): (usize, usize)) -> Fingerprint {
        let (kind, element) = (self.lists[list].kind, &self.lists[list].elements[idx]);
        let text = &self.base.tree.text(element.file)[element.range.clone()];
        *blake3::hash(format!("{kind:?} {text}").as_bytes()).as_bytes()
    }

    /// Returns the elements as parts of the program.
    pub(crate) fn parts(&self) -> Parts {
        let element = |&(list, element): &(usize, usize)| &self.lists[list].elements[element];
        self.elements.iter().map(element).collect()
    }

    /// Returns the indices of all elements that these proposals or accepted ones delete.
    fn removed(&self, proposals: &[Subset]) -> Vec<usize> {
        let more = proposals.iter().flat_map(Subset::newly_removed);
        let all: BTreeSet<usize> = self.removed.iter().copied().chain(more).collect();
        all.into_iter().collect()
    }

    fn edits(&self, removed: &[usize]) -> EditSet {
        let mut edits = EditSet::new();
        let removed = removed.iter().map(|idx| self.elements[*idx]);
        remove_elements(&self.lists, removed, &mut edits);
        edits
    }
}

impl Together<Subset> for Shortening {
    fn together(&self, proposals: &[Subset]) -> Candidate {
        let edits = self.edits(&self.removed(proposals));
        self.base.with_tree(self.edited.candidate(&edits))
    }

    fn accepted_together(&mut self, proposals: &[Subset], program: &Candidate) {
        self.removed = self.removed(proposals);
        self.edited
            .accept(&self.edits(&self.removed), &program.tree);
    }
}

impl Proposals<Subset> for Shortening {
    fn candidate(&self, proposal: &Subset) -> Candidate {
        self.together(std::slice::from_ref(proposal))
    }

    fn kind(&self, proposal: &Subset) -> &'static str {
        proposal.kind().name()
    }

    fn accepted(&mut self, proposal: &Subset, program: &Candidate) {
        self.accepted_together(std::slice::from_ref(proposal), program);
    }
}
