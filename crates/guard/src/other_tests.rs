//! Runs the other tests of a target and of its package under the mutants that change the outcome of the failing one: a
//! change of the code under test that mends one test and breaks others is no right one.
//!
//! See docs/decisions/other-tests.md.

use crate::error::GuardError;
use crate::outcome::{OtherTests, Outcome};
use crate::plausible::{Functions, right_of_one_function};
use crate::test_target::TestTarget;
use reduce_mutants::{Mutant, MutantId, Operator};
use reduce_oracle::{Cancel, CrashKind, Signature};
use std::collections::{BTreeMap, BTreeSet};

impl OtherTests {
    /// Runs the other tests, one target after the other, the failing test's own first, under those mutants that break the
    /// fewest tests in the targets before.
    pub(crate) fn run(
        targets: &mut [TestTarget],
        (failure, outcomes): (&Signature, &[(MutantId, Outcome)]),
        mutants: &[Mutant],
        cancel: &Cancel,
    ) -> Result<Self, GuardError> {
        let mut others = Self::default();
        let mut asked = asked(failure, outcomes, mutants);
        for idx in 0..targets.len() {
            let (before, rest) = targets.split_at_mut(idx);
            let target = &mut rest[0];
            if let Some(own) = before.first() {
                target.leave_out_own(own);
            }
            if right_of_one_function(outcomes, &others, mutants).is_some() {
                break;
            }
            let is_first = others.n_passing == 0;
            let before = |id: &MutantId| others.broken.get(id).copied();
            if !is_first {
                asked.retain(|id| before(id).is_some());
                asked.sort_by_key(|id| before(id));
            }
            let Some(tests) = target.tests(&asked, cancel)? else {
                continue;
            };
            asked.retain(|id| target.has(*id));
            asked.truncate(tests.most_mutants);
            let mut broken = BTreeMap::new();
            for id in &asked {
                let here = target.broken_by(*id, cancel)?;
                others.seen.extend((here > 0).then_some(*id));
                broken.insert(*id, before(id).unwrap_or_default() + here);
            }
            others.n_passing += tests.n_passing;
            if idx == 0 {
                others.broken_in_target.clone_from(&broken);
            }
            others.broken = broken;
        }
        Ok(others)
    }
}

/// Chooses the mutants under which the other tests are run: first those that mend the failing test, and last those after which
/// a function does nothing, as these seldom say more than that it is called. Of a test that should panic, all of the functions
/// in which something mends it.
fn asked(
    failure: &Signature,
    outcomes: &[(MutantId, Outcome)],
    mutants: &[Mutant],
) -> Vec<MutantId> {
    let is_return = |id: MutantId| {
        let mut with_id = mutants.iter().filter(|one| one.id == id);
        with_id.any(|one| one.operator == Operator::Return)
    };
    let functions = Functions(mutants);
    let passing = outcomes.iter().filter(|(_, one)| *one == Outcome::Passes);
    let mending: BTreeSet<_> = passing.map(|(id, _)| functions.of(*id)).collect();
    // The other tests may watch the function that mends a test which should panic.
    let is_beside =
        |id: MutantId| failure.kind == CrashKind::NoPanic && mending.contains(&functions.of(id));
    let telling = outcomes
        .iter()
        .filter(|(id, one)| one.differs_from(failure) || is_beside(*id));
    let mut asked: Vec<_> = telling
        .map(|(id, one)| (*one != Outcome::Passes, is_return(*id), *id))
        .collect();
    asked.sort();
    asked.into_iter().map(|(_, _, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assertion, fails, mutant};
    use reduce_mutants::{Options, instrument};
    use reduce_syntax::SourceTree;

    #[test]
    fn mutants_that_mend_the_test_come_first_and_those_that_say_nothing_not_at_all() {
        let text = "fn f(a: u32) -> u32 { a + 1 }";
        let sources = SourceTree::single("a.rs".into(), text.into());
        let instrumented = instrument(&sources, &Options::default());
        let mutants = instrumented.mutants();
        let [returns, minus, zero, two] =
            ["return 0; ", "a - 1", "0", "2"].map(|mutated| mutant(mutants, mutated));
        let outcomes = [
            (returns, Outcome::Passes),
            (minus, fails("left: 2")),
            (zero, Outcome::Passes),
            (two, fails("left: 1")),
        ];
        let asked = asked(&assertion("left: 1"), &outcomes, mutants);
        assert_eq!(asked, [zero, returns, minus]);
        let elsewhere = [(minus, Outcome::Elsewhere)];
        assert_eq!(super::asked(&assertion("left: 1"), &elsewhere, mutants), []);
    }
}
