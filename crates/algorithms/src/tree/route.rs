//! The order of the searches of a tree, in stages, rounds and tasks.

use super::arena::Tree;
use super::change::TreeChange;
use super::hoistable::Hoistable;
use super::levels::{AtEachLevel, Levels, Prunes};
use super::options::{TreeOptions, TreeStrategy};
use super::task::Task;
use super::worklist::{AtEachNode, Worklist};
use std::collections::VecDeque;

/// A way of going through the whole tree once. With a fixpoint, it is gone again and again.
#[derive(Debug, Clone, Copy)]
enum Stage {
    Levels(AtEachLevel),
    Nodes(AtEachNode),
}

/// The stages of a tree search, each of which repeats rounds.
#[derive(Debug)]
pub(super) struct Route {
    stage: Stage,
    later_stages: VecDeque<Stage>,
    round: Round,
    fixpoint: bool,
    /// Whether a change was accepted in this round.
    has_changed: bool,
    hoistable: Hoistable,
}

#[derive(Debug)]
enum Round {
    Levels(Levels),
    Nodes(Worklist),
}

impl Route {
    pub(super) fn new(tree: &Tree, options: TreeOptions) -> Self {
        let (stage, later) = stages(options.strategy);
        Self {
            stage,
            later_stages: later.iter().copied().collect(),
            round: Round::new(stage),
            fixpoint: options.fixpoint,
            has_changed: false,
            hoistable: Hoistable::new(tree, options),
        }
    }

    /// Returns the next search, when the one before is at its end.
    pub(super) fn next_task(&mut self, tree: &Tree) -> Option<Task> {
        loop {
            let task = match &mut self.round {
                Round::Levels(levels) => levels.next_task(tree, &self.hoistable),
                Round::Nodes(worklist) => worklist.next_task(tree, &self.hoistable),
            };
            if task.is_some() || !self.start_round(tree) {
                return task;
            }
        }
    }

    /// Notes that a change was accepted; `tree` is the tree with it.
    pub(super) fn accepted(&mut self, tree: &Tree, change: &TreeChange) {
        self.has_changed = true;
        if let TreeChange::Hoist { descendant, .. } = change {
            match &mut self.round {
                Round::Levels(levels) => levels.hoisted(),
                Round::Nodes(worklist) => worklist.hoisted(tree, *descendant),
            }
        }
    }

    /// Begins the next round of this stage or of the next; `false` at the end.
    fn start_round(&mut self, tree: &Tree) -> bool {
        let repeats = self.fixpoint && self.has_changed;
        let next = if repeats {
            Some(self.stage)
        } else {
            self.later_stages.pop_front()
        };
        if let Some(stage) = next {
            self.stage = stage;
            self.round = Round::new(stage);
            self.has_changed = false;
            self.hoistable.start_round(tree);
        }
        next.is_some()
    }
}

impl Round {
    fn new(stage: Stage) -> Self {
        match stage {
            Stage::Levels(at_each) => Self::Levels(Levels::new(at_each)),
            Stage::Nodes(at_each) => Self::Nodes(Worklist::new(at_each)),
        }
    }
}

const HDD: Stage = levels(Prunes::All, false);
const COARSE_HDD: Stage = levels(Prunes::WithoutTrace, false);
const HOIST: Stage = levels(Prunes::Nothing, true);
const HDDH: Stage = levels(Prunes::All, true);

const fn levels(prunes: Prunes, hoists: bool) -> Stage {
    Stage::Levels(AtEachLevel { prunes, hoists })
}

/// Returns the first stage of a strategy, and the others.
fn stages(strategy: TreeStrategy) -> (Stage, &'static [Stage]) {
    match strategy {
        TreeStrategy::Hdd => (HDD, &[]),
        TreeStrategy::CoarseHdd => (COARSE_HDD, &[HDD]),
        TreeStrategy::HddRecursive => (Stage::Nodes(AtEachNode::PruneChildren), &[]),
        TreeStrategy::Hoist => (HOIST, &[]),
        TreeStrategy::Hddh => (HDDH, &[]),
        TreeStrategy::HoistThenHdd => (HOIST, &[HDD]),
        TreeStrategy::HoistThenHddh => (HOIST, &[HDDH]),
        TreeStrategy::Worklist => (Stage::Nodes(AtEachNode::ByKind), &[]),
    }
}
