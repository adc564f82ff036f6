//! A crash of an incremental compilation in the form of a test of rustc's own (`tests/incremental`): its versions are
//! revisions, whose names say how they end once the bug is mended.

use super::alternatives::Alternatives;
use crate::candidate::{Candidate, Revisions};
use crate::failure::Failure;
use crate::request::Stage;
use crate::session::Session;
use reduce_gather::{Side, with_other_names};
use reduce_oracle::Plan;
use std::sync::Arc;

/// Returns the best program with the names of revisions, where it is two versions. `has_errors` says whether the second
/// one has errors besides the crash.
pub(crate) fn with_revisions(best: &Candidate, plan: &Plan, has_errors: bool) -> Option<Candidate> {
    plan.versions()?;
    // A file of its own has no names of versions.
    if plan.has_versions_apart() {
        return None;
    }
    let revisions = Revisions {
        first: match plan.has_errors_first() {
            true => "bfail1",
            false => "bpass1",
        },
        second: match has_errors {
            true => "bfail2",
            false => "bpass2",
        },
    };
    let mut named = best.clone();
    let names = [revisions.first, revisions.second];
    for (file, _, text) in best.tree.files() {
        let text = with_other_names(text, Side::ALL.map(Side::cfg), names);
        named.tree.set_text(file, Arc::from(text));
    }
    named.compile_options.revisions = Some(revisions);
    Some(named)
}

/// Takes the program with the names of revisions if it still crashes.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn try_as_test(session: &mut Session<'_>, named: Candidate) -> Result<(), Failure> {
    let (candidates, kind) = (vec![named], "names of revisions");
    session.in_stage(Stage::Print, 1, |session| {
        session.of_any_size(|session| Alternatives { candidates, kind }.try_in(session))
    })?;
    Ok(())
}
