//! The code under test with switches: the members of the workspace that the test links, and what links those.

use super::compiling::with_switches;
use super::rest::RestOfCrate;
use crate::candidate::sources;
use crate::context::Context;
use crate::failure::Failure;
use crate::marked::MutatedCrate;
use camino::Utf8Path;
use reduce_gather::collect_sources;
use reduce_mutants::{Instrumented, Mutant, MutantId};
use reduce_oracle::{Compiled, Plan, Recompiled, Sources, Switched, Unit};
use reduce_syntax::SourceTree;
use std::sync::Arc;

/// Crates with switches, and their mutants.
pub(super) struct Switches {
    pub(super) switched: Switched,
    /// Those of them that have mutants.
    pub(super) crates: Vec<MutatedCrate>,
    /// The test's own crate, where that is the code under test and is reduced as a whole.
    pub(super) own: Option<SourceTree>,
    /// Compiler runs that it took.
    pub(super) runs: u64,
}

impl Switches {
    /// Compiles the code under test, with the rest of the test's own crate where there is one. A crate that does not compile with switches has none.
    pub(super) fn of(
        context: &Context<'_>,
        plan: &Plan,
        units: &[Unit],
        rest: Option<&RestOfCrate<'_>>,
    ) -> Result<Self, Failure> {
        let site = context.site;
        let dir = site.scratch.join("code-under-test");
        let mut crates = Recompiled::new(plan, units, &site.builds, dir, context.cancel)?;
        let mut mutated: Vec<MutatedCrate> = Vec::new();
        let mut next = MutantId(1);
        // Those that depend on others come first.
        for idx in (0..units.len()).rev() {
            let is_mutated = crates.can_change(idx) && crates.is_member(idx);
            let own = match is_mutated {
                true => mutate(&mut crates, &units[idx], idx, next)?,
                false => None,
            };
            if let Some((sources, instrumented)) = own {
                next = instrumented.next();
                mutated.push(MutatedCrate {
                    unit: idx,
                    base: crates.base(idx),
                    is_own: false,
                    package: units[idx].package.clone(),
                    sources,
                    mutants: instrumented.mutants().to_vec(),
                });
            } else if crates.links_replaced(idx) {
                let as_it_is = Sources::new();
                if crates.compile(idx, &as_it_is)? != Compiled::Yes {
                    mutated.clear();
                    break;
                }
            }
        }
        let (mut switched, mut runs) = crates.finish();
        let mut own = None;
        if let Some(rest) = rest
            && let Some(instrumented) = rest.mutate(context, &switched.plan(plan), next)?
        {
            match rest.tests {
                Some(_) => switched.texts = sources(instrumented.sources()),
                None => own = Some(instrumented.sources().clone()),
            }
            runs += 1;
            mutated.push(MutatedCrate {
                // It is none of them, but the crate that is compiled.
                unit: units.len(),
                base: plan.inputs.tree.clone(),
                is_own: rest.tests.is_none(),
                package: plan.call.crate_name.clone(),
                sources: rest.fixed.clone(),
                mutants: instrumented.mutants().to_vec(),
            });
        }
        Ok(Self {
            switched,
            crates: mutated,
            own,
            runs,
        })
    }

    /// All mutants, in the order of their numbers.
    pub(super) fn mutants(&self) -> Vec<Mutant> {
        let all = self.crates.iter().flat_map(|one| &one.mutants);
        all.cloned().collect()
    }
}

/// The sources of a crate, and the same with switches, compiled; `None` where it has none.
fn mutate(
    crates: &mut Recompiled<'_>,
    unit: &Unit,
    idx: usize,
    first: MutantId,
) -> Result<Option<(SourceTree, Instrumented)>, Failure> {
    let base = crates.base(idx);
    let read = |path: &Utf8Path| {
        let text = std::fs::read_to_string(base.join(path)).ok();
        text.map(Arc::from)
    };
    let root = unit.root.strip_prefix(&base).ok();
    let Some(tree) = root.and_then(|root| collect_sources(root, &read)) else {
        return Ok(None);
    };
    let instrumented = with_switches(&tree, first, |switched| {
        Ok(crates.compile(idx, &sources(switched))?)
    })?;
    Ok(instrumented.map(|instrumented| (tree, instrumented)))
}
