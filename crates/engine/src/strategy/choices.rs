//! Searches that replace parts of a program by something smaller, level by level.

use crate::failure::Failure;
use crate::propose::{Choices, Replacements};
use crate::session::{Session, run_wide};
use reduce_algorithms::Tmin;
use reduce_passes::{Program, flattenings_at_level};
use reduce_syntax::{Category, Replacing, Site, sites_at_level};

/// Runs HOIST's outer loop (Hodován et al., Fig. 8): on each level from the root, TMIN on what may
/// be replaced there. `next_level` gives the first level from a depth on that has something.
fn choose_by_level(
    session: &mut Session<'_>,
    kind: &'static str,
    next_level: impl Fn(&Program, u32) -> Option<(u32, Choices)>,
) -> Result<u64, Failure> {
    let (mut accepted, mut depth) = (0, 0);
    while !session.is_cancelled() {
        let Some((level, choices)) = next_level(&session.program(), depth) else {
            break;
        };
        let mut replacements = Replacements::new(session.best(), kind, choices);
        let fingerprints = replacements.leave_out_failed(&session.ledger.attempts);
        accepted += run_wide(
            session,
            Tmin::new(replacements.alternatives()),
            replacements,
        )?;
        fingerprints
            .into_iter()
            .for_each(|edit| session.ledger.attempts.note_failed(edit));
        depth = level + 1;
    }
    Ok(accepted)
}

/// Replaces nodes of some categories by something smaller, level by level.
pub(super) fn replace(
    session: &mut Session<'_>,
    categories: &[Category],
    replacing: Replacing,
) -> Result<u64, Failure> {
    let kind = match replacing {
        Replacing::Hoist => "hoist",
        Replacing::Smallest => "smallest",
    };
    choose_by_level(session, kind, |program, depth| {
        let (sources, tree) = (program.sources(), program.tree());
        let (level, sites) = sites_at_level(sources, tree, categories, replacing, depth)?;
        Some((level, sites.iter().map(Site::edits).collect()))
    })
}

/// Dissolves modules into their parents, level by level.
pub(super) fn flatten(session: &mut Session<'_>) -> Result<u64, Failure> {
    choose_by_level(session, "flatten", |program, depth| {
        let (level, modules) = flattenings_at_level(program, depth)?;
        let modules = modules.into_iter().map(|edits| vec![edits]);
        Some((level, modules.collect()))
    })
}
