//! Why a reduction could not be done, in a form that a client can show and that travels over a
//! socket: a kind that decides the exit code, a message, the output of what failed, and hints.

use crate::store::StoreError;
use reduce_oracle::{Demand, OracleError, Sample};
use serde::{Deserialize, Serialize};

/// Why a reduction could not be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// Decides the exit code.
    pub kind: FailureKind,
    /// One line, lowercase, without a full stop.
    pub message: String,
    /// What caused it, outermost first.
    pub causes: Vec<String>,
    /// The last lines of what a failed command printed.
    pub output: Option<String>,
    /// What the user can do next, a line each.
    pub hints: Vec<String>,
}

/// The kinds of failure; each has an exit code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The arguments or the input make no sense: no manifest, a manifest that cargo rejects, no
    /// such file.
    BadInput,
    /// The input does not fail as it was asked for.
    NoCrash,
    /// It fails only sometimes, or each time in another way.
    UnstableCrash,
    /// The compiler or cargo is not there or cannot be started; or not in the way that was asked for.
    CompilerMissing,
    /// What is run cannot be kept apart.
    Sandbox,
    /// The output directory exists.
    OutputExists,
    /// The store is locked, corrupt or newer.
    Store,
    /// Our own surroundings failed: disk full, no permission, no process.
    Environment,
    /// Cancelled before there was a result.
    Cancelled,
}

impl Failure {
    /// A failure without causes, output and hints.
    #[must_use]
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            kind,
            message,
            causes: Vec::new(),
            output: None,
            hints: Vec::new(),
        }
    }

    /// Our surroundings failed.
    #[must_use]
    pub fn environment(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Environment, message)
    }

    /// An operation on a file failed; `action` reads "write `PATH`".
    #[must_use]
    pub fn io(action: &str, error: &std::io::Error) -> Self {
        let failure = Self::environment(format!("failed to {action}")).caused_by(error);
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => failure
                .hint("make room on the disk and give the same command again: it goes on from the last accepted step"),
            std::io::ErrorKind::PermissionDenied => {
                failure.hint("give a directory that you may write to with `--output DIR`")
            }
            _ => failure,
        }
    }

    /// Adds a line about what the user can do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds what the failed command printed.
    #[must_use]
    pub fn with_output(mut self, output: impl Into<String>) -> Self {
        self.output = Some(output.into());
        self
    }

    /// Adds an error and its sources as causes.
    #[must_use]
    pub fn caused_by(mut self, error: &dyn std::error::Error) -> Self {
        let mut next = Some(error);
        while let Some(error) = next {
            self.causes.push(error.to_string());
            next = error.source();
        }
        self
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let failure = Self::new(FailureKind::Store, error.to_string());
        let failure = match is_full(&error) {
            true => failure.hint("make room on the disk first"),
            false => failure,
        };
        let failure = failure
            .hint("give the same command again: it goes on from the last accepted step")
            .hint("or do without the store with `--no-cache`");
        match &error.source {
            Some(source) => failure.caused_by(source.as_ref()),
            None => failure,
        }
    }
}

/// Whether the store has no room for what it keeps.
fn is_full(error: &StoreError) -> bool {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    let source = error.source.as_ref();
    let cause = source.and_then(|source| source.downcast_ref::<std::io::Error>());
    cause.is_some_and(|cause| matches!(cause.kind(), StorageFull | QuotaExceeded))
}

