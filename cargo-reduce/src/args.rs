//! The command line, as clap derives it. The doc comments here are the help.

mod captured;
mod goal;
#[cfg(test)]
mod help_snapshot;
mod jobs;
mod parse;
mod program;
mod property;
mod remote;
mod search;
mod triage;

pub(crate) use captured::{CaptureCommand, CapturedCommand};
pub(crate) use goal::{GoalArgs, given_goals, words};
pub(crate) use jobs::{CacheCommands, JobsArgs, JobsCommand, Listing, PriorityName};
pub(crate) use parse::{Layer, Parsed, Rank, flag_names, parse, value_is_accepted, variable_names};
pub(crate) use program::{ProgramArgs, TargetArgs};
pub(crate) use property::PropertyArgs;
pub(crate) use remote::RemoteArgs;
pub(crate) use search::SearchArgs;
pub(crate) use triage::TriageArgs;

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};
use reduce_engine::CompilerChoice;
use reduce_platform::sockets;

const USAGE: &str = "cargo reduce --ice [OPTIONS] [FILE.rs|-] [-- RUSTC_ARGS...]
       cargo reduce --test NAME [OPTIONS] [TEST]
       cargo reduce [--last] [OPTIONS]
       cargo reduce triage [OPTIONS] DIR|FILE.. [-- RUSTC_ARGS...]
       cargo reduce capture on|off|status
       cargo reduce captured [show|export|delete]
       cargo reduce jobs [list|attach|show|pause|resume|cancel|finish|skip|result|log] [ID]
       cargo reduce cache stats|prune|verify
       cargo reduce daemon status|stop|run
       cargo reduce completions SHELL
       cargo reduce man DIR";

/// How long a daemon may wait for work: a year.
const MOST_MINUTES: u64 = 365 * 24 * 60;

/// The room that all jobs together may take on the disk: 20 GiB.
const USUAL_DISK_MIB: u64 = 20 << 10;

/// The most that a user may give to them: a PiB.
const MOST_DISK_MIB: u64 = 1 << 30;

// cargo calls `cargo-reduce reduce ..`. Called by itself, the program still says its version.
#[derive(Debug, Parser)]
#[command(name = "cargo", bin_name = "cargo", styles = clap_cargo::style::CLAP_STYLING)]
#[command(disable_help_subcommand = true, version, display_name = "cargo-reduce")]
pub(crate) enum Cargo {
    Reduce(Box<ReduceArgs>),
}

/// Shrinks a crate that crashes rustc, or has a failing test, to the smallest program that still
/// fails in the same way
///
/// Without FILE the package in the current directory is reduced, as cargo would compile it. If it is
/// not said what must stay, what fails is listed, with the command that reduces each. The sources
/// are never touched: the result goes to the output directory, and the reduced code, where it is
/// short, to standard output.
#[derive(Debug, Args)]
#[command(override_usage = USAGE, disable_help_subcommand = true)]
#[command(version, display_name = "cargo-reduce")]
#[command(after_long_help = crate::help::after_long_help())]
#[command(after_help = "See `--help` for variables, configuration files and exit codes.")]
pub(crate) struct ReduceArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ReduceCommand>,

    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    #[command(flatten)]
    pub(crate) property: PropertyArgs,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
    #[command(flatten)]
    pub(crate) display: DisplayArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Result")]
pub(crate) struct ResultArgs {
    /// Where the result goes [default: target/reduce/NAME, where NAME is that of the package or file,
    /// with what else is asked for, such as the test]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<Utf8PathBuf>,
    /// With `--ice`, `--error`, `--warning`, `--run` and failing tests: also write `bisect.sh`, a script
    /// with which cargo-bisect-rustc finds the nightly since which the program fails like this
    #[arg(long)]
    pub(crate) bisect_script: bool,
    /// With `--ice`: also write `N.rs`, a test for `tests/crashes` of rust-lang/rust. N is the number
    /// of the issue
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) crashes_test: Option<u32>,
    /// With `--ice`: also write `NAME.rs`, a test for `tests/ui` of rust-lang/rust for when the crash is
    /// mended. Its expected output is left to `--bless`
    #[arg(long, value_name = "NAME", value_parser = ui_test)]
    pub(crate) ui_test: Option<String>,
    /// Replace an earlier result in the output directory
    #[arg(long)]
    pub(crate) force: bool,
    /// Open `report.html` when the result is written, with the program that the system has for pages
    #[arg(long, conflicts_with = "detach")]
    pub(crate) open: bool,
}

