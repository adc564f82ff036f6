//! The simulation of WDD, IV-D, for all list algorithms: how many tests they need on random weighted
//! lists. Run with `cargo bench -p reduce-algorithms --bench simulation [-- N]`; N lists, 5,000 as in
//! the paper if not given. Prints Markdown, and the same as CSV where `CSV=FILE` comes after N.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../tests/algorithms/harness.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod harness;
#[path = "../tests/algorithms/simulated_list.rs"]
mod simulated_list;

use harness::Random;
use reduce_algorithms::{DdminOptions, ListAlgorithm, ProbabilityOptions, Revisit};
use simulated_list::SimulatedList;
use std::fmt::Write;

/// The number of lists in the paper.
const N_LISTS: usize = 5_000;

/// The tests that an algorithm needed for all lists.
#[derive(Debug, Default, Clone)]
struct Needed {
    tests: usize,
    /// The sum, over the lists, of the tests for each test of ddmin.
    ratios: f64,
    /// In how many lists it needed fewer tests than ddmin.
    fewer: usize,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let n_lists = arguments.iter().find_map(|argument| argument.parse().ok());
    let n_lists = n_lists.unwrap_or(N_LISTS);
    let needed = simulate(n_lists);
    print!("{}", markdown(&needed, n_lists));
    let csv_file = arguments.iter().find_map(|one| one.strip_prefix("CSV="));
    if let Some(file) = csv_file {
        std::fs::write(file, csv(&needed, n_lists)).expect("the CSV file can be written");
    }
}

/// The algorithms with the names of their variants; ddmin comes first.
fn algorithms() -> Vec<(&'static str, ListAlgorithm)> {
    let published = DdminOptions::PUBLISHED;
    let continues = DdminOptions {
        revisit: Revisit::Continue,
        ..published
    };
    let one_pass = DdminOptions::ONE_PASS;
    let default = DdminOptions::default();
    let probability = ProbabilityOptions::PUBLISHED;
    let one_minimal = ProbabilityOptions {
        ensure_one_minimal: true,
        ..probability
    };
    use ListAlgorithm::{Cdd, Ddmin, ProbDd, WeightedDdmin, WeightedProbDd};
    vec![
        ("ddmin", Ddmin(published)),
        ("ddmin, one pass", Ddmin(one_pass)),
        ("W-ddmin", WeightedDdmin(published)),
        ("W-ddmin, no revisits", WeightedDdmin(continues)),
        ("W-ddmin, one pass", WeightedDdmin(one_pass)),
        ("W-ddmin, as cargo reduce has it", WeightedDdmin(default)),
        ("ProbDD", ProbDd(probability)),
        ("W-ProbDD", WeightedProbDd(probability)),
        ("W-ProbDD, 1-minimal", WeightedProbDd(one_minimal)),
        ("CDD", Cdd(probability)),
        ("CDD, 1-minimal", Cdd(one_minimal)),
    ]
}

fn simulate(n_lists: usize) -> Vec<Needed> {
    let algorithms = algorithms();
    let mut needed = vec![Needed::default(); algorithms.len()];
    let mut random = Random(2025);
    for _ in 0..n_lists {
        let list = SimulatedList::random(&mut random);
        let tests = algorithms.iter().map(|(_, one)| list.count_tests(*one));
        let tests: Vec<usize> = tests.collect();
        for (needed, tests_here) in needed.iter_mut().zip(&tests) {
            needed.tests += tests_here;
            needed.ratios += *tests_here as f64 / tests[0].max(1) as f64;
            needed.fewer += usize::from(*tests_here < tests[0]);
        }
    }
    needed
}

fn markdown(needed: &[Needed], n_lists: usize) -> String {
    let mut table = format!("{n_lists} lists\n\n");
    table += "| algorithm | tests a list | tests / those of ddmin | mean ratio to ddmin | lists with fewer tests |\n";
    table += "|---|---:|---:|---:|---:|\n";
    for row in rows(needed, n_lists) {
        let [name, tests, total, mean, fewer] = row;
        let _ = writeln!(table, "| {name} | {tests} | {total} | {mean} | {fewer} |");
    }
    table
}

fn csv(needed: &[Needed], n_lists: usize) -> String {
    let mut table =
        String::from("algorithm,tests_a_list,ratio_of_totals,mean_ratio,lists_with_fewer\n");
    for row in rows(needed, n_lists) {
        let [name, rest @ ..] = row;
        let _ = writeln!(table, "\"{name}\",{}", rest.join(","));
    }
    table
}

fn rows(needed: &[Needed], n_lists: usize) -> Vec<[String; 5]> {
    let n = n_lists as f64;
    let all = algorithms().into_iter().zip(needed);
    all.map(|((name, _), one)| {
        [
            name.to_owned(),
            format!("{:.1}", one.tests as f64 / n),
            format!("{:.3}", one.tests as f64 / needed[0].tests.max(1) as f64),
            format!("{:.3}", one.ratios / n),
            one.fewer.to_string(),
        ]
    })
    .collect()
}
