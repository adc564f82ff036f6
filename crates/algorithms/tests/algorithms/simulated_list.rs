//! The random lists of WDD, IV-D; for the tests and for the benchmark.

use crate::harness::{Random, run};
use reduce_algorithms::{List, ListAlgorithm, Subset};
use std::collections::BTreeSet;

/// A list as WDD, IV-D makes it: 2 to 1,000 elements with 1 to 10 tokens each on average, where an
/// element can go if all of its tokens can.
pub(crate) struct SimulatedList {
    pub(crate) weights: Vec<u64>,
    pub(crate) needed: Vec<usize>,
}

impl SimulatedList {
    pub(crate) fn random(random: &mut Random) -> Self {
        let len = 2 + random.below(999);
        let n_tokens = len + random.below(9 * len + 1);
        let weights = random_composition(n_tokens, len, random);
        let token_can_go = random.unit();
        let mut stays = |weight: u64| random.unit() >= token_can_go.powf(weight as f64);
        let needed = (0..len)
            .filter(|element| stays(weights[*element]))
            .collect();
        Self { weights, needed }
    }

    /// Returns the number of tests that `algorithm` needs.
    ///
    /// # Panics
    /// If it does not come to the elements that cannot go.
    pub(crate) fn count_tests(&self, algorithm: ListAlgorithm) -> usize {
        let mut search = algorithm.search(List::weighted(self.weights.clone()));
        let has_all = |subset: &Subset| self.needed.iter().all(|one| subset.keeps(*one));
        let run = run(&mut *search, |_, subset| {
            !subset.is_empty() && has_all(subset)
        });
        let result = run.accepted.last().map_or(self.weights.len(), Subset::len);
        assert_eq!(result, self.needed.len().max(1), "{}", algorithm.name());
        run.tested.len()
    }
}

/// `total` as a sum of `len` numbers from 1, where each such sum is as likely as any other.
fn random_composition(total: usize, len: usize, random: &mut Random) -> Vec<u64> {
    let mut cuts = BTreeSet::from([0, total]);
    while cuts.len() < len + 1 {
        cuts.insert(1 + random.below(total - 1));
    }
    let cuts: Vec<usize> = cuts.into_iter().collect();
    cuts.windows(2)
        .map(|pair| (pair[1] - pair[0]) as u64)
        .collect()
}
