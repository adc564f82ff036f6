//! Chooses a few of all mutants, those that tell most about a candidate.
//!
//! A mutant tells something if it changes the outcome of the original. Those with different outcomes,
//! in different functions, tell different things, so a few of them refuse most wrong candidates.

use crate::mutant::{Mutant, MutantId};
use std::collections::BTreeSet;

/// Chooses at most `n_wanted` mutants with which the outcomes of a test tell most, the most telling first.
///
/// `outcomes` has what came of the original under each mutant that was run; `None` says that the run did
/// not come to what fails, or to no end, so that nothing follows from it. Mutants whose outcome is the
/// baseline's tell nothing either. Of the others, one for each outcome comes first, then those of other
/// functions, then those of other operators. The same input gives the same choice.
pub fn choose<O: Eq>(
    mutants: &[Mutant],
    baseline: &O,
    outcomes: &[(MutantId, Option<O>)],
    n_wanted: usize,
) -> Vec<MutantId> {
    let outcome_of = |mutant: &Mutant| {
        let (_, outcome) = outcomes.iter().find(|(id, _)| *id == mutant.id)?;
        outcome.as_ref().filter(|outcome| *outcome != baseline)
    };
    let telling = mutants
        .iter()
        .filter_map(|one| Some((one, outcome_of(one)?)));
    let mut left: Vec<(&Mutant, &O)> = telling.collect();
    let mut chosen: Vec<(&Mutant, &O)> = Vec::new();
    while chosen.len() < n_wanted
        && let Some(next) = (0..left.len()).min_by_key(|&idx| count_known(left[idx], &chosen))
    {
        chosen.push(left.remove(next));
    }
    chosen.into_iter().map(|(mutant, _)| mutant.id).collect()
}

/// Counts the chosen mutants that have the same outcome, function or operator as a mutant. The one with the least comes next; the
/// first in the source among equals.
fn count_known<O: Eq>(
    (mutant, outcome): (&Mutant, &O),
    chosen: &[(&Mutant, &O)],
) -> (bool, usize, usize, MutantId) {
    let count = |is_same: &dyn Fn(&Mutant) -> bool| {
        chosen.iter().filter(|(other, _)| is_same(other)).count()
    };
    (
        chosen.iter().any(|(_, other)| *other == outcome),
        count(&|other| (other.file, &other.function) == (mutant.file, &mutant.function)),
        count(&|other| other.operator == mutant.operator),
        mutant.id,
    )
}

/// Returns at most `n_wanted` of the mutants in `passed` that change something, spread over functions and operators, in the order of their
/// numbers.
#[must_use]
pub fn spread(mutants: &[Mutant], passed: &BTreeSet<MutantId>, n_wanted: usize) -> Vec<MutantId> {
    let changes = mutants.iter().filter(|one| one.is_change());
    let changes = changes.map(|one| one.id).filter(|id| passed.contains(id));
    let mut chosen: Vec<MutantId> = changes.collect();
    if chosen.len() > n_wanted {
        let all: Vec<_> = chosen.iter().map(|&id| (id, Some(true))).collect();
        chosen = choose(mutants, &false, &all, n_wanted);
    }
    chosen.sort();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::mutants_of;

    const SOURCE: &str = "
        fn f(a: u8, b: u8) -> u8 { a + b * a }
        fn g(a: u8, b: u8) -> bool { a == b }
    ";

    /// Checks the mutants that are chosen, as they read in the source.
    #[track_caller]
    fn check(outcomes: &[(&str, Option<&str>)], n_wanted: usize, expected: &[&str]) {
        let mutants = mutants_of(SOURCE);
        let by_text = |text: &str| mutants.iter().find(|one| one.mutated == text).unwrap();
        let outcomes: Vec<_> = outcomes
            .iter()
            .map(|(text, outcome)| (by_text(text).id, *outcome))
            .collect();
        let chosen = choose(&mutants, &"fails", &outcomes, n_wanted);
        let texts = chosen.iter().map(|id| {
            let mutant = mutants.iter().find(|one| one.id == *id).unwrap();
            mutant.mutated.as_str()
        });
        assert_eq!(texts.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn mutants_that_change_nothing_or_say_nothing_are_left_out() {
        let outcomes = [
            ("a - b * a", Some("fails")),
            ("b / a", None),
            ("a != b", Some("passes")),
        ];
        check(&outcomes, 5, &["a != b"]);
        check(&[("a - b * a", Some("fails"))], 5, &[]);
    }

    #[test]
    fn another_outcome_comes_before_another_function_and_that_before_another_operator() {
        let outcomes = [
            ("a - b * a", Some("14")),
            ("b / a", Some("15")),
            ("return 0; ", Some("14")),
            ("a != b", Some("14")),
        ];
        check(
            &outcomes,
            9,
            &["return 0; ", "b / a", "a != b", "a - b * a"],
        );
        check(&outcomes, 1, &["return 0; "]);
    }

    #[test]
    fn a_few_of_many_are_of_all_functions() {
        let mutants = mutants_of(SOURCE);
        let all: BTreeSet<MutantId> = mutants.iter().map(|one| one.id).collect();
        let names = |n_wanted: usize| {
            let chosen = spread(&mutants, &all, n_wanted);
            let named = chosen.iter().map(|id| {
                let mutant = mutants.iter().find(|one| one.id == *id).unwrap();
                mutant.function.clone()
            });
            named.collect::<Vec<_>>()
        };
        assert_eq!(names(2), ["f", "g"]);
        assert_eq!(names(100).len(), all.len());
    }
}
