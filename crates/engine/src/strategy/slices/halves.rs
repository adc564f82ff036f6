//! Halves of a large crate of which a crash names nothing: some of its items, with all that these need. One query goes without
//! any bodies, and each other one tells where to go on looking.

use super::{MOST_PRINTED, try_in};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Proposals;
use crate::session::Session;
use crate::session::run_search;
use reduce_algorithms::{DdminOptions, List, Subset, WeightedDdmin};
use reduce_model::KnownParts;
use std::ops::RangeInclusive;

/// The sizes, in tokens, of crates that are halved. A smaller one is soon reduced.
const HALVED: RangeInclusive<u64> = 2_000..=MOST_PRINTED;

/// The number of groups into which items are split for each search, so that few queries are lost where halves fail.
const GROUPS: usize = 16;

/// Options of ddmin by which groups are tried alone and left out, each once.
const OPTIONS: DdminOptions = DdminOptions {
    subsets: true,
    ..DdminOptions::ONE_PASS
};

/// Tries to empty all bodies at once, and then halves of all items. Returns how many candidates were accepted.
pub(super) fn keep_halves(session: &mut Session<'_>) -> Result<u64, Failure> {
    if !HALVED.contains(&session.best().tree.count_tokens()) {
        return Ok(0);
    }
    let edits = session.program().model().without_bodies();
    let mut accepted = try_in(session, vec![edits.apply(&session.best().tree)])?;
    let mut names = session
        .tools
        .in_turn(|oracle, cancel| oracle.calls(session.best(), cancel))?;
    if names.is_empty() {
        names = session
            .tools
            .in_turn(|oracle, cancel| oracle.names(session.best(), cancel))?;
    }
    let (base, program) = (session.best().clone(), session.program());
    let Some(parts) = program.model().known_parts(&names) else {
        return Ok(accepted);
    };
    let mut halves = Halves::of(&base, &parts);
    while !session.is_cancelled() {
        let here = halves.search(session)?;
        accepted += here;
        if here == 0 || !halves.split() {
            break;
        }
    }
    Ok(accepted)
}

/// The items of a crate in groups, some of which are to be left out.
struct Halves<'m> {
    base: &'m Candidate,
    parts: &'m KnownParts<'m>,
    /// The items that may still be needed, in the order of the text.
    groups: Vec<Vec<usize>>,
    /// The indices of the groups that the last accepted candidate has.
    kept: Vec<usize>,
}

impl<'m> Halves<'m> {
    fn of(base: &'m Candidate, parts: &'m KnownParts<'m>) -> Self {
        let mut halves = Self {
            base,
            parts,
            groups: vec![(0..parts.len()).collect()],
            kept: vec![0],
        };
        halves.split();
        halves
    }

    /// Makes new groups of the items that are left. Returns whether these are more than there were.
    fn split(&mut self) -> bool {
        let left = self.kept.iter().flat_map(|&group| &self.groups[group]);
        let left: Vec<usize> = left.copied().collect();
        let n_each = left.len().div_ceil(GROUPS).max(1);
        let n_before = self.kept.len();
        self.groups = left.chunks(n_each).map(<[usize]>::to_vec).collect();
        self.kept = (0..self.groups.len()).collect();
        self.groups.len() > n_before
    }

    fn search(&mut self, session: &mut Session<'_>) -> Result<u64, Failure> {
        let weights: Vec<u64> = self.groups.iter().map(|group| group.len() as u64).collect();
        let search = WeightedDdmin::over(List::weighted(weights), OPTIONS);
        run_search(session, search, self)
    }
}

impl Proposals<Subset> for Halves<'_> {
    fn candidate(&self, proposal: &Subset) -> Candidate {
        let kept = proposal.kept().flat_map(|group| &self.groups[group]);
        let edits = self.parts.slice(kept.copied());
        self.base.with_tree(edits.apply(&self.base.tree))
    }

    fn kind(&self, proposal: &Subset) -> &'static str {
        proposal.kind().name()
    }

    fn accepted(&mut self, proposal: &Subset, _program: &Candidate) {
        self.kept = proposal.kept().collect();
    }
}
