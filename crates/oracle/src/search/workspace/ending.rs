//! Tells from the end of a run of cargo whether a compiler crashed or did not end, or cargo itself failed.

use super::network;
use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::error::OracleError;
use crate::search::context::BaselineContext;
use crate::system::process::{Ending, Outcome};
use crate::text::output::tail;
use crate::text::shell::shell_line;
use camino::Utf8Path;

/// Returns the compiler call that crashed; the first by crate and arguments, since their order in time may differ
/// from run to run.
pub(super) fn crash_among(
    records: Vec<Record>,
    outcome: &Outcome,
    args: &[String],
    context: &BaselineContext<'_>,
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
        (None, Ending::Exited(0)) => Err(no_failure(args, outcome, true, context)),
        (None, _) if has_failed => Err(no_failure(args, outcome, false, context)),
        (None, _) => Err(rejected(args, &context.user.cwd, outcome)),
    }
}

/// Whether one of the recorded compiler calls has failed.
pub(super) fn has_failed(records: &[Record]) -> bool {
    records.iter().any(|record| record.code != Some(0))
}

/// Whether cargo names a test executable that none of the calls has made: then an earlier run has left
/// it compiled.
pub(super) fn names_another_executable(stderr: &str, records: &[Record]) -> bool {
    let made = |name: &str| {
        let mut paths = records.iter().filter_map(|one| {
            let path = args::executable(&one.args, &one.cwd)?;
            path.file_stem().map(str::to_owned)
        });
        paths.any(|stem| stem == name)
    };
    let lines = stderr.lines().map(str::trim_start);
    let named = lines.filter_map(|line| line.strip_prefix("Executable ")?.strip_suffix(')'));
    let paths = named.filter_map(|line| line.rsplit_once('(').map(|(_, path)| path));
    let mut stems = paths.filter_map(|path| Utf8Path::new(path).file_stem());
    stems.any(|stem| !made(stem))
}

/// Returns an error if a compiler or the whole build did not end, unless a compiler that does not end is looked for.
pub(super) fn check_end(
    outcome: &Outcome,
    records: &[Record],
    args: &[String],
    context: &BaselineContext<'_>,
) -> Result<(), OracleError> {
    let stopped = records.iter().find(|record| record.timed_out);
    let stopped = stopped.filter(|_| context.longest_call().is_none());
    let shell = |program: &str, args: &[String]| shell_line(&Default::default(), program, args);
    let (command, after) = match (stopped, outcome.ending) {
        (Some(record), _) => {
            let name = args::value(&record.args, "--crate-name").unwrap_or_default();
            (
                format!("rustc --crate-name {name}"),
                context.longest_compilation(),
            )
        }
        (None, Ending::TimedOut) => (shell("cargo", args), context.longest_build()),
        (None, _) => return Ok(()),
    };
    Err(context.never_ends(command, after, &outcome.stderr, None))
}

/// Whether cargo itself failed, and for want of a network.
pub(super) fn needs_network(outcome: &Outcome, records: &[Record]) -> bool {
    let is_failure = matches!(outcome.ending, Ending::Exited(code) if code != 0);
    is_failure && !has_failed(records) && network::is_missing(&outcome.stderr)
}

/// Makes the error for a run of cargo in which no compiler crashed.
fn no_failure(
    args: &[String],
    outcome: &Outcome,
    compiles: bool,
    context: &BaselineContext<'_>,
) -> OracleError {
    OracleError::NoFailure {
        wanted: context.wanted.words.clone(),
        command: shell_line(&Default::default(), "cargo", args),
        output: tail(&outcome.stderr),
        compiles,
    }
}

/// Makes the error for a run of cargo in which cargo itself failed.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn what_an_earlier_run_has_compiled_is_seen() {
        let args = [
            "--crate-name=shop",
            "--test",
            "--emit=link",
            "-Cextra-filename=-5e",
        ];
        let record = Record {
            args: args.map(str::to_owned).to_vec(),
            cwd: "/shop".into(),
            program: "rustc".to_owned(),
            env: BTreeMap::new(),
            code: Some(0),
            signal: None,
            timed_out: false,
            wrappers: vec![],
        };
        let check = |stderr: &str, expected: bool| {
            let records = std::slice::from_ref(&record);
            assert_eq!(
                names_another_executable(stderr, records),
                expected,
                "{stderr}"
            );
        };
        check(
            "  Executable unittests src/lib.rs (target/debug/deps/shop-5e)",
            false,
        );
        check(
            "  Executable tests/a (b).rs (/t/deps/shop-5e)\n  Executable tests/b.rs (/t/deps/b-1a)",
            true,
        );
        check("warning: Executable (x)\n    Finished", false);
    }
}
