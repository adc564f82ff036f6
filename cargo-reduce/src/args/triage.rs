//! The arguments of `cargo reduce triage`.

use camino::Utf8PathBuf;
use clap::Args;
use std::num::NonZeroUsize;

#[derive(Debug, Clone, Args)]
pub(crate) struct TriageArgs {
    /// Source files, packages (directories with a `Cargo.toml`), and directories of which all `.rs` files and packages are
    /// taken, also from directories below
    #[arg(value_name = "DIR|FILE")]
    pub(crate) inputs: Vec<Utf8PathBuf>,
    /// Take the files of a list, too: on each line a path, and flags for rustc behind it. May be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) list: Vec<Utf8PathBuf>,
    /// Recognise the crashes of this directory, such as `tests/crashes` of rust-lang/rust. May be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) known: Vec<Utf8PathBuf>,
    /// Compile each input with this toolchain of rustup. May be given several times: an input is reduced with the first
    /// on which it crashes [default: the one that `rustc` calls]
    #[arg(long, value_name = "NAME")]
    pub(crate) toolchain: Vec<String>,
    /// Where the results go [default: target/reduce/triage]. Inputs of an earlier triage in this directory stay in it, and
    /// new ones are compared with them
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<Utf8PathBuf>,
    /// Forget the inputs of an earlier triage in the output directory
    #[arg(long)]
    pub(crate) force: bool,
    /// Compiler runs at a time [default: number of cores]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Seconds of wall time that the compiler may take for an input
    #[arg(long, value_name = "SECS", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,
    /// Edition of all files that ask for no other
    #[arg(long, value_name = "EDITION")]
    pub(crate) edition: Option<String>,
    /// Run in this process instead of the daemon
    #[arg(long)]
    pub(crate) no_daemon: bool,
    /// Open `triage.html` when it is written, with the program that the system has for pages
    #[arg(long)]
    pub(crate) open: bool,
    /// More arguments for rustc, for each input
    #[arg(last = true, value_name = "RUSTC_ARGS")]
    pub(crate) rustc_args: Vec<String>,
}
