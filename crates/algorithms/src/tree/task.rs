//! One search in a tree, as the rounds hand it out and the searches of levels and nodes carry it out.

use super::inner::{Alternative, Place};
use super::node::NodeId;

/// One search. It has something to search.
#[derive(Debug)]
pub(super) enum Task {
    /// The list algorithm, on nodes that may be pruned.
    PruneList(Vec<NodeId>),
    /// TMIN.
    Replace(Vec<Place>),
}

impl Task {
    pub(super) fn prune_list(nodes: Vec<NodeId>) -> Option<Self> {
        (!nodes.is_empty()).then_some(Self::PruneList(nodes))
    }

    pub(super) fn replace(places: Vec<Place>) -> Option<Self> {
        (!places.is_empty()).then_some(Self::Replace(places))
    }

    /// Prunes the only node that a list algorithm has left, if it is the only one: such algorithms
    /// may take the empty list to fail. If this one has tested it, the outcome is known.
    pub(super) fn prune_last(left: &[NodeId]) -> Option<Self> {
        match left {
            [node] => Self::replace(vec![Place {
                node: *node,
                alternatives: vec![Alternative::Prune],
            }]),
            _ => None,
        }
    }
}
