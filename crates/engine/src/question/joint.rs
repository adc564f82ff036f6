//! Joint compilations: several candidates are compiled as modules of one crate, which tells of most of those that do not
//! compile that they do not.

use super::link::CompilerOracle;
use crate::candidate::{Candidate, sources};
use crate::failure::Failure;
use reduce_gather::{JointFile, joint_crate};
use reduce_oracle::Cancel;
use std::sync::Arc;

impl CompilerOracle {
    /// Whether errors of a candidate decide, and none of what comes before them ends the compiler.
    fn is_decided_by_errors(&self) -> bool {
        let is_compiler = !self.plan.runs_command() && !self.plan.call.compiler.is_rustdoc();
        let property = &self.property;
        is_compiler && !property.allow_errors && !property.signature.is_of_compiler()
    }

    /// See [`super::Oracle::not_compiling`].
    pub(super) fn joint_errors(
        &self,
        base: &Candidate,
        candidates: &[&Candidate],
        cancel: &Cancel,
    ) -> Result<Option<Vec<usize>>, Failure> {
        let root = base.tree.root();
        let has_one_file = |one: &Candidate| one.tree.files().count() == 1;
        let are_alike = candidates.iter().all(|one| one.terms == base.terms);
        if !are_alike || !has_one_file(base) || !self.is_decided_by_errors() {
            return Ok(None);
        }
        let (plan, mut worker) = self.aside("joint", base)?;
        let file = match base.tree.path(root) == plan.call.root {
            true => JointFile::Root,
            false => JointFile::Module,
        };
        let all = std::iter::once(&base).chain(candidates);
        let texts: Vec<&str> = all.map(|one| one.tree.text(root)).collect();
        let Some(joint) = joint_crate(file, &texts) else {
            return Ok(None);
        };
        let mut tree = base.tree.clone();
        tree.set_text(root, Arc::from(joint.text.as_str()));
        let errors = worker.forbidden_errors(&plan, &self.property, &sources(&tree), cancel)?;
        let errors = errors
            .into_iter()
            .filter(|(path, _)| path == tree.path(root));
        let mut versions: Vec<_> = errors
            .filter_map(|(_, bytes)| joint.version_at(&bytes))
            .collect();
        versions.sort_unstable();
        versions.dedup();
        Ok(match versions.first() {
            // It has an error as a module that it has not alone.
            Some(0) => None,
            _ => Some(versions.into_iter().map(|version| version - 1).collect()),
        })
    }
}
