//! Which searches a pass makes, and the fixpoint over all passes.

use crate::Failure;
use crate::ask::{Candidate, Flags};
use crate::search::Proposals;
use crate::session::Session;
use reduce_algorithms::{Replacement, Subset, Tmin, WeightedDdmin, WeightedDdminOptions};
use reduce_syntax::{
    Category, EditSet, List, ListKind, PASSES, Pass, Replacing, Seed, Site, SliceWidth, Slicer,
    SourceTree, SyntaxTree, Work, build_tree, flattenings_at_level, inline_modules, sites_at_level,
};
use std::sync::Arc;
use std::time::Instant;

/// The slices that are tried, one after the other, as [`SliceWidth::body_distance`] and
/// [`SliceWidth::users`].
const SLICES: [(usize, usize); 8] = [
    (0, 0),
    (1, 0),
    (3, 0),
    (usize::MAX, 0),
    (0, 1),
    (1, 1),
    (0, 2),
    (usize::MAX, 2),
];

/// Tries to keep only what is reachable from the definitions that the crash names, first with few
/// bodies, then with more.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn keep_slice(session: &mut Session<'_>, seeds: &[Seed]) -> Result<(), Failure> {
    session.start_pass("keep_slice", 1);
    let started = Instant::now();
    let base = session.best().clone();
    let tree = build_tree(&base.tree);
    let slicer = Slicer::new(&base.tree);
    let slices: Vec<Candidate> = SLICES
        .iter()
        .map(|&(body_distance, users)| SliceWidth {
            body_distance,
            users,
        })
        .filter_map(|width| slicer.slice(&tree, seeds, width))
        .map(|edits| with_tree(&base, edits.apply(&base.tree)))
        .collect();
    if !slices.is_empty() {
        session.search(Tmin::new(vec![slices.len()]), Slices(slices))?;
    }
    session.add_pass_time(started.elapsed());
    Ok(())
}

/// Slices of the crate, the smallest first.
struct Slices(Vec<Candidate>);

impl Proposals<Replacement> for Slices {
    fn candidate(&self, proposal: &Replacement) -> Candidate {
        self.0[proposal.alternative].clone()
    }

    fn accepted(&mut self, _proposal: &Replacement) {}
}

/// Runs all passes until a whole round of them brings nothing, or the session is cancelled.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_to_fixpoint(session: &mut Session<'_>) -> Result<(), Failure> {
    for round in 1.. {
        merge_files(session)?;
        let mut accepted = 0;
        for pass in PASSES {
            if session.cancel.is_cancelled() {
                return Ok(());
            }
            accepted += run_pass(session, pass, round)?;
        }
        if accepted == 0 {
            return Ok(());
        }
    }
    Ok(())
}

/// Makes one file of several, if it still crashes: modules can then be dissolved.
fn merge_files(session: &mut Session<'_>) -> Result<(), Failure> {
    match inline_modules(&session.best().tree) {
        Some(tree) => session.try_instead("merge_files", tree),
        None => Ok(()),
    }
}

fn run_pass(session: &mut Session<'_>, pass: &Pass, round: u32) -> Result<u64, Failure> {
    session.start_pass(pass.name, round);
    let started = Instant::now();
    let accepted = match pass.work {
        Work::Everywhere(kinds) => everywhere(session, kinds),
        Work::ByLevel(kinds) => by_level(session, kinds),
        Work::Replace(categories, replacing) => replace(session, categories, replacing),
        Work::Flatten => flatten(session),
    };
    session.add_pass_time(started.elapsed());
    accepted
}

fn everywhere(session: &mut Session<'_>, kinds: &[ListKind]) -> Result<u64, Failure> {
    let mut tree = build_tree(&session.best().tree);
    tree.lists.retain(|list| kinds.contains(&list.kind));
    shorten(session, tree.lists)
}

/// HDD's outer loop (Misherghi and Su; Hodován et al., Fig. 2): W-ddmin on each level.
fn by_level(session: &mut Session<'_>, kinds: &[ListKind]) -> Result<u64, Failure> {
    let (mut accepted, mut depth) = (0, 0);
    while !session.cancel.is_cancelled() {
        let tree = build_tree(&session.best().tree);
        let Some((level, lists)) = next_level(tree, kinds, depth) else {
            break;
        };
        accepted += shorten(session, lists)?;
        depth = level + 1;
    }
    Ok(accepted)
}

fn next_level(tree: SyntaxTree, kinds: &[ListKind], depth: u32) -> Option<(u32, Vec<List>)> {
    let is_wanted = |list: &List| kinds.contains(&list.kind) && list.depth >= depth;
    let mut lists: Vec<List> = tree.lists.into_iter().filter(is_wanted).collect();
    let level = lists.iter().map(|list| list.depth).min()?;
    lists.retain(|list| list.depth == level);
    Some((level, lists))
}

/// W-ddmin on the elements of some lists, taken as one list.
fn shorten(session: &mut Session<'_>, lists: Vec<List>) -> Result<u64, Failure> {
    let shortening = Shortening::new(session.best(), lists);
    if shortening.elements.is_empty() {
        return Ok(0);
    }
    let search = WeightedDdmin::new(&shortening.weights(), WeightedDdminOptions::default());
    session.search(search, shortening)
}

