//! The state of a daemon and of its jobs, as the daemon reports it.

use crate::job_id::JobId;
use camino::Utf8PathBuf;
use reduce_engine::{Ended, LiveState, Priority, Progress};
use serde::{Deserialize, Serialize};

/// The state of a daemon: its jobs, and the resources that they use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The daemon's process ID.
    pub pid: u32,
    /// Version of the program.
    pub version: String,
    /// Seconds since the daemon started.
    pub uptime_seconds: u64,
    /// The number of clients that are connected, the asking one included.
    pub clients: u64,
    /// The number of queries that are under way.
    pub workers_in_use: u64,
    /// The number of queries of several jobs that may be under way at once.
    pub workers: u64,
    /// The number of jobs that may run at once: as many as there is memory for.
    pub most_running: u64,
    /// Compilers that are loaded, and answer queries by forks of themselves.
    pub warm_compilers: u64,
    /// Memory of the daemon itself, in bytes; `None` where the system does not say.
    pub memory_bytes: Option<u64>,
    /// The bytes that all jobs together have on the disk: build directories of cargo, scratch directories and logs.
    pub disk_bytes: u64,
    /// The most bytes that the jobs may have on the disk.
    pub disk_limit_bytes: u64,
    /// Queries of all jobs since the daemon started.
    pub queries: u64,
    /// Questions of all jobs that a known verdict answered.
    pub cache_hits: u64,
    /// Jobs that run or wait, in order.
    pub jobs: Vec<JobStatus>,
    /// Jobs that have ended, the last one first; bounded.
    pub ended: Vec<JobStatus>,
    /// The errors of the daemon and its jobs, the last one first; bounded.
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

/// An error of the daemon or of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorNote {
    /// The time of the error, such as `2026-11-21T09:29:50Z`.
    pub time: String,
    /// The job in which the error happened, if it was in one.
    pub job: Option<JobId>,
    /// The error's message.
    pub message: String,
}

/// The state of one job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobStatus {
    /// The number of the job.
    pub job: JobId,
    /// The state in which the job is.
    pub state: JobState,
    /// The reduced file, or the directory of the reduced package.
    pub input: Utf8PathBuf,
    /// The directory that the job's result is written to.
    pub output: Utf8PathBuf,
    /// The log of the job's events, as lines of JSON.
    pub log: Utf8PathBuf,
    /// The priority by which the job gets turns where several jobs wait.
    pub priority: Priority,
    /// The number of clients that listen to the job.
    pub listeners: u64,
    /// The number of turns that the job has at the moment.
    pub workers: u64,
    /// The sum of the times of the job's queries, those of workers beside each other included.
    pub worker_seconds: f64,
    /// The time at which the job was submitted, such as `2026-11-21T09:29:50Z`.
    pub submitted: String,
    /// The last progress that the job has reported.
    pub progress: Option<Progress>,
    /// The pass that the user skips, which ends once the queries under way are answered.
    pub skips: Option<String>,
    /// The reason why the job's search ended, where it has a result.
    pub ended: Option<Ended>,
    /// The reason why the job has no result, where it ended without one.
    pub failure: Option<String>,
}

/// The state of a job as a live view shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveJob {
    /// The state in which the job is.
    pub state: JobState,
    /// The number of clients that listen to the job.
    pub listeners: u64,
    /// The directory that the job's result is written to.
    pub output: Utf8PathBuf,
    /// The state of the job's search.
    pub live: LiveState,
}

/// The state of a job, from waiting to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// The job waits for another job to end: for memory, for room on the disk, or for the same output directory.
    Waiting,
    /// The job runs.
    Running,
    /// The job makes no queries until it is resumed.
    Paused,
    /// The job was told to finish soon.
    Finishing,
    /// The job was cancelled and writes its best result.
    Stopping,
    /// The job has ended with a result.
    Finished,
    /// The job was cancelled. It has a result if its search had begun.
    Cancelled,
    /// The job has ended without a result.
    Failed,
}

impl JobState {
    /// Whether the job has ended.
    #[must_use]
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled | Self::Failed)
    }

    /// The state's name, for people.
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
