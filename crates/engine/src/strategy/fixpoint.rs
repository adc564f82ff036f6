//! The fixpoint over all searches of a reduction.

use super::at_once::run_at_once;
use super::at_once::run_tree;
use super::crates::merge_crate;
use super::difference::narrow_difference;
use super::expand::expand_macros;
use super::expand_items::expand_items;
use super::fold_values::fold_values;
use super::mains::run_as_main;
use super::put_values::put_values;
use super::recompute::recompute_expected;
use super::replace_std::replace_std;
use super::rounds::{merge_files, run_rounds};
use super::run_pass::run_passes;
use super::slices::keep_reached;
use super::unused::{delete_dead_code, delete_unused};
use crate::Failure;
use crate::methods::Methods;
use crate::request::{Part, Stage, Strategy};
use crate::session::{Again, Session};
use reduce_passes::{COARSE_PASSES, FINE_PASSES, PASSES, Pass, STRUCTURAL_PASSES};

/// The number of tokens below which the passes need no more queries without a worklist before them.
const FEWEST_TOKENS_FOR_WORKLIST: u64 = 100;

/// Runs the chosen strategy until a whole round of it brings nothing, or the session is cancelled.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_to_fixpoint(session: &mut Session<'_>, methods: &Methods) -> Result<(), Failure> {
    let mut first_round = 1;
    if let Some(worklist) = methods.staged_worklist() {
        session.ledger.begin_round(true);
        merge_files(session, methods)?;
        delete_unused(session, methods, first_round)?;
        run_coarse_passes(session, methods, first_round)?;
        put_values(session, methods, first_round)?;
        if methods.is_rough {
            // Code that computes values is large, and its values are known while crates are linked.
            fold_values(session, methods, first_round)?;
        }
        run_at_once(session, methods, STRUCTURAL_PASSES, first_round)?;
        delete_unused(session, methods, first_round)?;
        recompute_expected(session, methods, COARSE_PASSES, first_round)?;
        session.end_part(Part::Items);
        while merge_crate(session, methods, first_round, Again::Smaller)? > 0 {
            session.end_part(Part::Crates);
            session.ledger.begin_round(true);
            narrow_difference(session, methods, first_round)?;
            shorten_items(session, methods, first_round)?;
            expand_items(session, methods, first_round, |session| {
                session.ledger.begin_round(true);
                run_passes(session, methods, inline_macros(), first_round)?;
                shorten_items(session, methods, first_round)
            })?;
            run_at_once(session, methods, STRUCTURAL_PASSES, first_round)?;
            session.end_part(Part::TheirItems);
        }
        let is_large = session.best().tree.count_tokens() >= FEWEST_TOKENS_FOR_WORKLIST;
        if is_large && session.width() == 1 {
            run_tree(
                session,
                methods,
                Stage::Tree(Strategy::Worklist),
                worklist,
                first_round,
            )?;
        } else {
            run_at_once(session, methods, FINE_PASSES, first_round)?;
        }
        first_round += 1;
    }
    run_rounds(session, methods, first_round)?;
    // The modules around a test are gone, or what needed the harness.
    if run_as_main(session, methods)? > 0 {
        run_rounds(session, methods, first_round)?;
    }
    // Macros that are expanded make a larger program, whose reduction may end below this one.
    while expand_macros(session, methods)? {
        run_rounds(session, methods, first_round)?;
    }
    while replace_std(session, methods)? {}
    Ok(())
}

/// Deletes what is dead or unused, and what else goes of the items of a crate that was merged.
fn shorten_items(session: &mut Session<'_>, methods: &Methods, round: u32) -> Result<(), Failure> {
    delete_dead_code(session, methods, round)?;
    keep_reached(session, methods, round)?;
    delete_unused(session, methods, round)?;
    run_coarse_passes(session, methods, round)?;
    delete_dead_code(session, methods, round)?;
    Ok(())
}

/// Returns the pass that expands what macros make besides items.
fn inline_macros() -> impl Iterator<Item = &'static Pass> {
    PASSES.iter().filter(|pass| pass.name == "inline_macros")
}

/// Makes the passes that remove most. Where the bodies of what did not run are empty already, few of the others
/// can be emptied, and less is asked about them once items are gone.
fn run_coarse_passes(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    let (bodies, others) = COARSE_PASSES.split_at(1);
    let passes = match methods.bodies_come_last {
        true => [others, bodies],
        false => [bodies, others],
    };
    run_passes(session, methods, passes.into_iter().flatten(), round)
}
