//! The other tests of a target, under the mutants that change what comes of the failing one: a change of the code
//! under test that mends one test and breaks others is no right one.

use super::outcomes::Outcome;
use super::plausible::Functions;
use crate::failure::Failure;
use reduce_mutants::{MUTANT_VARIABLE, Mutant, MutantId, Operator};
use reduce_oracle::{Cancel, CrashKind, Limits, Plan, Signature, TimeSpent, Worker};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A run may take so much time.
const LONGEST: Duration = Duration::from_secs(10);

/// They are run under so many mutants at most, where a run takes so much time. What is chosen depends on these runs, and
/// so these times are far from each other: few tests take about as long.
fn most_mutants(run: Duration) -> usize {
    match run.as_millis() {
        0..50 => 200,
        50..500 => 40,
        500..2500 => 8,
        _ => 0,
    }
}

/// What comes of the other tests.
#[derive(Debug, Clone, Default)]
pub(crate) struct OtherTests {
    /// Those that pass without a mutant.
    pub(crate) passing: BTreeSet<String>,
    /// How many of them do not pass under a mutant, for each that they were run under.
    pub(crate) broken: BTreeMap<MutantId, usize>,
}

impl OtherTests {
    /// Runs the target that lies in the worker.
    pub(super) fn run(
        worker: &mut Worker,
        plan: &Plan,
        (failure, outcomes): (&Signature, &[(MutantId, Outcome)]),
        mutants: &[Mutant],
        cancel: &Cancel,
    ) -> Result<Self, Failure> {
        let mut plan = plan.clone();
        plan.conduct.limits = Limits {
            usual: None,
            longest: LONGEST,
            ..plan.conduct.limits
        };
        let (passing, spent) = worker.passing_tests(&plan, None, cancel)?;
        let mut others = Self {
            passing,
            broken: BTreeMap::new(),
        };
        let most = most_mutants(spent.running + spent.asleep);
        if others.passing.is_empty() {
            return Ok(others);
        }
        // A candidate gets a multiple that is too much for what is run so often.
        plan.conduct.limits.usual = Some(TimeSpent {
            running: spent.running / 4,
            asleep: spent.asleep / 4,
            ..spent
        });
        for id in asked(failure, outcomes, mutants).into_iter().take(most) {
            let number = id.to_string();
            let variable = Some((MUTANT_VARIABLE, number.as_str()));
            let (passing, _) = worker.passing_tests(&plan, variable, cancel)?;
            let broken = others.passing.difference(&passing).count();
            others.broken.insert(id, broken);
        }
        Ok(others)
    }
}

/// The mutants under which they are run: first those that mend the failing test, and last those after which a
/// function does nothing, as these seldom say more than that it is called. Of a test that should panic, all of the functions in
/// which something mends it.
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
    // Whether the other tests watch what mends a test that should panic.
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
    use crate::agreement::testing::{assertion, fails, mutant};
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
