//! Properties that hold for every tree, every predicate and every strategy.

use crate::harness::{Random, run, run_wide};
use crate::problem::{Problem, Replay};
use proptest::prelude::*;
use reduce_algorithms::tree::{NodeId, Tree, TreeChange, TreeOptions, TreeSearch, TreeStrategy};
use reduce_algorithms::{Ddmin, DdminOptions, List, Search, Subset, WeightedDdmin};
use std::collections::HashSet;

/// The list algorithm that prunes a level. All are 1-minimal.
#[derive(Debug, Clone, Copy)]
enum Lists {
    Ddmin,
    DdminTryingEmpty,
    Weighted,
}

impl Lists {
    fn search(self, weights: &[u64]) -> Box<dyn Search<Candidate = Subset> + Send> {
        match self {
            Self::Ddmin => Box::new(Ddmin::new(weights.len())),
            Self::DdminTryingEmpty => {
                let options = DdminOptions {
                    try_empty: true,
                    ..DdminOptions::PUBLISHED
                };
                Box::new(Ddmin::over(List::new(weights.len()), options))
            }
            Self::Weighted => Box::new(WeightedDdmin::new(weights, DdminOptions::default())),
        }
    }
}

fn tree_search(problem: &Problem, options: TreeOptions, lists: Lists) -> TreeSearch {
    TreeSearch::new(
        problem.tree.clone(),
        options,
        move |nodes: &[NodeId], weights: &[u64]| {
            assert_eq!(nodes.len(), weights.len());
            assert!(!nodes.is_empty());
            lists.search(weights)
        },
    )
}

/// Returns the hoistable nodes by definition: Fig. 7, and for how many layers of it.
fn hoistable(tree: &Tree, node: NodeId, options: TreeOptions) -> Vec<NodeId> {
    let nearest = chi(tree, node, node);
    let mut found = nearest.clone();
    let mut layer = nearest;
    let n_further = match options.strategy {
        _ if options.nearest_only => 0,
        TreeStrategy::Worklist => tree.len(),
        _ => 1,
    };
    for _ in 0..n_further {
        layer = layer
            .iter()
            .flat_map(|above| chi(tree, node, *above))
            .collect();
        found.extend(&layer);
    }
    let distance = |found: NodeId| tree.depth(found) - tree.depth(node);
    found.retain(|one| options.max_distance.is_none_or(|max| distance(*one) <= max));
    found.retain(|one| tree.weight(*one) < tree.weight(node));
    found
}

fn chi(tree: &Tree, place: NodeId, above: NodeId) -> Vec<NodeId> {
    let below = |child: NodeId| {
        let class = tree.node(child).class;
        if class.is_some_and(|class| tree.node(place).accepts.contains(class)) {
            vec![child]
        } else {
            chi(tree, place, child)
        }
    };
    tree.children(above).flat_map(below).collect()
}

/// A change in a form that can be compared: what goes, and what comes in its place.
fn as_nodes(change: &TreeChange) -> (Vec<NodeId>, Option<NodeId>) {
    match change {
        TreeChange::Prune(pruned) => (pruned.nodes().collect(), None),
        TreeChange::Hoist { node, descendant } => (vec![*node], Some(*descendant)),
    }
}

/// Checks that a change may be made to the tree and makes it smaller.
fn check_candidate(tree: &Tree, change: &TreeChange) {
    let (nodes, replacement) = as_nodes(change);
    assert!(nodes.is_sorted_by(|one, next| one < next && !tree.is_below(*next, *one)));
    assert!(!nodes.is_empty() && nodes.iter().all(|node| tree.is_left(*node)));
    match replacement {
        None => {
            assert!(nodes.iter().all(|node| tree.is_prunable(*node)));
            let is_first_alone = *change == TreeChange::prune(nodes[0]);
            assert_eq!(is_first_alone, nodes.len() == 1);
        }
        Some(descendant) => {
            assert!(tree.is_left(descendant) && tree.is_below(descendant, nodes[0]));
            assert!(tree.weight(descendant) < tree.weight(nodes[0]));
            let class = tree.node(descendant).class;
            assert!(class.is_some_and(|class| tree.node(nodes[0]).accepts.contains(class)));
        }
    }
}

