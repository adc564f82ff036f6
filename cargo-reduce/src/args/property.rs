//! The options for what must hold besides the failure.

use clap::{Args, ValueEnum};
use reduce_engine::{PackageSpec, Pattern, Repeat, SandboxMode, Version};

#[derive(Debug, Args)]
#[command(next_help_heading = "What must hold besides")]
pub(crate) struct PropertyArgs {
    /// Demand that the program does not fail with this toolchain. If no other flag names the
    /// failure, it is a crash of the compiler or its first error
    #[arg(long, value_name = "TOOLCHAIN")]
    pub(crate) regression: Option<String>,
    /// Demand that the program does not fail with this version of the code under test: a revision
    /// of git, a directory with `/` in its name, `=1.2.3` of the package, `NAME=1.2.3` of a
    /// dependency, or `auto` for the newest commit that passes. Values may change, as long as the
    /// two versions differ. With `--whole`, the difference between the versions is reduced too
    #[arg(long, value_name = "REV|PATH|VERSION|auto")]
    pub(crate) good: Option<Version>,
    /// Demand that the program compiles without error with these flags, or with `+TOOLCHAIN` and
    /// flags
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub(crate) valid_with: Vec<String>,
    /// Demand that what is printed matches this regular expression
    #[arg(long, value_name = "REGEX")]
    pub(crate) and: Vec<Pattern>,
    /// Demand that what is printed does not match this regular expression
    #[arg(long, value_name = "REGEX")]
    pub(crate) not: Vec<Pattern>,
    /// Accept candidates with errors that the original does not have
    #[arg(long)]
    pub(crate) allow_errors: bool,
    /// Accept no candidate with any error, even if the original has some
    #[arg(long, conflicts_with = "allow_errors")]
    pub(crate) strict_valid: bool,
    /// Accept a crash at another line of the same file of the compiler
    #[arg(long)]
    pub(crate) ignore_location: bool,
    /// With `--error CODE` and `--warning`: accept any message of this code or lint. Otherwise its words
    /// stay, without names, types and numbers, and the trait or lint that it names
    #[arg(long)]
    pub(crate) any_message: bool,
    /// Demand that so many functions of the compiler that led to a crash are the same, from the
    /// innermost one on. Each step then takes another run of the compiler, with a backtrace
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) same_frames: u32,
    /// Go on into the code under test once the failing test is reduced: the result is one file with
    /// both, in which the cause of the failure stays
    #[arg(long, conflicts_with = "free")]
    pub(crate) whole: bool,
    /// Count this package as code under test too, like the members of the workspace: small changes
    /// of its code show what the failing test needs
    #[arg(long, value_name = "PACKAGE")]
    pub(crate) mutate: Vec<PackageSpec>,
    /// Reduce a failing test and the code under test by whatever keeps the failure: the result is
    /// smaller, and may fail for another reason than the original
    #[arg(long)]
    pub(crate) free: bool,
    /// Run each candidate up to N times, for a failure that does not show every time. `auto` counts
    /// how often the input fails, and chooses N so that at most 5 % of the candidates that fail as
    /// often are missed
    #[arg(long, value_name = "N|auto", default_value_t = Repeat::ONCE)]
    pub(crate) repeat: Repeat,
    /// Demand that a candidate fails in so many of these runs: a higher number lets fewer
    /// candidates pass that fail only seldom
    #[arg(long, value_name = "K", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) at_least: u32,
    /// Run the input, and the result, at most so often to see whether they fail each time
    /// [default: 66 times the input, 12 times the result]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) stability_runs: Option<u32>,
    /// Choose the sandbox in which candidates are compiled and run. They write to their own scratch
    /// directory alone, and have no network
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub(crate) sandbox: SandboxHow,
    /// Pass this environment variable on to programs that are run
    #[arg(long, value_name = "NAME")]
    pub(crate) env: Vec<String>,
    /// Let candidates read this file or directory of yours too, such as what a script needs beside it;
    /// not a home directory
    #[arg(long, value_name = "PATH")]
    pub(crate) read: Vec<camino::Utf8PathBuf>,
}

/// How much of a sandbox there has to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SandboxHow {
    /// All of the sandbox, and no sockets at all; if the system does not allow it, the command
    /// fails
    Strict,
    /// All of it that the system allows; programs are run only if files and system calls are guarded
    #[default]
    Default,
    /// No sandbox; the limits of time, memory and processes stay
    Off,
}

impl From<SandboxHow> for SandboxMode {
    fn from(how: SandboxHow) -> Self {
        match how {
            SandboxHow::Strict => Self::Strict,
            SandboxHow::Default => Self::Default,
            SandboxHow::Off => Self::Off,
        }
    }
}
