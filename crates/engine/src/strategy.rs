//! Which searches a reduction makes, and the fixpoint over all of them.

mod choices;
mod clean;
mod crates;
mod expand;
mod flags;
mod lists;
mod mains;
mod neighbours;
mod readable;
mod replace_std;
mod rewrites;
mod slices;
mod trees;
mod verify;

use crate::Failure;
use crate::ask::Candidate;
use crate::methods::Methods;
use crate::output::own_and_others;
use crate::request::Closure;
use crate::session::{Again, Session};
pub(crate) use clean::{clean_errors, forbid_errors};
pub(crate) use crates::embed_inputs;
use crates::{merge_crate, open_crate};
pub(crate) use flags::delete_flags;
pub(crate) use mains::run_as_main;
pub(crate) use readable::{lay_out, make_readable};
use reduce_algorithms::tree::TreeOptions;
use reduce_gather::inline_modules;
use reduce_passes::{COARSE_PASSES, FINE_PASSES, PASSES, Pass, STRUCTURAL_PASSES, Work};
use reduce_syntax::SourceTree;
pub(crate) use slices::keep_slice;
pub(crate) use verify::verify_minimal;

/// For a program that is smaller the passes need no more queries without a worklist before them.
const FEWEST_TOKENS_FOR_WORKLIST: u64 = 100;

/// Runs the chosen strategy until a whole round of it brings nothing, or the session is cancelled.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_to_fixpoint(session: &mut Session<'_>, methods: &Methods) -> Result<(), Failure> {
    let mut first_round = 1;
    if let Some(worklist) = methods.staged_worklist() {
        session.begin_round(true);
        merge_files(session, methods)?;
        run_passes(session, methods, COARSE_PASSES, first_round)?;
        run_passes(session, methods, STRUCTURAL_PASSES, first_round)?;
        session.end_phase("items");
        while merge_crate(session, methods, first_round, Again::Smaller)? > 0 {
            session.end_phase("crates");
            session.begin_round(true);
            run_passes(session, methods, COARSE_PASSES, first_round)?;
            run_passes(session, methods, STRUCTURAL_PASSES, first_round)?;
            session.end_phase("their items");
        }
        if session.best().tree.count_tokens() >= FEWEST_TOKENS_FOR_WORKLIST {
            run_tree(session, methods, "worklist", worklist, first_round)?;
        } else {
            run_passes(session, methods, FINE_PASSES, first_round)?;
        }
        first_round += 1;
    }
    run_rounds(session, methods, first_round)?;
    // The modules around a test are gone, or what needed the harness.
    if run_as_main(session, methods)? > 0 {
        run_rounds(session, methods, first_round)?;
    }
    // Macros that are expanded make a larger program, whose reduction may end below this one.
    while expand::expand_macros(session, methods)? {
        run_rounds(session, methods, first_round)?;
    }
    while replace_std::replace_std(session, methods)? {}
    Ok(())
}

/// Rounds of the strategy until one of everything brings nothing.
fn run_rounds(
    session: &mut Session<'_>,
    methods: &Methods,
    first_round: u32,
) -> Result<(), Failure> {
    let mut methods = methods.clone();
    for round in first_round.. {
        merge_files(session, &methods)?;
        merge_crate(session, &methods, round, Again::Smaller)?;
        let accepted = match run_round(session, &mut methods, round)? {
            0 => session.ask_late_again(round)?,
            accepted => accepted,
        };
        if accepted == 0 || session.cancel.is_cancelled() {
            session.end_at_fixpoint();
            return Ok(());
        }
    }
    Ok(())
}

/// One round: first of what did not fail before, then of everything, then of what takes more than
/// one edit. It ends with the first of these that brings something. Returns how much that was.
fn run_round(session: &mut Session<'_>, methods: &mut Methods, round: u32) -> Result<u64, Failure> {
    session.begin_round(true);
    let mut accepted = run_once(session, methods, round)?;
    if accepted > 0 {
        return Ok(accepted);
    }
    // What only seemed to be a user has kept what it uses.
    methods.options.closure = Closure::Alone;
    session.begin_round(false);
    accepted = run_once(session, methods, round)?;
    if accepted == 0 {
        accepted = merge_crate(session, methods, round, Again::Changed)?;
    }
    if accepted == 0 {
        accepted = open_crate(session, methods, round)?;
    }
    if accepted == 0 {
        accepted = delete_with_users(session, methods, round)?;
    }
    if accepted == 0 {
        accepted = neighbours::delete_neighbours(session, methods, round)?;
    }
    if accepted == 0 {
        accepted = clean_errors(session, methods, round)?;
    }
    Ok(accepted)
}

/// For what cannot go alone.
fn delete_with_users(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    session.in_stage(
        methods,
        "delete_with_users",
        round,
        lists::delete_with_users,
    )
}

/// The chosen strategy, once. Returns the number of accepted candidates.
fn run_once(session: &mut Session<'_>, methods: &Methods, round: u32) -> Result<u64, Failure> {
    let Some(options) = methods.tree_options() else {
        return run_passes(session, methods, PASSES, round);
    };
    let name = methods.options.strategy.name();
    let accepted = run_tree(session, methods, name, options, round)?;
    let of_no_tree = |pass: &&Pass| matches!(pass.work, Work::Flatten | Work::Rewrite(_));
    let others: Vec<Pass> = PASSES.iter().filter(of_no_tree).copied().collect();
    Ok(accepted + run_passes(session, methods, &others, round)?)
}

fn run_tree(
    session: &mut Session<'_>,
    methods: &Methods,
    name: &str,
    options: TreeOptions,
    round: u32,
) -> Result<u64, Failure> {
    session.in_stage(methods, name, round, |session| {
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
        accepted += run_pass(session, methods, pass, round)?;
    }
    Ok(accepted)
}

/// Makes one file of several, if it still crashes: modules can then be dissolved.
fn merge_files(session: &mut Session<'_>, methods: &Methods) -> Result<(), Failure> {
    let is_wanted = methods.options.passes.contains("merge_files");
    let (own, others) = own_and_others(&session.best().tree);
    match inline_modules(&own).filter(|_| is_wanted) {
        Some(mut tree) => {
            for (path, text) in others {
                tree.add(path, text);
            }
            session.try_instead("merge_files", tree)
        }
        None => Ok(()),
    }
}

fn run_pass(
    session: &mut Session<'_>,
    methods: &Methods,
    pass: &Pass,
    round: u32,
) -> Result<u64, Failure> {
    session.in_stage(methods, pass.name, round, |session| match pass.work {
        Work::Everywhere(kinds) => lists::shorten_everywhere(session, methods, kinds),
        Work::ByLevel(kinds) => lists::shorten_by_level(session, methods, kinds),
        Work::Replace(categories, replacing) => choices::replace(session, categories, replacing),
        Work::Flatten => choices::flatten(session),
        Work::Rewrite(rewriter) => rewrites::rewrite(session, rewriter),
    })
}

fn with_tree(base: &Candidate, tree: SourceTree) -> Candidate {
    Candidate {
        tree,
        terms: base.terms.clone(),
    }
}

#[cfg(test)]
mod tests;
