//! Removes the errors that the baseline had beside the crash: a report should show one bug.

use super::alternatives::Alternatives;
use crate::candidate::{Candidate, CompileOptions};
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_passes::{PASSES, Work};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Forbids the errors of the baseline that the best so far does not have any more, so that they do
/// not come back. Returns how often some were.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn forbid_errors(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    if allowed_errors(session).is_empty() {
        return Ok(0);
    }
    session.in_chosen_stage(methods, Stage::CleanErrors, round, forbid)
}

fn forbid(session: &mut Session<'_>) -> Result<u64, Failure> {
    let all = allowed_errors(session);
    let without = vec![stricter(session.best(), &all)];
    if all.is_empty() || try_each(session, without)? > 0 {
        return Ok(u64::from(!all.is_empty()));
    }
    let mut accepted = 0;
    for error in all {
        let without = stricter(session.best(), &BTreeSet::from([error]));
        accepted += try_each(session, vec![without])?;
    }
    Ok(accepted)
}

/// Tries to remove an error by an edit that does not make the program smaller: one that does would
/// have been made already, as what crashes with fewer errors crashes with more. Meant for when
/// nothing more can go. Returns how many errors are gone.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn clean_errors(
    session: &mut Session<'_>,
    methods: &Methods,
    round: u32,
) -> Result<u64, Failure> {
    let mut accepted = forbid_errors(session, methods, round)?;
    for error in allowed_errors(session) {
        accepted += session.in_chosen_stage(methods, Stage::CleanErrors, round, |session| {
            remove_error(session, methods, error)
        })?;
    }
    Ok(accepted)
}

fn remove_error(
    session: &mut Session<'_>,
    methods: &Methods,
    error: String,
) -> Result<u64, Failure> {
    let strict = stricter(session.best(), &BTreeSet::from([error]));
    let program = session.program();
    let sources = program.sources();
    let passes = PASSES.iter();
    let chosen = passes.filter(|pass| methods.options.passes.contains(Stage::Pass(pass)));
    let works = chosen.flat_map(|pass| pass.work);
    let rewriters = works.filter_map(|work| match work {
        Work::Rewrite(rewriter) => Some(*rewriter),
        _ => None,
    });
    let edits = rewriters.flat_map(|rewriter| rewriter.larger_changes(&program));
    let candidates = edits.map(|edits| strict.with_tree(edits.apply(sources)));
    let candidates = candidates.collect();
    session.of_any_size(|session| try_each(session, candidates))
}

/// Returns the errors of the baseline that candidates may still have.
pub(super) fn allowed_errors(session: &Session<'_>) -> BTreeSet<String> {
    let allowed = session.tools.oracle.allowed_errors();
    let forbidden = &session.best().compile_options.forbidden;
    allowed.difference(forbidden).cloned().collect()
}

/// Makes a candidate that may not have some errors.
fn stricter(candidate: &Candidate, errors: &BTreeSet<String>) -> Candidate {
    let forbidden = candidate
        .compile_options
        .forbidden
        .union(errors)
        .cloned()
        .collect();
    Candidate {
        compile_options: CompileOptions {
            forbidden: Arc::new(forbidden),
            ..candidate.compile_options.clone()
        },
        ..candidate.clone()
    }
}

/// Takes the first candidate that is interesting.
fn try_each(session: &mut Session<'_>, candidates: Vec<Candidate>) -> Result<u64, Failure> {
    let kind = "without an error";
    Alternatives { candidates, kind }.try_in(session)
}
