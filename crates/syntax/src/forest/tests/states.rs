//! States of many changes: sizes, and the same text as step by step with a new tree for each step.

use super::*;
use crate::parse::is_parsable;
use std::collections::BTreeSet;

/// A source file of this crate, as a larger program.
const LARGE: &str = include_str!("../../builder/visit.rs");

fn all_crates() -> Vec<SourceTree> {
    crates().into_iter().chain([single_file(LARGE)]).collect()
}

/// The changes of a tree, and the nodes that then stand in it, as a strategy sees them.
struct State<'f> {
    forest: &'f Forest,
    children: Vec<Vec<usize>>,
    pruned: BTreeSet<usize>,
    hoisted: Vec<(usize, usize)>,
}

impl<'f> State<'f> {
    fn new(forest: &'f Forest) -> Self {
        let mut children = vec![Vec::new(); forest.nodes().len()];
        for (idx, node) in forest.nodes().iter().enumerate().skip(1) {
            children[node.parent.expect("only the first has none")].push(idx);
        }
        Self {
            forest,
            children,
            pruned: BTreeSet::new(),
            hoisted: Vec::new(),
        }
    }

    /// Returns the node that stands in a node's place.
    fn standing_for(&self, node: usize) -> usize {
        let replaced = |&&(above, _): &&(usize, usize)| above == node;
        let last = self.hoisted.iter().rev().find(replaced);
        last.map_or(node, |&(_, descendant)| self.standing_for(descendant))
    }

    /// All nodes that stand in the place of one and below, the pruned ones without what was in them.
    fn standing(&self, node: usize) -> Vec<usize> {
        let node = self.standing_for(node);
        let mut found = vec![node];
        if !self.pruned.contains(&node) {
            let below = self.children[node].iter();
            found.extend(below.flat_map(|&child| self.standing(child)));
        }
        found
    }

    /// The tokens of what stands in the place of a node, as far as the tree's weights tell.
    fn weight(&self, node: usize) -> u64 {
        let weight = |idx: usize| {
            let node = &self.forest.nodes()[idx];
            match node.pruning {
                Pruning::Leaves(left) if self.pruned.contains(&idx) => left,
                Pruning::Removes if self.pruned.contains(&idx) => 0,
                _ => node.own_weight,
            }
        };
        self.standing(node).into_iter().map(weight).sum()
    }

    fn n_added_semicolons(&self) -> u64 {
        let is_statement = |&&(above, _): &&(usize, usize)| {
            self.forest.nodes()[above].category() == Some(Category::Statement)
        };
        self.hoisted.iter().filter(is_statement).count() as u64
    }

    /// Makes one more change of the standing nodes, if those that are drawn allow for one.
    fn change(&mut self, random: &mut Random) {
        let standing = self.standing(0);
        let node = standing[random.below(standing.len())];
        let below = self.standing(node);
        let descendant = below[random.below(below.len())];
        if self.pruned.contains(&node) {
            return;
        }
        let is_lighter = self.weight(descendant) < self.weight(node);
        if is_lighter && self.forest.may_hoist(node, descendant) {
            self.hoisted.push((node, descendant));
        } else if random.below(4) == 0 && self.is_lighter_pruned(node) {
            self.pruned.insert(node);
            self.pruned.extend(self.forest.nodes()[node].also);
        }
    }

    fn is_lighter_pruned(&self, node: usize) -> bool {
        match self.forest.nodes()[node].pruning {
            Pruning::Never => false,
            Pruning::Removes => true,
            Pruning::Leaves(left) => left < self.weight(node),
        }
    }

    fn left(&self, sources: &SourceTree) -> SourceTree {
        let pruned: Vec<usize> = self.pruned.iter().copied().collect();
        let edits = self.forest.edits(&pruned, &self.hoisted);
        edits.apply(sources)
    }
}

/// The tokens of which the second half is still there when the node in which they begin is gone.
fn n_shared_tokens(sources: &SourceTree) -> u64 {
    let in_text = |text: &str| text.matches(">>").count() as u64;
    sources.files().map(|(_, _, text)| in_text(text)).sum()
}

