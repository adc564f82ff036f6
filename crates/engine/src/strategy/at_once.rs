//! The edits of several passes at once, where a search goes on by waves. One pass alone seldom has as many as a wave takes, so
//! that most workers would have nothing to do, or a joint compilation few candidates.

use super::rewrites::waves_of_each_state;
use super::run_pass::run_passes;
use super::trees;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::{Pass, Program, ROUND_PASSES, Work};
use reduce_syntax::EditSet;

/// The part of a program's tokens, in per cent, that a wave has to bring for another one to follow before the next stage.
const LEAST_OF_WAVE: u64 = 3;
/// The number of tokens above which the edits of a program are not all looked at: it has too many, of
/// which most would be void.
const MOST_TOKENS: u64 = 4_000;

/// Makes several passes: one after the other, or, where a search goes on by waves, their single edits together. Where
/// a round tries all edits, lists follow, of which several elements may go together.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn run_at_once(
    session: &mut Session<'_>,
    methods: &Methods,
    passes: impl IntoIterator<Item = &'static Pass>,
    round: u32,
) -> Result<u64, Failure> {
    let passes: Vec<&'static Pass> = passes.into_iter().collect();
    let is_small = session.best().tree.count_tokens() <= MOST_TOKENS;
    let is_wanted = session.goes_by_waves() && methods.options.passes.contains(Stage::AtOnce);
    if !is_wanted || !is_small {
        return run_passes(session, methods, passes, round);
    }
    let wanted = passes.iter().copied();
    let wanted = wanted.filter(|pass| methods.options.passes.contains(Stage::Pass(pass)));
    let wanted: Vec<&Pass> = wanted.collect();
    let is_wide = session.is_wide();
    let find = |program: &Program| -> Vec<EditSet> {
        let edits = wanted.iter().flat_map(|pass| pass.single_edits(program));
        let mut edits: Vec<EditSet> = edits.collect();
        if !is_wide {
            // A single worker decides about one wave after the other, so that the first should bring most.
            edits.sort_by_cached_key(|one| one.growth(program.sources()));
        }
        edits
    };
    let accepted = session.in_chosen_stage(methods, Stage::AtOnce, round, |session| {
        // With a single worker a wave takes as long as another stage that may bring more.
        let may_stop = !is_wide && session.ledger.attempts.leaves_out_failed();
        waves_of_each_state(session, find, may_stop.then_some(LEAST_OF_WAVE))
    })?;
    if accepted > 0 || session.ledger.attempts.leaves_out_failed() {
        return Ok(accepted);
    }
    let lists = passes.into_iter().filter(|pass| pass.deletes_elements());
    run_passes(session, methods, lists, round)
}

/// Runs the chosen strategy once. Returns the number of accepted candidates.
pub(super) fn run_once(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    let Some(options) = methods.tree_options() else {
        return run_at_once(session, methods, ROUND_PASSES, round);
    };
    let stage = Stage::Tree(methods.options.strategy);
    let accepted = session.in_chosen_stage(methods, stage, round, |session| {
        trees::search_tree(session, methods, options)
    })?;
    let is_of_no_tree = |work: &Work| matches!(work, Work::Flatten | Work::Rewrite(_));
    let of_no_tree = |pass: &&Pass| pass.work.iter().any(is_of_no_tree);
    let others = ROUND_PASSES.iter().filter(of_no_tree);
    Ok(accepted + run_at_once(session, methods, others, round)?)
}
