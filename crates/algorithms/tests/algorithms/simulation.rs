//! The simulation of WDD, IV-D: how many tests W-ddmin saves on random weighted lists.

use crate::harness::{Random, run};
use reduce_algorithms::{Ddmin, Search, Subset, WeightedDdmin, WeightedDdminOptions};
use std::collections::BTreeSet;

/// A list as WDD, IV-D makes it: 2 to 1,000 elements with 1 to 10 tokens each on average, where an
/// element can go if all of its tokens can.
struct SimulatedList {
    weights: Vec<u64>,
    needed: Vec<usize>,
}

impl SimulatedList {
    fn random(random: &mut Random) -> Self {
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

    fn count_tests(&self, mut search: impl Search<Candidate = Subset>) -> f64 {
        let has_all = |subset: &Subset| self.needed.iter().all(|one| subset.keeps(*one));
        let run = run(&mut search, |_, subset| {
            !subset.is_empty() && has_all(subset)
        });
        run.tested.len() as f64
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

/// The mean, over `n_lists`, of what W-ddmin needs for each test of ddmin.
fn mean_ratio(n_lists: usize, options: WeightedDdminOptions) -> f64 {
    let mut random = Random(2025);
    let ratio = |random: &mut Random| {
        let list = SimulatedList::random(random);
        let weighted = list.count_tests(WeightedDdmin::new(&list.weights, options));
        weighted / list.count_tests(Ddmin::new(list.weights.len())).max(1.0)
    };
    (0..n_lists).map(|_| ratio(&mut random)).sum::<f64>() / n_lists as f64
}

#[test]
fn wddmin_needs_at_least_20_percent_fewer_tests_than_ddmin() {
    let ratio = mean_ratio(200, WeightedDdminOptions::PUBLISHED);
    println!("W-ddmin / ddmin: {ratio:.3}");
    assert!(ratio <= 0.8, "ratio {ratio}");
}

#[test]
fn wddmin_with_its_defaults_needs_half_the_tests_of_ddmin_at_most() {
    let ratio = mean_ratio(60, WeightedDdminOptions::default());
    println!("W-ddmin with defaults / ddmin: {ratio:.3}");
    assert!(ratio <= 0.5, "ratio {ratio}");
}
