//! Searches that replace parts of a program by something smaller, level by level.

use super::search::Proposals;
use super::wide::{Together, run_wide};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Fingerprint;
use crate::session::Session;
use crate::trace;
use reduce_algorithms::{Replacement, Tmin};
use reduce_passes::{Program, flattenings_at_level};
use reduce_syntax::{Category, EditSet, EditedTree, Replacing, Site, SourceTree, sites_at_level};

/// Replacements of one level: for each place its alternatives, the preferred one first.
type Choices = Vec<Vec<EditSet>>;

/// Runs HOIST's outer loop (Hodován et al., Fig. 8): on each level from the root, TMIN on what may
/// be replaced there. `next_level` gives the first level from a depth on that has something.
fn choose_by_level(
    session: &mut Session<'_>,
    kind: &'static str,
    next_level: impl Fn(&Program, u32) -> Option<(u32, Choices)>,
) -> Result<u64, Failure> {
    let (mut accepted, mut depth) = (0, 0);
    while !session.is_cancelled() {
        let base = session.best().clone();
        let Some((level, mut choices)) = next_level(&session.program(), depth) else {
            break;
        };
        let fingerprints = leave_out_failed(session, &base.tree, &mut choices);
        let alternatives = choices.iter().map(Vec::len).collect();
        let replacements = Replacements {
            edited: EditedTree::new(base.tree.clone()),
            base,
            choices,
            kind,
            accepted: EditSet::new(),
        };
        accepted += run_wide(session, Tmin::new(alternatives), replacements)?;
        fingerprints
            .into_iter()
            .for_each(|edit| session.ledger.note_failed(edit));
        depth = level + 1;
    }
    Ok(accepted)
}

/// Leaves out the alternatives that this round does not try. Returns what tells the others.
fn leave_out_failed(
    session: &Session<'_>,
    sources: &SourceTree,
    choices: &mut Choices,
) -> Vec<Fingerprint> {
    let (mut left, mut n_all) = (Vec::new(), 0);
    for alternatives in choices {
        n_all += alternatives.len();
        alternatives.retain(|edits| {
            let fingerprint = edits.fingerprint(sources);
            let is_worth_trying = session.ledger.is_worth_trying(&fingerprint);
            left.extend(is_worth_trying.then_some(fingerprint));
            is_worth_trying
        });
    }
    trace::left_out(n_all - left.len());
    left
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

/// Places of one level; none lies in another.
struct Replacements {
    base: Candidate,
    edited: EditedTree,
    choices: Choices,
    kind: &'static str,
    accepted: EditSet,
}

impl Replacements {
    /// Returns the accepted edits together with some replacements more.
    fn edits(&self, proposals: &[Replacement]) -> EditSet {
        let mut edits = self.accepted.clone();
        for one in proposals {
            edits.extend(&self.choices[one.element][one.alternative]);
        }
        edits
    }
}

impl Together<Replacement> for Replacements {
    fn together(&self, proposals: &[Replacement]) -> Candidate {
        self.base
            .with_tree(self.edited.candidate(&self.edits(proposals)))
    }

    fn accepted_together(&mut self, proposals: &[Replacement], program: &Candidate) {
        self.accepted = self.edits(proposals);
        self.edited.accept(&self.accepted, &program.tree);
    }
}

impl Proposals<Replacement> for Replacements {
    fn candidate(&self, proposal: &Replacement) -> Candidate {
        self.together(std::slice::from_ref(proposal))
    }

    fn kind(&self, _proposal: &Replacement) -> &'static str {
        self.kind
    }

    fn accepted(&mut self, proposal: &Replacement, program: &Candidate) {
        self.accepted_together(std::slice::from_ref(proposal), program);
    }
}
