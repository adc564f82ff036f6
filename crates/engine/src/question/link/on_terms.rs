//! The call, its digest and the names of what is linked, on the terms of a candidate. Many candidates have the same terms.

use super::super::questioner::{asked, on_terms, stricter};
use super::CompilerOracle;
use crate::candidate::Terms;
use crate::store::Digest;
use reduce_model::Outside;
use reduce_oracle::{Linkage, Plan};
use std::sync::{Arc, PoisonError};

/// The plan, digest and names that follow from the terms of a candidate alone.
pub(super) struct OnTerms {
    /// The call as a person would make it.
    pub(super) plan: Plan,
    pub(super) digest: Digest,
    /// The names that candidates need not define: those of linked crates, and of the rest of their
    /// own.
    pub(super) outside: Arc<Outside>,
}

impl CompilerOracle {
    /// Returns the terms on which the baseline was found.
    pub(crate) fn terms(&self) -> Terms {
        Terms {
            linkage: Arc::new(Linkage::of_plan(&self.plan, self.crates.units())),
            ..Terms::default()
        }
    }

    /// Whether candidates on these terms may have errors besides the failure.
    pub(crate) fn allows_errors(&self, terms: &Terms) -> bool {
        !stricter(&self.property, terms).allowed_errors.is_empty()
    }

    /// Returns the plan with some flags left out, and linked otherwise.
    pub(crate) fn plan(&self, terms: &Terms) -> Plan {
        self.on_terms(terms).plan.clone()
    }

    /// Returns what follows from terms, which is found out once.
    pub(super) fn on_terms(&self, terms: &Terms) -> Arc<OnTerms> {
        let mut known = self.on_terms.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(terms.clone());
        let made = known.or_insert_with(|| {
            let plan = on_terms(&self.plan, &self.removable, &self.crates, terms);
            Arc::new(OnTerms {
                digest: self.digest_of(&plan, terms),
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
    fn digest_of(&self, plan: &Plan, terms: &Terms) -> Digest {
        let property = stricter(&self.property, terms);
        let (plan, property) = asked((plan, &property), self.guard(terms));
        let mut hasher = blake3::Hasher::new();
        hasher.update(&plan.digest(&self.edited));
        hasher.update(&property.digest());
        if let Some(form) = self.essentials.form() {
            hasher.update(form.as_bytes());
        }
        if let Some(marked) = self.marked.as_deref().and_then(|marked| marked.on(terms)) {
            hasher.update(marked.form().as_bytes());
        }
        if let Some(difference) = self.crates.difference(&terms.linkage.modules) {
            hasher.update(format!("{difference:?}").as_bytes());
        }
        *hasher.finalize().as_bytes()
    }
}
