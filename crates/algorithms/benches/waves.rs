//! Measures how much faster waves are with many workers, where each test takes one unit of time and all else none. Run
//! with `cargo bench -p reduce-algorithms --bench waves [-- SEEDS]`. Prints Markdown.
//!
//! The lists are like programs: each element may depend on an earlier one, one in thirty is needed, and some pairs can
//! only go together.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../tests/algorithms/harness.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod harness;

use harness::Random;
use reduce_algorithms::{Combined, DdminOptions, List, ListAlgorithm, Search, Subset, Waves};
use std::collections::BTreeSet;

/// A program: which elements are needed, and which need which.
struct Program {
    len: usize,
    needed: Vec<usize>,
    depends_on: Vec<Option<usize>>,
    coupled: Vec<(usize, usize)>,
}

impl Program {
    fn random(len: usize, random: &mut Random) -> Self {
        let dependency = |element: usize, random: &mut Random| {
            (element > 0 && random.unit() < 0.7).then(|| random.below(element))
        };
        Self {
            len,
            needed: (0..len).filter(|_| random.unit() < 0.03).collect(),
            depends_on: (0..len).map(|one| dependency(one, random)).collect(),
            coupled: (0..len / 50)
                .map(|_| (random.below(len), random.below(len)))
                .collect(),
        }
    }

    fn is_interesting(&self, kept: &[bool]) -> bool {
        let is_closed = |element: usize| self.depends_on[element].is_none_or(|on| kept[on]);
        self.needed.iter().all(|one| kept[*one])
            && (0..self.len).all(|one| !kept[one] || is_closed(one))
            && self
                .coupled
                .iter()
                .all(|(one, other)| kept[*one] == kept[*other])
    }
}

/// The tests and waves that a search took.
#[derive(Default)]
struct Took {
    tests: usize,
    time: usize,
    left: usize,
}

/// Runs a search with so many workers.
fn run(
    program: &Program,
    mut search: impl Search<Candidate = Combined<Subset>>,
    workers: usize,
) -> Took {
    let mut took = Took::default();
    let mut gone = BTreeSet::new();
    loop {
        let batch: Vec<_> = std::iter::from_fn(|| search.propose())
            .take(workers)
            .collect();
        if batch.is_empty() {
            took.left = program.len - gone.len();
            return took;
        }
        took.tests += batch.len();
        took.time += 1;
        for (ticket, candidate) in batch {
            let mut kept = vec![true; program.len];
            let removed = candidate.parts().iter().flat_map(Subset::newly_removed);
            removed
                .chain(gone.iter().copied())
                .for_each(|one| kept[one] = false);
            let answered = search.answer(ticket, program.is_interesting(&kept));
            for part in answered
                .accepted
                .iter()
                .flat_map(|one| one.candidate.parts())
            {
                gone.extend(part.newly_removed());
            }
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let n_seeds = arguments
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(5);
    println!(
        "| elements | width | workers | times as fast as one | tests of those of width 1 | left |"
    );
    println!("|---:|---:|---:|---:|---:|---:|");
    for len in [300, 2000] {
        let widths = [1, 4, 16, 32, 100, 200];
        let mut all: Vec<Took> = widths.iter().map(|_| Took::default()).collect();
        for seed in 0..n_seeds {
            let program = Program::random(len, &mut Random(seed));
            for (width, all) in widths.iter().zip(&mut all) {
                let algorithm = ListAlgorithm::WeightedDdmin(DdminOptions::default());
                let search = Waves::new(algorithm.search(List::new(len)), *width);
                let took = run(&program, search, *width);
                all.tests += took.tests;
                all.time += took.time;
                all.left += took.left;
            }
        }
        for (width, took) in widths.iter().zip(&all) {
            println!(
                "| {len} | {width} | {width} | {:.1} | {:.3} | {:.1} |",
                all[0].time as f64 / took.time as f64,
                took.tests as f64 / all[0].tests as f64,
                took.left as f64 / n_seeds as f64,
            );
        }
    }
}
