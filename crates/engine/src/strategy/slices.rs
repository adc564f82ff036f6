//! Slices of a program: what is reachable from the definitions that the crash names. They come
//! first.
//!
//! Slices by what the compiler says of the names are narrower than those by spelling, and come before
//! these.
//!
//! See docs/decisions/slices.md.

mod chains;
mod cores;
mod growing;
mod halves;
mod merged;

use super::alternatives::Alternatives;
use crate::failure::Failure;
use crate::propose::{Methods, Named};
use crate::request::Stage;
use crate::session::{Session, Slice};
use chains::keep_chains;
pub(crate) use cores::cores;
pub(super) use growing::grown;
use growing::{keep_grown_definitions, keep_grown_rest, keep_grown_statements};
use halves::keep_halves;
pub(super) use merged::{keep_reached, points};
use reduce_model::{BodyEnd, Model, Relations, Seed, SliceWidth};
use reduce_passes::Program;
use reduce_syntax::{EditSet, SourceTree};
use std::ops::RangeInclusive;

/// The widths of slices that follow names by their spelling, in the order in which they are tried.
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

/// The widths of slices that follow names by what the compiler says that they mean, in the order in
/// which they are tried.
const BY_COMPILER: [SliceWidth; 5] = [
    width(0, 0, false),
    width(0, 0, true),
    width(0, 1, true),
    width(usize::MAX, 0, true),
    width(0, 2, true),
];

/// The widths of slices by spelling that are left out where slices by the compiler's names come
/// first, so that no more are tried in all.
const COVERED: [SliceWidth; 7] = [
    width(1, 0, false),
    width(3, 0, false),
    width(0, 1, false),
    width(1, 1, false),
    width(0, 2, false),
    width(0, 0, true),
    width(1, 0, true),
];

/// The ends that are tried for function bodies of which only some statements stay.
const ENDS: [BodyEnd; 2] = [BodyEnd::Loops, BodyEnd::Stays];

/// The sizes, in tokens, of programs of which the compiler is asked at once what their names mean. A smaller one is soon
/// reduced.
const ASKED_AT_ONCE: RangeInclusive<u64> = 300..=20_000;

/// The sizes, in tokens, of programs about which the compiler is asked once slices by spelling were tried and have left
/// more than a quarter, as that takes it seconds, and it prints hundreds of megabytes. Of one that is larger still it is
/// not asked.
const ASKED_LATE: RangeInclusive<u64> = 20_001..=150_000;

/// The number of tokens above which the compiler is not asked even where nothing else is known, as bodies would be
/// printed too: what it prints has thousands of times that size.
const MOST_PRINTED: u64 = 500_000;

/// Keeps a slice of what the failure names at the beginning. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn keep_first_slice(
    session: &mut Session<'_>,
    methods: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    match &methods.beginning {
        Some((named, _)) => keep_slice(session, methods, named),
        None => Ok(0),
    }
}

/// Tries slices of a program: only what is reachable from places that the crash marks, then from the definitions that
/// it names, first with few bodies, then with more. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn keep_slice(
    session: &mut Session<'_>,
    methods: &Methods,
    named: &Named,
) -> Result<u64, Failure> {
    session.mode.slice = Slice::Nothing;
    session.in_chosen_stage(methods, Stage::KeepSlice, 1, |session| {
        let base = session.best().clone();
        let (slice, accepted) = try_slices(session, methods, named)?;
        session.mode.slice = slice;
        Ok(accepted + keep_grown_rest(session, methods, &base, named)?)
    })
}

/// Tries the kinds of slices one after the other, and returns which kind was accepted, and how many
/// candidates were.
fn try_slices(
    session: &mut Session<'_>,
    methods: &Methods,
    named: &Named,
) -> Result<(Slice, u64), Failure> {
    let shortest = match methods.keeps_bodies {
        true => usize::MAX,
        false => usize::from(session.tools.oracle.runs_programs()),
    };
    if shortest == 0 {
        let accepted = keep_chains(session, methods, named)?;
        if accepted > 0 {
            return Ok((Slice::OfDefinitions, accepted));
        }
        let mut accepted = keep_grown_statements(session, named)?;
        if accepted == 0 {
            let by_spelling = slices_of_statements(&session.program(), named);
            accepted = try_in(session, by_spelling)?;
        }
        if accepted == 0 {
            let by_compiler = statements_by_compiler(session, named)?;
            accepted = try_in(session, by_compiler)?;
        }
        if accepted > 0 {
            return Ok((Slice::OfStatements, accepted));
        }
    }
    Ok(match slices_of_definitions(session, named, shortest)? {
        0 if shortest == 0 => match keep_halves(session)? {
            0 => (Slice::Nothing, 0),
            accepted => (Slice::OfDefinitions, accepted),
        },
        0 => (Slice::Nothing, 0),
        accepted => (Slice::OfDefinitions, accepted),
    })
}

