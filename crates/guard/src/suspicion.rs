//! Finds the suspicious lines of the code under test, by the outcomes under their mutants.
//!
//! The fault may be in a line whose change changes the outcome of the failing test, the more so the fewer other tests
//! the change breaks (Metallaxis: Papadakis and Le Traon, Metallaxis-FL: mutation-based fault localization, 2015,
//! section 3). A change that makes the test pass says more than one that makes it fail in another way (MUSE: Moon,
//! Kim, Kim and Yoo, Ask the mutants: mutating faulty programs for fault localization, 2014, section III).

use crate::diff::unified;
use crate::facts::Facts;
use crate::figures::{CodeUnderTest, Function, Guess, LineChange, SuspiciousLine};
use crate::marked::MutatedCrate;
use crate::outcome::Outcome;
use reduce_mutants::{Mutant, Operator};
use reduce_oracle::Signature;
use reduce_syntax::{FileId, Token, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// The number of characters after which a piece of code in a report is cut off.
const LONGEST_TEXT: usize = 60;

/// Returns the figures of the code under test for the report, where so many candidates were refused
/// under mutants.
pub(crate) fn code_under_test(facts: &Facts, refused: u64) -> CodeUnderTest {
    let runs = Runs::of(facts);
    let ranked = runs.ranked();
    let guess = ranked.first().and_then(|(first, _)| runs.guess(first));
    let lines: Vec<_> = ranked.into_iter().map(|(_, line)| line).collect();
    let count = |n: usize| n as u64;
    CodeUnderTest {
        mutants: facts
            .crates
            .iter()
            .map(|one| count(changes(one).count()))
            .sum(),
        passed: facts
            .crates
            .iter()
            .flat_map(changes)
            .filter(|one| facts.passed.contains(&one.id))
            .count() as u64,
        run: count(facts.outcomes.len()),
        asked: count(facts.asked.len()),
        refused,
        other_tests: count(facts.others.n_passing),
        located_in: facts.located_in.clone(),
        functions: functions(facts, &lines),
        guess,
        lines,
        ..CodeUnderTest::default()
    }
}

/// Returns the mutants of a crate that change the code.
fn changes(one: &MutatedCrate) -> impl Iterator<Item = &Mutant> {
    one.mutants.iter().filter(|mutant| mutant.is_change())
}

/// A run of the test under a mutant.
#[derive(Clone)]
struct Run<'f> {
    /// The index of the crate that the mutant is in.
    krate: usize,
    /// The mutant without parentheses that it does not need.
    mutant: Mutant,
    outcome: &'f Outcome,
    /// The number of other tests that the mutant breaks, if they were run.
    breaks: Option<usize>,
}

/// The rank of a mutant by the suspicion that it casts on its line; the smallest is the most suspicious.
type Rank = (bool, bool, usize, usize);

impl Run<'_> {
    /// Ranks the mutant: one that makes the test pass comes first. Where a function does nothing any
    /// more, that says something of the function, and little of the line. Of those that make it pass and break as many
    /// other tests, the one comes first that changes fewer tokens.
    fn rank(&self) -> Rank {
        let passes = *self.outcome == Outcome::Passes;
        (
            !passes,
            self.mutant.operator == Operator::Return,
            self.breaks.unwrap_or(usize::MAX),
            if passes {
                self.mutant.n_changed_tokens()
            } else {
                0
            },
        )
    }

    /// Whether the mutant mends the test and breaks no other, by a change that somebody may have
    /// meant.
    fn may_be_right(&self) -> bool {
        let (fails, is_return, breaks, _) = self.rank();
        !fails && !is_return && breaks == 0
    }

    fn change(&self) -> LineChange {
        LineChange {
            original: short(&self.mutant.original),
            mutated: short(&self.mutant.mutated),
            failure: match self.outcome {
                Outcome::Passes | Outcome::Elsewhere => None,
                Outcome::Fails(failure) => Some(failure.to_string()),
            },
            breaks: self.breaks.map(|breaks| breaks as u64),
        }
    }
}

/// All runs of the test under mutants.
struct Runs<'f> {
    facts: &'f Facts,
    failure: &'f Signature,
    all: Vec<Run<'f>>,
}

impl<'f> Runs<'f> {
    fn of(facts: &'f Facts) -> Self {
        let outcomes: BTreeMap<_, _> = facts.outcomes.iter().map(|(id, one)| (*id, one)).collect();
        let mutants = facts.crates.iter().enumerate();
        let mutants =
            mutants.flat_map(|(krate, one)| one.mutants.iter().map(move |it| (krate, it)));
        let all = mutants.filter_map(|(krate, mutant)| {
            let outcome = outcomes.get(&mutant.id)?;
            let text = facts.crates[krate].sources.text(mutant.file);
            Some(Run {
                krate,
                mutant: mutant.without_redundant_parentheses(text),
                outcome,
                breaks: facts.others.broken.get(&mutant.id).copied(),
            })
        });
        Self {
            facts,
            failure: &facts.failure,
            all: all.collect(),
        }
    }

