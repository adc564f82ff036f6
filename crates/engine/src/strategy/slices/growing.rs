//! Slices that begin with less than what may be needed, and grow by what the compiler misses in them: each of the compiler's
//! errors that the program does not have names what is not there.

use super::{ASKED_AT_ONCE, kept_statements, try_in, without_unnamed_fields};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::{Methods, Named};
use crate::session::Session;
use crate::trace;
use reduce_model::{CompilerNames, Contents, GrowingSlice, Lack, Model, Relations, Seed};
use reduce_syntax::SourceTree;
use std::ops::RangeInclusive;

/// The sizes, in tokens, of what the first slices have left of a large program, of which the compiler is asked what its names
/// mean: it also says which calls of macros have made what is needed.
const ASKED_OF_REST: RangeInclusive<u64> = *ASKED_AT_ONCE.start()..=60_000;

/// The largest number of times that a slice grows.
const MOST_ROUNDS: usize = 10;

/// Grows a slice from the statements that the crash points at: it begins with little, and gets what the compiler misses
/// in it. Returns how many slices were accepted.
pub(super) fn keep_grown_statements(
    session: &mut Session<'_>,
    named: &Named,
) -> Result<u64, Failure> {
    let (best, program) = (session.best().clone(), session.program());
    let n_tokens = best.tree.count_tokens();
    if n_tokens < *ASKED_AT_ONCE.start() {
        return Ok(0);
    }
    let is_asked = ASKED_AT_ONCE.contains(&n_tokens);
    let lasting = Relations::of(program.model()).lasting(&named.pointed_at);
    let left = kept_statements(program.model(), named).map(|tree| best.with_tree(tree));
    for base in left {
        let seeds = (&lasting[..], &lasting[..]);
        let accepted = keep_grown(session, &base, seeds, &named.raw_message, is_asked)?;
        if accepted > 0 {
            return Ok(accepted);
        }
    }
    Ok(0)
}

/// Grows a slice from the definitions that the crash names: it begins with little, and gets what
/// the compiler misses in it. Returns how many slices were accepted.
pub(super) fn keep_grown_definitions(
    session: &mut Session<'_>,
    named: &Named,
) -> Result<u64, Failure> {
    let base = session.best().clone();
    let n_tokens = base.tree.count_tokens();
    let is_asked = ASKED_AT_ONCE.contains(&n_tokens);
    if n_tokens < *ASKED_AT_ONCE.start() {
        return Ok(0);
    }
    let pointed_at = Relations::of(session.program().model()).lasting(&named.pointed_at);
    let seeds = (&named.seeds[..], &pointed_at[..]);
    keep_grown(session, &base, seeds, &named.raw_message, is_asked)
}

/// Grows a slice in what other slices have left of a program that was too large for it before: the slice of what the crash
/// names in the program before, with the functions that still have bodies. Returns how many slices were accepted.
pub(super) fn keep_grown_rest(
    session: &mut Session<'_>,
    methods: &Methods,
    before: &Candidate,
    named: &Named,
) -> Result<u64, Failure> {
    let base = session.best().clone();
    let was_too_large = !ASKED_AT_ONCE.contains(&before.tree.count_tokens());
    let is_asked = was_too_large && ASKED_OF_REST.contains(&base.tree.count_tokens());
    if !is_asked || methods.keeps_bodies || session.tools.oracle.runs_programs() {
        return Ok(0);
    }
    let all: Vec<Seed> = named.seeds.iter().chain(&named.made).cloned().collect();
    let model = Model::new(&before.tree);
    let relations = Relations::of(&model);
    let mut seeds = relations.lasting(&all);
    seeds.extend(session.program().model().functions_with_bodies());
    let pointed_at = relations.lasting(&named.pointed_at);
    let seeds = (&seeds[..], &pointed_at[..]);
    keep_grown(session, &base, seeds, &named.raw_message, true)
}

/// Grows the slice of some seeds in a program, until it has no error that is not in the `raw_message` of the input, and asks
/// about it then. Types that the compiler points at keep their fields. What names mean is said by the compiler, if it is
/// asked and prints it, else by the model.
fn keep_grown(
    session: &mut Session<'_>,
    base: &Candidate,
    (seeds, pointed_at): (&[Seed], &[Seed]),
    raw_message: &str,
    is_asked: bool,
) -> Result<u64, Failure> {
    let model = Model::new(&base.tree);
    let lasting = Relations::of(&model).lasting(seeds);
    let trimmed = |tree| without_unnamed_parts(tree, &lasting, pointed_at);
    let try_grown = |session: &mut Session<'_>, slice| match grown(
        session,
        base,
        slice,
        &trimmed,
        raw_message,
    )? {
        Some(tree) => try_in(session, vec![tree]),
        None => Ok(0),
    };
    if is_asked && let Some(slice) = model.growing_slice(&names(session, base)?, seeds) {
        return try_grown(session, slice);
    }
    for contents in [Contents::Needed, Contents::Whole] {
        if let Some(slice) = model.growing_slice_resolved(seeds, contents) {
            let accepted = try_grown(session, slice)?;
            if accepted > 0 {
                return Ok(accepted);
            }
        }
    }
    Ok(0)
}

