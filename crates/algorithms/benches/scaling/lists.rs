//! Lists of 100 to 1,000,000 elements, in which each of some elements at equal distances is needed.

use reduce_algorithms::{Closure, DdminOptions, List, ListAlgorithm, Subset};
use std::time::Instant;

/// Searches stop here: a whole run of the published algorithms takes n² / 2 tests.
const MAX_TESTS: usize = 2_000_000;

/// Measures all list algorithms.
pub(crate) fn measure_lists() {
    println!("| search | elements | needed | tests | accepted | ns per candidate |");
    println!("|---|---:|---:|---:|---:|---:|");
    for len in [100, 1_000, 10_000, 100_000, 1_000_000] {
        for spacing in [2, 100, len] {
            measure_all(len, spacing);
        }
    }
}

/// Measures all searches where every element at a multiple of `spacing` is needed.
fn measure_all(len: usize, spacing: usize) {
    let weights: Vec<u64> = (0..len as u64)
        .map(|element| 1 + element * element % 97)
        .collect();
    let list = List::weighted(weights);
    for algorithm in ListAlgorithm::ALL {
        measure(algorithm.name(), algorithm, list.clone(), spacing);
    }
    let one_pass = ListAlgorithm::WeightedDdmin(DdminOptions::ONE_PASS);
    measure("W-ddmin, one pass", one_pass, list.clone(), spacing);
    let default = ListAlgorithm::WeightedDdmin(DdminOptions::default());
    measure("W-ddmin, default", default, list.clone(), spacing);
    let chain = Closure::new(
        len,
        (1..len)
            .filter(|user| user % 8 != 0)
            .map(|user| (user - 1, user)),
    );
    let closed = list.with_closure(chain);
    measure("W-ddmin, default, closed sets", default, closed, spacing);
}

fn measure(name: &str, algorithm: ListAlgorithm, list: List, spacing: usize) {
    let len = list.len();
    let start = Instant::now();
    let mut search = algorithm.search(list);
    let mut tested = 0;
    let mut accepted = 0;
    let mut left = Needed::new(len, spacing);
    while tested < MAX_TESTS
        && let Some((ticket, subset)) = search.propose()
    {
        let answered = search.answer(ticket, left.all_in(&subset));
        tested += 1;
        accepted += usize::from(answered.accepted.is_some());
    }
    let nanoseconds = start.elapsed().as_nanos() / tested.max(1) as u128;
    let needed = len.div_ceil(spacing);
    println!("| {name} | {len} | {needed} | {tested} | {accepted} | {nanoseconds} |");
}

/// The needed elements, tried in an order that finds a missing one soon.
struct Needed {
    len: usize,
    spacing: usize,
    /// The one that was missing last time.
    last: usize,
}

impl Needed {
    fn new(len: usize, spacing: usize) -> Self {
        Self {
            len,
            spacing,
            last: 0,
        }
    }

    /// Whether all needed elements are kept. Looks at what is removed where that is less.
    fn all_in(&mut self, subset: &Subset) -> bool {
        let is_needed = |element: &usize| element.is_multiple_of(self.spacing);
        if !subset.keeps(self.last) {
            return false;
        }
        if subset.len() < self.len.div_ceil(self.spacing) {
            return false;
        }
        let missing = subset.newly_removed().find(is_needed);
        self.last = missing.unwrap_or(self.last);
        missing.is_none()
    }
}