    fn krate(&self, run: &Run<'_>) -> &'f MutatedCrate {
        &self.facts.crates[run.krate]
    }

    fn path(&self, run: &Run<'_>) -> String {
        let path = self.krate(run).sources.path(run.mutant.file);
        path.to_string()
    }

    /// Returns the lines that have a mutant which changes the outcome, the most suspicious first, each with its most
    /// suspicious mutant. Among those whose best mutants say the same, the one comes first of which more mutants change it.
    fn ranked(&self) -> Vec<(Run<'f>, SuspiciousLine)> {
        let mut by_line: BTreeMap<(usize, FileId, usize), Vec<&Run<'f>>> = BTreeMap::new();
        for run in &self.all {
            let at = (run.krate, run.mutant.file, run.mutant.line);
            by_line.entry(at).or_default().push(run);
        }
        let mut ranked: Vec<_> = by_line
            .into_values()
            .filter_map(|runs| self.line(&runs))
            .collect();
        ranked.sort_by_cached_key(|(run, silent, _)| (run.rank(), *silent));
        let lines = ranked.into_iter().map(|(run, _, line)| (run, line));
        lines.collect()
    }

    /// Describes a line with its most suspicious mutant, and with how many in a thousand of its
    /// mutants change nothing.
    fn line(&self, runs: &[&Run<'f>]) -> Option<(Run<'f>, usize, SuspiciousLine)> {
        let is_conclusive = |run: &&&Run<'_>| run.outcome.differs_from(self.failure);
        let mut telling: Vec<&Run<'f>> = runs.iter().filter(is_conclusive).copied().collect();
        telling.sort_by_cached_key(|run| run.rank());
        let first = Run::clone(telling.first()?);
        let silent = 1000 * (runs.len() - telling.len()) / runs.len();
        let line = SuspiciousLine {
            file: self.path(&first),
            line: first.mutant.line as u64,
            function: first.mutant.function.clone(),
            run: runs.len() as u64,
            changes: telling.iter().map(|run| run.change()).collect(),
        };
        Some((first, silent, line))
    }

    /// Returns the change of a mutant as a guess at a repair, if it may be right and there are
    /// other tests that say so.
    fn guess(&self, run: &Run<'_>) -> Option<Guess> {
        if !run.may_be_right() {
            return None;
        }
        let (file, edit) = (self.path(run), run.mutant.edit());
        let text = self.krate(run).sources.text(run.mutant.file);
        Some(Guess {
            diff: unified(&file, text, &edit),
            file,
            line: run.mutant.line as u64,
            result_passes: self.facts.asked.contains(&run.mutant.id),
        })
    }
}

/// Returns the functions of the mutants whose places the test comes to; those first that have a
/// suspicious line.
fn functions(facts: &Facts, lines: &[SuspiciousLine]) -> Vec<Function> {
    let mut seen = BTreeSet::new();
    let mut functions = Vec::new();
    for (idx, one) in facts.crates.iter().enumerate() {
        let passed = one
            .mutants
            .iter()
            .filter(|one| facts.passed.contains(&one.id));
        for mutant in passed {
            if seen.insert((idx, mutant.file, mutant.function_range.start)) {
                functions.push(function(one, mutant));
            }
        }
    }
    let place = |function: &Function| {
        let is_in = |line: &SuspiciousLine| {
            line.file == function.file
                && (function.first_line..=function.last_line).contains(&line.line)
        };
        lines.iter().position(is_in).unwrap_or(usize::MAX)
    };
    functions.sort_by_cached_key(place);
    functions
}

/// Returns the function that a mutant is in.
pub(crate) fn function(krate: &MutatedCrate, mutant: &Mutant) -> Function {
    let text = krate.sources.text(mutant.file);
    let line = |byte: usize| 1 + text[..byte].matches('\n').count() as u64;
    let range = &mutant.function_range;
    Function {
        package: krate.package.clone(),
        name: mutant.function.clone(),
        file: krate.sources.path(mutant.file).to_string(),
        first_line: line(range.start + start_of_signature(&text[range.clone()])),
        last_line: line(range.end.saturating_sub(1).max(range.start)),
    }
}

/// Returns the byte at which a function begins after its documentation and attributes.
fn start_of_signature(function: &str) -> usize {
    let mut tokens = tokens(function).into_iter().map(Token::range);
    let word = tokens.find(|range| &function[range.clone()] == "fn");
    word.map_or(0, |range| range.start)
}

/// Writes a piece of code on one line, cut off if it is long.
fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{} ..", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::OtherTests;
    use crate::testing::{assertion, fails, mutant};
    use reduce_mutants::{MutantId, Options, instrument};
    use reduce_syntax::SourceTree;

    const TEXT: &str = "\
/// What a fn is good for.
pub fn price(amount: u32, from: u32) -> u32 {
    if amount > from {
        return 75;
    }
    90
}
pub fn total(amount: u32) -> u32 {
    amount * price(amount, 10)
}
pub fn unused(a: u32) -> u32 {
    a + 1
}
";

    /// Facts where the mutants with these texts have these outcomes, and break so many other tests.
    fn facts(outcomes: &[(&str, Option<&str>, Option<usize>)]) -> Facts {
        let sources = SourceTree::single("src/lib.rs".into(), TEXT.into());
        let mutants = instrument(&sources, &Options::default()).mutants().to_vec();
        let id = |mutated: &str| mutant(&mutants, mutated);
        let passes = |is: bool| match is {
            true => Outcome::Passes,
            false => Outcome::Elsewhere,
        };
        let outcome = |one: Option<&str>| match one {
            Some("elsewhere") => passes(false),
            Some(message) => fails(message),
            None => passes(true),
        };
        let all = outcomes
            .iter()
            .map(|(text, one, _)| (id(text), outcome(*one)));
        let all: Vec<(MutantId, Outcome)> = all.collect();
        let broken = outcomes.iter();
        let broken = broken.filter_map(|(text, _, breaks)| Some((id(text), (*breaks)?)));
        Facts {
            failure: assertion("left: 900"),
            passed: all.iter().map(|(id, _)| *id).collect(),
            unjudged: BTreeSet::new(),
            asked: all.iter().map(|(id, _)| *id).collect(),
            others: OtherTests {
                n_passing: 2,
                broken: broken.collect(),
                ..OtherTests::default()
            },
            located_in: None,
            outcomes: all,
            crates: vec![MutatedCrate {
                is_own: false,
                unit: 0,
                base: "/".into(),
                package: "shop".to_owned(),
                plain: sources.clone(),
                sources,
                mutants,
            }],
        }
    }

    #[track_caller]
    fn check(outcomes: &[(&str, Option<&str>, Option<usize>)], lines: &[u64], guess: Option<u64>) {
        let known = code_under_test(&facts(outcomes), 0);
        let found: Vec<u64> = known.lines.iter().map(|one| one.line).collect();
        assert_eq!(found, lines);
        assert_eq!(known.guess.map(|guess| guess.line), guess);
    }

    #[test]
    fn a_line_is_more_suspicious_if_a_change_mends_the_test_and_breaks_no_other() {
        let mends = ("amount >= from", None, Some(0));
        let breaks = ("amount / price(amount, 10)", None, Some(2));
        let other = ("76", Some("left: 910"), Some(0));
        check(&[mends, breaks, other], &[3, 9, 4], Some(3));
        check(&[breaks, other], &[9, 4], None);
        // A change speaks for nothing where the other tests were not run.
        let unknown = ("amount >= from", None, None);
        check(&[unknown, breaks, other], &[9, 3, 4], None);
    }

    #[test]
    fn of_changes_that_mend_as_well_the_one_of_fewer_tokens_comes_first() {
        let without = ("", None, Some(0));
        let literal = ("76", None, Some(0));
        let known = code_under_test(&facts(&[without, literal]), 0);
        let first = &known.lines[0];
        assert_eq!((first.line, &*first.changes[0].mutated), (4, literal.0));
        assert_eq!(known.guess.map(|guess| guess.line), Some(4));
    }

    #[test]
    fn what_changes_nothing_or_ends_elsewhere_says_nothing() {
        let same = ("amount >= from", Some("left: 900"), Some(0));
        let elsewhere = ("76", Some("elsewhere"), None);
        check(&[same, elsewhere], &[], None);
    }

    #[test]
    fn a_line_of_which_more_mutants_tell_something_comes_first_of_equals() {
        let one = ("76", Some("left: 910"), None);
        let silent = ("amount >= from", Some("left: 900"), None);
        let telling = ("amount < from", Some("left: 7"), None);
        let total = ("amount / price(amount, 10)", Some("left: 7"), None);
        check(&[silent, telling, one, total], &[4, 9, 3], None);
    }

    #[test]
    fn a_function_that_does_nothing_any_more_is_no_guess() {
        let outcomes = [("return 0; ", None, Some(0)), ("76", None, Some(1))];
        check(&outcomes, &[4, 3], None);
    }

    #[test]
    fn the_functions_that_ran_are_told_with_their_lines() {
        let outcomes = [
            ("amount >= from", Some("left: 900"), None),
            ("amount / price(amount, 10)", None, Some(0)),
        ];
        let known = code_under_test(&facts(&outcomes), 3);
        let functions = known.functions.iter();
        let functions = functions.map(|one| (one.name.as_str(), one.first_line, one.last_line));
        let expected = [("total", 8, 10), ("price", 2, 7)];
        assert_eq!(functions.collect::<Vec<_>>(), expected);
        assert_eq!((known.run, known.asked, known.refused), (2, 2, 3));
        let guess = known.guess.expect("one mends it");
        let expected = "\
--- a/src/lib.rs
+++ b/src/lib.rs
@@ -6,7 +6,7 @@
     90
 }
 pub fn total(amount: u32) -> u32 {
-    amount * price(amount, 10)
+    amount / price(amount, 10)
 }
 pub fn unused(a: u32) -> u32 {
     a + 1
";
        assert_eq!(guess.diff, expected);
    }
}
