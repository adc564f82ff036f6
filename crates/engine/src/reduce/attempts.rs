//! The ways in which an input is compiled until it fails: one, or one for each revision of a file of
//! rustc's own tests.

use super::baseline::baseline;
use crate::context::Context;
use crate::event::Event;
use crate::failure::{Failure, FailureKind};
use crate::request::ReductionRequest;
use crate::request::directives::{Obeyed, obeyed};
use camino::Utf8Path;
use reduce_oracle::{Baseline, FileInput, Input};

/// A way to compile the input, such as one revision of a test of rustc's own.
pub(super) struct Attempt {
    /// The request, completed by the `//@` lines of the input.
    pub(super) request: ReductionRequest,
    revision: Option<String>,
    unread: Vec<String>,
    restrictions: Vec<String>,
}

impl Attempt {
    fn plain(request: &ReductionRequest) -> Self {
        Self {
            request: request.clone(),
            revision: None,
            unread: Vec::new(),
            restrictions: Vec::new(),
        }
    }

    fn of(request: &ReductionRequest, way: Obeyed) -> Self {
        Self {
            request: ReductionRequest {
                input: Input::File(way.file),
                ..request.clone()
            },
            revision: way.revision,
            unread: way.unread,
            restrictions: way.restrictions,
        }
    }

    /// Adds hints to the error of an input that does not fail: its `//@` lines that may be the
    /// reason.
    fn explained(&self, failure: Failure) -> Failure {
        if !is_no_crash(&failure) {
            return failure;
        }
        let restricted = self.restrictions.iter().map(|line| {
            format!("the line `{line}` says where rustc's own tests have it; it is not obeyed")
        });
        let hints = self.unread.iter().cloned().chain(restricted);
        hints.fold(failure, Failure::hint)
    }
}

/// Lists the ways to compile the input of a request; at least one.
///
/// # Errors
/// Where there is no such revision.
pub(super) fn attempts(request: &ReductionRequest) -> Result<Vec<Attempt>, Failure> {
    let Input::File(file) = &request.input else {
        return Ok(vec![Attempt::plain(request)]);
    };
    // A text that cannot be read is complained of when it is compiled.
    let text = text_of(file).unwrap_or_default();
    let read = |path: &Utf8Path| std::fs::read_to_string(path).ok();
    let ways = obeyed(file, &text, &read).map_err(|all| no_revision(file, &all))?;
    let ways = ways.into_iter();
    Ok(ways.map(|way| Attempt::of(request, way)).collect())
}

fn text_of(file: &FileInput) -> Option<String> {
    match &file.text {
        Some(text) => Some(text.clone()),
        None => std::fs::read_to_string(&file.path).ok(),
    }
}

fn no_revision(file: &FileInput, all: &[String]) -> Failure {
    let wanted = file.revision.as_deref().unwrap_or_default();
    let message = format!("`{}` has no revision `{wanted}`", file.path);
    let hint = match all {
        [] => "it has no line `//@ revisions: ..`, so leave out `--revision`".to_owned(),
        all => format!("its line `//@ revisions` has {}", listed(all)),
    };
    Failure::new(FailureKind::BadInput, message).hint(hint)
}

/// Finds the first attempt whose input fails as it was asked for, and returns its failure.
///
/// # Errors
/// Where none does, or something else is wrong with one.
pub(super) fn first_that_fails<'c>(
    attempts: &'c [Attempt],
    context: impl Fn(&'c ReductionRequest) -> Context<'c>,
) -> Result<(Context<'c>, Baseline), Failure> {
    let (last, earlier) = attempts.split_last().expect("there is an attempt");
    let compile = |attempt: &'c Attempt| {
        let context = context(&attempt.request);
        if let (Some(revision), false) = (&attempt.revision, earlier.is_empty()) {
            let what = format!("looking at the revision `{revision}`");
            (context.emit)(Event::Preparing { what });
        }
        let baseline = baseline(&context).map_err(|failure| attempt.explained(failure))?;
        Ok((context, baseline))
    };
    for attempt in earlier {
        match compile(attempt) {
            Err(failure) if is_no_crash(&failure) => {}
            found => return found.inspect(|(context, _)| warn(context, attempt, attempts)),
        }
    }
    let found = compile(last).map_err(|failure| of_all(attempts, failure))?;
    warn(&found.0, last, attempts);
    Ok(found)
}

fn is_no_crash(failure: &Failure) -> bool {
    failure.kind == FailureKind::NoCrash
}

/// Tells the user which attempt is reduced, and which of its `//@` lines are not obeyed.
fn warn(context: &Context<'_>, taken: &Attempt, attempts: &[Attempt]) {
    let several = taken.revision.as_ref().filter(|_| attempts.len() > 1);
    let chosen = several.map(|revision| {
        format!(
            "`{revision}` is the first revision that fails and is reduced; `--revision` chooses another one of {}",
            listed(&revisions(attempts))
        )
    });
    for message in chosen.into_iter().chain(taken.unread.iter().cloned()) {
        (context.emit)(Event::Warning { message });
    }
}

/// Adds to the failure of the last of several attempts that all were tried.
fn of_all(attempts: &[Attempt], failure: Failure) -> Failure {
    match attempts.len() > 1 && is_no_crash(&failure) {
        true => {
            let all = listed(&revisions(attempts));
            failure.hint(format!("all revisions of the file were tried: {all}"))
        }
        false => failure,
    }
}

fn revisions(attempts: &[Attempt]) -> Vec<String> {
    let named = attempts.iter().filter_map(|one| one.revision.clone());
    named.collect()
}

/// Lists names in backticks, as in `` `a`, `b` ``.
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
