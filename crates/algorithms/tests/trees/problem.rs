//! Random trees, and random yes/no tests of three kinds.

use crate::harness::Random;
use reduce_algorithms::tree::{Class, Node, NodeId, Removal, Tree, TreeChange};

/// A tree and what must hold of it.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) tree: Tree,
    pub(crate) predicate: Predicate,
}

/// A predicate that makes a tree interesting. It depends on the tree alone, not on how it came about.
#[derive(Debug, Clone)]
pub(crate) enum Predicate {
    /// These nodes are left. Monotone.
    Needs(Vec<NodeId>),
    /// These nodes are left, and with each node the one that it depends on.
    Closed {
        needed: Vec<NodeId>,
        depends_on: Vec<Option<NodeId>>,
    },
    /// Chance decides, the same way each time.
    Chaotic { salt: u64, one_in: u64 },
}

impl Problem {
    pub(crate) fn random(n_nodes: usize, kind: usize, random: &mut Random) -> Self {
        let tree = random_tree(n_nodes, random);
        let predicate = Predicate::random(kind, n_nodes, random);
        Self { tree, predicate }
    }

    pub(crate) fn holds(&self, tree: &Tree) -> bool {
        self.predicate.holds(tree)
    }
}

impl Predicate {
    fn random(kind: usize, n_nodes: usize, random: &mut Random) -> Self {
        let density = random.unit() * 0.15;
        let nodes = (0..n_nodes).map(NodeId::from_index);
        let needed = nodes.filter(|_| random.unit() < density).collect();
        match kind {
            0 => Self::Needs(needed),
            1 => {
                let mut dependency =
                    |_| (random.unit() < 0.3).then(|| NodeId::from_index(random.below(n_nodes)));
                Self::Closed {
                    needed,
                    depends_on: (0..n_nodes).map(&mut dependency).collect(),
                }
            }
            _ => Self::Chaotic {
                salt: random.next(),
                one_in: 2 + random.next() % 5,
            },
        }
    }

    fn holds(&self, tree: &Tree) -> bool {
        let has_all = |needed: &[NodeId]| needed.iter().all(|node| tree.is_left(*node));
        match self {
            Self::Needs(needed) => has_all(needed),
            Self::Closed { needed, depends_on } => {
                let has_what_it_needs =
                    |node: NodeId| depends_on[node.index()].is_none_or(|on| tree.is_left(on));
                has_all(needed) && tree.left().all(has_what_it_needs)
            }
            Self::Chaotic { salt, one_in } => {
                let mix = |state, number: usize| Random(state ^ number as u64).next();
                let of_node = |state, node: NodeId| {
                    let weight = tree.node(node).weight as usize;
                    mix(mix(state, node.index()), weight)
                };
                let state = tree.left().fold(*salt, of_node);
                state.is_multiple_of(*one_in)
            }
        }
    }
}

/// A replay of the changes that were accepted in a tree, and of a candidate.
pub(crate) struct Replay {
    tree: Tree,
    n_accepted: usize,
}

impl Replay {
    pub(crate) fn new(tree: &Tree) -> Self {
        Self {
            tree: tree.clone(),
            n_accepted: 0,
        }
    }

    /// The tree after `accepted`, which goes on from what it was in the call before.
    pub(crate) fn after(&mut self, accepted: &[TreeChange]) -> &Tree {
        for change in &accepted[self.n_accepted..] {
            self.tree.apply(change);
        }
        self.n_accepted = accepted.len();
        &self.tree
    }

    pub(crate) fn with(&mut self, accepted: &[TreeChange], change: &TreeChange) -> Tree {
        let mut tree = self.after(accepted).clone();
        tree.apply(change);
        tree
    }
}

/// A tree, or a forest, of up to three classes; flat or deep.
pub(crate) fn random_tree(n_nodes: usize, random: &mut Random) -> Tree {
    let mut tree = Tree::new();
    let (climb, n_classes) = (random.unit() * 0.7, 1 + random.below(3) as u8);
    let mut last: Option<NodeId> = None;
    for _ in 0..n_nodes {
        let mut parent = last;
        while let Some(node) = parent
            && random.unit() < climb
        {
            parent = tree.parent(node);
        }
        last = Some(tree.push(parent, random_node(n_classes, random)));
    }
    tree
}

fn random_node(n_classes: u8, random: &mut Random) -> Node {
    let removal = match random.below(5) {
        0 => Removal::Never,
        1 => Removal::Smallest {
            weight: random.next() % 3,
        },
        _ => Removal::Remove,
    };
    let class = |random: &mut Random| Class::new(random.below(usize::from(n_classes)) as u8);
    Node {
        weight: random.next() % 4,
        class: (random.below(4) > 0).then(|| class(random)),
        accepts: (0..random.below(3)).map(|_| class(random)).collect(),
        removal,
        is_list: random.below(3) == 0,
    }
}
