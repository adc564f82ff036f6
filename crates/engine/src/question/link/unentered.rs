//! The blocks of a program with the code under test in it that no run enters.

use super::super::questioner::asked;
use super::CompilerOracle;
use crate::candidate::{Candidate, sources};
use crate::failure::Failure;
use reduce_guard::compiling;
use reduce_mutants::{MutantId, REACHED_VARIABLE, reached, unentered_blocks};
use reduce_oracle::{Came, Cancel, Compiled, Own, Worker};
use reduce_syntax::EditSet;
use std::collections::BTreeSet;

impl CompilerOracle {
    /// Returns the edits that empty the blocks that are entered neither in a run of the program nor under any of the mutants
    /// that are asked. None where the code under test is not in the program, where no mutant guards it, and where no run shows
    /// what a mended program may come to.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(super) fn unentered_blocks(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Vec<EditSet>, Failure> {
        let compile_options = &candidate.compile_options;
        let is_merged = !compile_options.linkage.modules.is_empty();
        let agreement = self.guard(compile_options).filter(|_| is_merged);
        let (Some(marked), Some(agreement)) = (&self.marked, agreement) else {
            return Ok(Vec::new());
        };
        let instrumented = marked.with_blocks(&candidate.tree);
        let plan = self.plan(compile_options);
        let (plan, _) = asked((&plan, &self.property), Some(agreement));
        let mut worker = Worker::new(self.scratch.join("blocks"), &plan, &self.edited)?;
        let compiled = compiling(instrumented, |tree| {
            Ok(Compiled::of_plan(
                &mut worker,
                &plan,
                &sources(tree),
                cancel,
            )?)
        })?;
        let Some(instrumented) = compiled else {
            return Ok(Vec::new());
        };
        let mut passed: BTreeSet<MutantId> = BTreeSet::new();
        let mut shows_rest = marked.knows_rest;
        for mutant in std::iter::once(None).chain(agreement.settings().map(Some)) {
            let record = Some(REACHED_VARIABLE);
            let (run, _) = worker.run_original(&plan, mutant, record, &Own::default(), cancel)?;
            shows_rest |= matches!(run.came, Came::Passes);
            passed.extend(reached(&run.record.unwrap_or_default()));
        }
        if !shows_rest || passed.is_empty() {
            return Ok(Vec::new());
        }
        let tree = &candidate.tree;
        Ok(unentered_blocks(tree, instrumented.mutants(), &passed))
    }
}
