//! What must stay, as the user asked for it. The baseline makes a [`crate::Check`] and a
//! [`crate::Property`] of it.

use crate::pattern::{Pattern, Patterns};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// The failure that is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// `--ice`: the compiler crashes.
    #[default]
    Ice,
    /// A test fails; of those whose name has this in it.
    Test {
        /// `[FILTER]`, as for `cargo test`.
        filter: Option<String>,
    },
    /// `--run`: a program fails, or prints what is looked for.
    Run {
        /// What the program is called with.
        args: Vec<String>,
    },
    /// `--error`: the compiler reports an error.
    Error(Pattern),
    /// `--warning`: a lint fires; one of clippy's as `clippy::NAME`.
    Warning(String),
    /// `--hang`: the compiler does not end, or with `--run` the program.
    Hang {
        /// Whether it is the program.
        of_program: bool,
        /// What the program is called with.
        args: Vec<String>,
        /// How long it must run to count as hanging.
        seconds: u64,
    },
    /// `--run --hang` of a package's tests: a test does not end; of those whose name has this in it.
    TestHang {
        /// `[FILTER]`, as for `cargo test`.
        filter: Option<String>,
        /// How long it must run to count as hanging.
        seconds: u64,
    },
    /// `--oom`: the compiler uses so much memory.
    Memory {
        /// Largest resident set.
        bytes: u64,
    },
    /// `--slow`: the compiler takes so many times the time that it takes for an empty program.
    Slow {
        /// More than 1.
        factor: u32,
    },
    /// `--miscompile`: with other flags the program prints something else.
    Miscompile {
        /// The flags of the second build.
        flags: Vec<String>,
    },
    /// `--rustdoc`: rustdoc crashes.
    Rustdoc,
    /// `--clippy`: clippy crashes.
    Clippy,
    /// `--rustfmt`: rustfmt crashes, or formats its own output otherwise.
    Rustfmt,
    /// `--cargo`: a cargo command fails.
    Cargo {
        /// The subcommand and its arguments.
        args: Vec<String>,
    },
    /// `--script`: a program of the user's says so, by ending with status 0.
    Script {
        /// Absolute.
        path: Utf8PathBuf,
    },
    /// `--regression` alone: whatever fails here, a crash or an error.
    Any,
}

/// What must hold besides the failure.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demands {
    /// What is printed.
    pub patterns: Patterns,
    /// `--regression`: a toolchain with which the program does not fail.
    pub regression: Option<String>,
    /// `--valid-with`: flags, or `+TOOLCHAIN` with flags, with which it must compile.
    pub valid_with: Vec<Vec<String>>,
}

impl Goal {
    /// Whether candidates are run, not only compiled.
    #[must_use]
    pub fn executes(&self) -> bool {
        match self {
            Self::Test { .. }
            | Self::TestHang { .. }
            | Self::Run { .. }
            | Self::Miscompile { .. }
            | Self::Cargo { .. }
            | Self::Script { .. } => true,
            Self::Hang { of_program, .. } => *of_program,
            _ => false,
        }
    }

    /// What is looked for, for messages: "failed to see ..".
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Ice => "a crash".to_owned(),
            Self::Test { filter: None } => "a failing test".to_owned(),
            Self::Test {
                filter: Some(filter),
            } => format!("a failing test whose name has `{filter}` in it"),
            Self::Run { .. } => "a program that fails".to_owned(),
            Self::Error(pattern) => format!("the error `{pattern}`"),
            Self::Warning(lint) => format!("a warning of `{lint}`"),
            Self::Hang {
                of_program: true,
                seconds,
                ..
            } => format!("a program that runs for {seconds} s"),
            Self::TestHang { seconds, .. } => format!("a test that runs for {seconds} s"),
            Self::Hang { seconds, .. } => format!("a compiler that runs for {seconds} s"),
            Self::Memory { bytes } => format!("a compiler that uses {} MiB", bytes >> 20),
            Self::Slow { factor } => format!("a compiler that takes {factor} times as long"),
            Self::Miscompile { flags } => format!("another output with `{}`", flags.join(" ")),
            Self::Rustdoc => "a crash of rustdoc".to_owned(),
            Self::Clippy => "a crash of clippy".to_owned(),
            Self::Rustfmt => "a crash or unstable output of rustfmt".to_owned(),
            Self::Cargo { args } => format!("a failure of `cargo {}`", args.join(" ")),
            Self::Script { path } => format!("that `{path}` ends with status 0"),
            Self::Any => "a crash or an error".to_owned(),
        }
    }
}
