//! A round of a tree search that goes node by node: HDDr, and the worklist of Perses.
//!
//! A node in the queue is never below another one in it, and nothing happens to what is
//! below it. So the weights in the queue stay true.

use super::arena::Tree;
use super::hoistable::Hoistable;
use super::inner::{Alternative, Place};
use super::node::NodeId;
use super::task::Task;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The work that a round does at each node of a tree, and the order of the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtEachNode {
    /// HDDr: the list algorithm on the children of each node, in preorder.
    PruneChildren,
    /// Visits the heaviest node first, and prunes or replaces it, or, if it is a list, prunes among
    /// its children.
    ByKind,
}

/// The state of a round that goes node by node.
#[derive(Debug)]
pub(super) struct Worklist {
    at_each: AtEachNode,
    /// The nodes to be visited, by weight, or all with the same weight; then by preorder.
    queue: BinaryHeap<(u64, Reverse<NodeId>)>,
    step: Step,
}

/// The next step of a round that goes node by node. The node is `None` where its children are the
/// roots.
#[derive(Debug, Clone, Copy)]
enum Step {
    Prune(Option<NodeId>),
    PruneLast(Option<NodeId>),
    Queue(Option<NodeId>),
    Next,
    Done,
}

impl Worklist {
    pub(super) fn new(at_each: AtEachNode) -> Self {
        let step = match at_each {
            AtEachNode::PruneChildren => Step::Prune(None),
            AtEachNode::ByKind => Step::Queue(None),
        };
        Self {
            at_each,
            queue: BinaryHeap::new(),
            step,
        }
    }

    pub(super) fn next_task(&mut self, tree: &Tree, hoistable: &Hoistable) -> Option<Task> {
        while !matches!(self.step, Step::Done) {
            if let Some(task) = self.step(tree, hoistable) {
                return Some(task);
            }
        }
        None
    }

    /// Queues `descendant`, which now stands in the place of a node that was visited.
    pub(super) fn hoisted(&mut self, tree: &Tree, descendant: NodeId) {
        self.enqueue(tree, descendant);
    }

    fn step(&mut self, tree: &Tree, hoistable: &Hoistable) -> Option<Task> {
        match self.step {
            Step::Prune(of) => {
                let is_list = self.is_list(tree, of);
                self.step = if is_list {
                    Step::PruneLast(of)
                } else {
                    Step::Queue(of)
                };
                Task::prune_list(prunable(tree, of, is_list))
            }
            Step::PruneLast(of) => {
                self.step = Step::Queue(of);
                Task::prune_last(&prunable(tree, of, true))
            }
            Step::Queue(of) => {
                self.step = Step::Next;
                self.enqueue_children(tree, of);
                None
            }
            Step::Next => self.next_node(tree, hoistable),
            Step::Done => None,
        }
    }

    fn next_node(&mut self, tree: &Tree, hoistable: &Hoistable) -> Option<Task> {
        let Some((_, Reverse(node))) = self.queue.pop() else {
            self.step = Step::Done;
            return None;
        };
        self.step = Step::Prune(Some(node));
        match self.at_each {
            AtEachNode::PruneChildren => None,
            AtEachNode::ByKind => Task::replace(place(tree, hoistable, node).into_iter().collect()),
        }
    }

    /// Whether the children of a node are a list, and the node is still in the tree.
    fn is_list(&self, tree: &Tree, of: Option<NodeId>) -> bool {
        let is_list = |node| match self.at_each {
            AtEachNode::PruneChildren => true,
            AtEachNode::ByKind => tree.is_left(node) && tree.node(node).is_list,
        };
        of.is_none_or(is_list)
    }

    /// Queues the children of a node, unless it was replaced: then its replacement is in the queue
    /// already.
    fn enqueue_children(&mut self, tree: &Tree, of: Option<NodeId>) {
        if of.is_none_or(|node| tree.is_left(node)) {
            tree.below(of).for_each(|child| self.enqueue(tree, child));
        }
    }

    fn enqueue(&mut self, tree: &Tree, node: NodeId) {
        let weight = match self.at_each {
            AtEachNode::PruneChildren => 0,
            AtEachNode::ByKind => tree.weight(node),
        };
        self.queue.push((weight, Reverse(node)));
    }
}

fn prunable(tree: &Tree, of: Option<NodeId>, is_list: bool) -> Vec<NodeId> {
    let children = tree.below(of).filter(|_| is_list);
    children.filter(|child| tree.is_prunable(*child)).collect()
}

/// Returns a node with the changes that may be made to it, if there are any. The element of a list has
/// been tried with the list.
fn place(tree: &Tree, hoistable: &Hoistable, node: NodeId) -> Option<Place> {
    let is_element = tree
        .parent(node)
        .is_some_and(|parent| tree.node(parent).is_list);
    let prune = (!is_element && tree.is_prunable(node)).then_some(Alternative::Prune);
    let offers = hoistable.nearest_first(tree, node).into_iter();
    let alternatives: Vec<Alternative> = prune
        .into_iter()
        .chain(offers.map(Alternative::Hoist))
        .collect();
    (!alternatives.is_empty()).then_some(Place { node, alternatives })
}
