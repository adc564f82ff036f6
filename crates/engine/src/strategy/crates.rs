//! Crates that the program is linked with: those that it does not name any more are left out, the
//! others become modules of it, sliced to what it reaches. What cannot become a module is reduced
//! beside it, as a crate of its own, and tried again when it is smaller.
//!
//! A crate can only move once no compiled crate links it, as that one's types would not be its types
//! any more. So those that others link come last.
//!
//! See docs/decisions/merged-crates.md.

mod moving;
mod naming;

use super::alternatives::Alternatives;
use super::expansion_limit::most_tokens_of_expansion;
use crate::auxiliary::own_and_others;
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Again;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use moving::Move;
use naming::only_named;
use reduce_gather::{
    expand_procedural, has_procedural_calls, polled_without_runtime, with_derives,
};
use reduce_oracle::{Linkage, Unit};
use reduce_syntax::count_tokens;
use std::sync::Arc;

/// The kind of a move that makes a module of a crate.
const MERGE: &str = "merge";
/// The kind of a move by which the text of a linked crate is reduced as a crate of its own, beside
/// the program.
const OPEN: &str = "open";
/// The kind of a move that puts what procedural macros make in place of their calls.
const EXPAND: &str = "expand_procedural";

/// Replaces `include!`, `env!` and the like in the program by what they stand for, so that the
/// result stands alone. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn embed_inputs(
    session: &mut Session<'_>,
    methods: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    let Some(crates) = session.tools.oracle.crates() else {
        return Ok(0);
    };
    let put_in_place = |session: &mut Session<'_>| {
        let Some(tree) = crates.embed(&session.best().tree) else {
            return Ok(0);
        };
        let candidate = session.best().with_tree(tree);
        try_of_any_size(session, vec![candidate], "inputs in place")
    };
    session.in_chosen_stage(methods, Stage::EmbedInputs, 1, put_in_place)
}

/// Makes a module of a linked crate, if the program is half as large as when that failed. Returns how many candidates were
/// accepted: what is then left of the program should be small before the next.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn merge_if_smaller(
    session: &mut Session<'_>,
    _: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    move_one(session, Again::Smaller, &MERGES)
}

/// Makes a module of a linked crate, if the program is another than when that failed. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn merge_if_changed(
    session: &mut Session<'_>,
    _: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    move_one(session, Again::Changed, &MERGES)
}

/// Has a linked crate that cannot become a module reduced as a crate of its own, beside the
/// program.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn open_crate(session: &mut Session<'_>, _: &Methods, _: u32) -> Result<u64, Failure> {
    move_one(session, Again::Changed, &OPENS)
}

/// Leaves out linked crates that the program does not name, as only named crates matter.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn drop_unnamed(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    let fewer = only_named(session.best());
    if fewer == *session.best() {
        return Ok(0);
    }
    session.in_chosen_stage(methods, Stage::DropCrates, round, |session| {
        let (candidates, kind) = (vec![fewer], "crates");
        Alternatives { candidates, kind }.try_in(session)
    })
}