/// The name of a file, without its extension, that is no other file of the result.
fn ui_test(name: &str) -> Result<String, String> {
    let is_plain = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_');
    match name {
        "" => Err("give the name of the test".to_owned()),
        "reduced" => Err("the result itself is called `reduced.rs`".to_owned()),
        _ if name.starts_with('-') || !name.chars().all(is_plain) => Err(
            "give a name of letters, digits, `-` and `_`, without a directory and without `.rs`"
                .to_owned(),
        ),
        _ => Ok(name.to_owned()),
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct RunArgs {
    /// Compiler runs at a time [default: number of cores]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    /// Choose how the compiler is started; this does not change the result
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub(crate) compiler: CompilerHow,
    /// Start each query of the search with this command, such as `srun --exact -n1 -c1 --overlap`, on machines that share
    /// the file system with this one, as many at a time as `--jobs` says; this does not change the result
    #[arg(long, value_name = "COMMAND")]
    pub(crate) launcher: Option<String>,
    /// Write and compile candidates below this directory. With `--launcher` it must be on the shared file system
    /// [default: memory; with `--launcher`, the directory of the cache]
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: Option<Utf8PathBuf>,
    /// Seconds of wall time that a run for a candidate may take [default: by the CPU time of the first run]
    #[arg(long, value_name = "SECS")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,
    /// Seconds that a test, a program or a command may run while the failure is looked for; a compiler
    /// may always take 10 minutes
    #[arg(long, value_name = "SECS", default_value_t = 600)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) baseline_timeout: u64,
    /// MiB of address space for each process of a run, and of memory for all of them together
    #[arg(long, value_name = "MIB", default_value_t = 6144)]
    #[arg(value_parser = clap::value_parser!(u64).range(64..))]
    pub(crate) memory: u64,
    /// End the search after this time, such as `90s`, `10m` or `1h30m`, with the best so far as the result.
    /// It counts from the start of the job
    #[arg(long, value_name = "TIME", value_parser = jobs::duration)]
    pub(crate) max_time: Option<u64>,
    /// End the search after so many queries, with the best so far as the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_queries: Option<u64>,
    /// Choose the share of the workers that the job gets beside others; this does not change the result
    #[arg(long, value_name = "SHARE", value_enum, default_value_t)]
    pub(crate) priority: PriorityName,
    /// Hand the job to the daemon, print its number, and end. `cargo reduce jobs` says what becomes of it
    #[arg(long, conflicts_with_all = ["no_daemon", "watch"])]
    pub(crate) detach: bool,
    /// Reduce other crashes of the compiler that are met as well, each into its own directory below `others` of the result
    #[arg(long, conflicts_with = "detach")]
    pub(crate) others: bool,
    /// Run in this process instead of the daemon
    #[arg(long)]
    no_daemon: bool,
    /// Neither use nor keep verdicts of other runs
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Minutes after which a daemon without work leaves
    #[arg(long, value_name = "MINUTES", default_value_t = 15)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=MOST_MINUTES))]
    pub(crate) idle_minutes: u64,
    /// MiB of disk that all jobs of a daemon together may use; a job that would exceed them waits, or is refused. A daemon
    /// that already runs keeps the limit that it was started with
    #[arg(long, value_name = "MIB", default_value_t = USUAL_DISK_MIB)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=MOST_DISK_MIB))]
    pub(crate) disk_limit: u64,
    /// Write to this file what became of each candidate: who proposed it, what it changes, and why it
    /// was rejected
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<Utf8PathBuf>,
    /// Start again when the sources or the toolchain change, or when the crash of `--captured` is kept again. Ctrl-C ends
    /// with the exit code of the last run
    #[arg(long)]
    pub(crate) watch: bool,
}

/// How the compiler gets to a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompilerHow {
    /// Load the compiler once and fork it for each run, if that gives the same answers
    #[default]
    Auto,
    /// Load the compiler once and fork it for each run, or fail if that is not possible
    Warm,
    /// Start the compiler anew for each run
    Spawn,
}

impl RunArgs {
    /// Whether to run in this process: it was asked for, or the system can have no daemon.
    pub(crate) fn runs_here(&self) -> bool {
        self.no_daemon || !sockets::are_there()
    }
}

impl From<CompilerHow> for CompilerChoice {
    fn from(how: CompilerHow) -> Self {
        match how {
            CompilerHow::Auto => Self::Auto,
            CompilerHow::Warm => Self::Warm,
            CompilerHow::Spawn => Self::Spawn,
        }
    }
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Display")]
pub(crate) struct DisplayArgs {
    /// Show each pass and step, and tables of the passes and the queries at the end
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Show a progress line in place of the live view, which a terminal shows of a job that takes longer than a few
    /// seconds. With `--verbose` there is no live view either
    #[arg(long, global = true)]
    pub(crate) no_tui: bool,
    /// When to use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, global = true)]
    pub(crate) color: ColorWhen,
    /// `json` writes one event a line to standard output
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        global = true
    )]
    pub(crate) message_format: MessageFormat,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    #[default]
    Human,
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReduceCommand {
    /// The process in the background that does the work
    #[command(subcommand, disable_help_subcommand = true)]
    Daemon(DaemonCommand),
    /// Says which of many crashes of the compiler are one bug, and reduces one of each
    ///
    /// Each input is compiled once. Crashes are grouped by their signatures, and by the programs that they are reduced to. The
    /// results are a table, `triage.html` and `triage.json`. Flags of a reduction, such as `--memory`, stand before `triage`.
    #[command(disable_help_subcommand = true)]
    Triage(TriageArgs),
    /// Has crashes of the compiler kept when they happen, in ordinary builds
    #[command(subcommand, disable_help_subcommand = true)]
    Capture(CaptureCommand),
    /// Lists the crashes that were kept
    #[command(disable_help_subcommand = true)]
    Captured {
        #[command(subcommand)]
        command: Option<CapturedCommand>,
    },
    /// The jobs of the daemon: lists them if no other command is given
    #[command(disable_help_subcommand = true)]
    Jobs(JobsArgs),
    /// What is kept across jobs: verdicts and compiled dependencies
    #[command(subcommand, disable_help_subcommand = true)]
    Cache(CacheCommands),
    /// Prints a script with which a shell completes `cargo reduce`
    Completions {
        /// The shell that reads the script
        #[arg(value_name = "SHELL", value_enum)]
        shell: Shell,
    },
    /// Writes the man pages to a directory, which is made if it is not there
    Man {
        /// The directory, such as `~/.local/share/man/man1`
        #[arg(value_name = "DIR")]
        dir: Utf8PathBuf,
    },
}

/// A shell that can complete our command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DaemonCommand {
    /// Says what the daemon does
    Status,
    /// Makes the daemon leave
    Stop {
        /// Also when it has jobs: they are cancelled, and their best results written
        #[arg(long)]
        force: bool,
    },
    /// Runs the daemon in the foreground
    Run(DaemonRunArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DaemonRunArgs {
    /// Minutes after which it leaves when it has no work
    #[arg(long, value_name = "MINUTES", default_value_t = 15)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=MOST_MINUTES))]
    pub(crate) idle_minutes: u64,
    /// MiB that all jobs together may need on the disk; a job that would go past it waits, or is refused
    #[arg(long, value_name = "MIB", default_value_t = USUAL_DISK_MIB)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=MOST_DISK_MIB))]
    pub(crate) disk_limit: u64,
    /// Queries of several jobs at a time [default: number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<std::num::NonZeroUsize>,
    /// Detach, and report the start on standard output
    #[arg(long, hide = true, requires = "base", requires = "run_directory")]
    pub(crate) started_by_client: bool,
    #[arg(long, hide = true)]
    pub(crate) base: Option<Utf8PathBuf>,
    #[arg(long, hide = true)]
    pub(crate) run_directory: Option<Utf8PathBuf>,
    #[arg(long, hide = true)]
    pub(crate) scratch_memory: Option<Utf8PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::ui_test;

    #[test]
    fn a_ui_test_has_a_name_of_its_own() {
        assert_eq!(ui_test("bad_bound-2").as_deref(), Ok("bad_bound-2"));
        for name in ["", "reduced", "traits/a", "a.rs", "-a", "a b"] {
            assert!(ui_test(name).is_err(), "{name}");
        }
    }
}
