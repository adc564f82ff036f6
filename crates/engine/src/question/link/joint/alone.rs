//! The errors of a candidate alone, in all words.

use super::super::super::ask::Told;
use super::super::super::questioner::stricter;
use super::super::CompilerOracle;
use super::Deciding;
use crate::candidate::{Candidate, sources};
use crate::failure::Failure;
use reduce_model::Lack;
use reduce_oracle::{Cancel, WholeError};
use reduce_syntax::SourceTree;
use std::sync::PoisonError;

impl CompilerOracle {
    /// See [`crate::question::Oracle::errors`].
    pub(in super::super) fn told_errors(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Option<Told>, Failure> {
        let on_terms = self.on_terms(&candidate.terms);
        let property = stricter(&self.property, &candidate.terms);
        let Some(deciding) = Deciding::of(&on_terms.plan, property) else {
            return Ok(None);
        };
        let mut state = self.joint.0.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = match &mut state.worker {
            Some(worker) => worker,
            none => none.insert(self.joint_worker(&deciding.plan)?),
        };
        // What only the mutants at its points call is missed like the rest. Where a point is gone, no slice helps.
        let marked = self.marked.as_deref();
        let marked = marked.and_then(|marked| marked.on(&candidate.terms));
        let switched = marked.and_then(|one| one.switched(candidate, self.crates.units()).ok());
        let tree = switched.as_ref().unwrap_or(&candidate.tree);
        let program = sources(tree);
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
