//! What holds for every list and every predicate.

use crate::harness::{Random, run, run_wide};
use crate::predicate::{Predicate, random_weights};
use proptest::prelude::*;
use reduce_algorithms::{
    Ddmin, Replacement, Revisit, Search, Subset, Tmin, WeightedDdmin, WeightedDdminOptions,
};
use std::collections::HashSet;

/// A list algorithm with its options.
#[derive(Debug, Clone, Copy)]
enum Algorithm {
    Ddmin,
    Weighted(WeightedDdminOptions),
}

impl Algorithm {
    fn search(self, weights: &[u64]) -> Box<dyn Search<Candidate = Subset>> {
        match self {
            Self::Ddmin => Box::new(Ddmin::new(weights.len())),
            Self::Weighted(options) => Box::new(WeightedDdmin::new(weights, options)),
        }
    }

    fn is_one_minimal(self) -> bool {
        match self {
            Self::Ddmin => true,
            Self::Weighted(options) => options.ensure_one_minimal,
        }
    }
}

fn algorithms() -> impl Strategy<Value = Algorithm> {
    let options = any::<[bool; 5]>().prop_map(|[one_minimal, restart, subsets, end, empty]| {
        Algorithm::Weighted(WeightedDdminOptions {
            ensure_one_minimal: one_minimal,
            revisit: if restart {
                Revisit::Restart
            } else {
                Revisit::Continue
            },
            subsets,
            from_the_end: end,
            try_empty: empty,
        })
    });
    prop_oneof![1 => Just(Algorithm::Ddmin), 3 => options]
}

/// A list with its weights and a predicate.
#[derive(Debug, Clone)]
struct Problem {
    weights: Vec<u64>,
    predicate: Predicate,
}

fn problems(max_len: usize) -> impl Strategy<Value = Problem> {
    let len = prop_oneof![1..=12_usize, 1..=max_len];
    (len, 0..3_usize, 0.0..0.15_f64, any::<u64>()).prop_map(|(len, kind, density, seed)| {
        let mut random = Random(seed);
        let weights = random_weights(len, &mut random);
        let predicate = Predicate::random(kind, len, density, &mut random);
        Problem { weights, predicate }
    })
}

/// `subset` without each of its elements in turn, unless nothing would be left.
fn smaller_by_one(subset: &Subset) -> impl Iterator<Item = Subset> + '_ {
    let kept: Vec<usize> = subset.kept().filter(|_| subset.len() > 1).collect();
    (0..kept.len()).map(move |at| {
        let rest = kept
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != at)
            .map(|(_, one)| *one);
        Subset::from_elements(subset.original_len(), rest)
    })
}

/// Runs an algorithm one candidate at a time and checks what must hold of each run.
fn check(algorithm: Algorithm, problem: &Problem) -> Vec<Subset> {
    let Problem { weights, predicate } = problem;
    let run = run(&mut *algorithm.search(weights), |_, subset| {
        predicate.holds(subset)
    });
    let mut seen = HashSet::new();
    let mut last_len = weights.len();
    for (subset, interesting) in &run.tested {
        let elements: Vec<usize> = subset.kept().collect();
        assert_eq!(elements.len(), subset.len());
        assert!(subset.len() < last_len, "not smaller than the list");
        assert!(seen.insert(elements), "proposed twice: {subset:?}");
        last_len = if *interesting { subset.len() } else { last_len };
    }
    let whole = Subset::from_elements(weights.len(), 0..weights.len());
    let result = run.accepted.last().unwrap_or(&whole);
    assert!(predicate.holds(result));
    if algorithm.is_one_minimal() {
        assert!(smaller_by_one(result).all(|smaller| !predicate.holds(&smaller)));
    }
    run.accepted
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn list_algorithms_return_an_interesting_and_minimal_list_without_repeating_a_test(
        algorithm in algorithms(),
        problem in problems(300),
    ) {
        check(algorithm, &problem);
    }

    #[test]
    fn list_algorithms_accept_the_same_for_any_number_of_outstanding_candidates(
        algorithm in algorithms(),
        problem in problems(200),
        seed in any::<u64>(),
    ) {
        let expected = check(algorithm, &problem);
        let mut random = Random(seed);
        for width in [1, 2, 3, 8] {
            let mut search = algorithm.search(&problem.weights);
            let accepted = run_wide(&mut *search, width, &mut random, |_, subset| {
                problem.predicate.holds(subset)
            });
            prop_assert_eq!(&accepted, &expected, "with {} outstanding", width);
        }
    }

    #[test]
    fn tmin_ends_where_no_replacement_is_left_for_any_number_of_outstanding_candidates(
        alternatives in prop::collection::vec(0..5_usize, 0..40),
        salt in any::<u64>(),
        one_in in 1..12_u64,
    ) {
        // Whether a replacement is interesting depends on what was accepted before it.
        let is_interesting = |accepted: &[Replacement], next: &Replacement| {
            let mix = |state, step: &Replacement| {
                Random(state ^ (step.element * 8 + step.alternative) as u64).next()
            };
            mix(accepted.iter().fold(salt, mix), next).is_multiple_of(one_in)
        };
        let run = run(&mut Tmin::new(alternatives.clone()), is_interesting);
        let replaced: HashSet<usize> = run.accepted.iter().map(|step| step.element).collect();
        prop_assert_eq!(replaced.len(), run.accepted.len());
        for element in (0..alternatives.len()).filter(|element| !replaced.contains(element)) {
            for alternative in 0..alternatives[element] {
                let left = Replacement { element, alternative };
                prop_assert!(!is_interesting(&run.accepted, &left));
            }
        }
        let total: usize = alternatives.iter().sum();
        prop_assert!(run.tested.len() <= (alternatives.len() + 1) * total);
        let mut random = Random(salt);
        for width in [1, 2, 3, 8] {
            let mut search = Tmin::new(alternatives.clone());
            let accepted = run_wide(&mut search, width, &mut random, is_interesting);
            prop_assert_eq!(&accepted, &run.accepted);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn list_algorithms_hold_their_promises_for_long_lists(
        algorithm in algorithms(),
        problem in problems(1000),
    ) {
        check(algorithm, &problem);
    }
}
