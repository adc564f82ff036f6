//! The mutants of the code under test under which each candidate is asked, by what it is linked with.
//!
//! See docs/decisions/whole-programs.md.

use reduce_oracle::{Expected, Linkage, Variants};

/// The mutants that guard candidates.
#[derive(Debug, Clone)]
pub(crate) struct AskedMutants {
    /// The mutants that are asked where the code under test is linked.
    linked: Variants,
    /// The mutants that are asked where a part of the code under test has become a part of the program. A merged
    /// crate is compiled as the test is called, so that there are fewer switches in it. `None` where it never
    /// becomes one.
    merged: Option<Variants>,
}

impl AskedMutants {
    /// Guards candidates that are linked with the code under test; `merged` is expected of those that have a part of it
    /// themselves, if there may be such.
    pub(crate) fn new(linked: Variants, merged: Option<Expected>) -> Self {
        let merged = merged.map(|expected| linked.expecting(expected));
        Self { linked, merged }
    }

    /// Returns the mutants that guard candidates which are linked like this.
    pub(crate) fn on(&self, linkage: &Linkage) -> &Variants {
        let merged = self.merged.as_ref();
        let merged = merged.filter(|_| !linkage.modules.is_empty());
        merged.unwrap_or(&self.linked)
    }

    /// Returns the mutants that guard the original.
    pub(crate) fn linked(&self) -> &Variants {
        &self.linked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_oracle::{
        CrashKind, Execution, Harness, Own, Signature, Switched, TimeSpent, VariantOutcome,
    };
    use std::collections::{BTreeMap, BTreeSet};

    fn expected(mutant: &str) -> Expected {
        Expected {
            variable: "MUTANT".to_owned(),
            failure: Signature {
                kind: CrashKind::Assertion,
                file: None,
                position: None,
                message: String::new(),
                query: None,
                signal: None,
                cycle: Vec::new(),
            },
            outcomes: vec![VariantOutcome {
                setting: mutant.to_owned(),
                failure: None,
            }],
            record: "RECORD".to_owned(),
            entered: BTreeSet::new(),
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
            let mutants = guard.on(linkage).settings();
            mutants.map(|(_, id)| id.to_owned()).collect()
        };
        let merged = Linkage {
            modules: vec![0],
            ..Linkage::default()
        };
        assert_eq!(asked(&guard, &Linkage::default()), ["1"]);
        assert_eq!(asked(&guard, &merged), ["2"]);
        assert_eq!(asked(&alone, &merged), ["1"]);
    }
}