/// Grows the slice of some seeds in the best program, with all bodies, until it compiles. `None` where it does not.
pub(super) fn grown_with_bodies(
    session: &mut Session<'_>,
    seeds: &[Seed],
) -> Result<Option<SourceTree>, Failure> {
    let base = session.best().clone();
    let names = names(session, &base)?;
    let model = Model::new(&base.tree);
    match model.growing_slice(&names, seeds) {
        Some(slice) => grown(session, &base, slice.with_bodies(), &|tree| tree, ""),
        None => Ok(None),
    }
}

/// Asks the compiler what names mean, and also which methods are called where no error comes first.
fn names(session: &Session<'_>, base: &Candidate) -> Result<CompilerNames, Failure> {
    let calls = session
        .tools
        .in_turn(|oracle, cancel| oracle.calls(base, cancel))?;
    match calls.is_empty() {
        true => session
            .tools
            .in_turn(|oracle, cancel| oracle.names(base, cancel)),
        false => Ok(calls),
    }
}

/// Adds to a slice what the compiler's errors name until it misses nothing, and applies `trimmed` to the program each
/// time. `None` where the compiler names nothing that could be added, or cannot say what it misses. Errors of which the
/// first line is in the `raw_message` are those of the program.
pub(in crate::strategy) fn grown(
    session: &mut Session<'_>,
    base: &Candidate,
    mut slice: GrowingSlice<'_>,
    trimmed: &dyn Fn(SourceTree) -> SourceTree,
    raw_message: &str,
) -> Result<Option<SourceTree>, Failure> {
    let known = without_paths(raw_message);
    for _ in 0..=MOST_ROUNDS {
        let tree = trimmed(slice.edits().apply(&base.tree));
        let Some(errors) = session.errors_of(&base.with_tree(tree.clone()))? else {
            return Ok(None);
        };
        if session.is_cancelled() {
            return Ok(None);
        }
        let lacks: Vec<Lack> = errors
            .into_iter()
            .filter(|one| is_new(one, &known))
            .collect();
        trace::grows(tree.count_tokens(), &lacks);
        if lacks.is_empty() {
            return Ok(Some(tree));
        }
        if !slice.add(&lacks) {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Removes fields and items that nothing names from a slice, but for the seeds and the fields of types that the compiler points
/// at.
fn without_unnamed_parts(mut tree: SourceTree, seeds: &[Seed], pointed_at: &[Seed]) -> SourceTree {
    loop {
        tree = without_unnamed_fields(tree, pointed_at);
        match Model::new(&tree).unnamed_items(seeds) {
            Some(edits) => tree = edits.apply(&tree),
            None => return tree,
        }
    }
}

/// Whether an error is none of the input's, whose message without paths is `known`: in a smaller program the compiler writes shorter
/// paths.
fn is_new(error: &Lack, known: &str) -> bool {
    let first = error.message.lines().next().unwrap_or_default();
    !known.contains(&without_paths(first))
}

/// Returns a text in which each path is its last name: `Vec<Part>` for `std::vec::Vec<parts::Part>`.
fn without_paths(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("::") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let is_of_name = |one: char| one.is_alphanumeric() || one == '_';
        let kept = before.trim_end_matches(is_of_name);
        let is_path = kept.len() < before.len() && after.starts_with(is_of_name);
        short += if is_path { kept } else { &rest[..at + 2] };
        rest = after;
    }
    short + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_input_is_known_by_shorter_paths() {
        let known = "error[E0277]: the trait bound `etag::Etagged<models::Comment>: serde::Serialize` is not satisfied";
        let error = |message: &str| Lack {
            message: message.to_owned(),
            ..Lack::default()
        };
        let same = "the trait bound `Etagged<Comment>: Serialize` is not satisfied\nmore";
        let known = without_paths(known);
        assert!(!is_new(&error(same), &known));
        let other = "the trait bound `Etagged<Issue>: Serialize` is not satisfied";
        assert!(is_new(&error(other), &known));
    }

    #[test]
    fn the_last_names_of_paths_stay() {
        let check = |text: &str, expected: &str| assert_eq!(without_paths(text), expected);
        check("a::b::C and d::<E>::f", "C and d::<E>::f");
        check("<a::B as c::D>::e", "<B as D>::e");
        check("::std::x ends with ::", "::x ends with ::");
        check("no path", "no path");
    }
}
