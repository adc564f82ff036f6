//! What a search itself costs, without the tests: the time per proposed candidate and the tests
//! needed, for lists of 1,000 to 1,000,000 elements. Run with `cargo bench -p reduce-algorithms --bench propose`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use reduce_algorithms::{Ddmin, Revisit, Search, Subset, WeightedDdmin, WeightedDdminOptions};
use std::time::Instant;

/// Searches stop here: a whole run of the published algorithms takes n² / 2 tests.
const MAX_TESTS: usize = 2_000_000;

fn main() {
    println!("| search | elements | needed | tests | accepted | ns per candidate |");
    println!("|---|---:|---:|---:|---:|---:|");
    for len in [1_000, 10_000, 100_000, 1_000_000] {
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
    let published = WeightedDdminOptions::PUBLISHED;
    let continues = WeightedDdminOptions {
        revisit: Revisit::Continue,
        ..published
    };
    let default = WeightedDdminOptions::default();
    measure("ddmin", len, spacing, || Ddmin::new(len));
    measure("W-ddmin", len, spacing, || {
        WeightedDdmin::new(&weights, published)
    });
    measure("W-ddmin, continue", len, spacing, || {
        WeightedDdmin::new(&weights, continues)
    });
    measure("W-ddmin, default", len, spacing, || {
        WeightedDdmin::new(&weights, default)
    });
}

fn measure<S: Search<Candidate = Subset>>(
    name: &str,
    len: usize,
    spacing: usize,
    make: impl FnOnce() -> S,
) {
    let start = Instant::now();
    let mut search = make();
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
