//! The common part of ddmin, W-ddmin and CDD: rounds in which a list is partitioned into runs, each
//! of which is tried alone or removed. They differ in how a round's runs come out of those before.

mod partition;

use crate::current::Current;
use crate::cycle::{Cycle, Direction, Reached};
use crate::list::List;
use crate::options::{DdminOptions, Revisit};
use crate::speculative::Sequential;
use crate::subset::{Change, Kind, Subset};
pub(crate) use partition::Partition;
use std::ops::Range;
use std::sync::Arc;

/// An algorithm that works in rounds, one candidate at a time.
#[derive(Debug)]
pub(crate) struct RunsMachine {
    options: DdminOptions,
    direction: Direction,
    partition: Partition,
    current: Current,
    cursor: Cursor,
}

/// The state of the rounds when a candidate was made.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    cursor: Cursor,
    change: Change,
}

#[derive(Debug, Clone)]
struct Cursor {
    /// The runs of the round, in order. Those that were removed may still be among them.
    runs: Arc<[Range<usize>]>,
    /// The number of runs of this round that were removed.
    n_removed: usize,
    /// The number of rounds before this one.
    round: u32,
    /// The position to which complements have come in this round.
    reached: Reached,
    stage: Stage,
}

/// The kind of candidate that a round tries next.
#[derive(Debug, Clone, Copy)]
enum Stage {
    /// The empty list is tried next.
    Empty,
    /// The run of this number is tried alone next.
    Subsets(usize),
    /// The list is tried next without the run of this number, counted from the side where the
    /// search begins.
    Complements(usize),
    /// The list is tried next without the next element of a cycle.
    Elements(Cycle),
    Done,
}

impl RunsMachine {
    pub(crate) fn new(list: List, partition: Partition, options: DdminOptions) -> Self {
        let direction = Direction::from_the_end(options.from_the_end);
        let current = Current::new(list);
        let (len, bound) = (current.len(), current.list().bound());
        let cursor = Cursor {
            runs: std::iter::once(0..bound).collect(),
            n_removed: 0,
            round: 0,
            reached: Reached::nothing(direction, bound),
            stage: Stage::Empty,
        };
        let mut machine = Self {
            options,
            direction,
            partition,
            current,
            cursor,
        };
        if len == 0 {
            machine.cursor.stage = Stage::Done;
        } else if !options.try_empty {
            machine.next_round();
        }
        machine
    }

    /// Makes the candidate at the cursor, and moves the cursor on. `None` if there is nothing to
    /// test.
    fn step(&mut self) -> Option<(Subset, Change)> {
        let n_runs = self.cursor.runs.len();
        match self.cursor.stage {
            Stage::Empty => {
                self.next_round();
                Some((self.current.empty_candidate(), Change::Keep))
            }
            Stage::Subsets(index) if index < n_runs => {
                self.cursor.stage = Stage::Subsets(index + 1);
                let run = self.cursor.runs[index].clone();
                self.candidate(Change::Keep, run, Kind::Subset)
            }
            Stage::Complements(index) if index < n_runs => {
                self.cursor.stage = Stage::Complements(index + 1);
                self.complement(index)
            }
            Stage::Subsets(_) => {
                self.cursor.stage = Stage::Complements(0);
                None
            }
            Stage::Complements(_) => {
                self.next_round();
                None
            }
            Stage::Elements(cycle) => self.element(cycle),
            Stage::Done => None,
        }
    }

    fn candidate(
        &mut self,
        change: Change,
        range: Range<usize>,
        kind: Kind,
    ) -> Option<(Subset, Change)> {
        let subset = self.current.candidate(change, range, kind);
        subset.map(|subset| (subset, change))
    }

    fn complement(&mut self, index: usize) -> Option<(Subset, Change)> {
        let runs = &self.cursor.runs;
        let run = match self.direction {
            Direction::Forwards => runs[index].clone(),
            Direction::Backwards => runs[runs.len() - 1 - index].clone(),
        };
        let is_old = self.cursor.reached.visit(self.direction, run.start);
        let kind = if is_old {
            Kind::Revisit
        } else {
            Kind::Complement
        };
        self.candidate(Change::Remove, run, kind)
    }

