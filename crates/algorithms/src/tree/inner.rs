//! The searches that a tree search consists of: each prunes the nodes of a list or replaces nodes,
//! and proposes changes of the tree.

use super::change::{Pruned, TreeChange, of_node};
use super::node::NodeId;
use crate::fingerprint::{EMPTY, Fingerprint};
use crate::search::{Accepted, Answered, Search, Ticket};
use crate::subset::Subset;
use crate::tmin::{Replacement, Tmin};
use std::sync::Arc;

/// A search whose candidates are changes of a tree.
pub(super) type Inner = Box<dyn Search<Candidate = TreeChange> + Send>;

/// A search whose candidates are subsets of a list.
pub(super) type ListSearch = Box<dyn Search<Candidate = Subset> + Send>;

/// A node with the changes that may be made to it, in the order in which they are tried.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) node: NodeId,
    pub(super) alternatives: Vec<Alternative>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Alternative {
    Prune,
    Hoist(NodeId),
}

impl Place {
    fn change(&self, alternative: usize) -> TreeChange {
        match self.alternatives[alternative] {
            Alternative::Prune => TreeChange::prune(self.node),
            Alternative::Hoist(descendant) => TreeChange::Hoist {
                node: self.node,
                descendant,
            },
        }
    }
}

/// Makes a search that prunes nodes of a list.
pub(super) fn prune_list(list: Arc<[NodeId]>, search: ListSearch) -> Inner {
    let fingerprint = combined(list.iter().copied());
    Box::new(PruneList {
        n_left: list.len(),
        list,
        search,
        fingerprint,
    })
}

/// Makes a search that replaces nodes, by TMIN.
pub(super) fn replace(places: Vec<Place>) -> Inner {
    let n_alternatives = places.iter().map(|place| place.alternatives.len());
    let search = Tmin::new(n_alternatives.collect());
    Box::new(Replace { places, search })
}

struct PruneList {
    list: Arc<[NodeId]>,
    search: ListSearch,
    /// The number of nodes of the list that are left.
    n_left: usize,
    /// The fingerprint of the nodes of the list that are left.
    fingerprint: Fingerprint,
}

impl PruneList {
    fn change(&self, kept: Subset) -> TreeChange {
        let fingerprint = self.removed_fingerprint(&kept);
        TreeChange::Prune(Pruned::from_list(Arc::clone(&self.list), kept, fingerprint))
    }

    /// Returns the fingerprint of the nodes that `kept` newly removes, from those that it removes
    /// or from those that it keeps, whichever are fewer: in all, each granularity of a list
    /// algorithm then looks at the list once.
    fn removed_fingerprint(&self, kept: &Subset) -> Fingerprint {
        let node = |position: usize| self.list[position];
        if kept.len() < self.n_left / 2 {
            self.fingerprint ^ combined(kept.kept().map(node))
        } else {
            combined(kept.newly_removed().map(node))
        }
    }
}

impl Search for PruneList {
    type Candidate = TreeChange;

    fn propose(&mut self) -> Option<(Ticket, TreeChange)> {
        let (ticket, kept) = self.search.propose()?;
        Some((ticket, self.change(kept)))
    }

    fn answer(&mut self, ticket: Ticket, interesting: bool) -> Answered<TreeChange> {
        let Answered { accepted, void } = self.search.answer(ticket, interesting);
        let accepted = accepted.map(|Accepted { ticket, candidate }| {
            let n_left = candidate.len();
            let candidate = self.change(candidate);
            self.fingerprint ^= candidate.fingerprint();
            self.n_left = n_left;
            Accepted { ticket, candidate }
        });
        Answered { accepted, void }
    }

    fn is_done(&self) -> bool {
        self.search.is_done()
    }
}

struct Replace {
    places: Vec<Place>,
    search: Tmin,
}

impl Replace {
    fn change(&self, replacement: Replacement) -> TreeChange {
        self.places[replacement.element].change(replacement.alternative)
    }
}

impl Search for Replace {
    type Candidate = TreeChange;

    fn propose(&mut self) -> Option<(Ticket, TreeChange)> {
        let (ticket, replacement) = self.search.propose()?;
        Some((ticket, self.change(replacement)))
    }

    fn answer(&mut self, ticket: Ticket, interesting: bool) -> Answered<TreeChange> {
        let Answered { accepted, void } = self.search.answer(ticket, interesting);
        let accepted = accepted.map(|accepted| Accepted {
            ticket: accepted.ticket,
            candidate: self.change(accepted.candidate),
        });
        Answered { accepted, void }
    }

    fn is_done(&self) -> bool {
        self.search.is_done()
    }
}

fn combined(nodes: impl Iterator<Item = NodeId>) -> Fingerprint {
    nodes.fold(EMPTY, |sum, node| sum ^ of_node(node))
}
