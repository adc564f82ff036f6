//! Chooses the mutants that are like a mended code under test. It passes the tests that pass now, so that a mutant which
//! breaks many of them says little of it: what keeps a candidate right under such a mutant may have nothing to do with
//! the bug.
//!
//! See docs/decisions/other-tests.md.

use crate::outcome::{OtherTests, Outcome};
use reduce_mutants::{Mutant, MutantId, Operator};
use reduce_oracle::Signature;
use reduce_syntax::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// The least number of mutants that change the outcome and are kept, if there are as many.
const FEWEST: usize = 4;

/// The number of further mutants that are kept because the test passes under them: they alone run the
/// code that comes after its failure.
const FEWEST_PASSING: usize = 3;

/// The number of mutants which break no other test that is enough to say where the bug is, if there
/// are many other tests.
const FEWEST_RIGHT: usize = 2;

/// The number of other tests that is enough to say where the bug is not, if they break under [`ENOUGH_SEEN`]
/// mutants that change the outcome.
const ENOUGH_TESTS: usize = 20;
const ENOUGH_SEEN: usize = 10;

/// The largest number of mends by which a test that was written anew is judged.
const MOST_MENDS: usize = 12;

/// The outcomes under the mutants that are like a mended code under test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plausible {
    pub(crate) outcomes: Vec<(MutantId, Outcome)>,
    /// The function that the bug is in, if the mutants say so. Then even a single one guards a
    /// candidate.
    pub(crate) located_in: Option<String>,
}

/// Chooses the mutants of one function that mend the test and break no other, if there are enough and other tests watch that function.
/// Else those of one function that break no test, if one of them mends it and enough tests break under the mutants of all other
/// functions (Moon et al., Ask the Mutants: Mutating Faulty Programs for Fault Localization, ICST 2014). Else those that break the
/// fewest. Where nothing is known of other tests, all stay.
pub(crate) fn plausible(
    failure: &Signature,
    all: &[(MutantId, Outcome)],
    others: &OtherTests,
    mutants: &[Mutant],
) -> Plausible {
    let functions = Functions(mutants);
    if let Some(right) = right_of_one_function(all, others, mutants) {
        return functions.located(right);
    }
    let right = right(all, &others.broken);
    let of_one = |some: &[(MutantId, Outcome)]| functions.of_all(some).len() == 1;
    let telling = || all.iter().filter(|(_, one)| one.differs_from(failure));
    let unseen: Vec<_> = telling()
        .filter(|(id, _)| !others.seen.contains(id))
        .cloned()
        .collect();
    let n_seen = telling().count() - unseen.len();
    let are_enough = others.n_passing >= ENOUGH_TESTS && n_seen >= ENOUGH_SEEN;
    let is_known = |(id, _): &(MutantId, Outcome)| others.broken.contains_key(id);
    if are_enough && !right.is_empty() && of_one(&unseen) && unseen.iter().all(is_known) {
        return functions.located(unseen);
    }
    Plausible {
        outcomes: breaking_fewest(failure, all, others),
        located_in: None,
    }
}

/// Returns the outcomes under the mutants that mend the test and break no other, if there are enough, all in one function,
/// and other tests watch that function.
pub(crate) fn right_of_one_function(
    all: &[(MutantId, Outcome)],
    others: &OtherTests,
    mutants: &[Mutant],
) -> Option<Vec<(MutantId, Outcome)>> {
    let functions = Functions(mutants);
    let right = right(all, &others.broken);
    let of_right = functions.of_all(&right);
    let is_watched = of_right.is_subset(&functions.watched(&others.broken));
    let fewest = match others.n_passing >= ENOUGH_TESTS {
        true => FEWEST_RIGHT,
        false => FEWEST_PASSING,
    };
    (of_right.len() == 1 && is_watched && right.len() >= fewest).then_some(right)
}

