//! Slices: what is reachable from the definitions that the crash names. They come first.
//!
//! Those by what the compiler says of the names are narrower than those by spelling, and come before these.

use super::alternatives::Alternatives;
use crate::failure::Failure;
use crate::methods::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_model::{CompilerNames, Seed, SliceWidth};
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

/// The slices by what the compiler says, which come first where it says something,
const BY_COMPILER: [SliceWidth; 3] = [
    width(0, 0, false),
    width(0, 0, true),
    width(usize::MAX, 0, true),
];

/// and the slices by spelling that are then left out, so that no more are tried in all.
const COVERED: [SliceWidth; 3] = [width(1, 0, false), width(0, 0, true), width(1, 0, true)];

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
    let is_wide = |width: &&SliceWidth| width.body_distance >= shortest;
    let (base, program) = (session.best().clone(), session.program());
    let model = program.model();
    let names = match model.slice(seeds, BY_SPELLING[0]) {
        Some(_) => names(session)?,
        None => CompilerNames::default(),
    };
    let by_compiler = BY_COMPILER.iter().filter(is_wide);
    let by_compiler =
        by_compiler.filter_map(|width| model.slice_by_compiler(&names, seeds, *width));
    let mut slices: Vec<EditSet> = by_compiler.collect();
    let is_known = !slices.is_empty();
    let by_spelling = BY_SPELLING.iter().filter(is_wide);
    let by_spelling = by_spelling.filter(|width| !is_known || !COVERED.contains(width));
    slices.extend(by_spelling.filter_map(|width| model.slice(seeds, *width)));
    let candidates = slices.iter();
    let candidates = candidates.map(|edits| base.with_tree(edits.apply(&base.tree)));
    let candidates = candidates.collect();
    let kind = "slice";
    Alternatives { candidates, kind }.try_in(session)
}

/// What the compiler says that the names of the program mean, if the program has a size for that.
fn names(session: &Session<'_>) -> Result<CompilerNames, Failure> {
    let best = session.best();
    match ASKED.contains(&best.tree.count_tokens()) {
        true => session.tools.names(best),
        false => Ok(CompilerNames::default()),
    }
}

const fn width(body_distance: usize, users: usize, with_imports: bool) -> SliceWidth {
    SliceWidth {
        body_distance,
        users,
        with_imports,
    }
}