/// Runs a search one candidate at a time, and checks each candidate and the result.
fn check(problem: &Problem, options: TreeOptions, lists: Lists) -> Vec<TreeChange> {
    let mut search = tree_search(problem, options, lists);
    let mut replay = Replay::new(&problem.tree);
    let (mut failed, mut n_accepted) = (HashSet::new(), 0);
    let run = run(&mut search, |accepted, change| {
        if accepted.len() > n_accepted {
            n_accepted = accepted.len();
            failed.clear();
        }
        check_candidate(replay.after(accepted), change);
        assert!(
            failed.insert(as_nodes(change)),
            "proposed again: {change:?}"
        );
        problem.holds(&replay.with(accepted, change))
    });
    let result = replay.after(&run.accepted);
    assert!(run.accepted.is_empty() || problem.holds(result));
    assert!(result.left().eq(search.tree().left()));
    assert_eq!(result.total_weight(), search.tree().total_weight());
    if options.fixpoint {
        check_one_minimal(problem, result, options);
    }
    run.accepted
}

/// Checks that none of the changes with which the last stage ends is possible.
fn check_one_minimal(problem: &Problem, result: &Tree, options: TreeOptions) {
    use TreeStrategy::{Hddh, Hoist, HoistThenHddh, Worklist};
    let is_interesting = |change: &TreeChange| {
        let mut tree = result.clone();
        tree.apply(change);
        problem.holds(&tree)
    };
    if options.strategy != Hoist {
        let prunable = result.left().filter(|node| result.is_prunable(*node));
        let possible: Vec<NodeId> = prunable
            .filter(|node| is_interesting(&TreeChange::prune(*node)))
            .collect();
        assert_eq!(possible, [], "not 1-tree-minimal");
    }
    if matches!(options.strategy, Hoist | Hddh | HoistThenHddh | Worklist) {
        for node in result.left() {
            for descendant in hoistable(result, node, options) {
                let change = TreeChange::Hoist { node, descendant };
                assert!(!is_interesting(&change), "not 1-maximal: {change:?}");
            }
        }
    }
}

fn lists() -> impl Strategy<Value = Lists> {
    prop_oneof![
        Just(Lists::Ddmin),
        Just(Lists::DdminTryingEmpty),
        Just(Lists::Weighted),
    ]
}

fn all_options() -> impl Strategy<Value = TreeOptions> {
    let strategy = prop::sample::select(TreeStrategy::ALL.to_vec());
    let distance = prop::option::of(1..6_u32);
    (strategy, any::<bool>(), distance, any::<bool>()).prop_map(
        |(strategy, fixpoint, max_distance, nearest_only)| TreeOptions {
            strategy,
            fixpoint,
            max_alternatives: usize::MAX,
            max_distance,
            nearest_only,
        },
    )
}

fn problems(max_len: usize) -> impl Strategy<Value = Problem> {
    let n_nodes = prop_oneof![1..=12_usize, 1..=max_len];
    (n_nodes, 0..3_usize, any::<u64>())
        .prop_map(|(n_nodes, kind, seed)| Problem::random(n_nodes, kind, &mut Random(seed)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn a_search_ends_with_an_interesting_and_minimal_tree_without_repeating_a_test(
        problem in problems(80),
        options in all_options(),
        lists in lists(),
    ) {
        check(&problem, options, lists);
    }

    #[test]
    fn a_search_accepts_the_same_for_any_number_of_outstanding_candidates(
        problem in problems(60),
        options in all_options(),
        max_alternatives in 1..5_usize,
        lists in lists(),
        seed in any::<u64>(),
    ) {
        let options = TreeOptions { max_alternatives, ..options };
        let mut expected = None;
        for width in [1, 2, 3, 8] {
            let mut search = tree_search(&problem, options, lists);
            let mut replay = Replay::new(&problem.tree);
            let accepted = run_wide(&mut search, width, &mut Random(seed), |accepted, change| {
                problem.holds(&replay.with(accepted, change))
            });
            let expected = expected.get_or_insert_with(|| accepted.clone());
            prop_assert_eq!(&accepted, expected, "with {} outstanding", width);
        }
    }
}