#[test]
fn no_set_of_changes_makes_a_crate_larger() {
    for sources in all_crates() {
        let forest = forest(&sources);
        let (nodes, pairs) = (prunable(&forest), hoistable(&forest));
        for (seed, rarity) in (0..40).zip([2, 8, 40, 200].into_iter().cycle()) {
            let mut random = Random::new(seed);
            let pruned = random.some(&nodes, rarity * 2);
            let hoisted = random.some(&pairs, rarity);
            let left = forest.edits(&pruned, &hoisted).apply(&sources);
            assert!(left.count_tokens() <= sources.count_tokens());
        }
    }
}

#[test]
fn each_change_of_what_stands_makes_it_no_larger_and_the_weights_say_so() {
    let mut n_changes = 0;
    for (sources, seed) in crates().into_iter().cycle().zip(0..49) {
        let forest = forest(&sources);
        let mut state = State::new(&forest);
        let mut random = Random::new(seed);
        let mut before = sources.count_tokens();
        let n_shared = n_shared_tokens(&sources);
        for _ in 0..100 {
            state.change(&mut random);
            let left = state.left(&sources);
            let after = left.count_tokens();
            let at_most = state.weight(0) + state.n_added_semicolons() + n_shared;
            assert!(after <= before, "seed {seed}: {after} after {before}");
            assert!(after <= at_most, "seed {seed}: {after} of {at_most}");
            before = after;
        }
        n_changes += state.pruned.len() + state.hoisted.len();
    }
    assert!(n_changes > 400, "only {n_changes} changes");
}

#[test]
fn nothing_is_left_where_all_is_pruned() {
    for sources in all_crates() {
        let forest = forest(&sources);
        let left = forest.edits(&prunable(&forest), &[]).apply(&sources);
        assert_eq!(left.count_tokens(), 0);
    }
}

#[test]
fn little_is_left_where_all_but_items_is_pruned() {
    use crate::tree::ListKind::{Bodies, Items, Members};
    for text in [SAMPLES[0], SAMPLES[1], LARGE] {
        let Case { sources, forest } = Case::new(text);
        let mut pruned = prunable(&forest);
        pruned.retain(|&idx| match forest.nodes()[idx].kind {
            ForestKind::Element(kind) => ![Items, Members, Bodies].contains(&kind),
            _ => true,
        });
        let left = forest.edits(&pruned, &[]).apply(&sources);
        let (after, before) = (left.count_tokens(), sources.count_tokens());
        assert!(after * 3 < before, "{after} of {before}");
        assert!(is_parsable(left.text(left.root())));
    }
}

/// A node of another tree with the given place and what it is.
fn like(forest: &Forest, wanted: &ForestNode, range: &Range<usize>) -> Option<usize> {
    let is_like = |&idx: &usize| {
        let node = &forest.nodes()[idx];
        (node.kind, &node.range, node.pruning) == (wanted.kind, range, wanted.pruning)
            && node.also.is_some() == wanted.also.is_some()
    };
    (0..forest.nodes().len()).find(is_like)
}

/// Keeps of nodes inside each other only the outermost.
fn outermost(forest: &Forest, nodes: &[usize]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut end = 0;
    for &idx in nodes {
        if idx >= end {
            end = forest.nodes()[idx].end;
            found.push(idx);
        }
    }
    found
}

/// Prunes one node after the other, from the end of the file on, so that those before keep their
/// place, each in a tree of what is left. `None` if what is left has no such node any more.
fn step_by_step(sources: &SourceTree, forest: &Forest, pruned: &[usize]) -> Option<SourceTree> {
    let mut left = sources.clone();
    let mut nodes: Vec<&ForestNode> = pruned.iter().map(|&idx| &forest.nodes()[idx]).collect();
    nodes.sort_by_key(|node| std::cmp::Reverse(node.range.start));
    for node in nodes {
        let now = self::forest(&left);
        let idx = like(&now, node, &node.range)?;
        left = now.edits(&[idx], &[]).apply(&left);
    }
    Some(left)
}

