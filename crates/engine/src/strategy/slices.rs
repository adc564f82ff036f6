//! Slices: what is reachable from the definitions that the crash names. They come first.
//!
//! Those by what the compiler says of the names are narrower than those by spelling, and come before these.

use super::alternatives::Alternatives;
use crate::failure::Failure;
use crate::methods::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_model::{Seed, SliceWidth};
use reduce_passes::Program;
use reduce_syntax::EditSet;
use std::ops::RangeInclusive;

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

/// The sizes, in tokens, of programs of which the compiler is asked what their names mean. A smaller one is soon
/// reduced; of a larger one the compiler prints hundreds of megabytes, which takes it half a minute.
const ASKED: RangeInclusive<u64> = 300..=20_000;

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
    let by_name = SLICES
        .iter()
        .filter(|(body_distance, ..)| *body_distance >= shortest)
        .map(|&(body_distance, users, with_imports)| SliceWidth {
            body_distance,
            users,
            with_imports,
        })
        .filter_map(|width| program.model().slice(seeds, width));
    let by_name: Vec<EditSet> = by_name.collect();
    let mut slices = match by_name.is_empty() {
        true => Vec::new(),
        false => by_compiler(session, &program, seeds, shortest)?,
    };
    slices.extend(by_name);
    let candidates = slices
        .iter()
        .map(|edits| base.with_tree(edits.apply(&base.tree)));
    let candidates = candidates.collect();
    let kind = "slice";
    Alternatives { candidates, kind }.try_in(session)
}

/// The slices by what the compiler says of the names, with the bodies of the seeds alone and with all.
fn by_compiler(
    session: &Session<'_>,
    program: &Program,
    seeds: &[Seed],
    shortest: usize,
) -> Result<Vec<EditSet>, Failure> {
    let best = session.best();
    if !ASKED.contains(&best.tree.count_tokens()) {
        return Ok(Vec::new());
    }
    let names = session.tools.names(best)?;
    let bodies = [false, true]
        .into_iter()
        .filter(|&all| all || shortest == 0);
    let model = program.model();
    let slices = bodies.filter_map(|all| model.slice_by_compiler(&names, seeds, all));
    Ok(slices.collect())
}
