//! Slices: what is reachable from the definitions that the crash names. They come first.

use super::alternatives::Alternatives;
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::methods::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_model::{Seed, SliceWidth};

/// The slices that are tried, one after the other, as [`SliceWidth::body_distance`],
/// [`SliceWidth::users`] and [`SliceWidth::with_imports`].
const SLICES: [(usize, usize, bool); 12] = [
    (0, 0, false),
    (1, 0, false),
    (3, 0, false),
    (usize::MAX, 0, false),
    (0, 1, false),
    (1, 1, false),
    (0, 2, false),
    (usize::MAX, 2, false),
    (0, 0, true),
    (1, 0, true),
    (0, 2, true),
    (usize::MAX, 2, true),
];

/// Tries to keep only what is reachable from the definitions that the crash names, first with few
/// bodies, then with more. Returns how many slices were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn keep_slice(
    session: &mut Session<'_>,
    methods: &Methods,
    seeds: &[Seed],
) -> Result<u64, Failure> {
    let try_slices = |session: &mut Session<'_>| try_slices(session, methods, seeds);
    session.in_chosen_stage(methods, Stage::KeepSlice, 1, try_slices)
}

fn try_slices(
    session: &mut Session<'_>,
    methods: &Methods,
    seeds: &[Seed],
) -> Result<u64, Failure> {
    let shortest = match methods.keeps_bodies {
        true => usize::MAX,
        false => usize::from(session.tools.oracle.runs_programs()),
    };
    let base = session.best().clone();
    let program = session.program();
    let candidates: Vec<Candidate> = SLICES
        .iter()
        .filter(|(body_distance, ..)| *body_distance >= shortest)
        .map(|&(body_distance, users, with_imports)| SliceWidth {
            body_distance,
            users,
            with_imports,
        })
        .filter_map(|width| program.model().slice(seeds, width))
        .map(|edits| base.with_tree(edits.apply(&base.tree)))
        .collect();
    let kind = "slice";
    Alternatives { candidates, kind }.try_in(session)
}
