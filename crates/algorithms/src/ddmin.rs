//! ddmin, the minimizing delta debugging algorithm (Zeller and Hildebrandt), in the form of
//! Hodován et al., *Extending Hierarchical Delta Debugging with Hoisting*, Fig. 1.
//!
//! The list is split into `n` runs of about equal length, at first two. Then, in this order:
//! each run is tried alone (*reduce to subset*, go on with two runs), then the list without each run
//! (*reduce to complement*, go on with one run less); if nothing was interesting, the number of runs
//! is doubled, until each has one element. After a complement the other runs stay as they are; the
//! list is split anew when the number of runs changes otherwise.
//!
//! ```
//! use reduce_algorithms::{Ddmin, minimize};
//!
//! let mut tests = 0;
//! let reduced = minimize(&mut Ddmin::new(8), |subset| {
//!     tests += 1;
//!     [0, 2, 5, 6, 7].iter().all(|needed| subset.keeps(*needed))
//! });
//! // Weighted Delta Debugging, Fig. 2(a).
//! assert_eq!(tests, 30);
//! assert_eq!(reduced.expect("1 can go").kept().collect::<Vec<_>>(), [0, 2, 5, 6, 7]);
//! ```

use crate::current::{Current, Run};
use crate::fingerprint::prefixes;
use crate::speculative::{Sequential, Speculative};
use crate::subset::{Change, Subset};
use std::sync::Arc;

/// ddmin as a [`Search`](crate::Search). The result is 1-minimal: no single element can be removed
/// from it, unless it is the last.
pub type Ddmin = Speculative<DdminMachine>;

impl Ddmin {
    /// Searches a list of `len` elements. The list as a whole is taken to be interesting, the empty
    /// list not; neither is proposed.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self::from_machine(DdminMachine::new(len, Stage::Subsets(0)))
    }

    /// As [`Ddmin::new`], but the first candidate is the empty list.
    #[must_use]
    pub fn trying_empty(len: usize) -> Self {
        let stage = if len == 0 { Stage::Done } else { Stage::Empty };
        Self::from_machine(DdminMachine::new(len, stage))
    }
}

/// ddmin, one candidate at a time.
#[derive(Debug)]
pub struct DdminMachine {
    current: Current,
    cursor: Cursor,
}

/// Where a candidate stands in the search.
#[derive(Debug, Clone)]
pub struct DdminMark {
    cursor: Cursor,
    change: Change,
}

/// The runs, and what is tried next.
#[derive(Debug, Clone)]
struct Cursor {
    runs: Arc<[Run]>,
    stage: Stage,
}

/// What is tried next, with the number of the run.
#[derive(Debug, Clone, Copy)]
enum Stage {
    Empty,
    Subsets(usize),
    Complements(usize),
    Done,
}

impl DdminMachine {
    fn new(len: usize, stage: Stage) -> Self {
        let current = Current::new(len, prefixes(len)[len]);
        let runs = split(&current, 2);
        Self {
            current,
            cursor: Cursor { runs, stage },
        }
    }

    /// Tries what the cursor is at, and moves the cursor on. `None` if there is nothing to test.
    fn step(&mut self) -> Option<(Subset, Change)> {
        let n_runs = self.cursor.runs.len();
        match self.cursor.stage {
            Stage::Empty => {
                self.cursor.stage = Stage::Subsets(0);
                Some((self.current.empty_candidate(), Change::Keep))
            }
            Stage::Subsets(index) if index < n_runs => {
                self.cursor.stage = Stage::Subsets(index + 1);
                self.candidate(Change::Keep, index)
            }
            Stage::Complements(index) if index < n_runs => {
                self.cursor.stage = Stage::Complements(index + 1);
                self.candidate(Change::Remove, index)
            }
            Stage::Subsets(_) => self.turn_to(Stage::Complements(0)),
            Stage::Complements(_) => self.increase_granularity(),
            Stage::Done => None,
        }
    }

    fn candidate(&mut self, change: Change, index: usize) -> Option<(Subset, Change)> {
        let run = self.cursor.runs[index].clone();
        self.current
            .candidate(change, run)
            .map(|subset| (subset, change))
    }

    fn increase_granularity(&mut self) -> Option<(Subset, Change)> {
        let (len, n_runs) = (self.current.len(), self.cursor.runs.len());
        if n_runs >= len {
            return self.turn_to(Stage::Done);
        }
        self.cursor.runs = split(&self.current, 2 * n_runs);
        self.turn_to(Stage::Subsets(0))
    }

    fn turn_to(&mut self, stage: Stage) -> Option<(Subset, Change)> {
        self.cursor.stage = stage;
        None
    }

    /// Where the search goes on after the candidate at `cursor` was accepted. The runs that a
    /// complement leaves were all tried alone already.
    fn after(&self, cursor: Cursor) -> Cursor {
        match cursor.stage {
            Stage::Empty | Stage::Done => Cursor {
                stage: Stage::Done,
                ..cursor
            },
            Stage::Complements(index) if cursor.runs.len() > 2 => {
                let others = [&cursor.runs[..index], &cursor.runs[index + 1..]].concat();
                Cursor {
                    runs: others.into(),
                    stage: Stage::Complements(0),
                }
            }
            Stage::Subsets(_) | Stage::Complements(_) => Cursor {
                runs: split(&self.current, 2),
                stage: Stage::Subsets(0),
            },
        }
    }
}

/// Splits the list into `n_runs` runs that differ in length by one at most, or into its elements
/// if there are fewer.
fn split(current: &Current, n_runs: usize) -> Arc<[Run]> {
    let n_runs = n_runs.min(current.len());
    let bound = |index: usize| index * current.len() / n_runs;
    let mut elements = current.list().iter(0..current.list().bound());
    let lens = (0..n_runs).map(|index| bound(index + 1) - bound(index));
    lens.map(|len| Run::of(elements.by_ref().take(len)))
        .collect()
}

impl Sequential for DdminMachine {
    type Candidate = Subset;
    type Mark = DdminMark;

    fn next_candidate(&mut self) -> Option<(Subset, DdminMark)> {
        while !matches!(self.cursor.stage, Stage::Done) {
            let cursor = self.cursor.clone();
            if let Some((subset, change)) = self.step() {
                return Some((subset, DdminMark { cursor, change }));
            }
        }
        None
    }

    fn take_back(&mut self, mark: DdminMark) {
        if !matches!(mark.cursor.stage, Stage::Empty) {
            self.current.take_back(mark.change);
        }
        self.cursor = mark.cursor;
    }

    fn accept(&mut self, subset: &Subset, mark: DdminMark) {
        self.current.accept(subset);
        self.cursor = self.after(mark.cursor);
    }
}