    /// Makes the candidate without the next element of the final pass.
    fn element(&mut self, mut cycle: Cycle) -> Option<(Subset, Change)> {
        let next = cycle.visit_next(self.current.list());
        self.cursor.stage = match next {
            Some(_) => Stage::Elements(cycle),
            None => Stage::Done,
        };
        let (element, kind) = next?;
        self.candidate(Change::Remove, element..element + 1, kind)
    }

    /// Begins the next round, or the final pass if no run can be partitioned further.
    fn next_round(&mut self) {
        let runs = self.runs_left();
        let round = self.cursor.round;
        let bound = self.current.list().bound();
        match self.partition.next(&self.current, &runs, round) {
            Some(runs) => {
                let stage = if self.options.subsets {
                    Stage::Subsets(0)
                } else {
                    Stage::Complements(0)
                };
                self.cursor = Cursor {
                    runs: runs.into(),
                    n_removed: 0,
                    round: round + 1,
                    reached: Reached::nothing(self.direction, bound),
                    stage,
                };
            }
            None => self.cursor.stage = self.final_pass(),
        }
    }

    fn runs_left(&self) -> Vec<Range<usize>> {
        let sums = self.current.sums();
        let is_left = |run: &&Range<usize>| sums.of(run).len > 0;
        self.cursor.runs.iter().filter(is_left).cloned().collect()
    }

    fn final_pass(&self) -> Stage {
        let (list, len) = (self.current.list(), self.current.len());
        if self.options.ensure_one_minimal {
            Stage::Elements(Cycle::new(self.direction, list, len))
        } else {
            Stage::Done
        }
    }

    /// Moves on from complement number `index`, which was accepted. A restart leaves out the
    /// subsets: they are the same as before, and were all tested in this round.
    fn complement_accepted(&mut self, index: usize) {
        self.cursor.n_removed += 1;
        if self.options.revisit == Revisit::Continue {
            self.cursor.stage = Stage::Complements(index + 1);
            return;
        }
        self.cursor.stage = Stage::Complements(0);
        if self.cursor.n_removed * 8 >= self.cursor.runs.len() {
            self.cursor.runs = self.runs_left().into();
            self.cursor.n_removed = 0;
        }
    }

    /// Moves on from an element that was removed in the final pass: a whole cycle is to come.
    fn element_accepted(&mut self, cycle: Cycle) {
        let (list, len) = (self.current.list(), self.current.len());
        // The cycle as it stands before the element; it finds the one after it.
        self.cursor.stage = Stage::Elements(match self.options.revisit {
            Revisit::Restart => cycle.restart(list, len),
            Revisit::Continue => cycle.go_on(len),
        });
    }
}

impl Sequential for RunsMachine {
    type Candidate = Subset;
    type Mark = Mark;

    fn next_candidate(&mut self) -> Option<(Subset, Mark)> {
        while !matches!(self.cursor.stage, Stage::Done) {
            let cursor = self.cursor.clone();
            if let Some((subset, change)) = self.step() {
                return Some((subset, Mark { cursor, change }));
            }
        }
        None
    }

    fn take_back(&mut self, mark: Mark) {
        if !matches!(mark.cursor.stage, Stage::Empty) {
            self.current.take_back(mark.change);
        }
        self.cursor = mark.cursor;
    }

    fn accept(&mut self, subset: &Subset, mark: Mark) {
        self.current.accept(subset);
        self.cursor = mark.cursor;
        match self.cursor.stage {
            Stage::Empty | Stage::Done => self.cursor.stage = Stage::Done,
            Stage::Subsets(_) => {
                self.cursor.runs = std::iter::once(0..self.current.list().bound()).collect();
                self.next_round();
            }
            Stage::Complements(index) => self.complement_accepted(index),
            Stage::Elements(cycle) => self.element_accepted(cycle),
        }
    }
}
