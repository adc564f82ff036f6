//! The simulation of WDD, IV-D: how many tests are saved on random weighted lists.

use crate::harness::Random;
use crate::simulated_list::SimulatedList;
use reduce_algorithms::{DdminOptions, ListAlgorithm, ProbabilityOptions};

/// The mean, over `n_lists`, of what an algorithm needs for each test of ddmin.
fn mean_ratio(n_lists: usize, algorithm: ListAlgorithm) -> f64 {
    let mut random = Random(2025);
    let ratio = |random: &mut Random| {
        let list = SimulatedList::random(random);
        let tests = list.count_tests(algorithm) as f64;
        tests / list.count_tests(ListAlgorithm::ALL[0]).max(1) as f64
    };
    (0..n_lists).map(|_| ratio(&mut random)).sum::<f64>() / n_lists as f64
}

#[test]
fn wddmin_needs_at_least_20_percent_fewer_tests_than_ddmin() {
    let published = ListAlgorithm::WeightedDdmin(DdminOptions::PUBLISHED);
    let ratio = mean_ratio(200, published);
    println!("W-ddmin / ddmin: {ratio:.3}");
    assert!(ratio <= 0.8, "ratio {ratio}");
}

#[test]
fn wddmin_with_its_defaults_needs_half_the_tests_of_ddmin_at_most() {
    let ratio = mean_ratio(60, ListAlgorithm::WeightedDdmin(DdminOptions::default()));
    println!("W-ddmin with defaults / ddmin: {ratio:.3}");
    assert!(ratio <= 0.5, "ratio {ratio}");
}

#[test]
fn probdd_wprobdd_and_cdd_need_half_the_tests_of_ddmin_at_most() {
    let options = ProbabilityOptions::PUBLISHED;
    let algorithms = [
        ListAlgorithm::ProbDd(options),
        ListAlgorithm::WeightedProbDd(options),
        ListAlgorithm::Cdd(options),
    ];
    for algorithm in algorithms {
        let ratio = mean_ratio(60, algorithm);
        println!("{} / ddmin: {ratio:.3}", algorithm.name());
        assert!(ratio <= 0.5, "{}: ratio {ratio}", algorithm.name());
    }
}
