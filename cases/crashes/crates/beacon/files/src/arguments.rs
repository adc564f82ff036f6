//! What is given on the command line.

use crate::error::Error;
use crate::probe::Service;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Parser)]
#[command(version, about)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    #[command(flatten)]
    limits: Limits,

    /// A file with a service on each line: its name, and its address
    #[arg(short, long, global = true, default_value = "services.txt")]
    file: PathBuf,
}

#[derive(Debug, Args)]
struct Limits {
    /// Seconds that a service may take to answer
    #[arg(long, global = true, default_value_t = 5)]
    timeout: u64,

    /// How many services are asked
    #[arg(long, global = true)]
    most: Option<usize>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ask each service once
    Check {
        /// Fail if a service is down
        #[arg(long)]
        strict: bool,
    },
    /// Ask all services again and again
    Watch {
        #[arg(value_enum, default_value_t = Interval::Minute)]
        interval: Interval,
        #[arg(long, default_value_t = 10)]
        rounds: u32,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Interval {
    Second,
    Minute,
    Hour,
}

impl From<Interval> for Duration {
    fn from(interval: Interval) -> Duration {
        Duration::from_secs(match interval {
            Interval::Second => 1,
            Interval::Minute => 60,
            Interval::Hour => 3600,
        })
    }
}

impl Arguments {
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.limits.timeout)
    }

    pub fn services(&self) -> Result<Vec<Service>, Error> {
        let text = std::fs::read_to_string(&self.file).map_err(|source| Error::File {
            path: self.file.clone(),
            source,
        })?;
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.is_empty());
        lines
            .take(self.limits.most.unwrap_or(usize::MAX))
            .map(|(line, number)| line.parse().map_err(|source| Error::Line { number, source }))
            .collect()
    }
}