/// Tries slices of what can be reached from the definitions that the failure names. Returns how
/// many slices were accepted.
fn slices_of_definitions(
    session: &mut Session<'_>,
    named: &Named,
    shortest: usize,
) -> Result<u64, Failure> {
    let (program, seeds) = (session.program(), &named.seeds);
    if program.model().slice(seeds, BY_SPELLING[0]).is_none() {
        return Ok(0);
    }
    let n_tokens = session.best().tree.count_tokens();
    if shortest == 0 {
        let accepted = keep_grown_definitions(session, named)?;
        if accepted > 0 {
            return Ok(accepted);
        }
    }
    let mut slices = match ASKED_AT_ONCE.contains(&n_tokens) {
        true => by_compiler(session, seeds, shortest)?,
        false => Vec::new(),
    };
    let is_answered = !slices.is_empty();
    let is_covered = |width: &SliceWidth| is_answered && COVERED.contains(width);
    let by_spelling = BY_SPELLING.iter().filter(|width| !is_covered(width));
    let by_spelling = by_spelling.filter(|width| width.body_distance >= shortest);
    slices.extend(by_spelling.filter_map(|width| {
        let edits = program.model().slice(seeds, *width)?;
        Some(edits.apply(&session.best().tree))
    }));
    let accepted = try_in(session, slices)?;
    let n_left = session.best().tree.count_tokens();
    let is_small = n_left < *ASKED_AT_ONCE.start() || n_left * 4 < n_tokens;
    if is_small || !ASKED_LATE.contains(&n_tokens) {
        return Ok(accepted);
    }
    let lasting = match accepted {
        0 => seeds.clone(),
        _ => Relations::of(program.model()).lasting(seeds),
    };
    let slices = by_compiler(session, &lasting, shortest)?;
    Ok(accepted + try_in(session, slices)?)
}

fn try_in(session: &mut Session<'_>, slices: Vec<SourceTree>) -> Result<u64, Failure> {
    let base = session.best();
    let slices = slices.into_iter();
    let candidates = slices.map(|tree| base.with_tree(tree)).collect();
    let kind = "slice";
    Alternatives { candidates, kind }.try_in(session)
}

/// Makes slices of the best program that follow names by what the compiler says that they mean.
fn by_compiler(
    session: &Session<'_>,
    seeds: &[Seed],
    shortest: usize,
) -> Result<Vec<SourceTree>, Failure> {
    let widths = BY_COMPILER.into_iter();
    let widths: Vec<_> = widths
        .filter(|width| width.body_distance >= shortest)
        .collect();
    by_compiler_in(session, seeds, &widths)
}

/// Makes slices of some widths that follow names by what the compiler says that they mean.
fn by_compiler_in(
    session: &Session<'_>,
    seeds: &[Seed],
    widths: &[SliceWidth],
) -> Result<Vec<SourceTree>, Failure> {
    let (best, program) = (session.best(), session.program());
    let names = session
        .tools
        .in_turn(|oracle, cancel| oracle.names(best, cancel))?;
    let slices = program.model().slices_by_compiler(&names, seeds, widths);
    Ok(slices.iter().map(|edits| edits.apply(&best.tree)).collect())
}

/// Makes the narrowest slices of a program in which only those statements stay that the crash points at, with what they
/// need.
fn slices_of_statements(program: &Program, named: &Named) -> Vec<SourceTree> {
    let model = program.model();
    let lasting = Relations::of(model).lasting(&named.pointed_at);
    let width = BY_SPELLING[0];
    let slices = kept_statements(model, named).filter_map(|mut tree| {
        tree = Model::new(&tree).slice(&lasting, width)?.apply(&tree);
        while let Some(edits) = Model::new(&tree).unnamed_fields(&lasting) {
            tree = edits.apply(&tree);
            tree = Model::new(&tree).slice(&lasting, width)?.apply(&tree);
        }
        Some(tree)
    });
    slices.collect()
}

/// Makes slices like [`slices_of_statements`], with what the compiler says that names mean.
fn statements_by_compiler(
    session: &Session<'_>,
    named: &Named,
) -> Result<Vec<SourceTree>, Failure> {
    let (best, program) = (session.best(), session.program());
    if !ASKED_AT_ONCE.contains(&best.tree.count_tokens()) {
        return Ok(Vec::new());
    }
    let model = program.model();
    let lasting = Relations::of(model).lasting(&named.pointed_at);
    let left = kept_statements(model, named).map(|tree| best.with_tree(tree));
    let slices = left.map(|left| {
        let names = session
            .tools
            .in_turn(|oracle, cancel| oracle.names(&left, cancel))?;
        let slices = Model::new(&left.tree).slices_by_compiler(&names, &lasting, &BY_COMPILER[..1]);
        let slices = slices.iter().map(|edits| edits.apply(&left.tree));
        let slices = slices.map(|tree| without_unnamed_fields(tree, &lasting));
        Ok(slices.collect::<Vec<_>>())
    });
    let slices: Vec<_> = slices.collect::<Result<_, Failure>>()?;
    Ok(slices.into_iter().flatten().collect())
}

/// Returns the program with only those statements that the crash points at, and what they mention: one form for each
/// end that a body may have.
fn kept_statements(model: &Model, named: &Named) -> impl Iterator<Item = SourceTree> {
    keeping_statements(model, &named.pointed_at).map(|edits| edits.apply(model.sources()))
}

/// Makes the edits that leave in a function body only the statements that the compiler points at, if it has some: one
/// form for each end that a body may have.
fn keeping_statements(model: &Model, pointed_at: &[Seed]) -> impl Iterator<Item = EditSet> {
    let ends = ENDS.into_iter();
    ends.filter_map(|end| model.keep_statements(pointed_at, end))
}

/// Removes fields that nothing names, but for those of types that seeds name.
fn without_unnamed_fields(mut tree: SourceTree, seeds: &[Seed]) -> SourceTree {
    while let Some(edits) = Model::new(&tree).unnamed_fields(seeds) {
        tree = edits.apply(&tree);
    }
    tree
}

const fn width(body_distance: usize, users: usize, with_imports: bool) -> SliceWidth {
    SliceWidth {
        body_distance,
        users,
        with_imports,
    }
}
