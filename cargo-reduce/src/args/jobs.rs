//! The commands about jobs of the daemon and about what is kept.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};
use reduce_engine::Priority;
use reduce_protocol::{JobId, Prune};

/// `cargo reduce jobs`; without a command below it, it lists all.
#[derive(Debug, Args)]
pub(crate) struct JobsArgs {
    #[command(flatten)]
    pub(crate) listing: Listing,
    #[command(subcommand)]
    pub(crate) command: Option<JobsCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum JobsCommand {
    /// Lists the jobs that run or wait, and those that have ended
    List(Listing),
    /// Shows what happens in a job from its start on. Ctrl-C stops the job, unless another client is
    /// attached to it
    Attach(OneJob),
    /// Shows how a job is
    Show(OneJob),
    /// Lets a job make no more queries; those that are under way go on
    Pause(OneJob),
    /// Lets a paused job go on
    Resume(OneJob),
    /// Stops a job; its best result so far is written
    Cancel(OneJob),
    /// Ends the search of a job; what it has found is checked and written as a result
    Finish(OneJob),
    /// Skips the rest of this run of the pass at work, after the next answer
    Skip(OneJob),
    /// Copies the result of a job, or its best program so far, to a directory of yours
    Result {
        #[command(flatten)]
        job: OneJob,
        /// The directory, which must be empty if it is there
        #[arg(short, long, value_name = "DIR")]
        output: Utf8PathBuf,
    },
    /// Prints what happened in a job, with times
    Log(OneJob),
    /// Removes the jobs that have ended from the list, with their logs. Their results stay
    Clean,
}

/// Which jobs are listed.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Listing {
    /// List only the jobs that run or wait
    #[arg(long)]
    pub(crate) running: bool,
}

/// The job that is meant.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct OneJob {
    /// The number of the job
    #[arg(value_name = "ID", value_parser = job_id)]
    pub(crate) id: JobId,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommands {
    /// Says what is kept: verdicts, compiled dependencies, and what they save
    Stats,
    /// Removes compiled dependencies that are old or too large, and verdicts if you say so
    Prune(PruneArgs),
    /// Reads all that is kept, and counts what cannot be read
    Verify,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct PruneArgs {
    /// Remove compiled dependencies that no job has used for so many days
    #[arg(long, value_name = "DAYS")]
    pub(crate) older_than: Option<u64>,
    /// Remove those that are unused for longest, until the rest has at most so many MiB
    #[arg(long, value_name = "MIB")]
    pub(crate) max_size: Option<u64>,
    /// Remove all verdicts too; the last steps of unfinished jobs stay
    #[arg(long)]
    pub(crate) verdicts: bool,
}

impl From<PruneArgs> for Prune {
    fn from(args: PruneArgs) -> Self {
        Self {
            older_than_days: args.older_than,
            most_bytes: args
                .max_size
                .map(|mebibytes| mebibytes.saturating_mul(1 << 20)),
            verdicts: args.verdicts,
        }
    }
}

/// Which share of the workers a job gets beside others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PriorityName {
    /// A quarter of a normal share
    Low,
    /// The same share as each other normal job
    #[default]
    Normal,
    /// Four times a normal share
    High,
}

impl From<PriorityName> for Priority {
    fn from(name: PriorityName) -> Self {
        match name {
            PriorityName::Low => Self::Low,
            PriorityName::Normal => Self::Normal,
            PriorityName::High => Self::High,
        }
    }
}

/// A time such as `90`, `90s`, `10m` or `1h30m`, in seconds.
pub(super) fn duration(text: &str) -> Result<u64, String> {
    let refused = || "give a time such as `90s`, `10m` or `1h30m`".to_owned();
    let mut seconds: u64 = 0;
    let mut rest = text;
    let mut last = u64::MAX;
    while !rest.is_empty() {
        let digits = rest.len()
            - rest
                .trim_start_matches(|one: char| one.is_ascii_digit())
                .len();
        let (number, behind) = rest.split_at(digits);
        let number: u64 = number.parse().map_err(|_| refused())?;
        let unit = behind.chars().next();
        let length = match unit {
            Some('h') => 3600,
            Some('m') => 60,
            Some('s') => 1,
            None if last == u64::MAX => 1,
            _ => return Err(refused()),
        };
        // The greater unit comes first, and each once.
        if length >= last {
            return Err(refused());
        }
        let part = number.checked_mul(length).ok_or_else(refused)?;
        seconds = seconds.checked_add(part).ok_or_else(refused)?;
        last = length;
        rest = behind.get(1..).unwrap_or_default();
    }
    match seconds {
        0 => Err(refused()),
        seconds => Ok(seconds),
    }
}

fn job_id(text: &str) -> Result<JobId, String> {
    let number = text.strip_prefix('#').unwrap_or(text).parse();
    number
        .map(JobId)
        .map_err(|_| "give the number of a job; `cargo reduce jobs` lists them".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_sum_of_hours_minutes_and_seconds() {
        let times = ["90", "90s", "10m", "1h30m", "2h5s"].map(duration);
        assert_eq!(times, [90, 90, 600, 5400, 7205].map(Ok));
        for wrong in ["", "0", "m", "1d", "5s1h", "1h1h", "1h5", "-1", "1.5h", "ä"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_job_is_named_by_its_number() {
        assert_eq!(job_id("3"), Ok(JobId(3)));
        assert_eq!(job_id("#3"), Ok(JobId(3)));
        assert!(job_id("three").is_err());
    }
}
