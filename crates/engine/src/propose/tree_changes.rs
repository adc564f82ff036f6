//! Changes of a program that is taken as one tree: nodes go, or a descendant takes a node's place.

use super::proposals::{Proposals, Together};
use crate::candidate::Candidate;
use reduce_algorithms::tree::{Class, Node, NodeId, Removal, Tree, TreeChange};
use reduce_syntax::{EditedTree, Forest, ForestNode, Pruning, SyntaxTree};

/// The changes that were made to the tree.
pub(crate) struct TreeChanges {
    base: Candidate,
    edited: EditedTree,
    forest: Forest,
    /// The nodes that were deleted with all below them, in ascending order, as the forest has less
    /// to do then.
    pruned: Vec<usize>,
    hoisted: Vec<(usize, usize)>,
}

impl TreeChanges {
    /// Makes the changes of a program's tree, none of which is made yet.
    pub(crate) fn new(base: &Candidate, tree: &SyntaxTree) -> Self {
        Self {
            base: base.clone(),
            edited: EditedTree::new(base.tree.clone()),
            forest: Forest::new(&base.tree, tree.clone()),
            pruned: Vec::new(),
            hoisted: Vec::new(),
        }
    }

    /// Returns the tree of the program without its texts, as the tree algorithms need it.
    pub(crate) fn abstract_tree(&self) -> Tree {
        abstract_tree(&self.forest)
    }

    /// Returns the nodes that are deleted and those that are hoisted, once some further changes are
    /// made.
    fn with(&self, changes: &[TreeChange]) -> (Vec<usize>, Vec<(usize, usize)>) {
        let (mut pruned, mut hoisted) = (self.pruned.clone(), self.hoisted.clone());
        for change in changes {
            match change {
                TreeChange::Prune(nodes) => pruned.extend(nodes.nodes().map(NodeId::index)),
                TreeChange::Hoist { node, descendant } => {
                    hoisted.push((node.index(), descendant.index()));
                }
            }
        }
        pruned.sort_unstable();
        pruned.dedup();
        (pruned, hoisted)
    }
}

impl Together<TreeChange> for TreeChanges {
    fn together(&self, changes: &[TreeChange]) -> Candidate {
        let (pruned, hoisted) = self.with(changes);
        let edits = self.forest.edits(&pruned, &hoisted);
        self.base.with_tree(self.edited.candidate(&edits))
    }

    fn accepted_together(&mut self, changes: &[TreeChange], program: &Candidate) {
        (self.pruned, self.hoisted) = self.with(changes);
        let edits = self.forest.edits(&self.pruned, &self.hoisted);
        self.edited.accept(&edits, &program.tree);
    }
}

impl Proposals<TreeChange> for TreeChanges {
    fn candidate(&self, change: &TreeChange) -> Candidate {
        self.together(std::slice::from_ref(change))
    }

    fn kind(&self, change: &TreeChange) -> &'static str {
        match change {
            TreeChange::Prune(nodes) => nodes.kind().name(),
            TreeChange::Hoist { .. } => "hoist",
        }
    }

    fn accepted(&mut self, change: &TreeChange, program: &Candidate) {
        self.accepted_together(std::slice::from_ref(change), program);
    }
}

/// Makes the tree without its texts: nodes have the same numbers in both.
///
/// Several parts of a node that may go, such as its visibility and attributes, are a list there.
fn abstract_tree(forest: &Forest) -> Tree {
    let mut n_parts = vec![0; forest.nodes().len()];
    for node in forest.nodes() {
        if let (Some(parent), Pruning::Removes) = (node.parent, node.pruning) {
            n_parts[parent] += 1;
        }
    }
    let mut tree = Tree::new();
    for (node, n_parts) in forest.nodes().iter().zip(n_parts) {
        let is_list = node.is_list() || n_parts > 1;
        let parent = node.parent.map(NodeId::from_index);
        tree.push(parent, abstract_node(node, is_list));
    }
    tree
}

fn abstract_node(node: &ForestNode, is_list: bool) -> Node {
    let class = |class: reduce_syntax::HoistClass| Class::new(class.index());
    Node {
        weight: node.own_weight,
        class: node.class.map(class),
        accepts: node.accepts.iter().copied().map(class).collect(),
        removal: match node.pruning {
            Pruning::Never => Removal::Never,
            Pruning::Removes => Removal::Remove,
            Pruning::Leaves(weight) => Removal::Smallest { weight },
        },
        is_list,
    }
}