fn breaking_fewest(
    failure: &Signature,
    all: &[(MutantId, Outcome)],
    others: &OtherTests,
) -> Vec<(MutantId, Outcome)> {
    // Mutants that break as many tests in the failing test's own target are compared by the tests that
    // they break elsewhere.
    let n_broken = |id: MutantId| {
        let number =
            |broken: &BTreeMap<MutantId, usize>| broken.get(&id).copied().unwrap_or(usize::MAX);
        (number(&others.broken_in_target), number(&others.broken))
    };
    let telling = all.iter().filter(|(_, one)| one.differs_from(failure));
    let mut numbers: Vec<(usize, usize)> = telling.map(|(id, _)| n_broken(*id)).collect();
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

/// Returns the outcomes of a test that should panic under the mutants that mend it and break no other test, and under
/// the others of their functions under which it passes. Whatever panics mends it, so that all other mutants say little.
/// There are none in a function of which no mutant breaks another test: what these tests say of it is not known.
pub(crate) fn mending(
    all: &[(MutantId, Outcome)],
    broken: &BTreeMap<MutantId, usize>,
    mutants: &[Mutant],
) -> Vec<(MutantId, Outcome)> {
    let functions = Functions(mutants);
    let right = right(all, broken).into_iter();
    let right: BTreeSet<_> = right.map(|(id, _)| functions.of(id)).collect();
    let watched = functions.watched(broken);
    let is_meant = |id: MutantId| {
        let function = functions.of(id);
        right.contains(&function) && watched.contains(&function)
    };
    let passing = all.iter().filter(|(_, one)| *one == Outcome::Passes);
    passing.filter(|(id, _)| is_meant(*id)).cloned().collect()
}

/// Returns the mutants that mend the test and break no other, those first that change the fewest tokens. They stand in for the
/// mended code under test. Where a function does nothing any more, that is no mended one.
pub(crate) fn mends(
    all: &[(MutantId, Outcome)],
    others: &OtherTests,
    mutants: &[Mutant],
) -> Vec<MutantId> {
    let right = right(all, &others.broken);
    let is_right = |one: &&Mutant| right.iter().any(|(id, _)| *id == one.id);
    let mends = mutants.iter().filter(is_right);
    let mends = mends.filter(|one| one.operator != Operator::Return);
    let mut mends: Vec<_> = mends.map(|one| (one.n_changed_tokens(), one.id)).collect();
    mends.sort_unstable();
    mends.truncate(MOST_MENDS);
    mends.into_iter().map(|(_, id)| id).collect()
}

/// Returns the outcomes under the mutants that mend the test and break no other.
fn right(
    all: &[(MutantId, Outcome)],
    broken: &BTreeMap<MutantId, usize>,
) -> Vec<(MutantId, Outcome)> {
    let passing = all.iter().filter(|(_, one)| *one == Outcome::Passes);
    let right = passing.filter(|(id, _)| broken.get(id) == Some(&0));
    right.cloned().collect()
}

/// The functions in which mutants are.
pub(crate) struct Functions<'m>(pub(crate) &'m [Mutant]);

/// A function of a file, as the file and the function's path; `None` for a mutant that is not
/// known.
type Function<'m> = Option<(FileId, &'m str)>;

