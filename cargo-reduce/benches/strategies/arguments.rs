//! The command line of the benchmark.

use crate::cases::{self, Cases};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use reduce_engine::{Algorithm, Strategy};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The arguments and variables that the fixtures need, as TOML.
const FIXTURES: &str = include_str!("fixtures.toml");

/// Runs cargo-reduce with each algorithm and strategy on each input, and prints tables
#[derive(Debug, Clone, Parser)]
#[command(name = "strategies")]
pub(crate) struct Arguments {
    /// A .rs file; a directory with Cargo.toml or with one .rs file; or a directory of such. Without
    /// an input the fixtures of the project are reduced
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Algorithms, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_values = names_of_algorithms())]
    #[arg(value_parser = PossibleValuesParser::new(names_of_algorithms()))]
    pub(crate) algorithm: Vec<String>,
    /// Strategies, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_values = names_of_strategies())]
    #[arg(value_parser = PossibleValuesParser::new(names_of_strategies()))]
    pub(crate) strategy: Vec<String>,
    /// Also write the rows to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// What inputs need, as TOML: `[name]`, `args = ["--edition", "2021"]`, `env = { A = "b" }`. The
    /// name is that of the directory, or of the file without `.rs`
    #[arg(long, value_name = "FILE")]
    pub(crate) cases: Option<PathBuf>,
    /// Arguments for one input, as a shell would read them; in place of those of `--cases`
    #[arg(long, value_name = "NAME=ARGS", allow_hyphen_values = true)]
    pub(crate) case_args: Vec<String>,
    /// Arguments for all runs, as a shell would read them, such as `--jobs 1 --prior reachable`
    #[arg(
        long,
        value_name = "ARGS",
        default_value = "",
        allow_hyphen_values = true
    )]
    pub(crate) args: String,
    /// Minutes that a run may take
    #[arg(long, value_name = "M", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout_minutes: u64,
    /// The toolchain, by rustup's name, for inputs whose `env` does not set `RUSTUP_TOOLCHAIN`
    #[arg(long, value_name = "NAME")]
    pub(crate) toolchain: Option<String>,
    /// cargo passes it
    #[arg(long, hide = true)]
    bench: bool,
}

impl Arguments {
    /// Resolves all relative paths below a directory.
    pub(crate) fn below(mut self, directory: &Path) -> Self {
        let files = [&mut self.csv, &mut self.cases];
        let files = files.into_iter().flatten();
        for path in self.inputs.iter_mut().chain(files) {
            *path = directory.join(&*path);
        }
        self
    }

    /// Reads the arguments and variables of the inputs: of the fixtures where these are reduced, then what the user says.
    ///
    /// # Errors
    /// Where a file cannot be read, or is not written as it should be.
    pub(crate) fn read_cases(&self) -> Result<Cases, String> {
        let mut all = match self.inputs.is_empty() {
            true => cases::parse(FIXTURES).map_err(|error| format!("of the fixtures: {error}"))?,
            false => Cases::new(),
        };
        if let Some(file) = &self.cases {
            let at = file.display();
            let text = std::fs::read_to_string(file);
            let text = text.map_err(|error| format!("failed to read `{at}`: {error}"))?;
            all.extend(cases::parse(&text).map_err(|error| format!("in `{at}`: {error}"))?);
        }
        for given in &self.case_args {
            cases::set_args(&mut all, given)?;
        }
        Ok(all)
    }

    /// The arguments for all runs.
    ///
    /// # Errors
    /// Where a quote is open.
    pub(crate) fn common_args(&self) -> Result<Vec<String>, String> {
        cases::words(&self.args)
    }

    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(60 * self.timeout_minutes)
    }
}

fn names_of_algorithms() -> [&'static str; Algorithm::ALL.len()] {
    Algorithm::ALL.map(Algorithm::name)
}

fn names_of_strategies() -> [&'static str; Strategy::ALL.len()] {
    Strategy::ALL.map(Strategy::name)
}
