//! What a daemon says of itself and of its jobs.

use crate::job_id::JobId;
use camino::Utf8PathBuf;
use reduce_engine::{Ended, LiveState, Priority, Progress};
use serde::{Deserialize, Serialize};

/// What a daemon does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The daemon's process.
    pub pid: u32,
    /// Version of the program.
    pub version: String,
    /// Since it started.
    pub uptime_seconds: u64,
    /// Clients that are connected, the asking one included.
    pub clients: u64,
    /// Queries that are under way.
    pub workers_in_use: u64,
    /// How many queries of several jobs may be under way at once.
    pub workers: u64,
    /// How many jobs may run at once: as many as there is memory for.
    pub most_running: u64,
    /// Compilers that are loaded, and answer queries by forks of themselves.
    pub warm_compilers: u64,
    /// Memory of the daemon itself, in bytes; `None` where the system does not say.
    pub memory_bytes: Option<u64>,
    /// What jobs have on the disk together, in bytes: what cargo compiled, their scratch directories, and their logs.
    pub disk_bytes: u64,
    /// How much that may be.
    pub disk_limit_bytes: u64,
    /// Queries of all jobs since the daemon started.
    pub queries: u64,
    /// Questions of all jobs that a known verdict answered.
    pub cache_hits: u64,
    /// Jobs that run or wait, in order.
    pub jobs: Vec<JobStatus>,
    /// Jobs that have ended, the last one first; bounded.
    pub ended: Vec<JobStatus>,
    /// What went wrong, the last first; bounded.
    pub errors: Vec<ErrorNote>,
}

impl Status {
    /// The part of all questions that a known verdict answered; `None` where there were none.
    #[must_use]
    pub fn hit_rate(&self) -> Option<f64> {
        let all = self.queries + self.cache_hits;
        (all > 0).then(|| self.cache_hits as f64 / all as f64)
    }
}

/// Something that went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorNote {
    /// When, such as `2026-11-21T09:29:50Z`.
    pub time: String,
    /// In which job, if it was in one.
    pub job: Option<JobId>,
    /// What.
    pub message: String,
}

/// One job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobStatus {
    /// Its number.
    pub job: JobId,
    /// Whether it runs.
    pub state: JobState,
    /// What is reduced: a file, or the directory of a package.
    pub input: Utf8PathBuf,
    /// Where its result goes.
    pub output: Utf8PathBuf,
    /// What happened in it, as lines of JSON.
    pub log: Utf8PathBuf,
    /// Whose turn it is where several jobs wait.
    pub priority: Priority,
    /// Clients that listen to it.
    pub listeners: u64,
    /// Turns that it has at the moment.
    pub workers: u64,
    /// The sum of the times of its queries, those of workers beside each other included.
    pub worker_seconds: f64,
    /// When it came, such as `2026-11-21T09:29:50Z`.
    pub submitted: String,
    /// How far it is, once it has said so.
    pub progress: Option<Progress>,
    /// The pass whose run is skipped once the queries under way are answered.
    pub skips: Option<String>,
    /// Why its search ended, where it has a result.
    pub ended: Option<Ended>,
    /// Why it has no result, where it ended without one.
    pub failure: Option<String>,
}

/// What a live view shows of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveJob {
    /// Whether it runs.
    pub state: JobState,
    /// Clients that listen to it.
    pub listeners: u64,
    /// Where its result goes.
    pub output: Utf8PathBuf,
    /// Its search.
    pub live: LiveState,
}

/// Whether a job runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// It waits for another job to end: for memory, for room on the disk, or for the same output directory.
    Waiting,
    /// It runs.
    Running,
    /// It makes no queries until it is resumed.
    Paused,
    /// It was told to finish soon.
    Finishing,
    /// It was cancelled and writes its best result.
    Stopping,
    /// It has ended with a result.
    Finished,
    /// The job was cancelled. It has a result if its search had begun.
    Cancelled,
    /// It has ended without a result.
    Failed,
}

impl JobState {
    /// Whether it has ended.
    #[must_use]
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled | Self::Failed)
    }

    /// Its name, for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finishing => "finishing",
            Self::Stopping => "stopping",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }
}
