//! Properties that hold for every list and every predicate.

use crate::harness::{Random, run, run_wide};
use crate::predicate::{Predicate, random_pairs, random_weights};
use proptest::prelude::*;
use reduce_algorithms::{
    Closure, DdminOptions, List, ListAlgorithm, ProbabilityOptions, Replacement, Revisit, Subset,
    Ties, Tmin,
};
use std::collections::{BTreeSet, HashSet};

pub(crate) fn algorithms() -> impl Strategy<Value = ListAlgorithm> {
    let ddmin =
        any::<[bool; 5]>().prop_map(|[one_minimal, restart, subsets, end, empty]| DdminOptions {
            ensure_one_minimal: one_minimal,
            revisit: if restart {
                Revisit::Restart
            } else {
                Revisit::Continue
            },
            subsets,
            from_the_end: end,
            try_empty: empty,
        });
    let ties = prop_oneof![
        Just(Ties::FromTheStart),
        Just(Ties::FromTheEnd),
        any::<u64>().prop_map(Ties::Shuffled),
    ];
    let probability = (0.01..0.9_f64, ties, any::<[bool; 2]>()).prop_map(
        |(initial_probability, ties, [one_minimal, empty])| ProbabilityOptions {
            initial_probability,
            ties,
            ensure_one_minimal: one_minimal,
            try_empty: empty,
        },
    );
    prop_oneof![
        ddmin.clone().prop_map(ListAlgorithm::Ddmin),
        ddmin.prop_map(ListAlgorithm::WeightedDdmin),
        probability.clone().prop_map(ListAlgorithm::ProbDd),
        probability.clone().prop_map(ListAlgorithm::WeightedProbDd),
        probability.prop_map(ListAlgorithm::Cdd),
    ]
}

/// A list with its weights and a predicate.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) list: List,
    /// The pairs of which one element needs the other, if sets must be closed: `(needed, user)`.
    pub(crate) pairs: Vec<(usize, usize)>,
    pub(crate) predicate: Predicate,
}

pub(crate) fn problems(max_len: usize) -> impl Strategy<Value = Problem> {
    let len = prop_oneof![1..=12_usize, 1..=max_len];
    let any_prior = any::<[bool; 2]>();
    (len, 0..3_usize, 0.0..0.15_f64, any::<u64>(), any_prior).prop_map(
        |(len, kind, density, seed, [has_closure, has_probabilities])| {
            let mut random = Random(seed);
            let predicate = Predicate::random(kind, len, density, &mut random);
            let mut list = List::weighted(random_weights(len, &mut random));
            if has_probabilities {
                list = list.with_probabilities((0..len).map(|_| random.unit()).collect::<Vec<_>>());
            }
            let mut pairs = Vec::new();
            if has_closure {
                pairs = match predicate.dependencies() {
                    Some(pairs) => pairs,
                    None => random_pairs(len, &mut random),
                };
                list = list.with_closure(Closure::new(len, pairs.iter().copied()));
            }
            Problem {
                list,
                pairs,
                predicate,
            }
        },
    )
}

/// The elements that go when `element` goes, itself among them.
fn going_with(element: usize, pairs: &[(usize, usize)]) -> BTreeSet<usize> {
    let mut going = BTreeSet::from([element]);
    let mut todo = vec![element];
    while let Some(needed) = todo.pop() {
        let users = pairs.iter().filter(|(one, _)| *one == needed);
        let new: Vec<usize> = users
            .map(|(_, user)| *user)
            .filter(|user| going.insert(*user))
            .collect();
        todo.extend(new);
    }
    going
}

/// `subset` without each of its elements in turn and what goes with it, unless nothing would be
/// left.
fn smaller_by_one<'a>(
    subset: &'a Subset,
    pairs: &'a [(usize, usize)],
) -> impl Iterator<Item = Subset> + 'a {
    let without = move |gone: usize| {
        let going = going_with(gone, pairs);
        let rest = subset.kept().filter(move |one| !going.contains(one));
        Subset::from_elements(subset.original_len(), rest)
    };
    subset
        .kept()
        .map(without)
        .filter(|smaller| !smaller.is_empty())
}

/// Whether the result of an algorithm is 1-minimal for any yes/no test.
pub(crate) fn ensures_one_minimal(algorithm: ListAlgorithm) -> bool {
    match algorithm {
        ListAlgorithm::Ddmin(options) => {
            options.ensure_one_minimal || options.revisit == Revisit::Restart
        }
        ListAlgorithm::WeightedDdmin(options) => options.ensure_one_minimal,
        ListAlgorithm::ProbDd(options)
        | ListAlgorithm::WeightedProbDd(options)
        | ListAlgorithm::Cdd(options) => options.ensure_one_minimal,
    }
}

/// Runs an algorithm one candidate at a time and checks what must hold of each run.
fn check(algorithm: ListAlgorithm, problem: &Problem) -> Vec<Subset> {
    let Problem {
        list,
        pairs,
        predicate,
    } = problem;
    let run = run(&mut *algorithm.search(list.clone()), |_, subset| {
        predicate.holds(subset)
    });
    let mut seen = HashSet::new();
    let mut last_len = list.len();
    for (subset, interesting) in &run.tested {
        let elements: Vec<usize> = subset.kept().collect();
        assert_eq!(elements.len(), subset.len());
        assert!(subset.len() < last_len, "not smaller than the list");
        for (needed, user) in pairs {
            assert!(subset.keeps(*needed) || !subset.keeps(*user), "not closed");
        }
        let fingerprint = Subset::from_elements(list.len(), elements.iter().copied());
        assert_eq!(subset.fingerprint(), fingerprint.fingerprint());
        assert!(seen.insert(elements), "proposed twice: {subset:?}");
        last_len = if *interesting { subset.len() } else { last_len };
    }
    let whole = Subset::from_elements(list.len(), 0..list.len());
    let result = run.accepted.last().unwrap_or(&whole);
    assert!(predicate.holds(result));
    if ensures_one_minimal(algorithm) {
        assert!(smaller_by_one(result, pairs).all(|smaller| !predicate.holds(&smaller)));
    }
    run.accepted
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 384, ..ProptestConfig::default() })]

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
            let mut search = algorithm.search(problem.list.clone());
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
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn list_algorithms_hold_their_promises_for_long_lists(
        algorithm in algorithms(),
        problem in problems(1000),
    ) {
        check(algorithm, &problem);
    }
}
