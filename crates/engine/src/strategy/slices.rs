//! Slices: what is reachable from the definitions that the crash names. They come first.

use super::alternatives::Alternatives;
use super::seeds::Named;
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::methods::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_model::{BodyEnd, Model, Relations, SliceWidth};
use reduce_passes::Program;
use reduce_syntax::SourceTree;

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

/// Which slice was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slice {
    /// None was.
    Nothing,
    /// One of all that the definitions lead to that the crash names.
    OfDefinitions,
    /// One of the marked statements: what they do not need is not needed.
    OfStatements,
}

/// Tries to keep only what is reachable from what the crash marks, then from the definitions that it names, first with few
/// bodies, then with more.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn keep_slice(
    session: &mut Session<'_>,
    methods: &Methods,
    named: &Named,
) -> Result<Slice, Failure> {
    let mut of_statements = Vec::new();
    let accepted = session.in_chosen_stage(methods, Stage::KeepSlice, 1, |session| {
        try_slices(session, methods, named, &mut of_statements)
    })?;
    Ok(match accepted {
        0 => Slice::Nothing,
        _ if of_statements.contains(&session.best().tree) => Slice::OfStatements,
        _ => Slice::OfDefinitions,
    })
}

/// Returns how many slices were accepted. `of_statements` are those of statements.
fn try_slices(
    session: &mut Session<'_>,
    methods: &Methods,
    named: &Named,
    of_statements: &mut Vec<SourceTree>,
) -> Result<u64, Failure> {
    let shortest = match methods.keeps_bodies {
        true => usize::MAX,
        false => usize::from(session.tools.oracle.runs_programs()),
    };
    let base = session.best().clone();
    let program = session.program();
    if shortest == 0 {
        *of_statements = slices_of_statements(&program, named);
    }
    let slices = SLICES
        .iter()
        .filter(|(body_distance, ..)| *body_distance >= shortest)
        .map(|&(body_distance, users, with_imports)| SliceWidth {
            body_distance,
            users,
            with_imports,
        })
        .filter_map(|width| program.model().slice(&named.seeds, width))
        .map(|edits| edits.apply(&base.tree));
    let trees = of_statements.iter().cloned().chain(slices);
    let candidates: Vec<Candidate> = trees.map(|tree| base.with_tree(tree)).collect();
    let kind = "slice";
    Alternatives { candidates, kind }.try_in(session)
}

/// The narrowest slices of what is left once only those statements stay that the crash points at, with what these need.
fn slices_of_statements(program: &Program, named: &Named) -> Vec<SourceTree> {
    let model = program.model();
    let lasting = Relations::of(model).lasting(&named.marked);
    let (body_distance, users, with_imports) = SLICES[0];
    let width = SliceWidth {
        body_distance,
        users,
        with_imports,
    };
    let ends = [BodyEnd::Loops, BodyEnd::Stays].into_iter();
    let slices = ends.filter_map(|end| {
        let mut tree = model
            .keep_statements(&named.marked, end)?
            .apply(model.sources());
        tree = Model::new(&tree).slice(&lasting, width)?.apply(&tree);
        while let Some(edits) = Model::new(&tree).unnamed_fields() {
            tree = edits.apply(&tree);
            tree = Model::new(&tree).slice(&lasting, width)?.apply(&tree);
        }
        Some(tree)
    });
    slices.collect()
}
