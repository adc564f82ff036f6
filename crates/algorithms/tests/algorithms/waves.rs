//! Properties of the waves of every list algorithm.

use crate::harness::{Random, run, run_wide};
use crate::predicate::Predicate;
use crate::properties::{Problem, algorithms, ensures_one_minimal, problems};
use proptest::prelude::*;
use reduce_algorithms::{
    Combined, Ddmin, List, ListAlgorithm, Replacement, Search, Subset, Ticket, Tmin, Waves,
};
use std::collections::BTreeSet;

/// Returns the list without what was removed by these steps.
pub(crate) fn left(len: usize, steps: &[Combined<Subset>]) -> Subset {
    let parts = steps.iter().flat_map(Combined::parts);
    let gone: BTreeSet<usize> = parts.flat_map(Subset::newly_removed).collect();
    Subset::from_elements(len, (0..len).filter(|element| !gone.contains(element)))
}

/// Runs waves with so many candidates outstanding, and returns what was accepted.
fn accepted(
    algorithm: ListAlgorithm,
    problem: &Problem,
    width: usize,
    n_outstanding: usize,
    random: &mut Random,
) -> Vec<Combined<Subset>> {
    let len = problem.list.len();
    let mut waves = Waves::new(algorithm.search(problem.list.clone()), width);
    run_wide(&mut waves, n_outstanding, random, |accepted, candidate| {
        let steps = [accepted, std::slice::from_ref(candidate)].concat();
        problem.predicate.holds(&left(len, &steps))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn waves_accept_the_same_for_any_number_of_outstanding_candidates(
        algorithm in algorithms(),
        problem in problems(120),
        width in prop_oneof![1..=6_usize, 1..=64_usize],
        seed in any::<u64>(),
    ) {
        let mut random = Random(seed);
        let expected = accepted(algorithm, &problem, width, 1, &mut random);
        let result = left(problem.list.len(), &expected);
        prop_assert!(problem.predicate.holds(&result));
        if let (Predicate::Needs(needed), true) = (&problem.predicate, ensures_one_minimal(algorithm)) {
            let without_closure = problem.pairs.is_empty();
            prop_assert!(!without_closure || result.kept().eq(needed.iter().copied()));
        }
        for n_outstanding in [2, 5, 64] {
            let here = accepted(algorithm, &problem, width, n_outstanding, &mut random);
            prop_assert_eq!(&here, &expected, "with {} outstanding", n_outstanding);
        }
    }

    #[test]
    fn waves_of_one_are_the_algorithm_itself(algorithm in algorithms(), problem in problems(120)) {
        let plain = run(&mut *algorithm.search(problem.list.clone()), |_, subset| {
            problem.predicate.holds(subset)
        });
        let mut waves = Waves::new(algorithm.search(problem.list.clone()), 1);
        let wide = run(&mut waves, |_, candidate| problem.predicate.holds(&candidate.parts()[0]));
        let alone = |(candidate, interesting): &(Combined<Subset>, bool)| {
            assert_eq!(candidate.parts().len(), 1);
            (candidate.parts()[0].clone(), *interesting)
        };
        prop_assert_eq!(wide.tested.iter().map(alone).collect::<Vec<_>>(), plain.tested);
    }

    #[test]
    fn waves_of_replacements_end_where_the_algorithm_does(
        alternatives in proptest::collection::vec(0..4_usize, 1..40),
        width in 1..20_usize,
        salt in any::<u64>(),
    ) {
        // Each replacement is interesting or not whatever else was made.
        let is_interesting = |one: &Replacement| {
            Random(salt ^ (one.element * 7 + one.alternative) as u64).next().is_multiple_of(3)
        };
        let plain = run(&mut Tmin::new(alternatives.clone()), |_, one| is_interesting(one));
        let wide = run_wide(&mut Waves::new(Tmin::new(alternatives), width), 4, &mut Random(salt), |_, together| {
            together.parts().iter().all(is_interesting)
        });
        let sorted = |all: Vec<Replacement>| {
            let mut all: Vec<_> = all.iter().map(|one| (one.element, one.alternative)).collect();
            all.sort_unstable();
            all
        };
        let wide: Vec<Replacement> = wide.iter().flat_map(|one| one.parts().to_vec()).collect();
        prop_assert_eq!(sorted(wide), sorted(plain.accepted));
    }
}

/// Proposes all that can be proposed now.
fn propose_all<S: Search>(search: &mut S) -> Vec<(Ticket, S::Candidate)> {
    std::iter::from_fn(|| search.propose()).collect()
}

/// Elements of a list that goes one by one, which of them stay, and what is combined.
fn one_by_one(len: usize) -> Waves<Tmin> {
    Waves::new(Tmin::new(vec![1; len]), len)
}

fn elements(candidate: &Combined<Replacement>) -> Vec<usize> {
    candidate.parts().iter().map(|one| one.element).collect()
}

#[test]
fn successes_are_combined_by_halves() {
    let mut waves = one_by_one(6);
    let proposed = propose_all(&mut waves);
    assert_eq!(proposed.len(), 6);
    for (ticket, candidate) in &proposed {
        // All but the second succeed by themselves.
        assert!(
            waves
                .answer(*ticket, elements(candidate) != [1])
                .accepted
                .is_none()
        );
    }
    // The fourth goes with no other.
    let mut tested = Vec::new();
    let accepted = loop {
        let (ticket, candidate) = waves.propose().unwrap();
        let together = elements(&candidate);
        let answered = waves.answer(ticket, !together.contains(&3));
        tested.push(together);
        if let Some(accepted) = answered.accepted {
            break accepted;
        }
    };
    // No test of the fourth candidate follows: those before it show that it fails.
    let expected: [&[usize]; 4] = [&[0, 2, 3, 4, 5], &[0, 2, 3], &[0, 2], &[0, 2, 4, 5]];
    assert_eq!(tested, expected);
    assert_eq!(elements(&accepted.candidate), [0, 2, 4, 5]);
    assert!(propose_all(&mut waves).is_empty());
    assert!(waves.is_done());
}

#[test]
fn halves_are_tested_while_the_whole_is() {
    let mut waves = one_by_one(6);
    for (ticket, _) in propose_all(&mut waves) {
        waves.answer(ticket, true);
    }
    let proposed = propose_all(&mut waves);
    let tested: Vec<Vec<usize>> = proposed.iter().map(|one| elements(&one.1)).collect();
    let expected: [&[usize]; 4] = [&[0, 1, 2, 3, 4, 5], &[0, 1, 2, 3], &[0, 1, 2], &[0, 1]];
    assert_eq!(tested, expected);
    // The quarter is known already when the half turns out to be interesting.
    assert!(waves.answer(proposed[2].0, true).accepted.is_none());
    assert!(waves.answer(proposed[0].0, false).accepted.is_none());
    let answered = waves.answer(proposed[1].0, true);
    assert!(answered.accepted.is_none());
    assert_eq!(answered.void, [proposed[2].0, proposed[3].0]);
    let next = waves.propose().map(|one| elements(&one.1));
    assert_eq!(next.as_deref(), Some(&[0, 1, 2, 3, 4][..]));
}

#[test]
fn what_fails_without_a_test_makes_room_for_another() {
    let mut waves = Waves::new(Ddmin::new(16), 2);
    let first = propose_all(&mut waves);
    assert_eq!(first.len(), 2);
    waves.answer_free(first[0].0, false);
    assert_eq!(propose_all(&mut waves).len(), 1);
    waves.answer(first[1].0, false);
    assert!(
        propose_all(&mut waves).is_empty(),
        "a failure makes no room in its own wave"
    );
}

#[test]
fn a_list_without_elements_has_no_wave() {
    let mut waves = Waves::new(ListAlgorithm::ALL[0].search(List::new(0)), 4);
    assert!(waves.is_done() && waves.propose().is_none());
}
