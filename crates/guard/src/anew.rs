//! Judges a test that was written anew from what it did. Under a mutant it need not come to the values of the original, as
//! it has none of the original's own branches. It has to pass under the mends: the mutants under which the original passes,
//! and no other test of the package breaks. From then on it has outcomes of its own, which its candidates keep.
//!
//! See docs/decisions/carving.md.

use crate::outcome::Outcome;
use reduce_oracle::{Came, OriginalRun, Own, OwnResults, Signature, VariantOutcome};
use std::collections::{BTreeMap, BTreeSet};

/// The number of outcomes that are too few to guard a test that was written anew, unless the original had as few.
pub(crate) const FEWEST_OUTCOMES: usize = 2;

/// The judgement about a test that was written anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// The test has the original's outcome under each mutant that is asked, or nothing is asked.
    AsOriginal,
    /// The test shows the same bug as far as the mends say, and has these results.
    OfItsOwn(OwnResults),
    /// The test shows another bug.
    Refused,
}

/// The results that a test which was written anew is compared with.
pub(crate) struct Original<'o> {
    /// The failure where no mutant is on.
    pub(crate) failure: &'o Signature,
    /// The outcomes under the mutants that are asked.
    pub(crate) asked: &'o [VariantOutcome],
    /// The numbers of the mends, as switches are set to them.
    pub(crate) mends: &'o BTreeSet<String>,
    /// The functions that mutants which change the original's outcome are in, by the numbers of these.
    pub(crate) functions: &'o BTreeMap<String, &'o str>,
    /// Whether the test passes the switches that candidates have to pass.
    pub(crate) is_entered: bool,
    /// The switches that candidates of the test have to pass in place of these, where they may be others.
    pub(crate) own_entered: Option<BTreeSet<u32>>,
    /// Whether a test that ends earlier may do without such functions: not where these are to stay in the program.
    pub(crate) may_lose_functions: bool,
}

impl<'o> Original<'o> {
    /// Judges a test that fails in the same way as the original by its outcomes: `outcome` runs it under a mutant. What it comes
    /// to under a mutant by failing elsewhere, as where it takes a value out of an error, says nothing, and is not kept.
    pub(crate) fn judge<E>(
        &self,
        mut outcome: impl FnMut(&str) -> Result<Outcome, E>,
    ) -> Result<Judgement, E> {
        let seen = self.under_asked(&mut outcome)?;
        if self.is_same(&seen) && (self.is_entered || self.own_entered.is_none()) {
            return Ok(Judgement::AsOriginal);
        }
        let mut asked = self.asked.iter().zip(&seen);
        let fails_instead = asked
            .any(|(one, (_, seen))| one.failure.is_none() && matches!(seen, Outcome::Fails(_)));
        if fails_instead {
            return Ok(Judgement::Refused);
        }
        self.judge_by_mends(self.failure, seen, outcome)
    }

    /// Judges a test with a failure of its own, such as one that ends at an earlier value.
    pub(crate) fn judge_with_own<E>(
        &self,
        failure: &Signature,
        mut outcome: impl FnMut(&str) -> Result<Outcome, E>,
    ) -> Result<Judgement, E> {
        let seen = self.under_asked(&mut outcome)?;
        self.judge_by_mends(failure, seen, outcome)
    }

    /// Judges a part of a test that was judged before, which may have another failure: it has to pass under the mends.
    pub(crate) fn judge_part<E>(
        &self,
        failure: &Signature,
        mut outcome: impl FnMut(&str) -> Result<Outcome, E>,
    ) -> Result<Judgement, E> {
        let mut seen = self.under_asked(&mut outcome)?;
        let is_usual = self.failure.is_same_bug(failure, false);
        if is_usual && self.is_entered && self.is_same(&seen) {
            return Ok(Judgement::AsOriginal);
        }
        self.run_under_mends(&mut seen, &mut outcome)?;
        // They came again for the test before.
        Ok(self.judge_by_outcomes(failure, telling(failure, &seen)))
    }

    /// Whether these are the outcomes of the original under the mutants that are asked.
    fn is_same(&self, seen: &[(&str, Outcome)]) -> bool {
        let mut both = self.asked.iter().zip(seen);
        both.all(|(one, (_, seen))| seen.told().as_ref() == Some(&one.failure))
    }

    fn under_asked<E>(
        &self,
        outcome: &mut impl FnMut(&str) -> Result<Outcome, E>,
    ) -> Result<Vec<(&'o str, Outcome)>, E> {
        let mut seen = Vec::new();
        for one in self.asked {
            seen.push((one.setting.as_str(), outcome(&one.setting)?));
        }
        Ok(seen)
    }

