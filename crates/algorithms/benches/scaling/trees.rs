//! Trees of 100 to 1,000,000 nodes, in which some nodes are needed.

use reduce_algorithms::tree::{
    Class, Node, NodeId, Removal, Tree, TreeChange, TreeOptions, TreeSearch, TreeStrategy,
};
use reduce_algorithms::{DdminOptions, List, ListAlgorithm, Search};
use std::time::Instant;

/// Searches stop here.
const MAX_TESTS: usize = 500_000;

/// Children of a node.
const FANOUT: usize = 6;

/// Measures all strategies.
pub(crate) fn measure_trees() {
    println!("| strategy | nodes | needed | tests | accepted | weight left | ns per candidate |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for len in [100, 1_000, 10_000, 100_000, 1_000_000] {
        for spacing in [50, len] {
            let needed = NeededNodes::new(&bushy(len), spacing);
            for strategy in TreeStrategy::ALL {
                measure(strategy, bushy(len), &needed);
            }
        }
    }
}

/// A tree of `len` nodes with [`FANOUT`] children each, in levels of lists and of what may be
/// hoisted.
fn bushy(len: usize) -> Tree {
    let classes: [Class; 2] = [0, 1].map(Class::new);
    let mut tree = Tree::new();
    // Nodes whose subtrees are not complete, with how many nodes are still to come below.
    let mut open: Vec<(NodeId, usize, usize)> = Vec::new();
    let mut left = len;
    while left > 0 {
        let (parent, size) = match open.last_mut() {
            None => (None, left),
            Some((_, 0, _)) => {
                open.pop();
                continue;
            }
            Some((node, below, children)) => {
                let size = below.div_ceil(*children);
                (*below, *children) = (*below - size, *children - 1);
                (Some(*node), size)
            }
        };
        let level = open.len();
        let class = classes[level % 2];
        let node = Node {
            weight: 1 + (left % 7) as u64,
            class: Some(class),
            accepts: class.into(),
            removal: match level % 3 {
                0 => Removal::Smallest { weight: 1 },
                _ => Removal::Remove,
            },
            is_list: level.is_multiple_of(2),
        };
        let id = tree.push(parent, node);
        left -= 1;
        open.push((id, size - 1, FANOUT));
    }
    tree
}

/// The number of needed nodes in each subtree.
struct NeededNodes {
    below: Vec<u32>,
}

impl NeededNodes {
    fn new(tree: &Tree, spacing: usize) -> Self {
        let is_needed = |index: usize| u32::from(index % spacing == spacing - 1);
        let mut below: Vec<u32> = (0..tree.len()).map(is_needed).collect();
        for index in (0..tree.len()).rev() {
            if let Some(parent) = tree.parent(NodeId::from_index(index)) {
                below[parent.index()] += below[index];
            }
        }
        Self { below }
    }

    /// Whether all needed nodes are still there after the change.
    fn survive(&self, change: &TreeChange) -> bool {
        match change {
            TreeChange::Prune(nodes) => nodes.nodes().all(|node| self.below[node.index()] == 0),
            TreeChange::Hoist { node, descendant } => {
                self.below[node.index()] == self.below[descendant.index()]
            }
        }
    }
}

fn measure(strategy: TreeStrategy, tree: Tree, needed: &NeededNodes) {
    let options = TreeOptions {
        strategy,
        max_distance: Some(8),
        ..TreeOptions::default()
    };
    let algorithm = ListAlgorithm::WeightedDdmin(DdminOptions::default());
    let start = Instant::now();
    let mut search = TreeSearch::new(tree, options, move |_: &[NodeId], weights: &[u64]| {
        algorithm.search(List::weighted(weights))
    });
    let (mut tested, mut accepted) = (0, 0);
    while tested < MAX_TESTS
        && let Some((ticket, change)) = search.propose()
    {
        let answered = search.answer(ticket, needed.survive(&change));
        tested += 1;
        accepted += usize::from(answered.accepted.is_some());
    }
    let nanoseconds = start.elapsed().as_nanos() / tested.max(1) as u128;
    println!(
        "| {} | {} | {} | {tested} | {accepted} | {} | {nanoseconds} |",
        strategy.name(),
        needed.below.len(),
        needed.below[0],
        search.tree().total_weight(),
    );
}
