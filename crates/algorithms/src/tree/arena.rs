//! A tree as nodes in an arena: those that are left after the accepted changes.
//!
//! Nodes are linked to parent, neighbours and first and last child, and nothing recurses: a chain
//! of a million nodes is a tree like any other. Each node goes at most once, so all changes
//! together take time in proportion to the tree (times a logarithm, for the sums).

use super::change::TreeChange;
use super::node::{Node, NodeId, Removal};
use crate::fenwick::Fenwick;

/// A tree, or a forest, of weighted nodes.
///
/// ```
/// use reduce_algorithms::tree::{Node, Removal, Tree, TreeChange};
///
/// let leaf = |weight| Node { weight, removal: Removal::Remove, ..Node::default() };
/// let mut tree = Tree::new();
/// let root = tree.push(None, Node { weight: 1, ..Node::default() });
/// let left = tree.push(Some(root), leaf(5));
/// let below = tree.push(Some(left), leaf(2));
/// let right = tree.push(Some(root), leaf(3));
/// assert_eq!((tree.weight(left), tree.total_weight()), (7, 11));
///
/// tree.apply(&TreeChange::prune(left));
/// assert!(!tree.is_left(below));
/// assert_eq!(tree.children(root).collect::<Vec<_>>(), [right]);
/// assert_eq!(tree.weight(root), 4);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Tree {
    slots: Vec<Slot>,
    roots: Ends,
    n_left: usize,
    /// The weights of the nodes that are left, each without its descendants, in preorder.
    weights: Fenwick<u64>,
    /// The number of levels by which each node has come up, as differences: the sum up to a node is
    /// its number of levels.
    lifted: Fenwick<u64>,
}

#[derive(Debug, Clone)]
struct Slot {
    node: Node,
    parent: Option<NodeId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
    children: Ends,
    /// The index after the last node that was pushed below this node; 0 while more may come.
    end: u32,
    /// The level on which the node was pushed.
    depth: u32,
    is_left: bool,
}

/// The first and the last of some sibling nodes.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    first: Option<NodeId>,
    last: Option<NodeId>,
}

impl Tree {
    /// A tree without nodes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a node as the last child of `parent`, or as a root. A tree is built before it changes.
    ///
    /// # Panics
    ///
    /// If this is not preorder, that is, unless `parent` is the node that was pushed last or above
    /// it; if something was pruned or hoisted already.
    pub fn push(&mut self, parent: Option<NodeId>, node: Node) -> NodeId {
        assert_eq!(self.n_left, self.len(), "a tree is built before it changes");
        let id = NodeId::from_index(self.len());
        self.close_up_to(parent);
        self.slots.push(Slot {
            node,
            parent,
            previous: None,
            next: None,
            children: Ends::default(),
            end: 0,
            depth: parent.map_or(0, |parent| self.slot(parent).depth + 1),
            is_left: true,
        });
        self.n_left += 1;
        self.weights.push(node.weight);
        self.lifted.push(0);
        let last = self.ends(parent).last;
        self.link(parent, last, Some(id));
        self.link(parent, Some(id), None);
        id
    }

    /// Returns the number of nodes that were pushed, whether they are left or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether no node was pushed into the tree.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the number of nodes that are left.
    #[must_use]
    pub fn n_left(&self) -> usize {
        self.n_left
    }

    /// Whether a node is left. What stands in the place of a pruned node counts as that node.
    #[must_use]
    pub fn is_left(&self, node: NodeId) -> bool {
        self.slot(node).is_left
    }

    /// Returns a node as it is now: with the removal and acceptance of the place where it stands.
    #[must_use]
    pub fn node(&self, node: NodeId) -> &Node {
        &self.slot(node).node
    }

