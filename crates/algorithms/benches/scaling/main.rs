//! Measures the cost of a search itself, without the tests: the time per proposed candidate, and the tests
//! needed. Run with `cargo bench -p reduce-algorithms --bench scaling [-- lists|trees]`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod lists;
mod trees;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| {
        let names = ["lists", "trees"];
        let mut chosen = arguments.iter().filter(|one| names.contains(&one.as_str()));
        chosen.clone().next().is_none() || chosen.any(|one| one == name)
    };
    if is_wanted("lists") {
        lists::measure_lists();
        println!();
    }
    if is_wanted("trees") {
        trees::measure_trees();
    }
}
