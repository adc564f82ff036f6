//! A search for less difference between two versions that are one text.

use super::alternatives::Alternatives;
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::propose::seed_at;
use crate::session::Session;
use reduce_gather::{Side, narrowed, places_of_difference, version_of};
use reduce_model::Seed;
use reduce_syntax::{FileId, SourceTree};
use std::sync::Arc;

/// Makes parts of the difference common to both versions, as they are in one of them, until each part that is
/// left is needed. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn narrow_difference(
    session: &mut Session<'_>,
    _: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    let mut accepted = 0;
    while !session.is_cancelled() && narrow_once(session)? > 0 {
        accepted += 1;
    }
    Ok(accepted)
}

fn narrow_once(session: &mut Session<'_>) -> Result<u64, Failure> {
    let best = session.best();
    let of_files = with_fewer_files(best).into_iter();
    let files = best.tree.files();
    let within = files.flat_map(|(file, _, text)| {
        let texts = narrowed(text).into_iter();
        texts.map(move |text| best.with_tree(with_text(&best.tree, [(file, text)])))
    });
    let candidates = of_files.chain(within).collect();
    let kind = "less difference";
    Alternatives { candidates, kind }.try_in(session)
}

/// Returns candidates whose two versions differ in fewer files: first in one alone, and then in all but one.
fn with_fewer_files(best: &Candidate) -> Vec<Candidate> {
    let files = best.tree.files();
    let differ = files.filter(|(_, _, text)| !places_of_difference(text).is_empty());
    let common = differ.map(|(file, _, text)| (file, version_of(text, Side::After)));
    let common: Vec<(FileId, String)> = common.collect();
    if common.len() < 2 {
        return Vec::new();
    }
    let alone = (0..common.len()).map(|kept| {
        let others = common.iter().enumerate().filter(|(idx, _)| *idx != kept);
        with_text(&best.tree, others.map(|(_, one)| one.clone()))
    });
    // Of two files, leaving out one is the same as keeping the other alone.
    let without = common.iter().filter(|_| common.len() > 2);
    let without = without.map(|one| with_text(&best.tree, [one.clone()]));
    let trees = alone.chain(without);
    trees.map(|tree| best.with_tree(tree)).collect()
}

fn with_text(tree: &SourceTree, texts: impl IntoIterator<Item = (FileId, String)>) -> SourceTree {
    let mut tree = tree.clone();
    for (file, text) in texts {
        tree.set_text(file, Arc::from(text));
    }
    tree
}

/// Returns the places where the two versions of a program differ, as seeds of a slice.
pub(crate) fn places(tree: &SourceTree) -> Vec<Seed> {
    let files = tree.files();
    let places = files.flat_map(|(file, _, text)| {
        let starts = places_of_difference(text).into_iter();
        starts.map(move |at| seed_at(tree, file, at))
    });
    places.collect()
}
