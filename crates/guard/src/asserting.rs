//! The functions of the code under test that assert something for their callers.

use crate::marked::MutatedCrate;
use crate::suspicion;
use reduce_mutants::{Mutant, MutantId};
use reduce_oracle::FunctionLines;
use reduce_passes::{functions_of_assertion_macros, is_assertion_name};
use std::collections::BTreeSet;

/// The functions of the code under test that assert something for their callers: those with such a name, and those that
/// panic and that macros with such a name call.
#[derive(Default)]
pub(crate) struct Asserting {
    pub(crate) functions: Vec<FunctionLines>,
    /// The mutants in the asserting functions.
    pub(crate) mutants: BTreeSet<MutantId>,
}

impl Asserting {
    pub(crate) fn of(crates: &[MutatedCrate]) -> Self {
        let mut found = Self::default();
        for one in crates {
            let called = functions_of_assertion_macros(&one.sources);
            let is_asserting = |mutant: &&Mutant| {
                let name = mutant.function.rsplit("::").next().unwrap_or_default();
                let body = &one.sources.text(mutant.file)[mutant.function_range.clone()];
                is_assertion_name(name) || called.contains(name) && body.contains("panic!")
            };
            for mutant in one.mutants.iter().filter(is_asserting) {
                found.add(one, mutant);
            }
        }
        found
    }

    fn add(&mut self, krate: &MutatedCrate, mutant: &Mutant) {
        let function = suspicion::function(krate, mutant);
        let line = |line: u64| u32::try_from(line).unwrap_or(u32::MAX);
        let lines = FunctionLines {
            file: function.file.into(),
            lines: (line(function.first_line), line(function.last_line)),
        };
        if !self.functions.contains(&lines) {
            self.functions.push(lines);
        }
        self.mutants.insert(mutant.id);
    }
}