impl From<OracleError> for Failure {
    fn from(error: OracleError) -> Self {
        let mut failure = Self::new(kind_of(&error), error.to_string());
        if let Some(source) = std::error::Error::source(&error) {
            failure = failure.caused_by(source);
        }
        match error {
            OracleError::NoManifest { .. } => failure
                .hint("go to a directory with a `Cargo.toml`, or give `--manifest-path PATH`")
                .hint("or name a source file: `cargo reduce --ice FILE.rs`"),
            OracleError::CargoRejected { stderr, .. } => failure
                .with_output(stderr)
                .hint("mend what cargo complains about, so that it gets as far as calling rustc"),
            OracleError::CompilerMissing { .. } => failure
                .hint("check `--rustc PATH`, `RUSTC` and `build.rustc` in `.cargo/config.toml`, or the toolchain's name after `+`"),
            OracleError::CargoMissing { .. } => {
                failure.hint("install cargo, or put it on the `PATH`")
            }
            OracleError::NoFailure { output, compiles, .. } => {
                let failure = failure.with_output(output);
                let hint = if compiles {
                    "give what the failure needs: `+TOOLCHAIN`, `--release`, `--features`, a target such as `--test NAME`, `--tests` for what only `cargo test` compiles, or flags after `--`"
                } else {
                    "mend the errors, or give the options under which it fails as you asked"
                };
                let failure = failure.hint(hint);
                match compiles {
                    true => failure.hint("where it fails only sometimes, `--repeat auto` tries more than once"),
                    false => failure,
                }
            }
            OracleError::NotCompiled { output, crashes, suggestion, .. } => {
                let failure = failure.with_output(output);
                let what = if crashes { "crash" } else { "error" };
                let failure = match suggestion {
                    Some(command) => failure.hint(format!("to reduce this {what} instead: `{command}`")),
                    None => failure,
                };
                match crashes {
                    true => failure,
                    false => failure.hint("to reduce what it does when it runs, mend the error first"),
                }
            }
            OracleError::BoundTooLow { least, .. } => failure.hint(format!("ask for at least {least}")),
            OracleError::FailsElsewhere { demand, output, .. } => {
                let failure = failure.with_output(output);
                failure.hint(match demand {
                    Demand::Succeeds => "name a toolchain with which it does not fail",
                    Demand::Compiles => "give flags with which the whole program compiles, or leave `--valid-with` out",
                })
            }
            OracleError::Unstable { signatures, crashed, runs, .. } => {
                let sample = Sample { failed: crashed, runs };
                let seen: Vec<String> = signatures.iter().map(|one| format!("failure: {one}")).collect();
                failure
                    .with_output(seen.join("\n"))
                    .hint(format!("it was seen in {sample}"))
                    .hint("`--repeat auto` counts how often it fails, and runs each candidate as often as that needs; `--repeat N` up to N times")
                    .hint("what is compiled and run has no network, and writes its own scratch directory alone; if it needs more, say `--sandbox off`")
            }
            OracleError::CrashOfMacro { source_file, .. } => failure
                .hint(format!("the bug is in the macro (`{source_file}`), whatever is printed of the compiler"))
                .hint("`--cargo check`, with the same `-p` and target in its quotes, reduces the program that calls it all the same; for a file a script does (`--script PATH`)"),
            OracleError::OtherInSandbox { inside, outside, flags, is_confined, .. } => {
                let lines = seen_at_both(inside, outside.clone(), is_confined);
                with_mending_hint(failure.with_output(lines), &flags, outside.is_some())
            }
            OracleError::SeveralTests { tests } => failure
                .with_output(tests.join("\n"))
                .hint("name one of them after the target: `cargo reduce --test TARGET TEST`"),
            OracleError::ToolMissing { .. } => {
                failure.hint("install it, or use another toolchain with `+TOOLCHAIN`")
            }
            OracleError::ScriptUnusable { path, .. } => failure
                .hint(format!("`chmod +x {path}` marks it as executable, if it is a script")),
            OracleError::NotReadable { .. } => failure
                .hint("name a file, or a directory that holds nothing but what candidates may read"),
            OracleError::NotInteresting { output, .. } => {
                let is_refused = output.contains("Permission denied");
                let failure = failure
                    .with_output(output)
                    .hint("it runs in a copy of the directory, and gets the name of the file as its argument")
                    .hint("it has a home of its own and few of your variables; `--env NAME` hands one on");
                match is_refused {
                    true => failure.hint("it reads itself, the copy and the toolchain; `--read PATH` lets it read a file or directory besides"),
                    false => failure,
                }
            }
            OracleError::NoTarget { .. } => failure
                .hint("name it with `-p PACKAGE`, and `--lib`, `--bin NAME`, `--test NAME`, `--example NAME` or `--bench NAME`"),
            OracleError::NoSandbox { .. } => failure
                .hint("candidates are programs that nobody has read; to run them without protection, say `--sandbox off`"),
            OracleError::NeverEnds { output, hang, .. } => {
                let failure = match output.is_empty() {
                    true => failure,
                    false => failure.with_output(output),
                };
                let failure = failure.hint("if it only needs longer, give it more time with `--baseline-timeout SECS`");
                match hang {
                    Some(args) => failure.hint(format!("to reduce what does not end, say `cargo reduce {args}`")),
                    None => failure,
                }
            }
            OracleError::TooSlow { .. } => failure.hint("give it more time with `--timeout SECONDS`"),
            OracleError::TooLarge { .. } => {
                failure.hint("move large data files out of the workspace, or reduce a copy without them")
            }
            _ => failure,
        }
    }
}