impl<'m> Functions<'m> {
    pub(crate) fn of(&self, id: MutantId) -> Function<'m> {
        let one = self.0.iter().find(|one| one.id == id)?;
        Some((one.file, &one.function))
    }

    /// Makes the choice of these outcomes, whose mutants are all in the function that the bug is
    /// in.
    fn located(&self, outcomes: Vec<(MutantId, Outcome)>) -> Plausible {
        let function = outcomes.first().and_then(|(id, _)| self.of(*id));
        Plausible {
            located_in: function.map(|(_, name)| name.to_owned()),
            outcomes,
        }
    }

    /// Returns the functions that the mutants of some outcomes are in.
    fn of_all(&self, outcomes: &[(MutantId, Outcome)]) -> BTreeSet<Function<'m>> {
        outcomes.iter().map(|(id, _)| self.of(*id)).collect()
    }

    /// Returns the functions in which some mutant breaks a test. What the tests say of others is
    /// not known.
    fn watched(&self, broken: &BTreeMap<MutantId, usize>) -> BTreeSet<Function<'m>> {
        let breaking = broken.iter().filter(|(_, n_broken)| **n_broken > 0);
        breaking.map(|(id, _)| self.of(*id)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assertion, fails, mutant};
    use reduce_mutants::{Options, instrument};
    use reduce_syntax::SourceTree;

    /// Checks the plausible ones of mutants with these outcomes, where the n-th breaks so many
    /// tests.
    #[track_caller]
    fn check(all: &[(Outcome, Option<usize>)], expected: &[u32]) {
        check_of(&[], all, expected);
    }

    /// Checks the plausible mutants where it is known in which functions they are.
    #[track_caller]
    fn check_of(mutants: &[Mutant], all: &[(Outcome, Option<usize>)], expected: &[u32]) {
        let outcomes: Vec<_> = (1..)
            .map(MutantId)
            .zip(all.iter().map(|one| one.0.clone()))
            .collect();
        let others = others(1, all);
        let plausible = plausible(&assertion("left: 1"), &outcomes, &others, mutants);
        let ids: Vec<u32> = plausible.outcomes.iter().map(|(id, _)| id.0).collect();
        assert_eq!(ids, expected);
    }

    /// Makes so many other tests, of which the n-th mutant breaks so many.
    fn others(n_passing: usize, all: &[(Outcome, Option<usize>)]) -> OtherTests {
        let broken = (1..).map(MutantId).zip(all.iter().map(|one| one.1));
        let broken: BTreeMap<_, _> = broken
            .filter_map(|(id, broken)| Some((id, broken?)))
            .collect();
        let seen = broken.iter().filter(|(_, n_broken)| **n_broken > 0);
        OtherTests {
            n_passing,
            seen: seen.map(|(id, _)| *id).collect(),
            broken_in_target: BTreeMap::new(),
            broken,
        }
    }

    /// Makes a mutant for each letter, which is in the function of that name.
    fn in_functions(names: &str) -> Vec<Mutant> {
        let sources = SourceTree::single("a.rs".into(), "fn f(a: u32) -> u32 { a + 1 }".into());
        let one = instrument(&sources, &Options::default()).mutants()[0].clone();
        let each = names.chars().zip((1..).map(MutantId));
        each.map(|(name, id)| Mutant {
            id,
            function: name.to_string(),
            ..one.clone()
        })
        .collect()
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
    fn tests_of_the_own_target_count_first() {
        let all = vec![(fails("left: 2"), Some(5)); 6];
        let outcomes: Vec<_> = (1..)
            .map(MutantId)
            .zip(all.iter().map(|one| one.0.clone()))
            .collect();
        let mut others = others(1, &all);
        others.broken = (1..).map(MutantId).zip([9, 8, 7, 6, 5, 1]).collect();
        others.broken_in_target = (1..).map(MutantId).zip([0, 1, 0, 0, 0, 1]).collect();
        let found = plausible(&assertion("left: 1"), &outcomes, &others, &[]);
        let ids: Vec<u32> = found.outcomes.iter().map(|(id, _)| id.0).collect();
        assert_eq!(ids, [1, 3, 4, 5]);
        others.broken_in_target = (1..).map(MutantId).zip([0; 6]).collect();
        let found = plausible(&assertion("left: 1"), &outcomes, &others, &[]);
        let ids: Vec<u32> = found.outcomes.iter().map(|(id, _)| id.0).collect();
        assert_eq!(ids, [3, 4, 5, 6]);
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
    fn where_the_bug_is_located_what_mends_it_alone_stays() {
        let passes = |broken| (Outcome::Passes, Some(broken));
        let other = |broken| (fails("left: 2"), Some(broken));
        let (of_one, of_two) = (in_functions("fffff"), in_functions("ffggg"));
        let watched = [passes(0), passes(0), passes(0), other(1), other(0)];
        check_of(&of_one, &watched, &[1, 2, 3]);
        check_of(&of_two, &watched, &[1, 2, 3, 5]);
        // Nobody watches the function.
        let unwatched = [passes(0), passes(0), passes(0), other(0), other(0)];
        check_of(&of_one, &unwatched, &[1, 2, 3, 4, 5]);
        // Two may be an accident.
        let few = [passes(0), passes(0), other(1), other(1), other(1)];
        check_of(&of_one, &few, &[1, 2, 3, 4, 5]);
    }

    #[test]
    fn many_tests_that_break_under_all_other_mutants_say_where_the_bug_is() {
        let passes = |broken| (Outcome::Passes, Some(broken));
        let other = |broken| (fails("left: 2"), Some(broken));
        let mut all = vec![passes(0), other(0), passes(3)];
        all.extend(vec![other(1); ENOUGH_SEEN - 1]);
        let check = |all: &[(Outcome, Option<usize>)], names: &str, n_tests: usize| {
            let outcomes: Vec<_> = (1..)
                .map(MutantId)
                .zip(all.iter().map(|one| one.0.clone()))
                .collect();
            let mutants = in_functions(names);
            let others = others(n_tests, all);
            let found = plausible(&assertion("left: 1"), &outcomes, &others, &mutants);
            let ids: Vec<u32> = found.outcomes.iter().map(|(id, _)| id.0).collect();
            found.located_in.map(|function| (function, ids))
        };
        let names = "ffgggggggggg";
        let located = ("f".to_owned(), vec![1, 2]);
        assert_eq!(check(&all, names, ENOUGH_TESTS), Some(located));
        assert_eq!(check(&all, names, ENOUGH_TESTS - 1), None);
        // Another function has a mutant that no test sees.
        assert_eq!(check(&all, "fggggggggggg", ENOUGH_TESTS), None);
        // Under one of them the tests were not run.
        let mut unknown = all.clone();
        unknown[1].1 = None;
        assert_eq!(check(&unknown, names, ENOUGH_TESTS), None);
        // Nothing mends the test.
        let mut unmended = all.clone();
        unmended[0] = other(0);
        assert_eq!(check(&unmended, names, ENOUGH_TESTS), None);
        // The tests break under few.
        assert_eq!(check(&all[..5], names, ENOUGH_TESTS), None);
        // Two that mend it and break nothing are enough, if another one of their function breaks something.
        let two = [passes(0), passes(0), other(1), other(0)];
        let located = ("f".to_owned(), vec![1, 2]);
        assert_eq!(check(&two, "fffg", ENOUGH_TESTS), Some(located));
        assert_eq!(check(&two, "fffg", ENOUGH_TESTS - 1), None);
        assert_eq!(check(&two, "ffgg", ENOUGH_TESTS), None);
        assert_eq!(check(&two, "fgfg", ENOUGH_TESTS), None);
    }

    #[test]
    fn where_nothing_is_known_of_other_tests_all_stay() {
        let other = (fails("left: 2"), None);
        check(&vec![other; 6], &[1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn what_mends_a_test_that_should_panic_breaks_no_other() {
        let text = "fn f(a: u32, b: u32) -> bool { a < b } fn g(a: u32) -> bool { a > 2 }";
        let sources = SourceTree::single("a.rs".into(), text.into());
        let instrumented = instrument(&sources, &Options::default());
        let mutants = instrumented.mutants();
        let [below, above, at_least] =
            ["a <= b", "a > b", "a >= 2"].map(|mutated| mutant(mutants, mutated));
        let all = [below, above, at_least].map(|id| (id, Outcome::Passes));
        let mending = |broken: [usize; 3]| {
            let broken = [below, above, at_least].into_iter().zip(broken).collect();
            let found = mending(&all, &broken, mutants).into_iter();
            found.map(|(id, _)| id).collect::<Vec<_>>()
        };
        assert_eq!(mending([0, 1, 0]), [below, above]);
        assert_eq!(mending([1, 1, 0]), []);
        assert_eq!(mending([0, 0, 0]), []);
    }
}
