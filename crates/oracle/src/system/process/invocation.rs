//! The call of a child, the bounds of what it may use, and all that is known of the child once it has
//! ended.

use super::output::Output;
use crate::system::budget::Late;
use crate::system::sandbox::Confinement;
use camino::Utf8Path;
use reduce_platform::processes::{Ended, Limits, is_of_cpu_limit, signal_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// The limits of the time, memory and output of a child.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Bounds {
    /// The largest wall time of the process.
    pub(crate) deadline: Option<Duration>,
    /// The largest CPU time of each process, rounded up to seconds.
    pub(crate) cpu: Option<Duration>,
    /// The largest CPU time of the process itself, not rounded; a program may lift this limit, but not [`Self::cpu`].
    pub(crate) own_cpu: Option<Duration>,
    /// The largest times of all processes of the run together.
    pub(crate) group: Option<GroupTime>,
    /// The largest number of processes and threads of the user, all together. Does not hold for root.
    pub(crate) processes: Option<u64>,
    /// The largest address space of each process in bytes, and the most memory that all processes use together.
    pub(crate) memory_bytes: Option<u64>,
    /// The largest size of each file that the process writes, in bytes.
    pub(crate) file_bytes: Option<u64>,
    /// The largest number of files, sockets and the like that each process has open.
    pub(crate) open_files: Option<u64>,
    /// The largest number of bytes of each output stream that are kept.
    pub(crate) output_bytes: usize,
}

impl Bounds {
    /// Makes limits of the wall time and the output alone.
    pub(crate) fn of_time(deadline: Duration, output_bytes: usize) -> Self {
        Self {
            deadline: Some(deadline),
            cpu: None,
            own_cpu: None,
            group: None,
            processes: None,
            memory_bytes: None,
            file_bytes: None,
            open_files: None,
            output_bytes,
        }
    }

    /// Returns those of the limits that the operating system itself enforces.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            cpu: self.cpu,
            processes: self.processes,
            memory_bytes: self.memory_bytes,
            file_bytes: self.file_bytes,
            open_files: self.open_files,
        }
    }
}

/// The time that all processes of a run may use together. It is looked at now and then, so that a run
/// which ends soon may use more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GroupTime {
    /// The largest CPU time of all processes.
    pub(crate) cpu: Option<Duration>,
    /// The longest time during which no process computes, or waits for a CPU or a disk.
    pub(crate) asleep: Option<Duration>,
}

/// A program to be started, with its arguments, environment, directory and limits.
#[derive(Debug)]
pub(crate) struct Invocation<'a> {
    pub(crate) program: &'a Utf8Path,
    pub(crate) args: &'a [String],
    /// The whole environment of the child.
    pub(crate) env: &'a BTreeMap<String, String>,
    /// The directory of the process, absolute.
    pub(crate) dir: &'a Utf8Path,
    pub(crate) bounds: Bounds,
    /// The confinement of the child, if it has one.
    pub(crate) confinement: Option<&'a Confinement>,
}

impl<'a> Invocation<'a> {
    /// Returns the invocation of a child with this confinement, or with none.
    pub(crate) fn confined(&self, confinement: Option<&'a Confinement>) -> Self {
        Self {
            confinement,
            bounds: self.bounds.clone(),
            ..*self
        }
    }
}

/// The way in which a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The process ended by itself, with this status.
    Exited(i32),
    /// The process ended by a signal that did not come from us.
    Signalled(i32),
    /// The process was stopped at its deadline.
    TimedOut,
    /// The process was stopped because the query was cancelled.
    Cancelled,
    /// The process was stopped because what it had printed decided the question.
    Decided,
    /// The process was stopped because it, or what it had started, used too much.
    Exceeded,
}

impl Ending {
    /// Returns the ending that an exit status stands for, of a process that cargo-reduce has not stopped.
    pub(crate) fn of(status: ExitStatus) -> Self {
        match (status.code(), signal_of(status)) {
            (Some(code), _) => Self::Exited(code),
            (None, Some(signal)) if is_of_cpu_limit(signal) => Self::TimedOut,
            (None, signal) => Self::Signalled(signal.unwrap_or(0)),
        }
    }

