//! The mutants of the code under test under which each candidate is run, while that code is linked
//! and once it is merged.
//!
//! See docs/decisions/whole-programs.md.

use crate::anew::FEWEST_OUTCOMES;
use crate::outcomes::Outcomes;
use reduce_mutants::{MUTANT_VARIABLE, MutantId, REACHED_VARIABLE};
use reduce_oracle::{
    Execution, Expected, Linkage, Own, OwnResults, Signature, Switched, VariantOutcome, Variants,
};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The mutants under which candidates are run, so that they keep showing the same bug.
#[derive(Debug, Clone)]
pub(crate) struct AskedMutants {
    /// The mutants under which a candidate is run while the code under test is linked with it.
    linked: Variants,
    /// The mutants under which a candidate is run once a part of the code under test has become a part of the
    /// program. A merged crate is compiled as the test is called, so that there are fewer switches in it. `None`
    /// where it never becomes one.
    merged: Option<Variants>,
}

impl AskedMutants {
    /// Chooses from these outcomes the mutants under which candidates are run; `None` where there is none. `markable` are
    /// those that can be asked once a crate of the code under test has become a part of the program, if it may.
    pub(crate) fn of(
        outcomes: &Outcomes,
        own: Own,
        markable: Option<&BTreeSet<MutantId>>,
        (switched, execution): (Switched, Execution),
    ) -> Option<Self> {
        if outcomes.asked.is_empty() {
            return None;
        }
        let asked = outcomes.asked.clone();
        let linked = Expected {
            variable: MUTANT_VARIABLE.to_owned(),
            failure: outcomes.failure.clone(),
            outcomes: under_mutants(match markable {
                Some(_) => both(asked, &outcomes.asked_when_merged),
                None => asked,
            }),
            record: REACHED_VARIABLE.to_owned(),
            entered: numbers(&outcomes.entered),
            calls: None,
            own,
        };
        let merged = markable.map(|markable| Expected {
            outcomes: under_mutants(outcomes.asked_when_merged.clone()),
            entered: numbers(&(&outcomes.entered & markable)),
            ..linked.clone()
        });
        let linked = Variants::new(switched, execution, linked, outcomes.usual);
        Some(Self::new(linked, merged))
    }

    /// Makes the runs of candidates under no mutant, where something else decides.
    pub(crate) fn none(linked: Variants) -> Self {
        Self {
            linked,
            merged: None,
        }
    }

    /// Makes the mutants for candidates that are linked with the code under test; `merged` is for those that have a
    /// part of it themselves, if there may be such.
    fn new(linked: Variants, merged: Option<Expected>) -> Self {
        let merged = merged.map(|expected| linked.expecting(expected));
        Self { linked, merged }
    }

    /// Returns the mutants under which a candidate with this linkage is run. `own` are the results of a test that was
    /// written anew, in place of those of the original.
    pub(crate) fn on(&self, linkage: &Linkage, own: Option<&OwnResults>) -> Cow<'_, Variants> {
        let merged = self.merged.as_ref();
        let merged = merged.filter(|_| !linkage.modules.is_empty());
        let runs = merged.unwrap_or(&self.linked);
        match own {
            Some(own) if merged.is_some() => Cow::Owned(runs.expecting_own(&OwnResults {
                outcomes: among(&own.outcomes, runs),
                ..own.clone()
            })),
            Some(own) => Cow::Owned(runs.expecting_own(own)),
            None => Cow::Borrowed(runs),
        }
    }

    /// Whether the outcomes of a test that was written anew guard it too once the code under test has become a part of the program: there
    /// are fewer switches then.
    pub(crate) fn are_enough_when_merged(&self, own: &[VariantOutcome]) -> bool {
        let Some(merged) = &self.merged else {
            return true;
        };
        let n_asked = merged.outcomes().len();
        among(own, merged).len() >= FEWEST_OUTCOMES.min(n_asked)
    }

    /// Returns the mutants under which the original is run.
    pub(crate) fn linked(&self) -> &Variants {
        &self.linked
    }
}

