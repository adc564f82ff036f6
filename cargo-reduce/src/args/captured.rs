//! Commands about crashes that are kept when they happen.

use camino::Utf8PathBuf;
use clap::Subcommand;

/// The most MiB that a user may give to kept crashes: a TiB.
const MOST_MIB: u64 = 1 << 20;

#[derive(Debug, Subcommand)]
pub(crate) enum CaptureCommand {
    /// Makes cargo call the compiler through a wrapper of ours, which keeps crashes. It adds
    /// `build.rustc-wrapper` to cargo's configuration of the workspace
    On {
        /// Do so for all workspaces of the user, in `$CARGO_HOME/config.toml`
        #[arg(long)]
        user: bool,
        /// MiB that the kept crashes may need on the disk; the oldest are deleted first
        #[arg(long, value_name = "MIB", default_value_t = 2048)]
        #[arg(value_parser = clap::value_parser!(u64).range(1..=MOST_MIB))]
        limit: u64,
        /// Reduce each kept crash in the background, with one worker. A later build says where the result
        /// is
        #[arg(long)]
        auto: bool,
    },
    /// Removes from cargo's configuration what `on` has added
    Off {
        /// Do so in `$CARGO_HOME/config.toml`
        #[arg(long)]
        user: bool,
    },
    /// Says where crashes are kept, which other wrapper is called, and how much is kept
    Status,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CapturedCommand {
    /// Says what is known of a kept crash
    Show {
        /// Its number
        #[arg(value_name = "N")]
        number: u64,
    },
    /// Writes a kept crash into one file, for `--captured FILE` on another machine
    Export {
        /// Its number
        #[arg(value_name = "N")]
        number: u64,
        /// The file [default: captured-N.tar.gz]
        #[arg(short, long, value_name = "FILE")]
        output: Option<Utf8PathBuf>,
    },
    /// Deletes kept crashes
    Delete {
        /// Their numbers
        #[arg(value_name = "N", required_unless_present = "all")]
        numbers: Vec<u64>,
        /// Delete all of them
        #[arg(long, conflicts_with = "numbers")]
        all: bool,
    },
}
