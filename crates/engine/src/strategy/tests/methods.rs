//! Tests of each algorithm with each strategy.

use super::minimality::check_minimal;
use super::oracle::ClosureOracle;
use super::{CRASHING, PROGRAM, Setting, has_all, needing};
use crate::request::{Algorithm, Closure, Prior, SearchOptions, Strategy};
use reduce_oracle::Verdict;

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

#[test]
fn what_is_known_beforehand_changes_the_way_but_not_what_is_promised() {
    for algorithm in [Algorithm::Wddmin, Algorithm::Probdd, Algorithm::Wprobdd] {
        let search = SearchOptions {
            algorithm,
            prior: Prior::Reachable,
            closure: Closure::WithUsers,
            ..SearchOptions::default()
        };
        let run = |jobs| {
            let oracle = needing(&CRASHING);
            let setting = Setting::new(&[("lib.rs", PROGRAM)], &oracle).with_search(search);
            setting.with_jobs(jobs).run().unwrap()
        };
        let found = run(1);
        check_minimal(&found.tree(), |tree| has_all(tree, &CRASHING));
        assert_eq!(run(4), found, "{algorithm}");
    }
}

#[test]
fn what_can_only_go_together_goes_with_its_users() {
    // As a compiler would have it: a variable of unknown type needs its use, the use its variable,
    // and the last expression the type that is returned.
    let program = "fn f() -> Stages { crash(); let list = vec![]; Stages { iter: list } } \
                   struct Stages { iter: List } struct List;";
    let files = [("lib.rs", program)];
    let oracle = ClosureOracle::new(|candidate| {
        let has = |sequence| has_all(&candidate.tree, &[sequence]);
        let is_well = has("let list = vec![]") == has("Stages { iter: list }")
            && has("-> Stages") == has("Stages { iter: list }")
            && (has("struct Stages { iter: List }") || !has("-> Stages"))
            && (has("struct List") || !has("iter: List"));
        match is_well && has("crash();") {
            true => Verdict::Interesting,
            false => Verdict::Rejected,
        }
    });
    for strategy in Strategy::ALL {
        let search = SearchOptions {
            strategy,
            ..SearchOptions::default()
        };
        let setting = Setting::new(&files, &oracle).with_search(search);
        assert_eq!(
            setting.run().unwrap().root(),
            "fn f ( ) { crash ( ) ; }",
            "{strategy}"
        );
    }
}

#[test]
fn of_candidates_that_differ_in_lone_names_one_is_asked_about() {
    let variants: Vec<String> = (0..40).map(|idx| format!("V{idx}")).collect();
    let program = format!("enum E {{ {} }} fn f(e: E) {{}}", variants.join(", "));
    let files = [("lib.rs", program.as_str())];
    let oracle = || {
        ClosureOracle::new(|candidate| {
            let n_variants = candidate
                .tree
                .text(candidate.tree.root())
                .matches('V')
                .count();
            match n_variants >= 40 {
                true => Verdict::Interesting,
                false => Verdict::Rejected,
            }
        })
    };
    let run = |oracle: ClosureOracle, jobs| {
        let search = SearchOptions {
            strategy: Strategy::Passes,
            ..SearchOptions::default()
        };
        let setting = Setting::new(&files, &oracle).with_search(search);
        setting.with_jobs(jobs).run().unwrap()
    };
    let all = run(oracle(), 1);
    let found = run(oracle().ignoring_lone_names(), 1);
    assert_eq!(found.root(), all.root());
    assert!(
        found.queries + 35 < all.queries,
        "{} of {}",
        found.queries,
        all.queries
    );
    assert_eq!(run(oracle().ignoring_lone_names().slow(), 3), found);
}