    fn judge_by_mends<E>(
        &self,
        failure: &Signature,
        mut seen: Vec<(&'o str, Outcome)>,
        mut outcome: impl FnMut(&str) -> Result<Outcome, E>,
    ) -> Result<Judgement, E> {
        let is_own = failure != self.failure;
        if self.mends.is_empty() && !self.only_ends_well(is_own, &seen) {
            return Ok(Judgement::Refused);
        }
        for function in self.lost_functions(failure, &seen) {
            seen.extend(self.change_in(function, (failure, &seen), &mut outcome)?);
        }
        let may_lose = is_own && self.may_lose_functions;
        if !may_lose && !self.lost_functions(failure, &seen).is_empty() {
            return Ok(Judgement::Refused);
        }
        self.run_under_mends(&mut seen, &mut outcome)?;
        let stable = stable(failure, &seen, &mut outcome)?;
        Ok(self.judge_by_outcomes(failure, stable))
    }

    /// Runs the test under the mends that are not among these outcomes, and adds what it comes to.
    fn run_under_mends<E>(
        &self,
        seen: &mut Vec<(&'o str, Outcome)>,
        mut outcome: impl FnMut(&str) -> Result<Outcome, E>,
    ) -> Result<(), E> {
        for id in self.mends {
            if !seen.iter().any(|(known, _)| known == id) {
                seen.push((id, outcome(id)?));
            }
        }
        Ok(())
    }

    /// Judges a test with these outcomes that tell something: it has to pass under all mends.
    fn judge_by_outcomes(&self, failure: &Signature, outcomes: Vec<VariantOutcome>) -> Judgement {
        let passes = |id: &String| {
            let mut outcomes = outcomes.iter();
            outcomes.any(|one| one.setting == *id && one.failure.is_none())
        };
        let are_enough = outcomes.len() >= FEWEST_OUTCOMES.min(self.asked.len());
        if !are_enough || !self.mends.iter().all(passes) {
            return Judgement::Refused;
        }
        Judgement::OfItsOwn(OwnResults {
            failure: (failure != self.failure).then(|| failure.clone()),
            outcomes,
            entered: self.own_entered.clone(),
        })
    }

    /// Whether the test passes under each mutant that the original passes, and fails under the others by no values that the original
    /// has not there, unless its failure is its own (`is_own`). It may end well where the original goes another way and fails.
    fn only_ends_well(&self, is_own: bool, seen: &[(&str, Outcome)]) -> bool {
        let mut asked = self.asked.iter().zip(seen);
        let is_fine = asked.all(|(one, (_, seen))| match &one.failure {
            None => *seen == Outcome::Passes,
            Some(_) if is_own || !matches!(seen, Outcome::Fails(_)) => true,
            usual => seen.told().as_ref() == Some(usual),
        });
        // That it can end well is known by these.
        is_fine && self.asked.iter().any(|one| one.failure.is_none())
    }

    /// The first mutant of a function under which the test fails otherwise than without, of those that were not tried yet; with
    /// its outcome.
    fn change_in<E>(
        &self,
        function: &str,
        (failure, seen): (&Signature, &[(&str, Outcome)]),
        mut outcome: impl FnMut(&str) -> Result<Outcome, E>,
    ) -> Result<Option<(&'o str, Outcome)>, E> {
        for (id, of) in self.functions {
            if *of == function && !seen.iter().any(|(known, _)| known == id) {
                let found = outcome(id)?;
                if !is_unchanged(failure, &found) {
                    return Ok(Some((id, found)));
                }
            }
        }
        Ok(None)
    }

    /// The functions of which no mutant changes what the test fails by, although one of those that were asked changes that of the original.
    /// A function may be called more than once, and the bug not show in each call: other mutants of it may still matter.
    fn lost_functions(&self, failure: &Signature, seen: &[(&str, Outcome)]) -> BTreeSet<&'o str> {
        let function = |id: &str| self.functions.get(id).copied();
        let asked = self.asked.iter().filter_map(|one| function(&one.setting));
        let changing = seen.iter().filter(|(_, seen)| !is_unchanged(failure, seen));
        let kept: BTreeSet<&str> = changing.filter_map(|(id, _)| function(id)).collect();
        asked.filter(|asked| !kept.contains(asked)).collect()
    }
}

/// The outcomes that tell something.
fn telling(failure: &Signature, seen: &[(&str, Outcome)]) -> Vec<VariantOutcome> {
    let seen = seen.iter();
    let changed = seen.filter(|(_, seen)| !is_unchanged(failure, seen));
    changed
        .filter_map(|(id, seen)| kept_outcome(id, seen))
        .collect()
}

/// The outcomes that tell something, and come again.
fn stable<E>(
    failure: &Signature,
    seen: &[(&str, Outcome)],
    mut outcome: impl FnMut(&str) -> Result<Outcome, E>,
) -> Result<Vec<VariantOutcome>, E> {
    let mut stable = Vec::new();
    for kept in telling(failure, seen) {
        if outcome(&kept.setting)?.told().as_ref() == Some(&kept.failure) {
            stable.push(kept);
        }
    }
    Ok(stable)
}

/// Whether a test has the same outcome under a mutant as without one.
fn is_unchanged(usual: &Signature, seen: &Outcome) -> bool {
    match seen {
        Outcome::Passes | Outcome::Elsewhere => false,
        Outcome::Fails(failure) => usual.is_same_bug(failure, false),
    }
}

fn kept_outcome(id: &str, seen: &Outcome) -> Option<VariantOutcome> {
    Some(VariantOutcome {
        setting: id.to_owned(),
        failure: seen.told()?,
    })
}

/// Reads the outcome of a run under a mutant; `unchanged` is the run without one. A panic in the code under test is wrong whatever
/// the input, so that only passing tells something there.
pub(crate) fn outcome(unchanged: &OriginalRun, run: OriginalRun, own: &Own) -> Outcome {
    let (Came::Fails(at), Came::Fails(there)) = (&unchanged.came, &run.came) else {
        return match run.came {
            Came::Passes => Outcome::Passes,
            _ => Outcome::Elsewhere,
        };
    };
    let is_there = (&at.kind, &at.file, at.position) == (&there.kind, &there.file, there.position);
    match run.compared {
        Came::Fails(failure) if is_there && own.says_expectation(at) => Outcome::Fails(failure),
        _ => Outcome::Elsewhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assertion, fails};
    use std::convert::Infallible;

    /// Judges a test that was written anew by its outcomes under the mutants 1, 2, and so on, each in a function of its own. Of
    /// the original there are the outcomes under the first of them, and `mends` are some of all.
    fn judged(original: &[Option<&str>], mends: &[&str], seen: &[Outcome]) -> Judgement {
        judged_in(["f", "g", "h", "i"], original, mends, seen)
    }

    /// Judges a test by its outcomes under mutants in these functions.
    fn judged_in(
        functions: [&str; 4],
        original: &[Option<&str>],
        mends: &[&str],
        seen: &[Outcome],
    ) -> Judgement {
        judged_with(None, functions, original, mends, seen)
    }

    /// Judges a test with this failure, if it has another than the original, which may do without functions or not.
    fn judged_with(
        own: Option<(&str, bool)>,
        functions: [&str; 4],
        original: &[Option<&str>],
        mends: &[&str],
        seen: &[Outcome],
    ) -> Judgement {
        judged_entering(None, own, functions, original, mends, seen)
    }

    /// Judges a test that passes other switches than candidates have to pass, if there are some: these.
    fn judged_entering(
        entered: Option<u32>,
        own: Option<(&str, bool)>,
        functions: [&str; 4],
        original: &[Option<&str>],
        mends: &[&str],
        seen: &[Outcome],
    ) -> Judgement {
        let functions = (1..).map(|id: usize| id.to_string()).zip(functions);
        let asked = original
            .iter()
            .zip(1..)
            .map(|(failure, id)| VariantOutcome {
                setting: id.to_string(),
                failure: failure.map(assertion),
            });
        let (failure, asked) = (assertion("left: 1"), asked.collect::<Vec<_>>());
        let original = Original {
            failure: &failure,
            asked: &asked,
            mends: &mends.iter().map(|id| (*id).to_owned()).collect(),
            functions: &functions.collect(),
            is_entered: entered.is_none(),
            own_entered: entered.map(|id| BTreeSet::from([id])),
            may_lose_functions: own.is_some_and(|(_, may_lose)| may_lose),
        };
        let outcome = |id: &str| {
            let number: usize = id.parse().expect("it is a number");
            Ok::<_, Infallible>(seen[number - 1].clone())
        };
        let Ok(judgement) = match own {
            Some((own, _)) => original.judge_with_own(&assertion(own), outcome),
            None => original.judge(outcome),
        };
        judgement
    }

    /// Judges a part of a test that fails by `left: 1`, under the mutants 1 and 2, of which both mend it.
    fn judged_part(failure: &str, seen: &[Outcome]) -> Judgement {
        let passes = |id: u32| VariantOutcome {
            setting: id.to_string(),
            failure: None,
        };
        let (usual, asked) = (assertion("left: 1"), [passes(1), passes(2)]);
        let original = Original {
            failure: &usual,
            asked: &asked,
            mends: &["1".to_owned(), "2".to_owned()].into(),
            // Of another function nothing has to be seen in a part.
            functions: &[("3".to_owned(), "f")].into(),
            is_entered: true,
            own_entered: None,
            may_lose_functions: true,
        };
        let outcome = |id: &str| {
            let number: usize = id.parse().expect("it is a number");
            Ok::<_, Infallible>(seen[number - 1].clone())
        };
        let Ok(judgement) = original.judge_part(&assertion(failure), outcome);
        judgement
    }

    #[test]
    fn a_part_has_to_pass_under_all_mends() {
        let passing = [Outcome::Passes, Outcome::Passes];
        assert_eq!(judged_part("left: 1", &passing), Judgement::AsOriginal);
        let Judgement::OfItsOwn(own) = judged_part("left: 7", &passing) else {
            panic!("it passes under all mends");
        };
        assert_eq!(own.failure, Some(assertion("left: 7")));
        let settings = own.outcomes.into_iter().map(|one| one.setting);
        assert_eq!(settings.collect::<Vec<_>>(), ["1", "2"]);
        for other in [fails("left: 8"), Outcome::Elsewhere] {
            let seen = [Outcome::Passes, other];
            assert_eq!(judged_part("left: 7", &seen), Judgement::Refused);
            assert_eq!(judged_part("left: 1", &seen), Judgement::Refused);
        }
    }

    /// Returns the mutants whose outcomes a test keeps that is judged to show the same bug.
    fn kept(judgement: Judgement) -> Vec<String> {
        let Judgement::OfItsOwn(own) = judgement else {
            panic!("{judgement:?}");
        };
        own.outcomes.into_iter().map(|one| one.setting).collect()
    }

    #[test]
    fn a_test_with_the_outcomes_of_the_original_has_none_of_its_own() {
        let seen = [fails("left: 2"), Outcome::Passes];
        let judgement = judged(&[Some("left: 2"), None], &[], &seen);
        assert_eq!(judgement, Judgement::AsOriginal);
        assert_eq!(judged(&[], &["1"], &[]), Judgement::AsOriginal);
    }

    #[test]
    fn other_values_are_its_own_if_it_passes_under_the_mends() {
        let original = [Some("left: 2"), None];
        let seen = [fails("left: 3"), Outcome::Passes];
        assert_eq!(kept(judged(&original, &["2"], &seen)), ["1", "2"]);
        // Nothing says that these values are as good.
        assert_eq!(judged(&original, &[], &seen), Judgement::Refused);
        let seen = [fails("left: 3"), fails("left: 4")];
        assert_eq!(judged(&original, &["2"], &seen), Judgement::Refused);
        // It does not pass under a mend that is not asked.
        let seen = [fails("left: 3"), Outcome::Passes, Outcome::Elsewhere];
        assert_eq!(judged(&original, &["2", "3"], &seen), Judgement::Refused);
    }

    #[test]
    fn without_mends_it_may_end_well_where_the_original_fails_by_other_values() {
        let original = [Some("left: 2"), None, Some("left: 3")];
        let seen = [Outcome::Passes, Outcome::Passes, fails("left: 3")];
        assert_eq!(kept(judged(&original, &[], &seen)), ["1", "2", "3"]);
        let seen = [Outcome::Elsewhere, Outcome::Passes, Outcome::Passes];
        assert_eq!(kept(judged(&original, &[], &seen)), ["2", "3"]);
        // The original passes there.
        let seen = [Outcome::Passes, Outcome::Elsewhere, fails("left: 3")];
        assert_eq!(judged(&original, &[], &seen), Judgement::Refused);
        // Nothing says that these values are as good.
        let seen = [fails("left: 4"), Outcome::Passes, fails("left: 3")];
        assert_eq!(judged(&original, &[], &seen), Judgement::Refused);
        // Nothing says that it can pass where the original does.
        let seen = [Outcome::Passes, Outcome::Passes];
        let original = [Some("left: 2"), Some("left: 3")];
        assert_eq!(judged(&original, &[], &seen), Judgement::Refused);
    }

    #[test]
    fn a_test_that_a_mutant_does_not_change_has_lost_what_it_changes() {
        let original = [Some("left: 2"), None];
        let seen = [fails("left: 1"), Outcome::Passes];
        assert_eq!(judged(&original, &["2"], &seen), Judgement::Refused);
    }

    #[test]
    fn another_call_of_a_function_may_be_lost() {
        let original = [Some("left: 2"), None, Some("left: 3")];
        let seen = [fails("left: 1"), Outcome::Passes, fails("left: 4")];
        let judgement = judged_in(["f", "g", "f", "f"], &original, &["2"], &seen);
        assert_eq!(kept(judgement), ["2", "3"]);
        assert_eq!(judged(&original, &["2"], &seen), Judgement::Refused);
        // One that was not asked still matters.
        let seen = [
            fails("left: 1"),
            Outcome::Passes,
            fails("left: 1"),
            fails("left: 5"),
        ];
        let judgement = judged_in(["f", "g", "f", "f"], &original, &["2"], &seen);
        assert_eq!(kept(judgement), ["2", "4"]);
        let seen = seen.map(|_| fails("left: 1"));
        let judgement = judged_in(["f", "g", "f", "f"], &original, &["2"], &seen);
        assert_eq!(judgement, Judgement::Refused);
        // It passed under a mutant that mends it, and does not any more.
        let seen = [fails("left: 4"), fails("left: 1"), fails("left: 4")];
        let judgement = judged_in(["f", "f", "f", "f"], &original, &["2"], &seen);
        assert_eq!(judgement, Judgement::Refused);
    }

    #[test]
    fn a_test_with_a_failure_of_its_own_has_to_pass_under_the_mends() {
        let original = [Some("left: 2"), None, None];
        let judge_losing = |may_lose, mends: &[&str], seen: &[Outcome]| {
            let own = Some(("left: 7", may_lose));
            judged_with(own, ["f", "g", "h", "i"], &original, mends, seen)
        };
        let judge = |mends: &[&str], seen: &[Outcome]| judge_losing(true, mends, seen);
        // The first mutant changes what comes after the end of this test, and the third, which is no mend, lets the original pass.
        let seen = [fails("left: 7"), Outcome::Passes, fails("left: 8")];
        let Judgement::OfItsOwn(own) = judge(&["2"], &seen) else {
            panic!("it passes under the mend");
        };
        assert_eq!(own.failure, Some(assertion("left: 7")));
        let settings = own.outcomes.iter().map(|one| one.setting.as_str());
        assert_eq!(settings.collect::<Vec<_>>(), ["2", "3"]);
        assert_eq!(judge(&["2", "3"], &seen), Judgement::Refused);
        assert_eq!(judge(&[], &seen), Judgement::Refused);
        // Where the functions stay in the program, the first one has to matter as well.
        let judgement = judge_losing(false, &["2"], &seen);
        assert_eq!(judgement, Judgement::Refused);
    }

    #[test]
    fn a_test_that_comes_to_its_panic_by_another_way_has_to_pass_where_the_original_does() {
        let original = [None, None];
        let passes = [Outcome::Passes, Outcome::Passes];
        let judge = |mends: &[&str], seen: &[Outcome]| {
            let functions = ["f", "g", "h", "i"];
            judged_entering(Some(7), None, functions, &original, mends, seen)
        };
        for mends in [&["2"][..], &[]] {
            let Judgement::OfItsOwn(own) = judge(mends, &passes) else {
                panic!("it passes where the original does");
            };
            assert_eq!(own.entered, Some(BTreeSet::from([7])));
            let one = [Outcome::Passes, Outcome::Elsewhere];
            assert_eq!(judge(mends, &one), Judgement::Refused);
        }
        assert_eq!(judged(&original, &["2"], &passes), Judgement::AsOriginal);
    }

    #[test]
    fn a_mutant_under_which_it_does_not_come_to_its_failure_is_not_asked_any_more() {
        let original = [Some("left: 2"), None, Some("left: 3")];
        let seen = [Outcome::Elsewhere, Outcome::Passes, fails("left: 4")];
        assert_eq!(kept(judged(&original, &["2"], &seen)), ["2", "3"]);
        let seen = [Outcome::Elsewhere, Outcome::Passes, Outcome::Elsewhere];
        assert_eq!(judged(&original, &["2"], &seen), Judgement::Refused);
    }
}
