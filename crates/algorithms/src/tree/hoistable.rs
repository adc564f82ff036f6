//! Hoistable descendants: nodes that may take the place of a node above them (Hodován et al., Fig.
//! 7).
//!
//! A walk through the subtree of each node would take quadratic time in a deep tree. Instead, the
//! nodes of each class are kept in preorder: the nearest compatible descendant on each path is
//! then found by binary search, as what is below a node follows it. Below the level that a search
//! has reached, everything that was there at the start of the round still is: what goes in a round
//! is at the level or above. So the lists are cleaned once per round.

use super::arena::Tree;
use super::node::{Class, NodeId};
use super::options::TreeOptions;
use std::cmp::Reverse;
use std::ops::Range;

/// The number of descendants that are looked at for each one that is offered. Most can be offered; those that cannot are
/// out of reach, or weigh as much as what they would replace.
const LOOKS_PER_OFFER: usize = 16;

/// The number of nodes from which on a chain, each node of which has more than half of the weight of the one above, is also
/// cut by halves.
const SHORTEST_CHAIN: usize = 32;
/// The largest number of nodes of a chain that are looked at.
const LONGEST_CHAIN: usize = 2048;

/// The nodes of each class that are left, in preorder.
#[derive(Debug, Clone)]
pub(super) struct Hoistable {
    by_class: Vec<Vec<NodeId>>,
    options: TreeOptions,
}

/// A descendant that may be hoisted.
#[derive(Debug, Clone, Copy)]
struct Offer {
    node: NodeId,
    /// The number of levels between this descendant and the node that it would replace, from 1.
    distance: u32,
    weight: u64,
}

impl Hoistable {
    pub(super) fn new(tree: &Tree, options: TreeOptions) -> Self {
        let mut by_class = vec![Vec::new(); usize::from(Class::COUNT)];
        for node in tree.left() {
            if let Some(class) = tree.node(node).class {
                by_class[usize::from(class.number())].push(node);
            }
        }
        Self { by_class, options }
    }

    /// Forgets the nodes that are gone, and those that became a fragment without a class.
    pub(super) fn start_round(&mut self, tree: &Tree) {
        for nodes in &mut self.by_class {
            nodes.retain(|node| tree.is_left(*node) && tree.node(*node).class.is_some());
        }
    }

    /// Returns the nodes that may take the place of `node` in HOIST: the nearest compatible descendants, and those
    /// nearest below them. The furthest come first, as in III-C; of the same distance, the leftmost.
    pub(super) fn furthest_first(&self, tree: &Tree, node: NodeId) -> Vec<NodeId> {
        let n_layers = if self.options.nearest_only { 1 } else { 2 };
        let mut offers = self.offers(tree, node, n_layers);
        offers.truncate(self.options.max_alternatives);
        offers.sort_by_key(|offer| (Reverse(offer.distance), offer.node));
        offers.into_iter().map(|offer| offer.node).collect()
    }

    /// Returns the nodes that may take the place of `node` in a worklist: all compatible descendants, the nearest
    /// first, and of the same distance the lightest. Before these come those that leave a half of a long chain,
    /// three quarters of it, and so on: one level after the other would take as many steps as there are levels.
    pub(super) fn nearest_first(&self, tree: &Tree, node: NodeId) -> Vec<NodeId> {
        let n_layers = if self.options.nearest_only {
            1
        } else {
            usize::MAX
        };
        let mut offers = self.offers(tree, node, n_layers);
        offers.sort_by_key(|offer| (offer.distance, offer.weight, offer.node));
        offers.truncate(self.options.max_alternatives);
        let mut nodes = match n_layers {
            1 => Vec::new(),
            _ => self.parts_of_chain(tree, node),
        };
        let near = offers.into_iter().map(|offer| offer.node);
        let near: Vec<NodeId> = near.filter(|node| !nodes.contains(node)).collect();
        nodes.extend(near);
        nodes
    }

    /// Returns the nodes of a long chain below `node` at a half of it, at a quarter, and so on.
    fn parts_of_chain(&self, tree: &Tree, node: NodeId) -> Vec<NodeId> {
        if self.options.max_alternatives == 0 || tree.node(node).accepts.is_empty() {
            return Vec::new();
        }
        let below = |above: &NodeId| {
            let nearest = self.nearest(tree, node, *above);
            let heaviest = nearest.max_by_key(|one| (tree.weight(*one), Reverse(*one)))?;
            (tree.weight(heaviest) * 2 > tree.weight(*above)).then_some(heaviest)
        };
        let chain = std::iter::successors(below(&node), below);
        let chain: Vec<NodeId> = chain.take(LONGEST_CHAIN).collect();
        if chain.len() < SHORTEST_CHAIN {
            return Vec::new();
        }
        let halves = std::iter::successors(Some(chain.len() / 2), |length| Some(length / 2));
        let long = halves.take_while(|length| *length >= SHORTEST_CHAIN / 4);
        long.map(|length| chain[length]).collect()
    }

    /// Returns the descendants that may be hoisted, layer by layer: the nearest compatible ones on
    /// each path, those nearest below them, and so on. Only what is lighter than `node` and within
    /// the distance.
    fn offers(&self, tree: &Tree, node: NodeId, n_layers: usize) -> Vec<Offer> {
        let (weight, depth) = (tree.weight(node), tree.depth(node));
        if self.options.max_alternatives == 0 || tree.node(node).accepts.is_empty() {
            return Vec::new();
        }
        let offer = |descendant: &NodeId| Offer {
            node: *descendant,
            distance: tree.depth(*descendant) - depth,
            weight: tree.weight(*descendant),
        };
        let is_in_reach = |distance| self.options.max_distance.is_none_or(|max| distance <= max);
        let looked_at = self.layers(tree, node, n_layers);
        let offers = looked_at.iter().map(offer);
        offers
            .filter(|offer| offer.weight < weight && is_in_reach(offer.distance))
            .collect()
    }

    fn layers(&self, tree: &Tree, node: NodeId, n_layers: usize) -> Vec<NodeId> {
        let limit = self
            .options
            .max_alternatives
            .saturating_mul(LOOKS_PER_OFFER);
        let mut found: Vec<NodeId> = self.nearest(tree, node, node).take(limit).collect();
        let mut layer = 0..found.len();
        for _ in 1..n_layers {
            for index in layer.clone() {
                let room = limit - found.len();
                found.extend(self.nearest(tree, node, found[index]).take(room));
            }
            layer = layer.end..found.len();
            if layer.is_empty() {
                break;
            }
        }
        found
    }

    /// Returns, on each path down from `above`, the nearest node that `place` accepts, from left to
    /// right.
    fn nearest<'a>(
        &'a self,
        tree: &'a Tree,
        place: NodeId,
        above: NodeId,
    ) -> impl Iterator<Item = NodeId> + 'a {
        let next = move |from| self.accepted(tree, place, from..tree.end(above));
        std::iter::successors(next(above.index() + 1), move |found| next(tree.end(*found)))
    }

    /// Returns the first node in a range of the preorder that `place` accepts.
    fn accepted(&self, tree: &Tree, place: NodeId, range: Range<usize>) -> Option<NodeId> {
        let first_of = |class: Class| {
            let nodes = &self.by_class[usize::from(class.number())];
            let position = nodes.partition_point(|node| node.index() < range.start);
            let in_range = nodes[position..]
                .iter()
                .take_while(|node| node.index() < range.end);
            in_range.copied().find(|node| tree.is_left(*node))
        };
        tree.node(place).accepts.iter().filter_map(first_of).min()
    }
}