/// Lists, as one list of elements.
struct Shortening {
    base: Candidate,
    lists: Vec<List>,
    /// For each element its list and its index in it.
    elements: Vec<(usize, usize)>,
}

impl Shortening {
    fn new(base: &Candidate, lists: Vec<List>) -> Self {
        let of_list = |(idx, list): (usize, &List)| {
            (0..list.elements.len())
                .map(|element| (idx, element))
                .collect::<Vec<_>>()
        };
        let elements = lists.iter().enumerate().flat_map(of_list).collect();
        Self {
            base: base.clone(),
            lists,
            elements,
        }
    }

    fn weights(&self) -> Vec<u64> {
        let weight = |&(list, element): &(usize, usize)| self.lists[list].elements[element].weight;
        self.elements.iter().map(weight).collect()
    }
}

impl Proposals<Subset> for Shortening {
    fn candidate(&self, proposal: &Subset) -> Candidate {
        let mut removed: Vec<Vec<usize>> = vec![Vec::new(); self.lists.len()];
        for idx in proposal.removed() {
            let (list, element) = self.elements[idx];
            removed[list].push(element);
        }
        let mut edits = EditSet::new();
        for (list, removed) in self.lists.iter().zip(&removed) {
            list.remove(removed, &mut edits);
        }
        with_tree(&self.base, edits.apply(&self.base.tree))
    }

    fn accepted(&mut self, _proposal: &Subset) {}
}

/// Replacements of one level: for each place its alternatives, the preferred one first.
type Choices = Vec<Vec<EditSet>>;

/// HOIST's outer loop (Hodován et al., Fig. 8): on each level from the root, TMIN on what may be
/// replaced there. `next_level` gives the first level from a depth on that has something.
fn choose_by_level(
    session: &mut Session<'_>,
    next_level: impl Fn(&SourceTree, &SyntaxTree, u32) -> Option<(u32, Choices)>,
) -> Result<u64, Failure> {
    let (mut accepted, mut depth) = (0, 0);
    while !session.cancel.is_cancelled() {
        let base = session.best().clone();
        let tree = build_tree(&base.tree);
        let Some((level, choices)) = next_level(&base.tree, &tree, depth) else {
            break;
        };
        let alternatives = choices.iter().map(Vec::len).collect();
        let replacements = Replacements {
            base,
            choices,
            accepted: EditSet::new(),
        };
        accepted += session.search(Tmin::new(alternatives), replacements)?;
        depth = level + 1;
    }
    Ok(accepted)
}

fn replace(
    session: &mut Session<'_>,
    categories: &[Category],
    replacing: Replacing,
) -> Result<u64, Failure> {
    choose_by_level(session, |sources, tree, depth| {
        let (level, sites) = sites_at_level(sources, tree, categories, replacing, depth)?;
        Some((level, sites.iter().map(Site::edits).collect()))
    })
}

/// Dissolves modules into their parents, level by level.
fn flatten(session: &mut Session<'_>) -> Result<u64, Failure> {
    choose_by_level(session, |sources, tree, depth| {
        let (level, modules) = flattenings_at_level(sources, tree, depth)?;
        Some((
            level,
            modules.into_iter().map(|edits| vec![edits]).collect(),
        ))
    })
}

/// Places of one level; none lies in another.
struct Replacements {
    base: Candidate,
    choices: Choices,
    accepted: EditSet,
}

impl Proposals<Replacement> for Replacements {
    fn candidate(&self, proposal: &Replacement) -> Candidate {
        let mut edits = self.accepted.clone();
        edits.extend(&self.choices[proposal.element][proposal.alternative]);
        with_tree(&self.base, edits.apply(&self.base.tree))
    }

    fn accepted(&mut self, proposal: &Replacement) {
        self.accepted
            .extend(&self.choices[proposal.element][proposal.alternative]);
    }
}

/// Leaves out flags of the compiler call that the crash does not need. Returns how many went.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn delete_flags(session: &mut Session<'_>, n_groups: usize) -> Result<u64, Failure> {
    if n_groups == 0 {
        return Ok(0);
    }
    session.start_pass("delete_flags", 1);
    let started = Instant::now();
    let base = session.best().clone();
    let weights = vec![1; n_groups];
    let search = WeightedDdmin::new(&weights, WeightedDdminOptions::default());
    let accepted = session.search(search, FlagGroups { base });
    session.add_pass_time(started.elapsed());
    accepted
}

struct FlagGroups {
    base: Candidate,
}

impl Proposals<Subset> for FlagGroups {
    fn candidate(&self, proposal: &Subset) -> Candidate {
        let left_out = Arc::new(proposal.removed().collect());
        Candidate {
            tree: self.base.tree.clone(),
            flags: Flags { left_out },
        }
    }

    fn accepted(&mut self, _proposal: &Subset) {}
}

fn with_tree(base: &Candidate, tree: SourceTree) -> Candidate {
    Candidate {
        tree,
        flags: base.flags.clone(),
    }
}

#[cfg(test)]
mod tests;