#[test]
fn pruning_at_once_is_pruning_step_by_step() {
    let (mut n_compared, mut n_steps) = (0, 0);
    for (text, seed) in SAMPLES.iter().cycle().zip(0..180) {
        let Case { sources, forest } = Case::new(text);
        let mut nodes = prunable(&forest);
        // The statement that goes along with a return type depends on what is left of the body.
        nodes.retain(|&idx| forest.nodes()[idx].also.is_none());
        let chosen = Random::new(seed).some(&nodes, 10 + nodes.len() / 20);
        let chosen = outermost(&forest, &chosen);
        let Some(expected) = step_by_step(&sources, &forest, &chosen) else {
            continue;
        };
        let left = forest.edits(&chosen, &[]).apply(&sources);
        assert_eq!(
            spaced(left.text(left.root())),
            spaced(expected.text(left.root()))
        );
        n_compared += 1;
        n_steps += chosen.len();
    }
    assert!(
        n_compared > 150 && n_steps > 400,
        "{n_compared}, {n_steps} steps"
    );
}

/// Returns the distance that a hoisted text has moved, if it stands there as it did before.
fn moved(case: &Case, left: &SourceTree, (node, descendant): (usize, usize)) -> Option<isize> {
    let (above, below) = (
        &case.forest.nodes()[node].range,
        &case.forest.nodes()[descendant].range,
    );
    let text = case.text(below.clone());
    let start = below.start + (text.len() - text.trim_start().len());
    let stands = left.text(left.root())[above.start..].starts_with(text.trim());
    stands.then(|| above.start.cast_signed() - start.cast_signed())
}

fn shifted(range: &Range<usize>, by: isize) -> Range<usize> {
    let at = |byte: usize| byte.checked_add_signed(by).expect("inside of the file");
    at(range.start)..at(range.end)
}

#[test]
fn pruning_in_what_was_hoisted_is_hoisting_and_then_pruning() {
    let mut n_compared = 0;
    for text in SAMPLES {
        let case = Case::new(text);
        let pairs = hoistable(&case.forest);
        for pair in Random::new(7).some(&pairs, 1 + pairs.len() / 150) {
            let hoisted = case.forest.edits(&[], &[pair]).apply(&case.sources);
            let Some(by) = moved(&case, &hoisted, pair) else {
                continue;
            };
            let now = forest(&hoisted);
            let inside = pair.1..case.forest.nodes()[pair.1].end;
            for pruned in prunable(&case.forest)
                .into_iter()
                .filter(|idx| inside.contains(idx))
            {
                let node = &case.forest.nodes()[pruned];
                let Some(idx) = like(&now, node, &shifted(&node.range, by)) else {
                    continue;
                };
                let expected = now.edits(&[idx], &[]).apply(&hoisted);
                case.check(&[pruned], &[pair], expected.text(expected.root()));
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 500, "only {n_compared} were compared");
}

#[test]
fn hoisting_in_what_was_hoisted_is_hoisting_and_then_hoisting() {
    let mut n_compared = 0;
    for text in SAMPLES {
        let case = Case::new(text);
        let pairs = hoistable(&case.forest);
        for pair in Random::new(8).some(&pairs, 1 + pairs.len() / 150) {
            let hoisted = case.forest.edits(&[], &[pair]).apply(&case.sources);
            let Some(by) = moved(&case, &hoisted, pair) else {
                continue;
            };
            let now = forest(&hoisted);
            let find = |idx: usize| {
                let node = &case.forest.nodes()[idx];
                like(&now, node, &shifted(&node.range, by))
            };
            let inside = pair.1..case.forest.nodes()[pair.1].end;
            for &inner in pairs.iter().filter(|(idx, _)| inside.contains(idx)) {
                let Some((node, descendant)) = find(inner.0).zip(find(inner.1)) else {
                    continue;
                };
                if now.may_hoist(node, descendant) {
                    let expected = now.edits(&[], &[(node, descendant)]).apply(&hoisted);
                    case.check(&[], &[pair, inner], expected.text(expected.root()));
                    n_compared += 1;
                }
            }
        }
    }
    assert!(n_compared > 500, "only {n_compared} were compared");
}
