//! The blocks of a program that its runs enter, which switches at their beginnings tell.

use crate::compiling::compiling;
use crate::error::GuardError;
use crate::guard::MakeWorker;
use reduce_mutants::{Instrumented, MutantId, REACHED_VARIABLE, reached, unentered_blocks};
use reduce_oracle::{Came, Cancel, Compiled, Own, Plan};
use reduce_syntax::{EditSet, SourceTree};
use std::collections::BTreeSet;

/// The blocks of a program with switches at their beginnings, and those that some runs have entered.
pub(crate) struct EnteredBlocks {
    instrumented: Instrumented,
    entered: BTreeSet<MutantId>,
    /// Whether the program has passed in one of the runs.
    pub(crate) has_passed: bool,
    /// Whether each run has come to an end of its own.
    pub(crate) has_ended: bool,
}

impl EnteredBlocks {
    /// Compiles a program with as many of its switches as compile, and runs it once with each of these additional variables; `None`
    /// where no switch compiles.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn find<'v>(
        switched: Instrumented,
        (plan, variables): (&Plan, impl Iterator<Item = Option<(&'v str, &'v str)>>),
        make_worker: &MakeWorker<'_>,
        cancel: &Cancel,
    ) -> Result<Option<Self>, GuardError> {
        let mut worker = make_worker(plan)?;
        let compiled = compiling(switched, |tree| {
            let files = tree.to_files();
            Ok(Compiled::of_plan(&mut worker, plan, &files, cancel)?)
        })?;
        let Some(instrumented) = compiled else {
            return Ok(None);
        };
        let mut found = Self {
            instrumented,
            entered: BTreeSet::new(),
            has_passed: false,
            has_ended: true,
        };
        for variable in variables {
            let record = Some(REACHED_VARIABLE);
            let (run, _) = worker.run_original(plan, variable, record, &Own::default(), cancel)?;
            found.has_passed |= matches!(run.came, Came::Passes);
            found.has_ended &= !matches!(run.came, Came::Unfinished);
            found
                .entered
                .extend(reached(&run.record.unwrap_or_default()));
        }
        Ok(Some(found))
    }

    /// Returns the edits that empty the blocks of the program which no run has entered: none where no run has entered any, so that
    /// nothing is known.
    pub(crate) fn empty_others(&self, tree: &SourceTree) -> Vec<EditSet> {
        if self.entered.is_empty() {
            return Vec::new();
        }
        unentered_blocks(tree, self.instrumented.mutants(), &self.entered)
    }
}
