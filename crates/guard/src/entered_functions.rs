//! Finds which of the functions that candidates have to enter a smaller program still has to enter.
//!
//! A candidate enters a function as long as no mutant in it tells anything: under each the test ends before its failure. Once
//! code has gone that ended it there, a mutant may tell something, or one may leave out the calls that lead there and change nothing.
//!
//! See docs/decisions/mutation-guard.md.

use crate::outcome::Outcome;
use reduce_mutants::{Mutant, MutantId, Operator, by_function};
use reduce_oracle::Signature;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of mutants in one of the functions that are run.
const MOST_IN_FUNCTION: usize = 5;

/// The largest number of mutants that leave code out and are run.
const MOST_LEAVING_OUT: usize = 100;

/// The operators of mutants under which a part of the code is not executed, those first that leave out most.
const LEAVING_OUT: [Operator; 4] = [
    Operator::Return,
    Operator::Statement,
    Operator::Condition,
    Operator::Arm,
];

/// The functions that a program has to enter, as far as runs of it under mutants have not shown that it need not.
pub(crate) struct EnteredFunctions<'m> {
    /// The switches at the beginnings of these functions.
    pub(crate) needed: BTreeSet<MutantId>,
    /// The mutants under which the program is run.
    pub(crate) run: BTreeSet<MutantId>,
    /// The switches at the beginnings of these functions, by the mutants in them.
    entries: BTreeMap<MutantId, MutantId>,
    failure: &'m Signature,
}

impl<'m> EnteredFunctions<'m> {
    /// Chooses the mutants for a program that has to enter functions, and passes these switches: those in the functions, and
    /// those that leave code out. `failure` is the program's without a mutant. A function that the program does not enter any more
    /// was judged before.
    pub(crate) fn new(
        needed: BTreeSet<MutantId>,
        mutants: impl Iterator<Item = &'m Mutant>,
        passed: &BTreeSet<MutantId>,
        failure: &'m Signature,
    ) -> Self {
        let needed = &needed & passed;
        let passed: Vec<&Mutant> = mutants.filter(|one| passed.contains(&one.id)).collect();
        let (mut entries, mut run) = (BTreeMap::new(), BTreeSet::new());
        for function in by_function(passed.iter().copied()) {
            let Some(entry) = function.iter().find(|one| needed.contains(&one.id)) else {
                continue;
            };
            entries.extend(function.iter().map(|one| (one.id, entry.id)));
            let changes = function.iter().filter(|one| one.is_change());
            run.extend(changes.take(MOST_IN_FUNCTION).map(|one| one.id));
        }
        let leaving_out = LEAVING_OUT.into_iter().flat_map(|operator| {
            let passed = passed.iter();
            passed.filter(move |one| one.operator == operator)
        });
        run.extend(leaving_out.take(MOST_LEAVING_OUT).map(|one| one.id));
        Self {
            needed,
            run,
            entries,
            failure,
        }
    }

