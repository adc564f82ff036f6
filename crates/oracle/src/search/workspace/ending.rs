//! How a run of cargo ended, and what that says of the calls that it made.

use super::network;
use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::error::OracleError;
use crate::search::setting::Setting;
use crate::system::process::{Ending, Outcome};
use crate::text::output::tail;
use crate::text::shell::shell_line;
use camino::Utf8Path;

/// The call that crashed; the first by crate and arguments, since their order in time may differ
/// from run to run.
pub(super) fn crash_among(
    records: Vec<Record>,
    outcome: &Outcome,
    args: &[String],
    setting: &Setting<'_>,
) -> Result<Record, OracleError> {
    if outcome.ending == Ending::Cancelled {
        return Err(OracleError::Cancelled);
    }
    let has_failed = has_failed(&records);
    let crash = records
        .into_iter()
        .filter(Record::is_crash)
        .min_by(|a, b| a.args.cmp(&b.args));
    match (crash, outcome.ending) {
        (Some(record), _) => Ok(record),
        (None, Ending::Exited(0)) => Err(no_failure(args, outcome, true, setting)),
        (None, _) if has_failed => Err(no_failure(args, outcome, false, setting)),
        (None, _) => Err(rejected(args, &setting.user.cwd, outcome)),
    }
}

/// Whether a compiler has failed.
pub(super) fn has_failed(records: &[Record]) -> bool {
    records.iter().any(|record| record.code != Some(0))
}

/// Refuses a compiler that did not end, unless that is looked for, and a build that did not.
pub(super) fn check_end(
    outcome: &Outcome,
    records: &[Record],
    args: &[String],
    setting: &Setting<'_>,
) -> Result<(), OracleError> {
    let stopped = records.iter().find(|record| record.timed_out);
    let stopped = stopped.filter(|_| setting.longest_call().is_none());
    let shell = |program: &str, args: &[String]| shell_line(&Default::default(), program, args);
    let (command, after) = match (stopped, outcome.ending) {
        (Some(record), _) => {
            let name = args::value(&record.args, "--crate-name").unwrap_or_default();
            (
                format!("rustc --crate-name {name}"),
                setting.longest_compilation(),
            )
        }
        (None, Ending::TimedOut) => (shell("cargo", args), setting.longest_build()),
        (None, _) => return Ok(()),
    };
    Err(setting.never_ends(command, after, &outcome.stderr, None))
}

/// Whether cargo itself failed, and for want of a network.
pub(super) fn needs_network(outcome: &Outcome, records: &[Record]) -> bool {
    let is_failure = matches!(outcome.ending, Ending::Exited(code) if code != 0);
    is_failure && !has_failed(records) && network::is_missing(&outcome.stderr)
}

/// The error where no compiler crashed.
fn no_failure(
    args: &[String],
    outcome: &Outcome,
    compiles: bool,
    setting: &Setting<'_>,
) -> OracleError {
    OracleError::NoFailure {
        wanted: setting.wanted.words.clone(),
        command: shell_line(&Default::default(), "cargo", args),
        output: tail(&outcome.stderr),
        compiles,
    }
}

/// The error where cargo itself failed.
pub(super) fn rejected(args: &[String], dir: &Utf8Path, outcome: &Outcome) -> OracleError {
    if outcome.ending == Ending::Cancelled {
        return OracleError::Cancelled;
    }
    OracleError::CargoRejected {
        command: shell_line(&Default::default(), "cargo", args),
        dir: dir.to_owned(),
        status: outcome.ending.to_string(),
        stderr: tail(&outcome.stderr),
    }
}
