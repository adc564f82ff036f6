//! W-ddmin, one candidate at a time.

use super::partition::Prefixes;
use super::{Revisit, WeightedDdminOptions};
use crate::current::Current;
use crate::speculative::Sequential;
use crate::subset::{Change, Subset};
use std::ops::Range;
use std::sync::Arc;

/// W-ddmin, one candidate at a time.
#[derive(Debug)]
pub struct WeightedDdminMachine {
    options: WeightedDdminOptions,
    prefixes: Prefixes,
    current: Current,
    cursor: Cursor,
}

/// Where a candidate stands in the search.
#[derive(Debug, Clone)]
pub struct WeightedDdminMark {
    cursor: Cursor,
    change: Change,
}

#[derive(Debug, Clone)]
struct Cursor {
    /// The partitions of the round, in order. Those that were removed may still be among them.
    partitions: Arc<[Range<usize>]>,
    /// How many of them were removed.
    n_removed: usize,
    stage: Stage,
}

/// What is tried next.
#[derive(Debug, Clone, Copy)]
enum Stage {
    /// The empty list.
    Empty,
    /// The partition of this number alone.
    Subsets(usize),
    /// All but the partition of this number, counted from the side where the search begins.
    Complements(usize),
    /// All but one element: the next one from this position, if there are any left to visit.
    Elements(Visit),
    Done,
}

/// A cycle through the elements.
#[derive(Debug, Clone, Copy)]
struct Visit {
    /// Elements before this position were visited (after it, if the search goes from the end).
    position: usize,
    /// How many elements are still to be visited before the cycle ends.
    left: usize,
}

impl WeightedDdminMachine {
    pub(super) fn new(weights: &[u64], options: WeightedDdminOptions) -> Self {
        let prefixes = Prefixes::new(weights);
        let whole = prefixes.run(0..weights.len());
        let current = Current::new(whole.len, whole.fingerprint);
        let cursor = Cursor {
            partitions: [whole.range].into(),
            n_removed: 0,
            stage: Stage::Done,
        };
        let mut machine = Self {
            options,
            prefixes,
            current,
            cursor,
        };
        if options.try_empty && !weights.is_empty() {
            machine.cursor.stage = Stage::Empty;
        } else {
            machine.refine();
        }
        machine
    }

    /// Tries what the cursor is at, and moves the cursor on. `None` if there is nothing to test.
    fn step(&mut self) -> Option<(Subset, Change)> {
        let n_partitions = self.cursor.partitions.len();
        match self.cursor.stage {
            Stage::Empty => {
                self.refine();
                Some((self.current.empty_candidate(), Change::Keep))
            }
            Stage::Subsets(index) if index < n_partitions => {
                self.cursor.stage = Stage::Subsets(index + 1);
                self.candidate(Change::Keep, self.cursor.partitions[index].clone())
            }
            Stage::Complements(index) if index < n_partitions => {
                self.cursor.stage = Stage::Complements(index + 1);
                self.complement(index)
            }
            Stage::Subsets(_) => {
                self.cursor.stage = Stage::Complements(0);
                None
            }
            Stage::Complements(_) => {
                self.refine();
                None
            }
            Stage::Elements(visit) => self.visit(visit),
            Stage::Done => None,
        }
    }

    fn candidate(&mut self, change: Change, range: Range<usize>) -> Option<(Subset, Change)> {
        let run = self.prefixes.run(range);
        self.current
            .candidate(change, run)
            .map(|subset| (subset, change))
    }

    fn complement(&mut self, index: usize) -> Option<(Subset, Change)> {
        let partitions = &self.cursor.partitions;
        let from_start = if self.options.from_the_end {
            partitions.len() - 1 - index
        } else {
            index
        };
        let range = partitions[from_start].clone();
        if !self.current.list().contains(range.start) {
            return None;
        }
        self.candidate(Change::Remove, range)
    }

    /// Tries the list without the next element of the final pass.
    fn visit(&mut self, visit: Visit) -> Option<(Subset, Change)> {
        let element = self.next_element(visit.position).filter(|_| visit.left > 0);
        let Some(element) = element else {
            self.cursor.stage = Stage::Done;
            return None;
        };
        let position = if self.options.from_the_end {
            element
        } else {
            element + 1
        };
        self.cursor.stage = Stage::Elements(Visit {
            position,
            left: visit.left - 1,
        });
        self.candidate(Change::Remove, element..element + 1)
    }

    /// The next element in the direction of the search; after the last comes the first.
    fn next_element(&self, position: usize) -> Option<usize> {
        let list = self.current.list();
        if self.options.from_the_end {
            list.previous(position)
                .or_else(|| list.previous(list.bound()))
        } else {
            list.next(position).or_else(|| list.next(0))
        }
    }

    /// Begins the next round: `weightedPartition`, or the final pass if no partition can be split.
    fn refine(&mut self) {
        let list = self.current.list();
        let left = self
            .cursor
            .partitions
            .iter()
            .filter(|range| list.contains(range.start));
        let halves = left
            .filter_map(|range| self.prefixes.halves(range))
            .flatten();
        let partitions: Arc<[Range<usize>]> = halves.collect();
        let stage = if partitions.is_empty() {
            self.final_pass()
        } else if self.options.subsets {
            Stage::Subsets(0)
        } else {
            Stage::Complements(0)
        };
        self.cursor = Cursor {
            partitions,
            n_removed: 0,
            stage,
        };
    }

    /// A cycle through all elements from the side where the search begins.
    fn final_pass(&self) -> Stage {
        if !self.options.ensure_one_minimal {
            return Stage::Done;
        }
        let position = if self.options.from_the_end {
            self.prefixes.len()
        } else {
            0
        };
        Stage::Elements(Visit {
            position,
            left: self.current.len(),
        })
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
        if self.cursor.n_removed * 8 >= self.cursor.partitions.len() {
            let list = self.current.list();
            let left = self
                .cursor
                .partitions
                .iter()
                .filter(|range| list.contains(range.start));
            self.cursor.partitions = left.cloned().collect();
            self.cursor.n_removed = 0;
        }
    }

    /// Moves on from an element that was removed in the final pass: a whole cycle is to come.
    fn element_accepted(&mut self, visit: Visit) {
        self.cursor.stage = match self.options.revisit {
            Revisit::Restart => self.final_pass(),
            Revisit::Continue => Stage::Elements(Visit {
                left: self.current.len(),
                ..visit
            }),
        };
    }
}

impl Sequential for WeightedDdminMachine {
    type Candidate = Subset;
    type Mark = WeightedDdminMark;

    fn next_candidate(&mut self) -> Option<(Subset, WeightedDdminMark)> {
        while !matches!(self.cursor.stage, Stage::Done) {
            let cursor = self.cursor.clone();
            if let Some((subset, change)) = self.step() {
                return Some((subset, WeightedDdminMark { cursor, change }));
            }
        }
        None
    }

    fn take_back(&mut self, mark: WeightedDdminMark) {
        if !matches!(mark.cursor.stage, Stage::Empty) {
            self.current.take_back(mark.change);
        }
        self.cursor = mark.cursor;
    }

    fn accept(&mut self, subset: &Subset, mark: WeightedDdminMark) {
        self.current.accept(subset);
        self.cursor = mark.cursor;
        match self.cursor.stage {
            Stage::Empty | Stage::Done => self.cursor.stage = Stage::Done,
            Stage::Subsets(_) => {
                self.cursor.partitions = [subset.range.clone()].into();
                self.refine();
            }
            Stage::Complements(index) => self.complement_accepted(index),
            Stage::Elements(visit) => self.element_accepted(visit),
        }
    }
}
