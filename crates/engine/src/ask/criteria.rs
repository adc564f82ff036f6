//! The criteria for candidates: the call that is made for each, what it must show, and what the candidate must keep.
//! They depend on the candidate's compile options.

use super::crates::Crates;
use super::loops::Loops;
use crate::candidate::{Candidate, CompileOptions};
use crate::screen::Prefilter;
use reduce_guard::Guard;
use reduce_oracle::{ArgGroup, FewerDifferences, Plan, Property, Signature, TwoVersions, Variants};
use reduce_syntax::SourceTree;
use std::borrow::Cow;
use std::sync::Arc;

/// The criteria for candidates.
#[derive(Clone)]
pub(super) struct Criteria {
    pub(super) plan: Plan,
    pub(super) property: Arc<Property>,
    /// The arguments that may be left out of the call.
    pub(super) removable: Vec<ArgGroup>,
    pub(super) crates: Arc<Crates>,
    /// The guard that holds candidates to the bug of the original, if there is one.
    pub(super) guard: Option<Arc<dyn Guard>>,
    /// The essentials that no candidate may lose.
    pub(super) prefilter: Arc<Prefilter>,
    pub(super) loops: Option<Loops>,
}

impl Criteria {
    /// Makes the criteria for candidates made from `sources`, without a guard.
    pub(super) fn new(
        plan: Plan,
        crates: Crates,
        property: Property,
        sources: &SourceTree,
    ) -> Self {
        Self {
            removable: plan.unlinked_args(crates.units()),
            prefilter: Arc::new(Prefilter::of(&property, sources)),
            loops: Loops::of(&plan, &property, sources),
            guard: None,
            plan,
            property: Arc::new(property),
            crates: Arc::new(crates),
        }
    }

    /// Returns the guard of candidates with these compile options, if they are guarded.
    pub(super) fn guard(&self, compile_options: &CompileOptions) -> Option<&dyn Guard> {
        let guard = self.guard.as_deref();
        guard.filter(|_| !compile_options.is_unguarded)
    }

    /// Returns the runs by which the guard decides about candidates with these compile options; `None` where a single
    /// run decides.
    pub(super) fn runs(&self, compile_options: &CompileOptions) -> Option<Cow<'_, Variants>> {
        self.guard(compile_options)?.runs(
            &compile_options.linkage,
            compile_options.own_results.as_deref(),
        )
    }

    /// Returns the runs by which the guard decides about the original program, whose linked crates
    /// are all prepared for it.
    pub(super) fn runs_of_original(&self) -> Option<&Variants> {
        self.guard.as_ref()?.runs_of_original()
    }

    /// Returns the property for candidates with these compile options, which may not have some of
    /// the baseline's errors, and may have a failure of their own.
    pub(super) fn property(&self, compile_options: &CompileOptions) -> Property {
        let allowed = self
            .property
            .allowed_errors
            .difference(&compile_options.forbidden);
        Property {
            allowed_errors: allowed.cloned().collect(),
            signature: self.signature(compile_options),
            ..Property::clone(&self.property)
        }
    }

    /// Returns the signature of the failure that candidates with these compile options show.
    pub(super) fn signature(&self, compile_options: &CompileOptions) -> Signature {
        let usual = &self.property.signature;
        match compile_options.own_failure() {
            Some(own) if own.kind == usual.kind => Signature {
                message: own.message.clone(),
                ..usual.clone()
            },
            Some(own) => own.clone(),
            None => usual.clone(),
        }
    }

    /// Says in words which of the essentials of the failure a candidate has lost; `None` if it has all. What a failure of its own needs
    /// in its setup is not known.
    pub(super) fn lost_in(&self, candidate: &Candidate) -> Option<String> {
        let is_own = candidate.compile_options.own_failure().is_some();
        self.prefilter.lost_in(&candidate.tree, !is_own)
    }

    /// Returns the plan by which candidates with these compile options are compiled.
    pub(super) fn plan(&self, compile_options: &CompileOptions) -> Plan {
        let (removable, units) = (&self.removable, self.crates.units());
        let n_own = removable.len();
        let (own, of_first): (Vec<usize>, Vec<usize>) = compile_options
            .left_out
            .iter()
            .partition(|idx| **idx < n_own);
        let left_out: Vec<ArgGroup> = own.iter().map(|&idx| removable[idx].clone()).collect();
        let of_first: Vec<usize> = of_first.iter().map(|idx| idx - n_own).collect();
        let mut fewer =
            self.plan
                .without_args(&left_out)
                .with_fewer_differences(FewerDifferences {
                    left_out: &of_first,
                    shared: &compile_options.shared,
                });
        if compile_options.is_main {
            fewer = fewer.without_harness();
        }
        if let Some(revisions) = compile_options.revisions {
            fewer = fewer.with_versions_named(TwoVersions {
                before: revisions.first,
                after: revisions.second,
            });
        }
        fewer.linked(units, &compile_options.linkage)
    }
}

/// Returns the plan and the property of a query, with the runs that a guard demands if there are some.
pub(super) fn asked(
    (plan, property): (&Plan, &Property),
    runs: Option<&Variants>,
) -> (Plan, Property) {
    match runs {
        Some(runs) => (runs.plan(plan), runs.property(property)),
        None => (plan.clone(), property.clone()),
    }
}
