//! The common part of checks that run a command on a candidate in place of a compiler.

use crate::check::{Bench, CommandCall, Seen, Started};
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::signature::Signature;
use crate::system::process::Outcome;

/// Runs a command in its directory of the candidate's tree, and removes what it has written.
///
/// # Errors
/// When it cannot be started, or what it wrote cannot be removed.
pub(crate) fn run(call: &CommandCall, bench: &mut dyn Bench) -> Result<Outcome, OracleError> {
    let dir = bench.tree().join(&call.cwd);
    let outcome = bench.call(call, &dir, &[])?;
    bench.sweep()?;
    bench.clean_up()?;
    Ok(outcome)
}

/// Returns the result of a command. An error of a compiler that the command has called is for the
/// command to judge.
pub(crate) fn seen(outcome: Outcome, failure: impl IntoIterator<Item = Signature>) -> Seen {
    let observation = Observation {
        ending: outcome.ending,
        crashes: failure.into_iter().collect(),
        errors: vec![],
        duration: outcome.wall,
    };
    (with_all_in_one(outcome), observation)
}

/// Returns a copy of a command's call, changed by `change`.
pub(crate) fn changed(call: &CommandCall, change: &mut dyn FnMut(Started<'_>)) -> CommandCall {
    let mut call = call.clone();
    change(Started::Command(&mut call));
    call
}

/// Joins a command's standard output and standard error in one text, for people and for patterns.
fn with_all_in_one(outcome: Outcome) -> Outcome {
    let parts = [&outcome.stdout, &outcome.stderr].map(|part| part.trim_end());
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Outcome {
        stderr: parts.join("\n"),
        stdout: String::new(),
        ..outcome
    }
}
