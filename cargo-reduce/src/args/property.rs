//! The options for the property that must stay: the failure that is looked for, and what must hold besides.

use clap::{Args, ValueEnum};
use reduce_engine::{PackageSpec, Pattern, Repeat, SandboxMode, Version};

/// The failure; without any of these flags a failing test, where a target or a name is given.
#[derive(Debug, Args)]
#[command(next_help_heading = "What must stay (if nothing is said, what fails is listed)")]
pub(crate) struct GoalArgs {
    /// Keep a crash of the compiler ("internal compiler error")
    #[arg(long)]
    pub(crate) ice: bool,
    /// Keep a crash of the compiler that shows in an incremental compilation: the program before a
    /// change is compiled, and then the program after it
    #[arg(long)]
    pub(crate) incremental: bool,
    /// With `--incremental`: the program before the change, a directory, a file or a revision of git
    /// [default: the same program is compiled twice]
    #[arg(long, value_name = "VERSION")]
    pub(crate) before: Option<String>,
    /// With `--incremental`: more arguments for rustc when the program before the change is compiled,
    /// such as `-Copt-level=1`
    #[arg(long, value_name = "RUSTC_ARGS", allow_hyphen_values = true)]
    pub(crate) before_args: Option<String>,
    /// With `--incremental`: more arguments for rustc when the program after the change is compiled
    #[arg(long, value_name = "RUSTC_ARGS", allow_hyphen_values = true)]
    pub(crate) after_args: Option<String>,
    /// Keep the failure of the program when it is run with these arguments: its panic, exit status
    /// or signal
    #[arg(long, value_name = "ARGS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) run: Option<String>,
    /// Keep an error of the compiler: its code and the shape of its message, or a regular expression
    /// for what it says
    #[arg(long, value_name = "CODE|REGEX")]
    pub(crate) error: Option<Pattern>,
    /// Keep a warning of this lint, such as `dead_code` or `clippy::needless_return`, and the shape of
    /// its message
    #[arg(long, value_name = "LINT")]
    pub(crate) warning: Option<String>,
    /// Keep that the compiler does not end within so many seconds; with `--run`, that the program
    /// does not, or a test if `--test`, `--lib` or a test's name is given
    #[arg(long, value_name = "SECS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) hang: Option<u64>,
    /// Keep that the compiler needs this much memory, such as `800M` or `4G`
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) oom: Option<u64>,
    /// Keep that the compiler takes so many times the CPU time that it takes for an empty program
    #[arg(long, value_name = "FACTOR", value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) slow: Option<u32>,
    /// Keep that a program prints something else, without a panic, if it is compiled with these
    /// flags too [default: -Copt-level=3 against -Copt-level=0]
    #[arg(long, value_name = "FLAGS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) miscompile: Option<String>,
    /// Keep a crash of rustdoc
    #[arg(long)]
    pub(crate) rustdoc: bool,
    /// Keep a crash of clippy
    #[arg(long)]
    pub(crate) clippy: bool,
    /// Keep a crash of rustfmt, or that it changes its own output when it formats that again
    #[arg(long)]
    pub(crate) rustfmt: bool,
    /// Keep the failure of a cargo command, such as `'test --doc'`
    #[arg(long, value_name = "SUBCOMMAND")]
    pub(crate) cargo: Option<String>,
    /// Keep that this program ends with status 0. It is called in a copy of the directory, with the
    /// file's name as its argument
    #[arg(long, value_name = "PATH")]
    pub(crate) script: Option<camino::Utf8PathBuf>,
    /// Take the last of what fails, where it was not said what must stay or where several tests are
    /// meant. Without it they are listed, and on a terminal you are asked
    #[arg(long)]
    pub(crate) last: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What must hold besides")]
pub(crate) struct PropertyArgs {
    /// Demand that the program does not fail with this toolchain. Without another flag, keep a
    /// crash or the first error
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

/// Bytes, with `K`, `M` or `G` for powers of 1024; without one MiB.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits
        .parse()
        .map_err(|_| "it must be a number, such as `800M` or `4G`".to_owned())?;
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "K" | "KB" | "KIB" => 10,
        "" | "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        unit => return Err(format!("`{unit}` is none of `K`, `M` and `G`")),
    };
    let bytes = number
        .checked_shl(shift)
        .filter(|bytes| bytes >> shift == number);
    bytes
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "it must be more than nothing, and less than there is".to_owned())
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn a_size_has_a_unit_or_is_in_mib() {
        for (text, expected) in [
            ("800M", Some(800 << 20)),
            ("4g", Some(4 << 30)),
            ("16KiB", Some(16 << 10)),
            ("5", Some(5 << 20)),
            ("0", None),
            ("x", None),
            ("4T", None),
            ("99999999999G", None),
        ] {
            assert_eq!(size(text).ok(), expected, "{text}");
        }
    }
}