/// The outcomes of a program where it was run in two ways.
fn seen_at_both(inside: Option<String>, outside: Option<String>, is_confined: bool) -> String {
    let passes = || "it passes".to_owned();
    let (here, there) = match is_confined {
        true => ("in the sandbox", "outside"),
        false => ("without your environment", "with it"),
    };
    let (inside, outside) = (
        inside.unwrap_or_else(passes),
        outside.unwrap_or_else(passes),
    );
    format!("{here}: {inside}\n{there}: {outside}")
}

/// What makes a program do the same in the sandbox as outside.
fn with_mending_hint(failure: Failure, flags: &[String], fails: bool) -> Failure {
    const PLACES: &str = "neither your variables nor `--sandbox off` change that: it finds another home (`HOME`) and another directory for temporary files (`TMPDIR`) here; have it read what it needs from the package";
    let line = flags.join(" ");
    let failure = match (flags, fails) {
        ([], _) => return failure.hint(PLACES),
        (_, true) => failure.hint(format!("with `{line}` it fails here as it does for you")),
        (_, false) => failure.hint(format!(
            "with `{line}` it passes here too: there is nothing to reduce"
        )),
    };
    match line.contains("--sandbox off") {
        true => failure.hint("without a sandbox each candidate may do what you may do"),
        false => failure,
    }
}

fn kind_of(error: &OracleError) -> FailureKind {
    match error {
        OracleError::NoManifest { .. }
        | OracleError::CargoRejected { .. }
        | OracleError::TooLarge { .. } => FailureKind::BadInput,
        OracleError::SeveralTests { .. }
        | OracleError::NoTarget { .. }
        | OracleError::NotReadable { .. }
        | OracleError::ScriptUnusable { .. } => FailureKind::BadInput,
        OracleError::CompilerMissing { .. }
        | OracleError::CargoMissing { .. }
        | OracleError::ToolMissing { .. } => FailureKind::CompilerMissing,
        OracleError::NoSandbox { .. } => FailureKind::Sandbox,
        OracleError::NoFailure { .. }
        | OracleError::NotCompiled { .. }
        | OracleError::OtherInSandbox { .. }
        | OracleError::CrashOfMacro { .. }
        | OracleError::NotInteresting { .. }
        | OracleError::FailsElsewhere { .. }
        | OracleError::NeverEnds { .. }
        | OracleError::BoundTooLow { .. } => FailureKind::NoCrash,
        OracleError::Unstable { .. } | OracleError::TooSlow { .. } => FailureKind::UnstableCrash,
        OracleError::Cancelled => FailureKind::Cancelled,
        _ => FailureKind::Environment,
    }
}
