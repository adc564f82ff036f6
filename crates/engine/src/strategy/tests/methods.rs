//! Each algorithm with each strategy.

use super::{CRASHING, PROGRAM, Setting, has_all, needing};
use crate::request::{Algorithm, SearchOptions, Strategy};
use crate::strategy::tests::fixpoint::check_minimal;

fn all_methods() -> Vec<SearchOptions> {
    let with = |algorithm| {
        Strategy::ALL.map(move |strategy| SearchOptions {
            algorithm,
            strategy,
            ..SearchOptions::default()
        })
    };
    Algorithm::ALL.into_iter().flat_map(with).collect()
}

#[test]
fn all_algorithms_and_strategies_end_where_no_single_element_can_go() {
    for search in all_methods() {
        let oracle = needing(&CRASHING);
        let setting = Setting::new(&[("lib.rs", PROGRAM)], &oracle).with_search(search);
        let found = setting.run().unwrap();
        check_minimal(&found.tree(), |tree| has_all(tree, &CRASHING));
        let tokens = found.tree().count_tokens();
        assert!(tokens < 60, "{search:?}: {tokens}: {}", found.root());
    }
}

#[test]
fn all_algorithms_and_strategies_find_the_same_with_any_number_of_workers() {
    for search in all_methods() {
        let run = |jobs| {
            let oracle = needing(&CRASHING).slow();
            let setting = Setting::new(&[("lib.rs", PROGRAM)], &oracle).with_search(search);
            setting.with_jobs(jobs).run().unwrap()
        };
        assert_eq!(run(3), run(1), "{search:?}");
    }
}

#[test]
fn seeds_decide_the_order_of_equally_probable_elements_alone() {
    let run = |seed| {
        let oracle = needing(&CRASHING);
        let search = SearchOptions {
            algorithm: Algorithm::Probdd,
            seed,
            ..SearchOptions::default()
        };
        let setting = Setting::new(&[("lib.rs", PROGRAM)], &oracle).with_search(search);
        setting.run().unwrap()
    };
    assert_eq!(run(7), run(7));
    let different = (1..5).any(|seed| run(seed).queries != run(0).queries);
    assert!(different, "no seed makes a difference");
}
