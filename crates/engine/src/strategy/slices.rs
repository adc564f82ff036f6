//! Slices: what is reachable from the definitions that the crash names. They come first.
//!
//! Those by what the compiler says of the names are narrower than those by spelling, and come before these.

use super::alternatives::Alternatives;
use crate::failure::Failure;
use crate::methods::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_model::{Relations, Seed, SliceWidth};
use reduce_syntax::EditSet;
use std::ops::RangeInclusive;

/// The slices by spelling that are tried, one after the other.
const BY_SPELLING: [SliceWidth; 12] = [
    width(0, 0, false),
    width(1, 0, false),
    width(3, 0, false),
    width(usize::MAX, 0, false),
    width(0, 1, false),
    width(1, 1, false),
    width(0, 2, false),
    width(usize::MAX, 2, false),
    width(0, 0, true),
    width(1, 0, true),
    width(0, 2, true),
    width(usize::MAX, 2, true),
];

/// The slices by what the compiler says,
const BY_COMPILER: [SliceWidth; 5] = [
    width(0, 0, false),
    width(0, 0, true),
    width(0, 1, true),
    width(usize::MAX, 0, true),
    width(0, 2, true),
];

/// and those by spelling that are left out where these come first, so that no more are tried in all.
const COVERED: [SliceWidth; 5] = [
    width(1, 0, false),
    width(0, 1, false),
    width(1, 1, false),
    width(0, 0, true),
    width(1, 0, true),
];

/// The sizes, in tokens, of programs of which the compiler is asked at once what their names mean. A smaller one is soon
/// reduced.
const ASKED_AT_ONCE: RangeInclusive<u64> = 300..=20_000;

/// Of these it is asked once slices by spelling were tried, as that takes it seconds, and it prints hundreds of
/// megabytes. Of one that is larger still it is not asked.
const ASKED_LATE: RangeInclusive<u64> = 20_001..=150_000;

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
    let program = session.program();
    if program.model().slice(seeds, BY_SPELLING[0]).is_none() {
        return Ok(0);
    }
    let n_tokens = session.best().tree.count_tokens();
    let first = match ASKED_AT_ONCE.contains(&n_tokens) {
        true => by_compiler(session, seeds, shortest)?,
        false => Vec::new(),
    };
    let is_covered = |width: &SliceWidth| !first.is_empty() && COVERED.contains(width);
    let by_spelling = BY_SPELLING.iter().filter(|width| !is_covered(width));
    let by_spelling = by_spelling.filter(|width| width.body_distance >= shortest);
    let by_spelling = by_spelling.filter_map(|width| program.model().slice(seeds, *width));
    let slices = first.iter().cloned().chain(by_spelling).collect();
    let accepted = try_in(session, slices)?;
    if !ASKED_LATE.contains(&n_tokens)
        || session.best().tree.count_tokens() < *ASKED_AT_ONCE.start()
    {
        return Ok(accepted);
    }
    let lasting = match accepted {
        0 => seeds.to_vec(),
        _ => Relations::of(program.model()).lasting(seeds),
    };
    let slices = by_compiler(session, &lasting, shortest)?;
    Ok(accepted + try_in(session, slices)?)
}

fn try_in(session: &mut Session<'_>, slices: Vec<EditSet>) -> Result<u64, Failure> {
    let base = session.best().clone();
    let slices = slices.into_iter();
    let candidates = slices.map(|edits| base.with_tree(edits.apply(&base.tree)));
    let candidates = candidates.collect();
    let kind = "slice";
    Alternatives { candidates, kind }.try_in(session)
}

/// The slices by what the compiler says that the names of the best program mean.
fn by_compiler(
    session: &Session<'_>,
    seeds: &[Seed],
    shortest: usize,
) -> Result<Vec<EditSet>, Failure> {
    let names = session.tools.names(session.best())?;
    let program = session.program();
    let widths = BY_COMPILER
        .iter()
        .filter(|width| width.body_distance >= shortest);
    let slices =
        widths.filter_map(|width| program.model().slice_by_compiler(&names, seeds, *width));
    Ok(slices.collect())
}

const fn width(body_distance: usize, users: usize, with_imports: bool) -> SliceWidth {
    SliceWidth {
        body_distance,
        users,
        with_imports,
    }
}
