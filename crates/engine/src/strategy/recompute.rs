//! The stage that deletes parts of a setup which can only go when the value changes that is
//! expected of it.

use super::{choices, lists};
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::{COARSE_PASSES, PASSES, Pass, Work};

/// Makes the coarse passes that shorten lists, with the expected value written anew for each candidate as it is right
/// for it. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn recompute_with_coarse(
    session: &mut Session<'_>,
    methods: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    session.recomputing(|session| run_list_passes(session, methods, COARSE_PASSES))
}

/// Makes the passes that shorten lists and simplify expressions, with the expected value written anew for
/// each candidate as it is right for it. Meant for when they bring nothing with the value that is
/// there. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn recompute_with_all(
    session: &mut Session<'_>,
    methods: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    session.recomputing(|session| run_list_passes(session, methods, PASSES))
}

fn run_list_passes(
    session: &mut Session<'_>,
    methods: &Methods,
    passes: &'static [Pass],
) -> Result<u64, Failure> {
    let is_chosen = |stage: Stage| methods.options.passes.contains(stage);
    let mut accepted = 0;
    let chosen = passes.iter().filter(|pass| is_chosen(Stage::Pass(pass)));
    for work in chosen.flat_map(|pass| pass.work) {
        accepted += match *work {
            Work::Everywhere(kinds) => lists::shorten_everywhere(session, methods, kinds)?,
            Work::ByLevel(kinds) => lists::shorten_by_level(session, methods, kinds)?,
            Work::Replace(categories, replacing) => {
                choices::replace(session, categories, replacing)?
            }
            Work::Flatten | Work::Rewrite(_) => 0,
        };
    }
    Ok(accepted)
}