/// Returns those of the outcomes that are under mutants which are asked in these runs.
fn among(own: &[VariantOutcome], runs: &Variants) -> Vec<VariantOutcome> {
    let is_asked = |one: &&VariantOutcome| {
        let mut asked = runs.outcomes().iter();
        asked.any(|other| other.setting == one.setting)
    };
    own.iter().filter(is_asked).cloned().collect()
}

/// Adds to the mutants for linked code those for merged code: what a candidate loses while the code is linked would be
/// missed after that.
fn both<F: Clone>(linked: Vec<(MutantId, F)>, merged: &[(MutantId, F)]) -> Vec<(MutantId, F)> {
    let is_new = |(id, _): &&(MutantId, F)| linked.iter().all(|(other, _)| other != id);
    let merged: Vec<_> = merged.iter().filter(is_new).cloned().collect();
    linked.into_iter().chain(merged).collect()
}

/// Converts the outcomes of the original under mutants into those that the oracle expects of a
/// candidate.
fn under_mutants(outcomes: Vec<(MutantId, Option<Signature>)>) -> Vec<VariantOutcome> {
    let outcomes = outcomes.into_iter();
    let under_mutants = outcomes.map(|(id, failure)| VariantOutcome {
        setting: id.to_string(),
        failure,
    });
    under_mutants.collect()
}

/// Returns the numbers of mutants as the plain integers that the oracle takes.
pub(crate) fn numbers(ids: &BTreeSet<MutantId>) -> BTreeSet<u32> {
    ids.iter().map(|id| id.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_oracle::{CrashKind, Harness, TimeSpent};
    use std::collections::BTreeMap;

    fn expected(mutant: &str) -> Expected {
        Expected {
            variable: "MUTANT".to_owned(),
            failure: Signature::of_kind(CrashKind::Assertion, ""),
            outcomes: vec![VariantOutcome {
                setting: mutant.to_owned(),
                failure: None,
            }],
            record: "RECORD".to_owned(),
            entered: BTreeSet::new(),
            calls: None,
            own: Own::default(),
        }
    }

    #[test]
    fn other_mutants_are_asked_once_a_crate_has_become_a_module() {
        let execution = Execution {
            args: Vec::new(),
            harness: Harness::None,
            env: BTreeMap::new(),
            cwd: "".into(),
            hangs_after: None,
            may_succeed: false,
            links_dynamically: false,
            link_args: vec![],
            input: None,
        };
        let linked = Variants::new(
            Switched::default(),
            execution,
            expected("1"),
            TimeSpent::default(),
        );
        let alone = AskedMutants::new(linked.clone(), None);
        let guard = AskedMutants::new(linked, Some(expected("2")));
        let asked = |guard: &AskedMutants, linkage: &Linkage| -> Vec<String> {
            let variants = guard.on(linkage, None);
            variants.settings().map(|(_, id)| id.to_owned()).collect()
        };
        let merged = Linkage {
            modules: vec![0],
            ..Linkage::default()
        };
        assert_eq!(asked(&guard, &Linkage::default()), ["1"]);
        assert_eq!(asked(&guard, &merged), ["2"]);
        assert_eq!(asked(&alone, &merged), ["1"]);
        // Outcomes of a test that was written anew are asked where there is a switch for them.
        let own = ["1", "2", "3"].map(|setting| VariantOutcome {
            setting: setting.to_owned(),
            failure: None,
        });
        let of_own = |linkage: &Linkage| -> Vec<String> {
            let own = OwnResults {
                failure: None,
                outcomes: own.to_vec(),
                entered: None,
            };
            let variants = guard.on(linkage, Some(&own));
            variants.settings().map(|(_, id)| id.to_owned()).collect()
        };
        assert_eq!(of_own(&Linkage::default()), ["1", "2", "3"]);
        assert_eq!(of_own(&merged), ["2"]);
        assert!(guard.are_enough_when_merged(&own));
        assert!(!guard.are_enough_when_merged(&own[..1]));
        assert!(alone.are_enough_when_merged(&own[..1]));
    }
}