/// A kind of moves of linked crates.
struct Moves {
    kind: &'static str,
    /// The function that returns the program with a stub of a crate, which is tried first.
    stub: fn(&Session<'_>, usize) -> Option<Candidate>,
    whole: fn(&Session<'_>, usize) -> Option<Move>,
}

const MERGES: Moves = Moves {
    kind: MERGE,
    stub: moving::stub,
    whole: moving::merges,
};

const OPENS: Moves = Moves {
    kind: OPEN,
    stub: |_, _| None,
    whole: moving::openings,
};

/// Tries to move each linked crate that the program names, one after the other, until one move
/// succeeds.
fn move_one(session: &mut Session<'_>, again: Again, moves: &Moves) -> Result<u64, Failure> {
    let kind = moves.kind;
    for idx in session.best().compile_options.linkage.named() {
        if session.is_cancelled() || !is_worth_moving(session, Some(idx), kind, again) {
            continue;
        }
        let late_before = session.ledger.late_so_far();
        let stub = (moves.stub)(session, idx).into_iter().collect();
        let accepted = try_of_any_size(session, stub, kind)?;
        if accepted > 0 {
            return Ok(accepted);
        }
        let Some(one) = (moves.whole)(session, idx) else {
            continue;
        };
        let accepted = try_move(session, &one, kind)?;
        if accepted > 0 {
            return Ok(accepted);
        }
        note_unmoved(session, Some(idx), kind, late_before);
    }
    Ok(0)
}

/// Tries slices of a linked crate in the program: first those that grow, then others from the
/// narrowest to the whole crate.
fn try_move(session: &mut Session<'_>, one: &Move, kind: &'static str) -> Result<u64, Failure> {
    let raw_message = match one.grows() {
        true => moving::raw_message_of_best(session)?,
        false => String::new(),
    };
    for growth in one.growths() {
        let grown = growth.grown(session, &raw_message)?.into_iter().collect();
        let accepted = try_of_any_size(session, grown, kind)?;
        if accepted > 0 || session.is_cancelled() {
            return Ok(accepted);
        }
    }
    let others = one.candidates(session);
    try_of_any_size(session, others, kind)
}

/// Whether a move of a linked crate has not failed yet, or may succeed now.
fn is_worth_moving(
    session: &Session<'_>,
    unit: Option<usize>,
    kind: &'static str,
    again: Again,
) -> bool {
    let moves = &session.ledger.moves;
    moves.is_worth_trying(session.best(), unit, kind, again)
}

/// Notes that a move of a linked crate failed, and which candidates ran out of time in it: those after the first
/// `late_before` ones.
fn note_unmoved(
    session: &mut Session<'_>,
    unit: Option<usize>,
    kind: &'static str,
    late_before: usize,
) {
    let program = session.best().clone();
    session
        .ledger
        .note_unmoved(&program, unit, kind, late_before);
}

/// Puts what procedural macros make in place of their calls.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn expand_procedural_macros(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    let Some(crates) = session.tools.oracle.crates() else {
        return Ok(0);
    };
    let best = session.best();
    let reachable = best.compile_options.linkage.reachable(crates.units());
    let has_macros = reachable
        .iter()
        .any(|&idx| crates.units()[idx].is_proc_macro);
    let is_worthwhile = has_macros && is_worth_moving(session, None, EXPAND, Again::Changed);
    if !is_worthwhile || !has_procedural_calls(&best.tree) {
        return Ok(0);
    }
    session.in_chosen_stage(methods, Stage::ExpandProcedural, round, |session| {
        let is_one_file = own_and_others(&session.best().tree).0.files().count() == 1;
        if !is_one_file {
            return Ok(0);
        }
        note_unmoved(session, None, EXPAND, session.ledger.late_so_far());
        let accepted = poll_futures(session, crates.units())?;
        if accepted > 0 {
            return Ok(accepted);
        }
        let Some(expanded) = session
            .tools
            .in_turn(|oracle, cancel| oracle.expand(session.best(), cancel))?
        else {
            return Ok(0);
        };
        let forms = [
            expand_procedural(&session.best().tree, &expanded),
            with_derives(&expanded),
        ];
        let most_tokens = most_tokens_of_expansion(&session.best().tree);
        let texts = forms.into_iter().flatten();
        let texts = texts.filter(|text| count_tokens(text) <= most_tokens);
        let candidates = texts.map(|text| with_expansion(session.best(), &text, crates.units()));
        let candidates = candidates.collect();
        try_of_any_size(session, candidates, "procedural macros")
    })
}

/// Tries to poll a future in place of an attribute such as `#[tokio::test]`, which would have a
/// runtime do it.
fn poll_futures(session: &mut Session<'_>, units: &[Unit]) -> Result<u64, Failure> {
    let best = session.best();
    let polled = polled_without_runtime(best.tree.text(best.tree.root()));
    let candidates = polled.map(|text| with_expansion(best, &text, units));
    try_of_any_size(
        session,
        candidates.into_iter().collect(),
        "without a runtime",
    )
}

/// Returns the program with another text, such as that after macro expansion, linked with the crates that this text
/// names.
fn with_expansion(base: &Candidate, text: &str, units: &[Unit]) -> Candidate {
    let mut candidate = base.clone();
    candidate.tree.set_text(base.tree.root(), Arc::from(text));
    name_reachable(&mut candidate, units);
    only_named(&candidate)
}

/// Lets the program name all that it is linked with: what a macro makes names crates that only its
/// own crate knew. Names that are taken stay what they are.
fn name_reachable(candidate: &mut Candidate, units: &[Unit]) {
    let mut linkage = Linkage::clone(&candidate.compile_options.linkage);
    for idx in linkage.reachable(units) {
        let name = units[idx].name.clone();
        linkage.externs.entry(name).or_insert(idx);
    }
    candidate.compile_options.linkage = Arc::new(linkage);
}

/// Takes the first candidate that is interesting, whatever its size.
fn try_of_any_size(
    session: &mut Session<'_>,
    candidates: Vec<Candidate>,
    kind: &'static str,
) -> Result<u64, Failure> {
    session.of_any_size(|session| Alternatives { candidates, kind }.try_in(session))
}
