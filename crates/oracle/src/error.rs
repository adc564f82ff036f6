//! The errors of the oracle: our surroundings failed, or the input shows no stable crash.

use crate::demands::Demand;
use crate::offer::Offer;
use crate::signature::Signature;
use camino::{Utf8Path, Utf8PathBuf};
use std::time::Duration;

/// The reason why the oracle could not answer. A failure of a candidate is never an error, it is a
/// [`crate::Verdict`].
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The directory and those above it have no `Cargo.toml`.
    #[error("failed to find `Cargo.toml` in `{searched_from}` or any directory above it")]
    NoManifest {
        /// The directory in which the search began.
        searched_from: Utf8PathBuf,
    },
    /// cargo refuses the manifest, the selection or the configuration.
    #[error("failed to run `{command}` in `{dir}`: {status}")]
    CargoRejected {
        /// The shell line of the cargo command.
        command: String,
        /// The directory in which cargo ran.
        dir: Utf8PathBuf,
        /// The status with which cargo ended, for people.
        status: String,
        /// The last lines that cargo printed.
        stderr: String,
    },
    /// The compiler does not exist, or does not say which version it is.
    #[error("failed to find a working compiler at `{path}`: {reason}")]
    CompilerMissing {
        /// The path, or the bare name that was looked up.
        path: Utf8PathBuf,
        /// The reason why the compiler cannot be used.
        reason: String,
    },
    /// The program `cargo` does not exist.
    #[error("failed to find cargo at `{path}`: {reason}")]
    CargoMissing {
        /// The path, or the bare name that was looked up.
        path: Utf8PathBuf,
        /// The reason why cargo cannot be used.
        reason: String,
    },
    /// The program does not fail in the way that is looked for.
    #[error("failed to see {wanted}: {}", reason(*.compiles, .command))]
    NoFailure {
        /// The failure that was looked for, as in "a crash".
        wanted: String,
        /// The last shell line that was tried.
        command: String,
        /// The end of the command's output.
        output: String,
        /// Whether the command succeeds; otherwise there are ordinary errors, or other failures.
        compiles: bool,
    },
    /// A target that is to be run does not compile.
    #[error("failed to see {wanted}: {}", compilation(*.crashes, .command))]
    NotCompiled {
        /// The failure that was looked for, as in "a failing test".
        wanted: String,
        /// The cargo command that was to compile the target.
        command: String,
        /// Whether the compiler crashed; otherwise it reported errors.
        crashes: bool,
        /// The output of cargo, from its first error on.
        output: String,
        /// The requests that reduce this failure instead.
        instead: Vec<Offer>,
    },
    /// The request does not say which failure is meant, although some were found.
    #[error("{}", unsaid(.failing))]
    Unsaid {
        /// The failures that were found.
        failing: Vec<Offer>,
    },
    /// Two builds print different things, and the program has undefined behaviour.
    #[error(
        "failed to see a miscompilation: Miri finds undefined behaviour in the program, which may then print anything"
    )]
    Undefined {
        /// The end of what Miri printed.
        output: String,
    },
    /// An empty program already uses as much as the bound that is looked for.
    #[error(
        "the threshold is too low for {wanted}: an empty program already takes {usual} for `{command}`"
    )]
    BoundTooLow {
        /// The failure that was looked for, as in "a compiler that runs for 1 s".
        wanted: String,
        /// The compiler call as a shell line.
        command: String,
        /// The time or memory that an empty program needs.
        usual: String,
        /// The least that can be asked for.
        least: String,
    },
    /// The program does not behave with another toolchain or other flags as the user demands.
    #[error("failed to see {}", elsewhere(*.demand, .command))]
    FailsElsewhere {
        /// The demand that the program does not meet.
        demand: Demand,
        /// The shell line that was tried.
        command: String,
        /// The end of the output.
        output: String,
    },
    /// A server has no certain answer to a query, which has to be asked on this machine.
    #[error("failed to get an answer of the server: {reason}")]
    Declined {
        /// The fact that makes the answer uncertain.
        reason: String,
    },
    /// The program has no version by the name that the user gave.
    #[error("failed to find the version `{version}`: {reason}")]
    NoVersion {
        /// The version as the user named it.
        version: String,
        /// The reason why the version cannot be used.
        reason: String,
        /// The next step for the user.
        hint: String,
    },
    /// The program fails in the version with which it should not.
    #[error("failed to see a difference: with `{version}`, `{command}` fails too")]
    FailsInVersion {
        /// The version, for people.
        version: String,
        /// The shell line that was tried.
        command: String,
        /// The end of the output.
        output: String,
    },
    /// The program or test fails in another way in the sandbox than outside, where the user has
    /// seen it.
    #[error("failed to reproduce the failure {}: {what} {}", here(*.is_confined), contrast(.inside.as_ref(), .outside.as_ref(), *.is_confined))]
    OtherInSandbox {
        /// The program or test that is run, as in "the test `name`".
        what: String,
        /// The failure in the sandbox; `None` where there is none.
        inside: Option<String>,
        /// The failure as the user runs it; `None` where there is none.
        outside: Option<String>,
        /// Whether there was a sandbox; otherwise only the environment was another one.
        is_confined: bool,
        /// The flags with which both failures are the same; none where there are none.
        flags: Vec<String>,
        /// The library by which the test has the compiler look at other files, such as `trybuild`.
        compiles_by: Option<&'static str>,
    },
    /// The program or test fails in another way where candidates are linked than where cargo has linked it.
    #[error("failed to see the same failure where candidates are run: {what} {}", among_candidates(.here.as_deref()))]
    OtherAmongCandidates {
        /// The thing that is run: "the program", "the test".
        what: String,
        /// The failure where cargo has linked it.
        linked_by_cargo: String,
        /// The failure where candidates are linked; `None` where there is none.
        here: Option<String>,
        /// The command by which candidates are compiled and run.
        command: String,
    },
    /// The crash looks like one of the compiler, but is the doing of a procedural macro that runs
    /// in it.
    #[error("failed to see a crash of the compiler: {what} ends the process ({ending})")]
    CrashOfMacro {
        /// The macro and its crate, as in "the procedural macro `a` of the crate `b`".
        what: String,
        /// The end of the process, for people.
        ending: String,
        /// The root of the macro's crate, or where it is not known the compiled library; absolute.
        source_file: Utf8PathBuf,
    },
    /// The backtrace of a crash names fewer functions than the user wants compared.
    #[error(
        "failed to see {wanted} functions of the compiler in the backtrace of `{command}`: there are {found}"
    )]
    NoFrames {
        /// The shell line of the compiler call.
        command: String,
        /// The number of frames that are to be compared.
        wanted: usize,
        /// The number of frames that there are.
        found: usize,
    },
    /// The compiler call fails only in some of its runs, or in another way in each.
    #[error(
        "failed to see the same failure in each run: `{command}` failed in {crashed} of {runs} runs"
    )]
    Unstable {
        /// The shell line of the compiler call.
        command: String,
        /// The number of runs that crashed.
        crashed: u32,
        /// The number of all runs.
        runs: u32,
        /// The different signatures that were seen.
        signatures: Vec<Signature>,
    },
    /// Several tests fail, and it was not said which one is meant.
    #[error("failed to choose a test: {} of them fail", .tests.len())]
    SeveralTests {
        /// The tests that fail, each with the command that reduces it.
        tests: Vec<Offer>,
    },
    /// A name was given that no test has.
    #[error("failed to find the test `{name}`: no test has this name{}", those_failing(.failing))]
    NoSuchTest {
        /// The name as it was given.
        name: String,
        /// The tests that fail.
        failing: Vec<Offer>,
    },
    /// A test cannot be written as a plain `#[test]` function.
    #[error("failed to write `{test}` as a `#[test]` function")]
    NotWritten {
        /// The test's name.
        test: String,
    },
    /// A doc test that is marked `compile_fail` compiles.
    #[error("failed to see an error in `{test}`: it is marked `compile_fail`, and it compiles")]
    CompileFailCompiles {
        /// The name of the doc test.
        test: String,
    },
    /// The fuzz target or its input file does not exist.
    #[error("failed to find {what}")]
    FuzzMissing {
        /// The words for the missing thing: "the fuzz target `..`", or "the input `..`".
        what: String,
        /// The names of the targets that are there.
        known: Vec<String>,
    },
    /// A toolchain or tool that was named does not exist.
    #[error("failed to find {what}")]
    ToolMissing {
        /// The tool, such as "`rustfmt` beside the compiler".
        what: String,
    },
    /// The script of `--script` cannot be run.
    #[error("failed to run the script `{path}`: {reason}")]
    ScriptUnusable {
        /// The script's path, absolute.
        path: Utf8PathBuf,
        /// The reason why the script cannot be used.
        reason: &'static str,
    },
    /// A path of `--read` does not exist, or must stay closed to programs.
    #[error("failed to open `{path}` to candidates: {reason}")]
    NotReadable {
        /// The path, absolute.
        path: Utf8PathBuf,
        /// The reason why the path must not be readable.
        reason: &'static str,
    },
    /// The script of `--script` does not find the input interesting.
    #[error(
        "failed to find the input interesting: `{command}` ends with {status}, not with status 0"
    )]
    NotInteresting {
        /// The shell line, in a copy of the input's directory.
        command: String,
        /// The status with which the script ended, for people.
        status: String,
        /// The end of the script's output.
        output: String,
    },
    /// It is not clear which package or target of a workspace is meant.
    #[error("failed to choose {what} to be reduced: {} come into question", names(.known))]
    NoTarget {
        /// The kind of thing to choose: "a package" or "a target".
        what: &'static str,
        /// The names of the targets; none where there is nothing.
        known: Vec<String>,
    },
    /// The system cannot sandbox the programs that are run, and the user has not allowed to do
    /// without.
    #[error("failed to set up a sandbox for the programs that are run: {}", .missing.join("; "))]
    NoSandbox {
        /// The parts of the sandbox that are missing, for people.
        missing: Vec<String>,
    },
    /// The command whose failure is looked for does not end by itself.
    #[error("failed to see the failure: `{command}` had not ended after {} s", .after.as_secs())]
    NeverEnds {
        /// The shell line of the command.
        command: String,
        /// Wall time after which the command was stopped.
        after: Duration,
        /// The end of the command's output.
        output: String,
        /// The arguments of `cargo reduce` that look for just this hang, where there are such.
        hang: Option<String>,
    },
    /// The call that shows the baseline did not end before its deadline.
    #[error("failed to see the failure within {} s: `{command}` was stopped", .deadline.as_secs_f64())]
    TooSlow {
        /// The shell line of the compiler call.
        command: String,
        /// The time that was allowed.
        deadline: Duration,
    },
    /// The directory of the workspace or package is too large to be copied.
    #[error(
        "failed to copy `{dir}`: it has more than {limit_bytes} bytes without `target` and `.git`"
    )]
    TooLarge {
        /// The workspace or package directory.
        dir: Utf8PathBuf,
        /// The size that is allowed, in bytes.
        limit_bytes: u64,
    },
    /// A text that another program wrote, such as cargo's JSON, does not have the expected form.
    #[error("failed to understand {what}")]
    Format {
        /// The thing that was read.
        what: String,
        /// The error of the parser.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file system refused an operation.
    #[error("failed to {action} `{path}`")]
    Io {
        /// The operation as a verb phrase, such as `write`.
        action: &'static str,
        /// The path of the file or directory.
        path: Utf8PathBuf,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
    /// A process could not be started or watched.
    #[error("failed to start `{program}` in `{dir}`")]
    Spawn {
        /// The program that was to be started.
        program: Utf8PathBuf,
        /// The directory in which it should have run.
        dir: Utf8PathBuf,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
    /// The outcome of a process that was to run on another machine is not known. Nothing follows from that.
    #[error("failed to run a query elsewhere: {reason}")]
    Lost {
        /// The facts that are known of the loss, for people.
        reason: String,
    },
    /// A kept crash shows only with the incremental state of an earlier compiler call.
    #[error("failed to see the crash {name} without the incremental state of the call before")]
    NeedsState {
        /// The crash's name, such as `#3`.
        name: String,
        /// Whether the sources of the call before were kept.
        has_before: bool,
        /// The error that was seen instead.
        source: Box<OracleError>,
    },
    /// A program that crashed in another way when the input was reduced does not do so now.
    #[error("failed to see another crash again, {crash}: {seen}")]
    OtherCrashGone {
        /// The crash's signature.
        crash: String,
        /// The result that is seen instead, as a sentence without its point.
        seen: String,
    },
    /// The search was cancelled before there was an answer.
    #[error("cancelled")]
    Cancelled,
}

impl OracleError {
    /// Makes the error of a file operation, for `map_err`: `OracleError::io("write", path)`.
    pub(crate) fn io(
        action: &'static str,
        path: &Utf8Path,
    ) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

fn reason(compiles: bool, command: &str) -> String {
    match compiles {
        true => format!("`{command}` succeeds"),
        false => format!("`{command}` fails otherwise"),
    }
}

fn among_candidates(here: Option<&str>) -> &'static str {
    match here {
        Some(_) => "fails in another way there each time",
        None => "does not fail there",
    }
}

fn unsaid(failing: &[Offer]) -> String {
    match failing.len() {
        0 => "failed to see anything that fails: `cargo check` and `cargo test` succeed".to_owned(),
        1 => "failed to choose what to reduce: no failure was named, and one was found".to_owned(),
        number => format!("failed to choose what to reduce: {number} tests fail"),
    }
}

fn those_failing(failing: &[Offer]) -> &'static str {
    match failing {
        [] => ", and all tests pass",
        [_] => "; this one fails",
        _ => "; these fail",
    }
}

fn here(is_confined: bool) -> &'static str {
    match is_confined {
        true => "in the sandbox",
        false => "without your environment",
    }
}

fn contrast(inside: Option<&String>, outside: Option<&String>, is_confined: bool) -> String {
    let here = here(is_confined);
    let there = match is_confined {
        true => "outside",
        false => "with it",
    };
    match (inside, outside) {
        (Some(_), None) => format!("fails {here}, and passes {there}"),
        (None, Some(_)) => format!("passes {here}, and fails {there}"),
        _ => format!("fails {here} in another way than {there}"),
    }
}

fn compilation(crashes: bool, command: &str) -> String {
    match crashes {
        true => format!("the compiler crashes in `{command}`"),
        false => format!("`{command}` does not compile it"),
    }
}

fn names(known: &[String]) -> String {
    match known.is_empty() {
        true => "none".to_owned(),
        false => format!("`{}`", known.join("`, `")),
    }
}

fn elsewhere(demand: Demand, command: &str) -> String {
    match demand {
        Demand::Succeeds => format!("a regression: `{command}` fails too"),
        Demand::Compiles => format!("a program that is valid: `{command}` does not compile it"),
    }
}
