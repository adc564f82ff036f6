//! Which mutants a mended code under test could be like. It passes the tests that pass now, so that a mutant which breaks
//! many of them says little of it: what keeps a candidate right under such a mutant may have nothing to do with the bug.

use super::outcomes::Outcome;
use reduce_mutants::MutantId;
use reduce_oracle::Signature;
use std::collections::BTreeMap;

/// So many mutants that change the outcome stay at least, if there are as many.
const FEWEST: usize = 4;

/// So many of those stay besides under which the test passes: they alone run what comes after its failure.
const FEWEST_PASSING: usize = 3;

/// The outcomes under the mutants that break the fewest other tests. `broken` says how many each of them breaks; where it
/// says nothing of any, all stay.
pub(super) fn plausible(
    failure: &Signature,
    all: &[(MutantId, Outcome)],
    broken: &BTreeMap<MutantId, usize>,
) -> Vec<(MutantId, Outcome)> {
    let n_broken = |id: MutantId| broken.get(&id).copied().unwrap_or(usize::MAX);
    let telling = all.iter().filter(|(_, one)| one.differs_from(failure));
    let mut numbers: Vec<usize> = telling.map(|(id, _)| n_broken(*id)).collect();
    numbers.sort_unstable();
    let Some(most) = numbers.get(FEWEST - 1).copied() else {
        return all.to_vec();
    };
    let passing = all.iter().filter(|(_, one)| *one == Outcome::Passes);
    let mut passing: Vec<_> = passing.map(|(id, _)| (n_broken(*id), *id)).collect();
    passing.sort_unstable();
    passing.truncate(FEWEST_PASSING);
    let is_plausible =
        |id: MutantId| n_broken(id) <= most || passing.iter().any(|(_, other)| *other == id);
    let plausible = all.iter().filter(|(id, _)| is_plausible(*id));
    plausible.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::testing::{assertion, fails};

    /// The plausible ones of mutants with these outcomes, where the n-th breaks so many tests.
    #[track_caller]
    fn check(all: &[(Outcome, Option<usize>)], expected: &[u32]) {
        let outcomes: Vec<_> = (1..)
            .map(MutantId)
            .zip(all.iter().map(|one| one.0.clone()))
            .collect();
        let broken = (1..).map(MutantId).zip(all.iter().map(|one| one.1));
        let broken = broken
            .filter_map(|(id, broken)| Some((id, broken?)))
            .collect();
        let failure = assertion("left: 1");
        let plausible = plausible(&failure, &outcomes, &broken);
        let ids: Vec<u32> = plausible.iter().map(|(id, _)| id.0).collect();
        assert_eq!(ids, expected);
    }

    #[test]
    fn those_that_break_the_fewest_tests_stay() {
        let other = |broken| (fails("left: 2"), Some(broken));
        check(
            &[
                other(3),
                other(0),
                other(1),
                other(9),
                other(1),
                other(0),
                other(2),
            ],
            &[2, 3, 5, 6],
        );
    }

    #[test]
    fn what_does_not_change_the_outcome_is_not_counted() {
        let other = |broken| (fails("left: 2"), Some(broken));
        let same = (fails("left: 1"), Some(0));
        check(
            &[
                same.clone(),
                same.clone(),
                same,
                other(2),
                other(3),
                other(3),
                other(4),
                other(5),
            ],
            &[1, 2, 3, 4, 5, 6, 7],
        );
    }

    #[test]
    fn a_few_under_which_the_test_passes_stay_whatever_they_break() {
        let other = |broken| (fails("left: 2"), Some(broken));
        let passes = |broken| (Outcome::Passes, Some(broken));
        check(
            &[
                passes(9),
                passes(7),
                other(0),
                passes(8),
                other(0),
                passes(6),
                other(0),
                other(0),
                other(1),
            ],
            &[2, 3, 4, 5, 6, 7, 8],
        );
    }

    #[test]
    fn where_nothing_is_known_of_other_tests_all_stay() {
        let other = (fails("left: 2"), None);
        check(&vec![other; 6], &[1, 2, 3, 4, 5, 6]);
    }
}
