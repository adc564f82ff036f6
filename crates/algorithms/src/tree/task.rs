//! A task of a tree search: one search of a list of nodes, or of what may replace nodes.

use super::inner::{Alternative, Place};
use super::node::NodeId;

/// One search within the search of a tree. It has something to search.
#[derive(Debug)]
pub(super) enum Task {
    /// Prunes some of these nodes, by the list algorithm.
    PruneList(Vec<NodeId>),
    /// Replaces nodes at these places, by TMIN.
    Replace(Vec<Place>),
}

impl Task {
    pub(super) fn prune_list(nodes: Vec<NodeId>) -> Option<Self> {
        (!nodes.is_empty()).then_some(Self::PruneList(nodes))
    }

    pub(super) fn replace(places: Vec<Place>) -> Option<Self> {
        (!places.is_empty()).then_some(Self::Replace(places))
    }

    /// Makes the task that prunes the single node of `left`, if a list algorithm has left only one:
    /// such algorithms may take the empty list to fail. If this one has tested it, the outcome is
    /// known.
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