    /// Learns from the run under a mutant, which has this outcome and has passed these switches.
    pub(crate) fn learn(&mut self, id: MutantId, outcome: &Outcome, passed: &BTreeSet<MutantId>) {
        let Some(told) = outcome.told() else {
            return;
        };
        if let Some(entry) = self.entries.get(&id) {
            self.needed.remove(entry);
        }
        // The failure does not need what the program does not come to.
        if told.as_ref() == Some(self.failure) {
            self.needed.retain(|entry| passed.contains(entry));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assertion, fails};
    use reduce_mutants::{Options, instrument};
    use reduce_syntax::SourceTree;

    const TEXT: &str = "struct S { a: u8 }\n\
        fn make(a: u8) -> S { S { a } }\n\
        fn set(a: u8) { keep(make(a)); }\n\
        fn get(a: u8) -> u8 { a * 2 }\n";

    /// Returns the functions that a program still has to enter which passes all of a text's switches, and has this outcome under a
    /// mutant and passes those of some functions there.
    fn needed(operator: Operator, outcome: &Outcome, passes: &[&str]) -> Vec<String> {
        needed_by(&["get", "make", "set"], operator, outcome, passes)
    }

    /// Returns the functions that a program still has to enter which passes the switches of some functions.
    fn needed_by(
        enters: &[&str],
        operator: Operator,
        outcome: &Outcome,
        passes: &[&str],
    ) -> Vec<String> {
        let sources = SourceTree::single("a.rs".into(), TEXT.into());
        let instrumented = instrument(&sources, &Options::default());
        let mutants = instrumented.mutants();
        let entries = mutants.iter().filter(|one| one.is_at_entry());
        let mut entry_of = BTreeMap::new();
        for one in entries {
            entry_of.entry(one.function.clone()).or_insert(one.id);
        }
        let of = |names: &[&str]| -> BTreeSet<MutantId> {
            let of_them = mutants.iter().filter(|one| names.contains(&&*one.function));
            of_them.map(|one| one.id).collect()
        };
        let failure = assertion("left: 1");
        let entered = entry_of.values().copied().collect();
        let mut functions = EnteredFunctions::new(entered, mutants.iter(), &of(enters), &failure);
        let mutant = mutants.iter().find(|one| one.operator == operator);
        let id = mutant.expect("there is one").id;
        assert!(functions.run.contains(&id));
        functions.learn(id, outcome, &of(passes));
        let still = entry_of
            .into_iter()
            .filter(|(_, id)| functions.needed.contains(id));
        still.map(|(name, _)| name).collect()
    }

    #[test]
    fn a_function_in_which_a_mutant_tells_something_need_not_be_entered() {
        let all = ["get", "make", "set"];
        assert_eq!(
            needed(Operator::Arithmetic, &fails("left: 3"), &all),
            ["make", "set"]
        );
        assert_eq!(
            needed(Operator::Arithmetic, &Outcome::Passes, &all),
            ["make", "set"]
        );
        assert_eq!(needed(Operator::Arithmetic, &Outcome::Elsewhere, &[]), all);
    }

    #[test]
    fn what_is_not_come_to_where_nothing_changes_need_not_be_entered() {
        assert_eq!(
            needed(Operator::Statement, &fails("left: 1"), &["get", "set"]),
            ["get"]
        );
        assert_eq!(
            needed(Operator::Statement, &fails("left: 2"), &["get", "set"]),
            ["get", "make"]
        );
        assert_eq!(
            needed(Operator::Statement, &Outcome::Elsewhere, &["get"]),
            ["get", "make", "set"]
        );
    }

    #[test]
    fn what_the_program_does_not_enter_any_more_was_judged_before() {
        let needed = needed_by(
            &["get", "set"],
            Operator::Statement,
            &Outcome::Elsewhere,
            &[],
        );
        assert_eq!(needed, ["get", "set"]);
    }

    #[test]
    fn functions_of_one_name_are_judged_apart() {
        let text =
            "#[cfg(a)] fn get(a: u8) -> u8 { a * 2 }\n#[cfg(b)] fn get(a: u8) -> u8 { a + 2 }";
        let sources = SourceTree::single("a.rs".into(), text.into());
        let instrumented = instrument(&sources, &Options::default());
        let mutants = instrumented.mutants();
        let all: BTreeSet<MutantId> = mutants.iter().map(|one| one.id).collect();
        let entry = |function: &Vec<&Mutant>| {
            let entry = function.iter().find(|one| one.is_at_entry());
            entry.expect("it has a switch").id
        };
        let functions = by_function(mutants);
        let [first, second] = [entry(&functions[0]), entry(&functions[1])];
        let failure = assertion("left: 1");
        let needed = BTreeSet::from([first, second]);
        let mut entered = EnteredFunctions::new(needed, mutants.iter(), &all, &failure);
        entered.learn(first, &fails("left: 3"), &all);
        assert_eq!(entered.needed, BTreeSet::from([second]));
    }
}
