//! ProbDD, probabilistic delta debugging (Wang et al. 2021, *Probabilistic Delta Debugging*, 3), and
//! W-ProbDD, its weighted form (Zhou et al., *WDD*, V, Algorithm 2).
//!
//! Each element has a probability to be in the result. A test removes the set that promises the
//! greatest gain: what it removes times how probable it is that all of it can go. If the test
//! fails, the set's elements become more probable; one that fails alone stays. No run of the list is
//! tried for its position, and nothing is tried twice.
//!
//! ProbDD counts elements, W-ProbDD their weights. Of ProbDD's sets with the same gain the largest
//! is taken.
//!
//! ```
//! use reduce_algorithms::{List, ProbabilityOptions, WeightedProbDd, minimize};
//!
//! let list = List::weighted([5, 8, 7, 7, 8, 16, 25, 6]);
//! let published = ProbabilityOptions::PUBLISHED;
//! let options = ProbabilityOptions { initial_probability: 0.2, ..published };
//! let mut tests = 0;
//! let reduced = minimize(&mut WeightedProbDd::over(list, options), |subset| {
//!     tests += 1;
//!     [0, 2, 5, 6, 7].iter().all(|needed| subset.keeps(*needed))
//! });
//! // WDD, Fig. 2(d).
//! assert_eq!(tests, 11);
//! assert_eq!(reduced.expect("3 can go").kept().collect::<Vec<_>>(), [0, 2, 5, 6, 7]);
//! ```

mod model;

use crate::current::Current;
use crate::cycle::{Cycle, Direction};
use crate::list::List;
use crate::list_search::list_search;
use crate::options::{ProbabilityOptions, Ties};
use crate::speculative::Sequential;
use crate::subset::{Change, Kind, Subset};
use model::{Model, Update, Weighing};

list_search! {
    /// ProbDD as a [`Search`](crate::Search).
    ///
    /// The result is 1-minimal if removing an element never makes another removable (ProbDD, Theorem
    /// 4.3), or if [`ensure_one_minimal`](ProbabilityOptions::ensure_one_minimal) is set. Tests: in
    /// proportion to the elements (Theorem 4.1).
    ProbDd(ProbDdMachine)
}

list_search! {
    /// W-ProbDD as a [`Search`](crate::Search). It promises what [`ProbDd`] does.
    WeightedProbDd(ProbDdMachine)
}

impl ProbDd {
    /// Makes a search of `list` by ProbDD.
    #[must_use]
    pub fn over(list: List, options: ProbabilityOptions) -> Self {
        Self::run(ProbDdMachine::new(list, Weighing::Equal, options))
    }
}

impl WeightedProbDd {
    /// Makes a search of `list` by W-ProbDD.
    #[must_use]
    pub fn over(list: List, options: ProbabilityOptions) -> Self {
        Self::run(ProbDdMachine::new(list, Weighing::ByWeight, options))
    }
}

/// The machine of ProbDD and W-ProbDD, which makes one candidate at a time.
#[derive(Debug)]
pub(crate) struct ProbDdMachine {
    direction: Direction,
    ensure_one_minimal: bool,
    current: Current,
    model: Model,
    stage: Stage,
}

/// The kind of candidate that ProbDD tries next.
#[derive(Debug, Clone, Copy)]
enum Stage {
    /// The empty list is tried next.
    Empty,
    /// The list is tried next without the elements whose removal has the greatest expected gain in
    /// the model.
    Model,
    /// The list is tried next without the next element of a cycle.
    Elements(Cycle),
    Done,
}

/// The state of ProbDD when it made a candidate.
#[derive(Debug)]
pub(crate) struct Mark {
    stage: Stage,
    /// The updates of the model before the candidate, from sets whose outcome was known.
    known: Vec<Update>,
    /// The update of the model on the assumption that the candidate fails.
    assumed: Option<Update>,
}

impl ProbDdMachine {
    pub(crate) fn new(list: List, weighing: Weighing, options: ProbabilityOptions) -> Self {
        let model = Model::new(&list, weighing, options);
        let stage = match (list.is_empty(), options.try_empty) {
            (true, _) => Stage::Done,
            (false, true) => Stage::Empty,
            (false, false) => Stage::Model,
        };
        Self {
            direction: Direction::from_the_end(options.ties == Ties::FromTheEnd),
            ensure_one_minimal: options.ensure_one_minimal,
            current: Current::new(list),
            model,
            stage,
        }
    }

    /// Makes the next candidate, and moves on as if it failed.
    fn step(&mut self, mark: &mut Mark) -> Option<Subset> {
        match self.stage {
            Stage::Empty => {
                self.stage = Stage::Model;
                Some(self.current.empty_candidate())
            }
            Stage::Model => self.try_most_promising(mark),
            Stage::Elements(cycle) => self.try_element(cycle),
            Stage::Done => None,
        }
    }

    fn try_most_promising(&mut self, mark: &mut Mark) -> Option<Subset> {
        let (mut elements, update) = self.model.choose();
        if elements.is_empty() {
            self.stage = self.final_pass();
            return None;
        }
        elements.sort_unstable();
        let candidate = self.current.candidate_without(&elements, Kind::Complement);
        match candidate {
            Some(_) => mark.assumed = Some(update),
            None => mark.known.push(update),
        }
        candidate
    }

