//! The flags for the failure that is looked for, and the table of what each means.

use super::parse::{Parsed, Rank};
use crate::context::Context;
use crate::error::CommandError;
use clap::Args;
use reduce_engine::{FlagsOfOneCall, Goal, Pattern, TargetSelection, Version};

/// The flags of a second build of a program, where the user names none.
const OPTIMISED: [&str; 1] = ["-Copt-level=3"];

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

/// A failure that was asked for, with the flag, and how pressing that was.
pub(crate) type Given = (Option<Rank>, &'static str, Goal);

/// Returns the failures that were asked for: this is the table of the flags, and of what each means.
///
/// # Errors
/// Where the value of a flag means nothing.
pub(crate) fn given_goals(
    parsed: &Parsed,
    target: &TargetSelection,
    context: &Context,
) -> Result<Vec<Given>, CommandError> {
    let args = &parsed.args.goal;
    let all = [
        ("ice", args.ice.then_some(Goal::Ice)),
        ("incremental", incremental_goal(parsed, context)?),
        ("run", args.run.as_deref().map(run_goal).transpose()?),
        ("error", args.error.clone().map(Goal::Error)),
        ("warning", args.warning.clone().map(Goal::Warning)),
        (
            "hang",
            args.hang
                .map(|seconds| hang_goal(parsed, target, seconds))
                .transpose()?,
        ),
        ("oom", args.oom.map(|bytes| Goal::Memory { bytes })),
        ("slow", args.slow.map(|factor| Goal::Slow { factor })),
        (
            "miscompile",
            args.miscompile
                .as_deref()
                .map(miscompile_goal)
                .transpose()?,
        ),
        ("rustdoc", args.rustdoc.then_some(Goal::Rustdoc)),
        ("clippy", args.clippy.then_some(Goal::Clippy)),
        ("rustfmt", args.rustfmt.then_some(Goal::Rustfmt)),
        ("cargo", args.cargo.as_deref().map(cargo_goal).transpose()?),
        (
            "script",
            args.script.as_deref().map(|path| Goal::Script {
                path: context.absolute(path),
            }),
        ),
    ];
    let given = all.into_iter();
    Ok(given
        .filter_map(|(flag, goal)| Some((parsed.rank(flag), flag, goal?)))
        .collect())
}

/// Absent where it is not asked for.
///
/// # Errors
/// Where another version is named, and this failure is not asked for.
fn incremental_goal(parsed: &Parsed, context: &Context) -> Result<Option<Goal>, CommandError> {
    let args = &parsed.args.goal;
    let same_frames = parsed.args.property.same_frames;
    let before = args.before.as_deref().map(|text| before(text, context));
    let before = before.transpose()?;
    let flags = FlagsOfOneCall {
        before: rustc_words("before-args", args.before_args.as_deref())?,
        after: rustc_words("after-args", args.after_args.as_deref())?,
    };
    if !args.incremental && !flags.is_empty() {
        let message = "`--before-args` and `--after-args` go with `--incremental`";
        return Err(CommandError::bad_input(message).hint("flags for rustc go after `--`"));
    }
    match (args.incremental, before) {
        (true, _) if same_frames > 0 => Err(CommandError::bad_input(
            "`--same-frames` compares one call of the compiler, and `--incremental` makes two",
        )
        .hint("leave `--same-frames` out")),
        (true, before) => Ok(Some(Goal::Incremental { before, flags })),
        (false, None) => Ok(None),
        (false, Some(_)) => Err(
            CommandError::bad_input("`--before` goes with `--incremental`")
                .hint("`--good` names a version with which a test passes"),
        ),
    }
}

/// The arguments for rustc in the value of a flag.
///
/// # Errors
/// Where these are no flags.
fn rustc_words(flag: &str, given: Option<&str>) -> Result<Vec<String>, CommandError> {
    let words = words(flag, given.unwrap_or_default())?;
    match words.first() {
        Some(first) if !first.starts_with('-') => Err(CommandError::bad_input(format!(
            "`--{flag}` needs flags of the compiler, and `{first}` is none"
        ))
        .hint(format!("such as `--{flag} '-C opt-level=1'`"))),
        _ => Ok(words),
    }
}

/// Reads a version: a path if there is one of that name, and else a revision.
fn before(text: &str, context: &Context) -> Result<Version, CommandError> {
    let path = context.absolute(text.into());
    if path.exists() {
        return Ok(Version::Path(path));
    }
    let version = text.parse::<Version>();
    let version = version.map_err(|error| CommandError::bad_input(error.to_string()))?;
    match version {
        Version::Revision(_) | Version::Path(_) => Ok(version.within(&context.cwd)),
        _ => Err(CommandError::bad_input(format!(
            "`--before {text}` names no version that can be compiled before this one"
        ))
        .hint("give a directory, a file, or a revision of git")),
    }
}

fn run_goal(args: &str) -> Result<Goal, CommandError> {
    let args = words("run", args)?;
    Ok(Goal::Run { args, input: None })
}

/// Makes the goal of a hang: of the compiler; with `--run` of a program, or of a test where tests are selected.
fn hang_goal(
    parsed: &Parsed,
    target: &TargetSelection,
    seconds: u64,
) -> Result<Goal, CommandError> {
    let run = parsed.args.goal.run.as_deref();
    let filter = parsed.args.program.filter();
    let is_tests = matches!(target, TargetSelection::Test(_) | TargetSelection::Lib);
    let has_no_file = parsed.args.program.file().is_none();
    if run == Some("") && has_no_file && (is_tests || filter.is_some()) {
        return Ok(Goal::TestHang { filter, seconds });
    }
    Ok(Goal::Hang {
        of_program: run.is_some(),
        args: words("run", run.unwrap_or_default())?,
        seconds,
    })
}

fn miscompile_goal(flags: &str) -> Result<Goal, CommandError> {
    let flags = match words("miscompile", flags)? {
        flags if flags.is_empty() => OPTIMISED.map(str::to_owned).to_vec(),
        flags => flags,
    };
    Ok(Goal::Miscompile { flags })
}

fn cargo_goal(args: &str) -> Result<Goal, CommandError> {
    let args = words("cargo", args)?;
    match args.is_empty() {
        false => Ok(Goal::Cargo { args }),
        true => Err(CommandError::bad_input("`--cargo` needs a subcommand")
            .hint("such as `--cargo 'test --doc'`")),
    }
}

/// The words of a flag's value, as a shell would take it apart.
pub(crate) fn words(flag: &str, text: &str) -> Result<Vec<String>, CommandError> {
    shlex::split(text).ok_or_else(|| {
        CommandError::bad_input(format!(
            "the quotes in the value of `--{flag}` do not match"
        ))
    })
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
