//! Chooses the mutants under which a test is run where there are too many for all: first some that are spread over all functions,
//! then those near the ones that have changed its outcome.
//!
//! See docs/decisions/mutation-guard.md.

use crate::outcome::Outcome;
use reduce_mutants::{Mutant, MutantId};
use reduce_oracle::Signature;
use reduce_syntax::FileId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The numbers of the mutants that have let the test pass, and of those that have changed its outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Suspicion {
    passing: usize,
    differing: usize,
}

impl Suspicion {
    fn add(&mut self, outcome: &Outcome, failure: &Signature) {
        self.passing += usize::from(*outcome == Outcome::Passes);
        self.differing += usize::from(outcome.differs_from(failure));
    }
}

/// Chooses at most `n_wanted` of the mutants in `passed` under which the test was not run yet, the most suspicious first: of
/// the functions under whose mutants it passes or fails otherwise, and of their lines those first where it does.
pub(crate) fn nearby(
    mutants: &[Mutant],
    passed: &BTreeSet<MutantId>,
    (run, failure): (&[(MutantId, Outcome)], &Signature),
    n_wanted: usize,
) -> Vec<MutantId> {
    let outcomes: BTreeMap<MutantId, &Outcome> = run.iter().map(|(id, one)| (*id, one)).collect();
    let mut lines: BTreeMap<(FileId, usize), Suspicion> = BTreeMap::new();
    let mut functions: BTreeMap<(FileId, &str), Suspicion> = BTreeMap::new();
    for mutant in mutants {
        if let Some(outcome) = outcomes.get(&mutant.id) {
            let line = lines.entry((mutant.file, mutant.line)).or_default();
            line.add(outcome, failure);
            let function = functions.entry((mutant.file, &mutant.function));
            function.or_default().add(outcome, failure);
        }
    }
    let suspicion = |mutant: &Mutant| {
        let line = lines.get(&(mutant.file, mutant.line)).copied();
        let function = functions.get(&(mutant.file, mutant.function.as_str()));
        let (line, function) = (
            line.unwrap_or_default(),
            function.copied().unwrap_or_default(),
        );
        (
            line.passing,
            function.passing,
            line.differing,
            function.differing,
        )
    };
    let left = mutants.iter().filter(|one| {
        one.is_change() && passed.contains(&one.id) && !outcomes.contains_key(&one.id)
    });
    let mut left: Vec<_> = left.map(|one| (Reverse(suspicion(one)), one.id)).collect();
    left.sort_unstable();
    left.truncate(n_wanted);
    left.into_iter().map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assertion, fails, mutant};
    use reduce_mutants::{Options, instrument};
    use reduce_syntax::SourceTree;

    #[test]
    fn what_is_near_a_change_of_the_outcome_comes_first() {
        let text = "fn f(a: u32) -> u32 { a + 10 }\nfn g(a: u32) -> u32 {\n let b = a * 20;\n b << 30\n}\n\
                    fn h(a: u32) -> u32 { a / 40 }";
        let sources = SourceTree::single("a.rs".into(), text.into());
        let instrumented = instrument(&sources, &Options::default());
        let mutants = instrumented.mutants();
        let all: BTreeSet<MutantId> = mutants.iter().map(|one| one.id).collect();
        let [add, multiply, shift, divide] =
            ["a - 10", "a / 20", "b >> 30", "a * 40"].map(|mutated| mutant(mutants, mutated));
        let failure = assertion("left: 1");
        let check = |run: &[(MutantId, Outcome)], expected: &[&str]| {
            let found = nearby(mutants, &all, (run, &failure), expected.len());
            let text = |id: &MutantId| {
                let one = mutants.iter().find(|one| one.id == *id);
                one.map(|one| one.mutated.as_str()).unwrap_or_default()
            };
            assert_eq!(found.iter().map(text).collect::<Vec<_>>(), expected);
        };
        let same = fails("left: 1");
        let run = [
            (add, same.clone()),
            (multiply, Outcome::Elsewhere),
            (shift, fails("left: 2")),
            (divide, same),
        ];
        check(&run, &["31", "0"]);
        // One under which the test passes says more than any that only changes what it fails with.
        let passing = [&run[..3], &[(divide, Outcome::Passes)]].concat();
        check(&passing, &["return 0; ", "return 1; ", "41", "0", "31"]);
    }
}
