//! The tree compared with itself, computed the long way.

use crate::harness::Random;
use crate::problem::random_tree;
use proptest::prelude::*;
use reduce_algorithms::tree::{NodeId, Removal, Tree, TreeChange};

/// Checks all that a tree says of itself against a walk from the roots.
fn check(tree: &Tree) {
    let mut preorder = vec![];
    let roots: Vec<NodeId> = tree.roots().collect();
    let total: u64 = roots
        .into_iter()
        .map(|root| check_below(tree, root, None, 0, &mut preorder))
        .sum();
    assert_eq!(tree.total_weight(), total);
    assert_eq!(tree.left().collect::<Vec<_>>(), preorder);
    assert_eq!(tree.n_left(), preorder.len());
}

fn check_below(
    tree: &Tree,
    node: NodeId,
    parent: Option<NodeId>,
    depth: u32,
    preorder: &mut Vec<NodeId>,
) -> u64 {
    preorder.push(node);
    assert!(tree.is_left(node));
    assert_eq!((tree.parent(node), tree.depth(node)), (parent, depth));
    let children: Vec<NodeId> = tree.children(node).collect();
    assert!(children.iter().all(|child| tree.is_below(*child, node)));
    let below: u64 = children
        .into_iter()
        .map(|child| check_below(tree, child, Some(node), depth + 1, preorder))
        .sum();
    assert_eq!(tree.weight(node), tree.node(node).weight + below);
    tree.weight(node)
}

/// A change of any two nodes that it is possible to make.
fn random_change(tree: &Tree, random: &mut Random) -> Option<TreeChange> {
    let left: Vec<NodeId> = tree.left().collect();
    let mut any = || (!left.is_empty()).then(|| left[random.below(left.len())]);
    let (node, descendant) = (any()?, any()?);
    if tree.is_below(descendant, node) {
        return Some(TreeChange::Hoist { node, descendant });
    }
    let may_be_pruned = tree.node(node).removal != Removal::Never;
    may_be_pruned.then(|| TreeChange::prune(node))
}

proptest! {
    #[test]
    fn a_tree_agrees_with_a_walk_after_every_change(n_nodes in 1..60_usize, seed in any::<u64>()) {
        let mut random = Random(seed);
        let mut tree = random_tree(n_nodes, &mut random);
        prop_assert_eq!((tree.len(), tree.n_left()), (n_nodes, n_nodes));
        check(&tree);
        for _ in 0..40 {
            if let Some(change) = random_change(&tree, &mut random) {
                tree.apply(&change);
                check(&tree);
            }
        }
    }
}

#[test]
fn what_is_gone_weighs_nothing() {
    let mut tree = random_tree(1, &mut Random(1));
    let root = tree.roots().next().unwrap();
    let [above, below] = [(); 2].map(|()| {
        let parent = tree.left().last();
        tree.push(
            parent,
            reduce_algorithms::tree::Node {
                weight: 5,
                ..Default::default()
            },
        )
    });
    tree.apply(&TreeChange::Hoist {
        node: above,
        descendant: below,
    });
    assert_eq!((tree.weight(above), tree.weight(below)), (0, 5));
    assert_eq!(tree.children(root).collect::<Vec<_>>(), [below]);
}
