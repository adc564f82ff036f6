//! The facts that runs of the original under mutants have shown.

use crate::marked::MutatedCrate;
use crate::outcome::{OtherTests, Outcome};
use reduce_mutants::{Mutant, MutantId};
use reduce_oracle::Signature;
use std::collections::{BTreeMap, BTreeSet};

/// The facts that runs of the original have shown of the code under test.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    /// The mutated crates.
    pub(crate) crates: Vec<MutatedCrate>,
    /// The failure of the original with switches, without the parts that are not compared.
    pub(crate) failure: Signature,
    /// The mutants whose places in the code the original runs through.
    pub(crate) passed: BTreeSet<MutantId>,
    /// The switches that candidates have to pass because no mutant of their functions says anything.
    pub(crate) unjudged: BTreeSet<MutantId>,
    /// The outcomes of the original under the mutants that it was run with.
    pub(crate) outcomes: Vec<(MutantId, Outcome)>,
    /// The mutants under which each candidate is run.
    pub(crate) asked: Vec<MutantId>,
    /// The outcomes of the package's other tests.
    pub(crate) others: OtherTests,
    /// The function that the bug is probably in, if the mutants say so.
    pub(crate) located_in: Option<String>,
}

impl Facts {
    /// Returns the mutants of all crates.
    pub(crate) fn mutants(&self) -> impl Iterator<Item = &Mutant> {
        self.crates.iter().flat_map(|one| &one.mutants)
    }

    /// Returns the functions that the mutants which change the outcome of the original are in, by the numbers of these.
    pub(crate) fn telling_functions(&self) -> BTreeMap<String, &str> {
        let telling = self.outcomes.iter();
        let telling = telling.filter(|(_, outcome)| outcome.differs_from(&self.failure));
        let telling: BTreeSet<MutantId> = telling.map(|(id, _)| *id).collect();
        let mutants = self.mutants().filter(|one| telling.contains(&one.id));
        mutants
            .map(|one| (one.id.to_string(), one.function.as_str()))
            .collect()
    }
}
