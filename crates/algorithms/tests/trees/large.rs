//! Deep and wide trees, and how many candidates a plain case takes.

use crate::harness::run;
use crate::problem::Replay;
use reduce_algorithms::tree::{
    Class, Node, NodeId, Removal, Tree, TreeChange, TreeOptions, TreeSearch, TreeStrategy,
};
use reduce_algorithms::{Ddmin, DdminOptions, Search, WeightedDdmin};

fn removable() -> Node {
    let class = Class::new(0);
    Node {
        weight: 1,
        class: Some(class),
        accepts: class.into(),
        removal: Removal::Remove,
        is_list: false,
    }
}

const DEEP: usize = 200_000;
const N_REMOVABLE: usize = DEEP / 10;

/// A tree that is one path, every tenth node of which may be removed or replaced.
fn chain() -> Tree {
    let mut tree = Tree::new();
    let mut parent = None;
    for index in 0..DEEP {
        let rest = Node {
            weight: 1,
            ..Node::default()
        };
        let node = if index % 10 == 0 { removable() } else { rest };
        parent = Some(tree.push(parent, node));
    }
    tree
}

/// A tree in which each node above the last level has `n_children`. The root stays. Only every second
/// level is compatible.
fn bushy(n_children: usize, n_levels: u8) -> Tree {
    let mut tree = Tree::new();
    let mut open = vec![(None, 0)];
    while let Some((parent, level)) = open.pop() {
        let class = Class::new(level % 2);
        let node = Node {
            class: Some(class),
            accepts: class.into(),
            removal: if level == 0 {
                Removal::Never
            } else {
                Removal::Remove
            },
            is_list: true,
            ..removable()
        };
        let id = tree.push(parent, node);
        if level + 1 < n_levels {
            open.extend(std::iter::repeat_n((Some(id), level + 1), n_children));
        }
    }
    tree
}

/// Runs a search of which each verdict depends on the change alone; counts candidates.
fn count(tree: Tree, options: TreeOptions, is_interesting: impl Fn(&TreeChange) -> bool) -> usize {
    let mut search = TreeSearch::new(tree, options, |_: &[NodeId], weights: &[u64]| {
        Box::new(WeightedDdmin::new(weights, DdminOptions::default()))
    });
    let mut n_candidates = 0;
    while let Some((ticket, change)) = search.propose() {
        n_candidates += 1;
        search.answer(ticket, is_interesting(&change));
    }
    assert!(search.is_done());
    n_candidates
}

#[test]
fn a_long_chain_does_not_overflow_the_stack_where_nothing_can_go() {
    for (strategy, expected) in [
        (TreeStrategy::HddRecursive, N_REMOVABLE),
        (TreeStrategy::HoistThenHddh, 2 * N_REMOVABLE - 1),
        (TreeStrategy::Worklist, 2 * N_REMOVABLE - 1),
    ] {
        let options = TreeOptions::published(strategy);
        let n_candidates = count(chain(), options, |_| false);
        assert_eq!(n_candidates, expected, "{}", strategy.name());
    }
}

#[test]
fn a_long_chain_comes_up_link_by_link_without_looking_at_all_of_it_each_time() {
    let is_hoist = |change: &TreeChange| matches!(change, TreeChange::Hoist { .. });
    for (strategy, n_prunings) in [
        (TreeStrategy::Hoist, 0),
        // The root, and in the second round what has taken its place.
        (TreeStrategy::Hddh, 2),
        (TreeStrategy::Worklist, N_REMOVABLE),
    ] {
        let options = TreeOptions::published(strategy);
        let n_candidates = count(chain(), options, is_hoist);
        assert_eq!(
            n_candidates,
            N_REMOVABLE - 1 + n_prunings,
            "{}",
            strategy.name()
        );
    }
}

#[test]
fn a_chain_goes_at_once_where_everything_can() {
    let n_candidates = count(chain(), TreeOptions::published(TreeStrategy::Hdd), |_| true);
    assert_eq!(n_candidates, 1);
}

/// Each strategy finds one leaf of a tree of 585 nodes with so many candidates, and leaves so many
/// nodes. For HDD, ddmin takes 4, 5 and 4 to find the leaf's ancestors and the leaf among eight, one
/// more in each level shows that the last cannot go, and the second round tries the two ancestors
/// again. For HOIST, the leaf is below the 22nd of the nodes that may take the place of the root.
#[test]
fn each_strategy_finds_one_leaf_with_few_candidates() {
    let tree = bushy(8, 4);
    let needed = NodeId::from_index(tree.len() / 3);
    assert_eq!((tree.len(), tree.children(needed).count()), (585, 0));
    let n_candidates = TreeStrategy::ALL.map(|strategy| {
        let mut search = TreeSearch::new(
            tree.clone(),
            TreeOptions::published(strategy),
            |nodes: &[NodeId], _: &[u64]| Box::new(Ddmin::new(nodes.len())),
        );
        let mut replay = Replay::new(&tree);
        let run = run(&mut search, |accepted, change| {
            replay.with(accepted, change).is_left(needed)
        });
        (strategy.name(), run.tested.len(), search.tree().n_left())
    });
    let expected = [
        ("HDD", 18, 4),
        ("coarse HDD", 18, 4),
        ("HDDr", 18, 4),
        ("HOIST", 22, 9),
        ("HDDH", 27, 2),
        ("HOIST+HDD", 27, 2),
        ("HOIST+HDDH", 27, 2),
        ("worklist", 27, 2),
    ];
    assert_eq!(n_candidates, expected);
}
