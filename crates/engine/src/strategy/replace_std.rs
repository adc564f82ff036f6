//! The stage that puts local items in place of those of the standard library, where the user asks for
//! that. They may make the program larger: what counts is that it names less of the library.

use super::forms::try_one_of;
use super::row::Then;
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::{Session, StdLimit};
use reduce_passes::{StdItem, std_items, std_names};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// Replaces as many items of the standard library as possible by local ones, and reduces the program that has these.
/// The end stays if it names less of the library than before. Returns how often it does.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn replace_std(
    session: &mut Session<'_>,
    _: &Methods,
    _: u32,
    then: &Then<'_>,
) -> Result<u64, Failure> {
    if count_names(session.best()) == 0 {
        return Ok(0);
    }
    let mut limit_before = None;
    let work = |session: &mut Session<'_>| {
        if replace_all(session)? {
            limit_before = Some(limit_std(session));
            then(session, 1)?;
        }
        Ok(())
    };
    let has_paid =
        |session: &Session<'_>, end: &Candidate| count_names(end) < count_names(session.best());
    let has_paid = session.on_trial(Stage::ReplaceStd, work, has_paid)?;
    if let (false, Some(limit)) = (has_paid, limit_before) {
        session.mode.restore_std_limit(limit);
    }
    Ok(u64::from(has_paid))
}

/// Limits candidates from now on to names of the standard library that the best program has
/// already.
fn limit_std(session: &mut Session<'_>) -> StdLimit {
    let program = session.best().tree.clone();
    session.mode.limit_std(&program)
}

fn count_names(candidate: &Candidate) -> usize {
    std_names(&candidate.tree).len()
}

/// Replaces one item of the standard library after the other, then those together that could not be
/// replaced alone, such as a type and the trait that it implements. Returns whether any was.
fn replace_all(session: &mut Session<'_>) -> Result<bool, Failure> {
    let mut failed = BTreeSet::new();
    let mut n_replaced = 0;
    while let Some(item) = next_item(&session.best().tree, &failed) {
        let base = session.best().tree.clone();
        let forms = item.forms.iter().map(|edits| edits.apply(&base));
        match try_fewer(session, forms.collect())? {
            true => n_replaced += 1,
            false => drop(failed.insert(item.path)),
        }
        if session.is_cancelled() {
            return Ok(n_replaced > 0);
        }
    }
    if failed.len() > 1 {
        let together = all_replaced(&session.best().tree, failed);
        n_replaced += usize::from(try_fewer(session, vec![together])?);
    }
    Ok(n_replaced > 0)
}

fn next_item(tree: &SourceTree, failed: &BTreeSet<String>) -> Option<StdItem> {
    let mut items = std_items(tree).into_iter();
    items.find(|item| !failed.contains(&item.path))
}

/// Replaces these items of the standard library by the simplest local ones, one after the other.
fn all_replaced(tree: &SourceTree, paths: BTreeSet<String>) -> SourceTree {
    paths.into_iter().fold(tree.clone(), |tree, path| {
        let item = std_items(&tree).into_iter().find(|item| item.path == path);
        let form = item.and_then(|item| item.forms.into_iter().next());
        form.map_or(tree.clone(), |edits| edits.apply(&tree))
    })
}

/// Takes the first of some trees that is interesting, if it names less of the library.
fn try_fewer(session: &mut Session<'_>, mut trees: Vec<SourceTree>) -> Result<bool, Failure> {
    let n_names = count_names(session.best());
    trees.retain(|tree| std_names(tree).len() < n_names);
    try_one_of(session, Stage::ReplaceStd, trees)
}