    fn try_element(&mut self, mut cycle: Cycle) -> Option<Subset> {
        let next = cycle.visit_next(self.current.list());
        self.stage = match next {
            Some(_) => Stage::Elements(cycle),
            None => Stage::Done,
        };
        let (element, kind) = next?;
        self.current
            .candidate(Change::Remove, element..element + 1, kind)
    }

    fn final_pass(&self) -> Stage {
        let (list, len) = (self.current.list(), self.current.len());
        if self.ensure_one_minimal {
            Stage::Elements(Cycle::new(self.direction, list, len))
        } else {
            Stage::Done
        }
    }
}

impl Sequential for ProbDdMachine {
    type Candidate = Subset;
    type Mark = Mark;

    fn next_candidate(&mut self) -> Option<(Subset, Mark)> {
        let mut mark = Mark {
            stage: self.stage,
            known: Vec::new(),
            assumed: None,
        };
        while !matches!(self.stage, Stage::Done) {
            mark.stage = self.stage;
            if let Some(subset) = self.step(&mut mark) {
                return Some((subset, mark));
            }
        }
        for update in mark.known.into_iter().rev() {
            self.model.forget(update);
        }
        self.stage = Stage::Done;
        None
    }

    fn take_back(&mut self, mark: Mark) {
        if !matches!(mark.stage, Stage::Empty) {
            self.current.take_back(Change::Remove);
        }
        for update in mark.known.into_iter().chain(mark.assumed).rev() {
            self.model.forget(update);
        }
        self.stage = mark.stage;
    }

    fn accept(&mut self, subset: &Subset, mark: Mark) {
        for element in subset.newly_removed() {
            self.model.remove(element);
        }
        self.current.accept(subset);
        self.stage = match mark.stage {
            Stage::Empty | Stage::Done => Stage::Done,
            Stage::Model => Stage::Model,
            Stage::Elements(cycle) => Stage::Elements(cycle.go_on(self.current.len())),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a machine and gives, after each test, the verdict and the probabilities in hundredths.
    fn run(
        mut machine: ProbDdMachine,
        is_interesting: impl Fn(&Subset) -> bool,
    ) -> Vec<(bool, Vec<u32>)> {
        let mut tests = Vec::new();
        while let Some((subset, mark)) = machine.next_candidate() {
            let interesting = is_interesting(&subset);
            if interesting {
                machine.accept(&subset, mark);
            }
            let hundredths = |one: &f64| (one * 100.0).round() as u32;
            let after = machine.model.probabilities().iter().map(hundredths);
            tests.push((interesting, after.collect()));
        }
        tests
    }

    #[test]
    fn wprobdd_has_the_probabilities_of_the_example_of_wdd() {
        let list = List::weighted([5, 8, 7, 7, 8, 16, 25, 6]);
        let options = ProbabilityOptions {
            initial_probability: 0.2,
            ..ProbabilityOptions::PUBLISHED
        };
        let machine = ProbDdMachine::new(list, Weighing::ByWeight, options);
        let tests = run(machine, |subset| {
            [0, 2, 5, 6, 7].iter().all(|one| subset.keeps(*one))
        });
        // WDD, Fig. 2(d).
        let expected: [(bool, [u32; 8]); 6] = [
            (false, [20, 20, 20, 20, 20, 56, 56, 20]),
            (false, [20, 20, 20, 20, 20, 56, 100, 20]),
            (false, [20, 28, 20, 20, 28, 78, 100, 20]),
            (false, [20, 42, 30, 30, 42, 78, 100, 20]),
            (false, [20, 42, 49, 49, 42, 78, 100, 33]),
            (true, [20, 0, 49, 49, 0, 78, 100, 33]),
        ];
        for (test, expected) in tests.iter().zip(expected) {
            assert_eq!(
                (test.0, test.1.as_slice()),
                (expected.0, expected.1.as_slice())
            );
        }
        assert_eq!(tests.len(), 11);
    }

    #[test]
    fn probdd_has_the_sizes_and_probabilities_of_its_papers() {
        // Both papers draw sets by chance. Their elements are put in the order in which Table III of
        // the CDD paper first draws them: 1, 5, 4, 8, 2, 3, 6, 7, of which 5 and 8 are needed. The
        // paper has one test more: to remove 5 after 1 is to remove both, which has failed before.
        let options = ProbabilityOptions {
            initial_probability: 0.25,
            ..ProbabilityOptions::PUBLISHED
        };
        let machine = ProbDdMachine::new(List::new(8), Weighing::Equal, options);
        let tests = run(machine, |subset| subset.keeps(1) && subset.keeps(3));
        let verdicts: Vec<bool> = tests.iter().map(|(verdict, _)| *verdict).collect();
        assert_eq!(verdicts, [false, true, false, false, true, true, false]);
        assert_eq!(tests[0].1, [37, 37, 37, 37, 25, 25, 25, 25]);
        assert_eq!(tests[3].1[..4], [61, 61, 61, 61]);
        assert_eq!(tests[6].1, [0, 100, 0, 100, 0, 0, 0, 0]);
    }
}