    /// Whether the process ended without being stopped by us.
    pub(crate) fn is_of_itself(self) -> bool {
        matches!(self, Self::Exited(_) | Self::Signalled(_))
    }

    /// Whether a crashed compiler may have ended in this way: with status 101 or by a signal.
    pub(crate) fn is_of_crash(self) -> bool {
        matches!(self, Self::Exited(101) | Self::Signalled(_))
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exit status {code}"),
            Self::Signalled(signal) => write!(f, "signal {signal}"),
            Self::TimedOut => write!(f, "stopped at its deadline"),
            Self::Cancelled => write!(f, "cancelled"),
            Self::Decided => write!(f, "stopped at its first new error"),
            Self::Exceeded => write!(f, "stopped as it used too much"),
        }
    }
}

/// The outcome of a process that has ended: all that is known of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) ending: Ending,
    pub(crate) stdout: String,
    /// The standard error: head and tail, where it is longer than the bound.
    pub(crate) stderr: String,
    /// Whether some of the output was dropped.
    pub(crate) truncated: bool,
    /// The bound of time that was passed, where the process was stopped for that.
    pub(crate) late: Option<Late>,
    pub(crate) wall: Duration,
    /// Time during which all processes of the run were asleep, as far as [`Bounds::group`] has it
    /// looked at.
    pub(crate) asleep: Duration,
    /// User and system time of the leader and the children that it reaped.
    pub(crate) cpu: Duration,
    /// The largest resident set of any process of the run, in bytes.
    pub(crate) peak_memory_bytes: u64,
}

impl Outcome {
    /// Makes the outcome of a process from what was watched, its end, and its standard output and
    /// standard error.
    pub(super) fn of(
        watched: Watched,
        ended: Ended,
        outputs: [Output; 2],
        started: Instant,
    ) -> Self {
        let ending = watched.stop.unwrap_or(Ending::of(ended.status));
        // Without a reason of ours the system has stopped it at its limit of CPU time.
        let is_late = ending == Ending::TimedOut;
        let late = is_late.then(|| watched.late.unwrap_or(Late::Cpu));
        let truncated = outputs.iter().any(Output::is_truncated);
        let [stdout, stderr] = outputs.map(Output::into_text);
        Self {
            ending,
            stdout,
            stderr,
            truncated,
            late,
            wall: started.elapsed(),
            asleep: watched.asleep,
            cpu: ended.cpu,
            peak_memory_bytes: ended.peak_memory_bytes,
        }
    }
}

/// The observations that were made of a process until its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Watched {
    /// The reason why the process was stopped, if it was.
    pub(super) stop: Option<Ending>,
    /// The bound of time that was passed, where the process was stopped for that.
    pub(super) late: Option<Late>,
    /// The time for which the process was asleep.
    pub(super) asleep: Duration,
}

/// The library that turns a process into a fork server, and what that server needs to know.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(linux_parts),
    expect(dead_code, reason = "there are servers on Linux only")
)]
pub(crate) struct Preload<'a> {
    /// The path of the library that is preloaded.
    pub(crate) library: &'a Utf8Path,
    /// The executable of the process, without symbolic links.
    pub(crate) program: &'a Utf8Path,
    /// The place where the process stops and serves.
    pub(crate) stops: Stops<'a>,
}

/// The place where a process stops to serve as a fork server.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(linux_parts),
    expect(dead_code, reason = "there are servers on Linux only")
)]
pub(crate) enum Stops<'a> {
    /// A compiler stops where it opens the crate root.
    AtRoot {
        /// The path of the crate root, as it stands in the arguments.
        root: &'a str,
        /// Whether there is enough memory for a copy of the compiler's code in huge pages.
        uses_huge_pages: bool,
    },
    /// A program stops before its `main`. Each run has one of these settings: a variable, `=` and its value.
    BeforeMain { settings: &'a [String] },
}

/// A function that is told each line of stderr as soon as the line is complete, and returns true when no later line
/// matters.
pub(crate) type Decides<'a> = dyn FnMut(&str) -> bool + 'a;
