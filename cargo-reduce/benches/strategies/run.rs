//! One run of the program: alone, in an environment of its own, with an end.

use crate::arguments::Arguments;
use crate::cases::Case;
use crate::inputs::{Copy, Input};
use crate::rows::{Outcome, Row};
use reduce_engine::Summary;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The time that a program may take to write its best result when its time is up.
const GRACE: Duration = Duration::from_secs(60);

/// The variables that cargo and rustup set for the programs that they start, and those that would change ours. What the
/// user has set for the network stays: a package may have dependencies.
const NOT_INHERITED: [&str; 13] = [
    "CARGO",
    "CARGO_BIN_",
    "CARGO_BUILD_",
    "CARGO_CRATE_",
    "CARGO_ENCODED_",
    "CARGO_MANIFEST_",
    "CARGO_PKG_",
    "CARGO_PRIMARY_",
    "CARGO_PROFILE_",
    "CARGO_REDUCE_",
    "CARGO_TARGET_",
    "LD_LIBRARY_PATH",
    "OUT_DIR",
];

/// Runs the program on an input with each algorithm and each strategy, one after the other.
///
/// # Errors
/// Where the input cannot be copied. That a run fails is no error, but a row that says so.
pub(crate) fn all<'a>(
    program: &'a Path,
    input: &'a Input,
    case: &'a Case,
    arguments: &'a Arguments,
) -> Result<impl Iterator<Item = Result<Row, String>> + 'a, String> {
    let failed = |error| format!("failed to copy `{}`: {error}", input.name);
    let place = tempfile::tempdir().map_err(failed)?;
    let copy = input.copy_into(place.path()).map_err(failed)?;
    let pairs = arguments.algorithm.iter().flat_map(|algorithm| {
        let strategies = arguments.strategy.iter();
        strategies.map(move |strategy| [algorithm.as_str(), strategy.as_str()])
    });
    Ok(pairs.map(move |[algorithm, strategy]| {
        // The copy lives as long as the runs.
        let _ = &place;
        let run = Run {
            program,
            copy: &copy,
            case,
            arguments,
        };
        Ok(Row {
            input: input.name.clone(),
            algorithm: algorithm.to_owned(),
            strategy: strategy.to_owned(),
            outcome: run.outcome(algorithm, strategy)?,
        })
    }))
}

struct Run<'a> {
    program: &'a Path,
    copy: &'a Copy,
    case: &'a Case,
    arguments: &'a Arguments,
}

/// The end of a program.
enum Ended {
    Itself(Output),
    TimedOut,
}

impl Run<'_> {
    fn outcome(&self, algorithm: &str, strategy: &str) -> Result<Outcome, String> {
        let place = tempfile::tempdir().map_err(|error| format!("failed to begin: {error}"))?;
        let place = place.path();
        let mut command = self.command(algorithm, strategy, place)?;
        let child = command.spawn();
        let child = child.map_err(|error| format!("failed to start the program: {error}"))?;
        let ended = wait(child, self.arguments.timeout());
        Ok(outcome(&ended, &place.join("out")))
    }

    fn command(&self, algorithm: &str, strategy: &str, place: &Path) -> Result<Command, String> {
        let mut command = new_command(self.program);
        let toolchain = self.arguments.toolchain.as_deref();
        command
            .current_dir(&self.copy.directory)
            .envs(toolchain.map(|toolchain| ("RUSTUP_TOOLCHAIN", toolchain)))
            .envs(&self.case.env)
            .env("CARGO_REDUCE_HOME", place.join("home"))
            .args(["reduce", "--ice", "--no-daemon", "--no-cache"])
            .args(["--algorithm", algorithm, "--strategy", strategy])
            .arg("--output")
            .arg(place.join("out"))
            .args(self.arguments.common_args()?)
            .args(&self.copy.file)
            // The arguments of the case come last: what stands after `--` is rustc's.
            .args(&self.case.args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        Ok(command)
    }
}

/// A program that has the user's environment, but for what cargo adds to it.
#[expect(
    clippy::disallowed_methods,
    reason = "a benchmark is a user: it has an environment and starts the program"
)]
fn new_command(program: &Path) -> Command {
    let mut command = Command::new(program);
    let is_inherited = |(name, _): &(OsString, OsString)| is_inherited(&name.to_string_lossy());
    command
        .env_clear()
        .envs(std::env::vars_os().filter(is_inherited));
    command
}

/// Whether a variable of ours is one of the program's. A name of the list that ends with `_` stands
/// for all that begin with it.
pub(crate) fn is_inherited(name: &str) -> bool {
    let is_meant = |listed: &&str| match listed.ends_with('_') {
        true => name.starts_with(*listed),
        false => name == *listed,
    };
    !NOT_INHERITED.iter().any(is_meant)
}

/// Waits for the end. Where it takes too long, the program is asked for its best so far, and ended if
/// it does not give it.
fn wait(child: Child, timeout: Duration) -> Ended {
    let pid = child.id();
    let ended = end_of(child);
    if let Ok(output) = ended.recv_timeout(timeout) {
        return Ended::Itself(output);
    }
    signal(pid, "TERM");
    if ended.recv_timeout(GRACE).is_err() {
        signal(pid, "KILL");
        // A killed program cannot refuse to end; its output is of no interest.
        let _ = ended.recv();
    }
    Ended::TimedOut
}

fn end_of(child: Child) -> Receiver<Output> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let output = child.wait_with_output();
        sender.send(output.expect("a child of ours can be waited for"))
    });
    receiver
}

#[expect(
    clippy::disallowed_methods,
    reason = "ends what this benchmark has started"
)]
fn signal(pid: u32, name: &str) {
    let mut kill = Command::new("kill");
    // The program may have ended by itself in this moment.
    let _ = kill
        .args(["-s", name, &pid.to_string()])
        .stderr(Stdio::null())
        .status();
}

fn outcome(ended: &Ended, directory: &Path) -> Outcome {
    let summary = read_summary(directory).map(Box::new);
    match (ended, summary) {
        (Ended::TimedOut, summary) => Outcome::TimedOut(summary.ok()),
        (Ended::Itself(output), _) if !output.status.success() => Outcome::Failed(failure(output)),
        (Ended::Itself(_), Ok(summary)) => Outcome::Reduced(summary),
        (Ended::Itself(_), Err(reason)) => Outcome::Failed(reason),
    }
}

fn read_summary(directory: &Path) -> Result<Summary, String> {
    let text = std::fs::read_to_string(directory.join("reduction.json"));
    let text = text.map_err(|error| format!("no `reduction.json`: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("failed to read `reduction.json`: {error}"))
}

/// Describes a program's failure: what the program says, and how it ended.
fn failure(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let error = said.lines().rfind(|line| line.starts_with("error"));
    let line = error.or(said.lines().last()).unwrap_or("it says nothing");
    format!("{}: {}", ending(output.status), line.trim())
}

fn ending(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "ended".to_owned(),
    }
}
