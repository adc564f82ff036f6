//! The blocks of a program with the code under test in it that no run enters.

use super::CompilerOracle;
use crate::candidate::Candidate;
use crate::failure::Failure;
use reduce_oracle::{Cancel, Plan};
use reduce_syntax::EditSet;

impl CompilerOracle {
    /// Returns the edits that empty the blocks that are entered neither in a run of the program nor in one of the guard.
    /// None where the guard has no such runs.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(super) fn unentered_blocks(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Vec<EditSet>, Failure> {
        let compile_options = &candidate.compile_options;
        let Some(guard) = self.criteria.guard(compile_options) else {
            return Ok(Vec::new());
        };
        let make_worker = |plan: &Plan| self.workshop.worker("blocks", plan);
        let plan = self.plan(compile_options);
        let by = (&plan, &*compile_options.linkage);
        Ok(guard.unentered_blocks(&candidate.tree, by, &make_worker, cancel)?)
    }
}
