//! Which searches a reduction makes, and the fixpoint over all of them.

mod choices;
mod flags;
mod lists;
mod slices;
mod trees;

use crate::Failure;
use crate::ask::Candidate;
use crate::methods::Methods;
use crate::request::Closure;
use crate::session::Session;
pub(crate) use flags::delete_flags;
use reduce_algorithms::tree::TreeOptions;
use reduce_syntax::{COARSE_PASSES, FINE_PASSES, PASSES, Pass, SourceTree, Work, inline_modules};
pub(crate) use slices::keep_slice;

/// For a program that is smaller the passes need no more queries without a worklist before them.
const FEWEST_TOKENS_FOR_WORKLIST: u64 = 100;

/// Runs the chosen strategy until a whole round of it brings nothing, or the session is cancelled.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_to_fixpoint(session: &mut Session<'_>, methods: &Methods) -> Result<(), Failure> {
    let mut first_round = 1;
    if let Some(worklist) = methods.staged_worklist() {
        merge_files(session)?;
        run_passes(session, methods, COARSE_PASSES, first_round)?;
        if session.best().tree.count_tokens() >= FEWEST_TOKENS_FOR_WORKLIST {
            run_tree(session, methods, "worklist", worklist, first_round)?;
        } else {
            run_passes(session, methods, FINE_PASSES, first_round)?;
        }
        first_round += 1;
    }
    let mut methods = methods.clone();
    for round in first_round.. {
        merge_files(session)?;
        let mut accepted = run_round(session, &methods, round)?;
        if accepted == 0 && methods.closes_lists() {
            // What only seemed to be a user has kept what it uses.
            methods.options.closure = Closure::Alone;
            accepted = run_round(session, &methods, round)?;
        }
        if accepted == 0 {
            accepted = delete_with_users(session, round)?;
        }
        if accepted == 0 || session.cancel.is_cancelled() {
            return Ok(());
        }
    }
    Ok(())
}

/// The last stage, for what cannot go alone.
fn delete_with_users(session: &mut Session<'_>, round: u32) -> Result<u64, Failure> {
    session.in_pass("delete_with_users", round, lists::delete_with_users)
}

/// One round of the chosen strategy. Returns the number of accepted candidates.
fn run_round(session: &mut Session<'_>, methods: &Methods, round: u32) -> Result<u64, Failure> {
    let Some(options) = methods.tree_options() else {
        return run_passes(session, methods, PASSES, round);
    };
    let name = methods.options.strategy.name();
    let accepted = run_tree(session, methods, name, options, round)?;
    let modules = PASSES.iter().filter(|pass| pass.work == Work::Flatten);
    let modules: Vec<Pass> = modules.copied().collect();
    Ok(accepted + run_passes(session, methods, &modules, round)?)
}

fn run_tree(
    session: &mut Session<'_>,
    methods: &Methods,
    name: &str,
    options: TreeOptions,
    round: u32,
) -> Result<u64, Failure> {
    if session.cancel.is_cancelled() {
        return Ok(0);
    }
    session.in_pass(name, round, |session| {
        trees::search_tree(session, methods, options)
    })
}

fn run_passes(
    session: &mut Session<'_>,
    methods: &Methods,
    passes: &[Pass],
    round: u32,
) -> Result<u64, Failure> {
    let mut accepted = 0;
    for pass in passes {
        if !session.cancel.is_cancelled() {
            accepted += run_pass(session, methods, pass, round)?;
        }
    }
    Ok(accepted)
}

/// Makes one file of several, if it still crashes: modules can then be dissolved.
fn merge_files(session: &mut Session<'_>) -> Result<(), Failure> {
    match inline_modules(&session.best().tree) {
        Some(tree) => session.try_instead("merge_files", tree),
        None => Ok(()),
    }
}

fn run_pass(
    session: &mut Session<'_>,
    methods: &Methods,
    pass: &Pass,
    round: u32,
) -> Result<u64, Failure> {
    session.in_pass(pass.name, round, |session| match pass.work {
        Work::Everywhere(kinds) => lists::shorten_everywhere(session, methods, kinds),
        Work::ByLevel(kinds) => lists::shorten_by_level(session, methods, kinds),
        Work::Replace(categories, replacing) => choices::replace(session, categories, replacing),
        Work::Flatten => choices::flatten(session),
    })
}

fn with_tree(base: &Candidate, tree: SourceTree) -> Candidate {
    Candidate {
        tree,
        flags: base.flags.clone(),
    }
}

#[cfg(test)]
mod tests;
