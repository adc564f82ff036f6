//! Makes once, for all candidates with the same compile options, their compiler call, its digest, and the names in linked crates.
//! Many candidates have the same compile options.

use super::super::criteria::asked;
use super::CompilerOracle;
use crate::candidate::CompileOptions;
use crate::store::Digest;
use reduce_guard::Guard;
use reduce_model::Outside;
use reduce_oracle::{Linkage, Plan};
use std::sync::{Arc, PoisonError};

/// The plan, digest and names that follow from the compile options of a candidate alone.
pub(super) struct WithOptions {
    /// The plan that follows from the compile options, without the runs of a guard.
    pub(super) plan: Plan,
    pub(super) digest: Digest,
    /// The names that candidates need not define: those of linked crates, and those in files of the
    /// crate that are not edited.
    pub(super) outside: Arc<Outside>,
}

impl CompilerOracle {
    /// Returns the compile options with which the baseline was found.
    pub(crate) fn compile_options(&self) -> CompileOptions {
        CompileOptions {
            linkage: Arc::new(Linkage::of_plan(
                &self.criteria.plan,
                self.criteria.crates.units(),
            )),
            ..CompileOptions::default()
        }
    }

    /// Whether candidates with these compile options may have errors besides the failure.
    pub(crate) fn allows_errors(&self, compile_options: &CompileOptions) -> bool {
        !self
            .criteria
            .property(compile_options)
            .allowed_errors
            .is_empty()
    }

    /// Returns the plan for candidates with these compile options: some flags are left out, and
    /// other crates may be linked.
    pub(crate) fn plan(&self, compile_options: &CompileOptions) -> Plan {
        self.with_options(compile_options).plan.clone()
    }

    /// Returns the plan, digest and names for these compile options, which are computed only once.
    pub(super) fn with_options(&self, compile_options: &CompileOptions) -> Arc<WithOptions> {
        let mut known = self
            .with_options
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(compile_options.clone());
        let made = known.or_insert_with(|| {
            let plan = self.criteria.plan(compile_options);
            Arc::new(WithOptions {
                digest: self.digest_of(&plan, compile_options),
                outside: Arc::new(Outside {
                    names: &plan.extern_names() | &self.names_of_rest,
                    compiles_tests: plan.compiles_tests(),
                }),
                plan,
            })
        });
        made.clone()
    }

    /// Computes the digest of all that a verdict depends on but the program itself.
    fn digest_of(&self, plan: &Plan, compile_options: &CompileOptions) -> Digest {
        let property = self.criteria.property(compile_options);
        let guard = self.criteria.guard(compile_options);
        let runs = self.criteria.runs(compile_options);
        let (plan, property) = asked((plan, &property), runs.as_deref());
        let mut hasher = blake3::Hasher::new();
        hasher.update(&plan.digest(&self.workshop.edited));
        hasher.update(&property.digest());
        if let Some(form) = self.criteria.prefilter.form() {
            hasher.update(form.as_bytes());
        }
        if let Some(points) = guard.and_then(Guard::points) {
            hasher.update(points.as_bytes());
        }
        if let Some(difference) = self
            .criteria
            .crates
            .difference(&compile_options.linkage.modules)
        {
            hasher.update(format!("{difference:?}").as_bytes());
        }
        *hasher.finalize().as_bytes()
    }
}
