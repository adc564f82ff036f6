//! A round of a tree search that goes level by level: HDD (Fig. 2), HOIST (Fig. 8), and both
//! interlaced (Fig. 9).
//!
//! TAGNODES is the children of what is left of the level above: a round looks at each node
//! a few times, not at the whole tree for each level.

use super::arena::Tree;
use super::hoistable::Hoistable;
use super::inner::{Alternative, Place};
use super::node::{NodeId, Removal};
use super::task::Task;

/// The work that a round does at each level of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AtEachLevel {
    pub(super) prunes: Prunes,
    pub(super) hoists: bool,
}

/// The nodes of a level that are pruned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prunes {
    Nothing,
    /// Only nodes of which nothing remains when they are pruned.
    WithoutTrace,
    All,
}

/// The state of a round that goes level by level.
#[derive(Debug)]
pub(super) struct Levels {
    at_each: AtEachLevel,
    /// The level above, to which nothing happens any more. `None`: this is the level of the roots.
    above: Option<Vec<NodeId>>,
    step: Step,
    /// Whether a node was hoisted since the last search for nodes to hoist began.
    has_hoisted: bool,
}

/// The next step of a round at a level of a tree.
#[derive(Debug, Clone, Copy)]
enum Step {
    Prune,
    PruneLast,
    Hoist,
    HoistAgain,
    GoDown,
    Done,
}

impl Levels {
    pub(super) fn new(at_each: AtEachLevel) -> Self {
        Self {
            at_each,
            above: None,
            step: Step::Prune,
            has_hoisted: false,
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

    pub(super) fn hoisted(&mut self) {
        self.has_hoisted = true;
    }

    fn step(&mut self, tree: &Tree, hoistable: &Hoistable) -> Option<Task> {
        match self.step {
            Step::Prune => {
                self.step = Step::PruneLast;
                Task::prune_list(self.prunable(tree))
            }
            Step::PruneLast => {
                self.step = Step::Hoist;
                Task::prune_last(&self.prunable(tree))
            }
            Step::Hoist => {
                self.step = Step::HoistAgain;
                self.has_hoisted = false;
                Task::replace(self.places(tree, hoistable))
            }
            Step::HoistAgain => {
                self.step = if self.has_hoisted {
                    Step::Hoist
                } else {
                    Step::GoDown
                };
                None
            }
            Step::GoDown => {
                self.go_down(tree);
                None
            }
            Step::Done => None,
        }
    }

    fn go_down(&mut self, tree: &Tree) {
        let level: Vec<NodeId> = self.level(tree).collect();
        self.step = if level.is_empty() {
            Step::Done
        } else {
            Step::Prune
        };
        self.above = Some(level);
    }

    /// Returns the nodes of this level that are left, from left to right.
    fn level<'a>(&'a self, tree: &'a Tree) -> impl Iterator<Item = NodeId> + 'a {
        let roots = self.above.is_none().then(|| tree.roots());
        let above = self.above.iter().flatten();
        let children = above.flat_map(|parent| tree.children(*parent));
        roots.into_iter().flatten().chain(children)
    }

    fn prunable(&self, tree: &Tree) -> Vec<NodeId> {
        let is_pruned = |node: &NodeId| match self.at_each.prunes {
            Prunes::Nothing => false,
            Prunes::WithoutTrace => tree.node(*node).removal == Removal::Remove,
            Prunes::All => tree.is_prunable(*node),
        };
        self.level(tree).filter(is_pruned).collect()
    }

    fn places(&self, tree: &Tree, hoistable: &Hoistable) -> Vec<Place> {
        let place = |node| {
            let offers = hoistable.furthest_first(tree, node).into_iter();
            let alternatives: Vec<Alternative> = offers.map(Alternative::Hoist).collect();
            (!alternatives.is_empty()).then_some(Place { node, alternatives })
        };
        let level = self.level(tree).filter(|_| self.at_each.hoists);
        level.filter_map(place).collect()
    }
}
