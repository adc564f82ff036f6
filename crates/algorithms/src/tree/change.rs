//! The candidate of a tree search: nodes that are pruned, or one that is hoisted into the place of
//! another.

use super::node::NodeId;
use crate::fingerprint::{Fingerprint, of_element};
use crate::subset::{Kind, Subset};
use std::fmt;
use std::sync::Arc;

/// A candidate change of a tree, on top of those that were accepted before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeChange {
    /// Some nodes are pruned, all at once.
    Prune(Pruned),
    /// A node is replaced by one of its descendants. All else below the node goes.
    Hoist {
        /// The node that is replaced.
        node: NodeId,
        /// The descendant that takes the node's place, with all that is below it.
        descendant: NodeId,
    },
}

/// Nodes that are pruned together, none of them below another.
///
/// Cloning it takes constant time: it is a [`Subset`] of the nodes that a list search began with.
/// Two are equal if they have the same nodes.
#[derive(Clone)]
pub struct Pruned {
    among: Among,
    fingerprint: Fingerprint,
}

#[derive(Clone)]
enum Among {
    One(NodeId),
    List { list: Arc<[NodeId]>, kept: Subset },
}

impl TreeChange {
    /// Makes the change that prunes a single node.
    #[must_use]
    pub fn prune(node: NodeId) -> Self {
        Self::Prune(Pruned {
            among: Among::One(node),
            fingerprint: of_node(node),
        })
    }

    /// Returns the fingerprint that distinguishes this change from all others. Those of changes that were made one after
    /// the other, in any order, are combined by exclusive-or.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        match self {
            Self::Prune(pruned) => pruned.fingerprint,
            Self::Hoist { node, descendant } => {
                of_node(*node).wrapping_mul(of_node(*descendant) | 1)
            }
        }
    }
}

impl Pruned {
    /// Makes the pruning of those nodes of `list` that `kept` newly removes, whose fingerprint is
    /// known.
    pub(super) fn from_list(list: Arc<[NodeId]>, kept: Subset, fingerprint: Fingerprint) -> Self {
        Self {
            among: Among::List { list, kept },
            fingerprint,
        }
    }

    /// Returns the pruned nodes, in ascending order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let (one, list) = match &self.among {
            Among::One(node) => (Some(*node), None),
            Among::List { list, kept } => (
                None,
                Some(kept.newly_removed().map(|position| list[position])),
            ),
        };
        one.into_iter().chain(list.into_iter().flatten())
    }
}

impl Pruned {
    /// Returns the reason why the list algorithm made the candidate; [`Kind::OneByOne`] if the node
    /// was alone.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match &self.among {
            Among::One(_) => Kind::OneByOne,
            Among::List { kept, .. } => kept.kind(),
        }
    }
}

impl fmt::Debug for Pruned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.nodes().map(NodeId::index))
            .finish()
    }
}

impl PartialEq for Pruned {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl Eq for Pruned {}

/// Returns the fingerprint of pruning one node; that of pruning several is the exclusive-or.
pub(super) fn of_node(node: NodeId) -> Fingerprint {
    of_element(node.index())
}
