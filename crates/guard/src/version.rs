//! A test that another version passes, without what cannot flow into its failing assertion. No mutant is needed: the
//! other version says whether what is left still shows the bug.

use crate::context::CodePlace;
use crate::context::GuardContext;
use crate::error::GuardError;
use crate::prepared::Prepared;
use crate::trial::Isolated;
use crate::trial::Trial;
use crate::trial::own_files;
use reduce_oracle::{Own, Plan};
use reduce_syntax::SourceTree;
use std::time::Instant;

/// Leaves out what the failure does not need, and lets the assertion compare a part that differs, as long as the other
/// version passes it.
///
/// # Errors
/// Where our own surroundings fail.
pub fn isolate_for_version(
    context: &GuardContext<'_>,
    plan: &Plan,
    original: &SourceTree,
    place: CodePlace<'_>,
) -> Result<Prepared, GuardError> {
    let started = Instant::now();
    let trial = Trial {
        context,
        plan: plan.clone(),
        original,
        has_switches: matches!(place, CodePlace::Within),
        own: Own {
            is_all: context.is_whole,
            ..own_files(plan, original)
        },
        // The code under test is not read here.
        only_reads: false,
        beside: Vec::new(),
    };
    let mut prepared = Prepared::default();
    for narrows in [true, false] {
        let Some(isolated) = trial.isolated(narrows)? else {
            break;
        };
        prepared.runs += isolated.runs;
        if isolated.runs > 0 && trial.passes_elsewhere(&isolated.tree)? {
            take(&mut prepared, isolated);
            break;
        }
        if !isolated.is_narrowed && isolated.changed.is_none() {
            break;
        }
    }
    prepared.time = started.elapsed();
    Ok(prepared)
}

fn take(prepared: &mut Prepared, isolated: Isolated) {
    prepared.isolated = Some(isolated.tree);
    prepared.changed = isolated.changed;
    prepared.is_narrowed = isolated.is_narrowed;
}

impl Trial<'_> {
    /// Whether a program shows with the other version what it must.
    fn passes_elsewhere(&self, tree: &SourceTree) -> Result<bool, GuardError> {
        let mut worker = self.worker("for-version")?;
        let cancel = self.context.cancel;
        Ok(worker.holds_elsewhere(&self.plan, &tree.to_files(), cancel)?)
    }
}
