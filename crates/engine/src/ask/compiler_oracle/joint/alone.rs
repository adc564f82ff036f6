//! The errors of a single candidate, in all the words in which the compiler reports them.

use super::super::super::compiler_tools::Told;
use super::super::super::oracle::Side;
use super::super::CompilerOracle;
use crate::candidate::Candidate;
use crate::failure::Failure;
use reduce_model::Lack;
use reduce_oracle::{Cancel, WholeError};
use reduce_syntax::SourceTree;
use std::sync::PoisonError;

impl CompilerOracle {
    /// Compiles one candidate and returns its errors in all words, for
    /// [`crate::ask::Oracle::errors`].
    pub(in super::super) fn told_errors(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Option<Told>, Failure> {
        let Some(deciding) = self.deciding(&candidate.compile_options) else {
            return Ok(None);
        };
        let side = Side::default();
        let state = self.joint.on(side);
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = match &mut state.worker {
            Some(worker) => worker,
            none => none.insert(self.joint_worker(&deciding.plan, side)?),
        };
        // Definitions that only the runs of the guard call are missed like the rest. Where a point is gone, no slice
        // helps.
        let compile_options = &candidate.compile_options;
        let linked = (&*compile_options.linkage, self.criteria.crates.units());
        let guard = self.criteria.guard(compile_options);
        let screened = guard.and_then(|guard| guard.screen(&candidate.tree, linked).ok());
        let screened = screened.flatten();
        let tree = screened.as_ref().unwrap_or(&candidate.tree);
        let program = tree.to_files();
        let told = worker.whole_errors(&deciding.plan, &program, deciding.extent(), cancel)?;
        Ok(told.map(|(errors, cpu)| {
            let errors = errors.into_iter();
            let lacks = errors.map(|error| lack(error, tree));
            Told {
                errors: lacks.collect(),
                cpu,
            }
        }))
    }
}

fn lack(error: WholeError, tree: &SourceTree) -> Lack {
    let source = error.part.and_then(|(path, bytes)| {
        let text = tree.text(tree.find(&path)?);
        Some(text.get(bytes)?.to_owned())
    });
    Lack {
        code: error.code.unwrap_or_default(),
        message: error.message,
        details: error.details,
        source: source.unwrap_or_default(),
    }
}