    /// Returns the parent of a node that is left. `None` for a root.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.slot(node).parent
    }

    /// Returns the roots that are left, in order.
    pub fn roots(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.siblings(self.roots.first)
    }

    /// Returns the children of a node that is left, in order.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.siblings(self.slot(node).children.first)
    }

    /// Returns all nodes that are left, in preorder.
    pub fn left(&self) -> impl Iterator<Item = NodeId> + '_ {
        let is_left = |node: &NodeId| self.is_left(*node);
        (0..self.len()).map(NodeId::from_index).filter(is_left)
    }

    /// Returns the weight of a node with all that is left below it; 0 if it is gone. Logarithmic
    /// time.
    #[must_use]
    pub fn weight(&self, node: NodeId) -> u64 {
        if !self.is_left(node) {
            return 0;
        }
        let end = self.weights.prefix(self.end(node));
        end.wrapping_sub(self.weights.prefix(node.index()))
    }

    /// Returns the weight of all nodes that are left. The own weights must add up to less than
    /// 2^64.
    #[must_use]
    pub fn total_weight(&self) -> u64 {
        self.weights.prefix(self.len())
    }

    /// Returns the number of nodes above one that is left. Logarithmic time.
    #[must_use]
    pub fn depth(&self, node: NodeId) -> u32 {
        let lifted = self.lifted.prefix(node.index() + 1);
        self.slot(node).depth - u32::try_from(lifted).expect("no more levels than were pushed")
    }

    /// Whether `descendant` was pushed below `ancestor`. Where both are left, it is still there.
    #[must_use]
    pub fn is_below(&self, descendant: NodeId, ancestor: NodeId) -> bool {
        ancestor < descendant && descendant.index() < self.end(ancestor)
    }

    /// Whether a node is left, may be pruned, and would be lighter after that.
    #[must_use]
    pub fn is_prunable(&self, node: NodeId) -> bool {
        let lightens = || match self.node(node).removal {
            Removal::Never => false,
            Removal::Remove => true,
            Removal::Smallest { weight } => weight < self.weight(node),
        };
        self.is_left(node) && lightens()
    }

    /// Makes a change to the tree. [`TreeSearch`](super::TreeSearch) does so with what is accepted;
    /// call this on a tree that you keep yourself.
    ///
    /// # Panics
    ///
    /// If a node is not left, or may not be pruned, or if what is hoisted is not below its goal.
    pub fn apply(&mut self, change: &TreeChange) {
        match change {
            TreeChange::Prune(pruned) => pruned.nodes().for_each(|node| self.prune(node)),
            TreeChange::Hoist { node, descendant } => self.hoist(*node, *descendant),
        }
    }

    /// Returns the index after the last node that was pushed below `node`.
    pub(super) fn end(&self, node: NodeId) -> usize {
        match self.slot(node).end {
            0 => self.len(),
            end => end as usize,
        }
    }

    /// Returns the children of a node, or the roots.
    pub(super) fn below(&self, parent: Option<NodeId>) -> impl Iterator<Item = NodeId> + '_ {
        self.siblings(self.ends(parent).first)
    }

    fn prune(&mut self, node: NodeId) {
        assert!(self.is_left(node), "a node is pruned once");
        match self.node(node).removal {
            Removal::Never => panic!("a node was pruned that may not be"),
            Removal::Remove => {
                self.detach(node);
                self.drop_subtree(node);
            }
            Removal::Smallest { weight } => self.shrink(node, weight),
        }
    }

    /// Puts the smallest valid fragment in the place of a node.
    fn shrink(&mut self, node: NodeId, weight: u64) {
        while let Some(child) = self.slot(node).children.first {
            self.detach(child);
            self.drop_subtree(child);
        }
        let change = weight.wrapping_sub(self.node(node).weight);
        self.weights.add(node.index(), change);
        self.slot_mut(node).node = Node {
            weight,
            ..Node::default()
        };
    }

    fn hoist(&mut self, node: NodeId, descendant: NodeId) {
        let are_left = self.is_left(node) && self.is_left(descendant);
        assert!(
            are_left && self.is_below(descendant, node),
            "a descendant is hoisted"
        );
        self.lift(descendant, node);
        self.detach(descendant);
        let (parent, previous, next) = self.links(node);
        self.drop_subtree(node);
        let Node {
            accepts, removal, ..
        } = *self.node(node);
        let hoisted = self.slot_mut(descendant);
        hoisted.parent = parent;
        (hoisted.node.accepts, hoisted.node.removal) = (accepts, removal);
        self.link(parent, previous, Some(descendant));
        self.link(parent, Some(descendant), next);
    }

    /// Notes that all nodes below `descendant` come up by the levels from `node` on.
    fn lift(&mut self, descendant: NodeId, node: NodeId) {
        let mut at = descendant;
        while at != node {
            at = self.parent(at).expect("a descendant is below its ancestor");
            let end = self.end(at);
            self.lifted.add(at.index(), 1);
            self.lifted.add(end, 1_u64.wrapping_neg());
        }
    }

    /// Marks a detached node and all its descendants as gone.
    fn drop_subtree(&mut self, top: NodeId) {
        let mut at = Some(top);
        while let Some(node) = at {
            at = self.following(node, top);
            let weight = self.node(node).weight;
            self.weights.add(node.index(), weight.wrapping_neg());
            self.slot_mut(node).is_left = false;
            self.n_left -= 1;
        }
    }

    /// Returns the node after `node` in the preorder of the subtree of `top`.
    fn following(&self, node: NodeId, top: NodeId) -> Option<NodeId> {
        let first_child = self.slot(node).children.first;
        if first_child.is_some() {
            return first_child;
        }
        let mut at = node;
        while at != top {
            if let Some(next) = self.slot(at).next {
                return Some(next);
            }
            at = self.parent(at)?;
        }
        None
    }

    /// Closes the nodes below `parent`, the last of which was pushed last: no more come there.
    fn close_up_to(&mut self, parent: Option<NodeId>) {
        let len = u32::try_from(self.len()).expect("a tree has less than 2^32 nodes");
        let mut open = self.len().checked_sub(1).map(NodeId::from_index);
        while open != parent {
            let node = open.expect("nodes are pushed in preorder");
            self.slot_mut(node).end = len;
            open = self.parent(node);
        }
    }

    fn detach(&mut self, node: NodeId) {
        let (parent, previous, next) = self.links(node);
        self.link(parent, previous, next);
    }

    fn links(&self, node: NodeId) -> (Option<NodeId>, Option<NodeId>, Option<NodeId>) {
        let slot = self.slot(node);
        (slot.parent, slot.previous, slot.next)
    }

    /// Makes two children of `parent` neighbours; without one of them, the other becomes the first
    /// or the last child.
    fn link(&mut self, parent: Option<NodeId>, left: Option<NodeId>, right: Option<NodeId>) {
        match left {
            Some(left) => self.slot_mut(left).next = right,
            None => self.ends_mut(parent).first = right,
        }
        match right {
            Some(right) => self.slot_mut(right).previous = left,
            None => self.ends_mut(parent).last = left,
        }
    }

    fn ends(&self, parent: Option<NodeId>) -> Ends {
        parent.map_or(self.roots, |parent| self.slot(parent).children)
    }

    fn ends_mut(&mut self, parent: Option<NodeId>) -> &mut Ends {
        match parent {
            Some(parent) => &mut self.slot_mut(parent).children,
            None => &mut self.roots,
        }
    }

    fn siblings(&self, first: Option<NodeId>) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(first, |node| self.slot(*node).next)
    }

    fn slot(&self, node: NodeId) -> &Slot {
        &self.slots[node.index()]
    }

    fn slot_mut(&mut self, node: NodeId) -> &mut Slot {
        &mut self.slots[node.index()]
    }
}
