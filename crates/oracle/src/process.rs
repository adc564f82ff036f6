//! The one place that starts processes.
//!
//! A child gets an absolute directory, an explicit environment, no input, a process group of its own
//! and limits. Its output is drained while it runs. When the leader has ended, the whole group is
//! killed *before* the leader is reaped: until then its pid, and with it the group's id, cannot
//! belong to anybody else. Linux: it needs pidfds and parent-death signals.
//!
//! A child is started anew (`child`), or forked from a compiler that is loaded already (`server`).

mod child;
mod descriptors;
mod drain;
mod group;
mod groups;
mod memory;
mod meter;
mod population;
mod server;
mod sleep;
mod spawn;
mod watch;

pub(crate) use child::{Passed, pass_through, start_keeper};
pub(crate) use descriptors::close_from;
pub use descriptors::close_on_exec;
pub(crate) use groups::Groups;
pub(crate) use population::most_processes;
pub(crate) use server::{Preload, Server};
pub(crate) use spawn::BlockedSignals;
pub(crate) use watch::Decides;

use crate::budget::Late;
use crate::cancel::Cancel;
use crate::error::OracleError;
use crate::sandbox::Confinement;
use camino::Utf8Path;
use child::{Child, Usage};
use drain::Drain;
use group::Group;
use meter::Meter;
use rustix::process::{Pid, Signal};
use sleep::SleepMeter;
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};
use watch::{Leader, Until, Watched, watch};

/// What a child may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Wall time.
    pub(crate) deadline: Option<Duration>,
    /// CPU time of each process, rounded up to seconds.
    pub(crate) cpu: Option<Duration>,
    /// CPU time of the process itself, exactly; a program may lift it, but not the other.
    pub(crate) own_cpu: Option<Duration>,
    /// Time of all its processes together.
    pub(crate) group: Option<GroupTime>,
    /// Processes and threads of the user, all together. Does not hold for root.
    pub(crate) processes: Option<u64>,
    /// Address space of each process, and memory that all processes use together.
    pub(crate) memory_bytes: Option<u64>,
    /// Size of each file that it writes.
    pub(crate) file_bytes: Option<u64>,
    /// Files, sockets and the like that each process has open.
    pub(crate) open_files: Option<u64>,
    /// How much of each output stream is kept.
    pub(crate) output_bytes: usize,
}

/// What all processes of a run may use together. It is looked at now and then, so that a run which ends
/// soon may use more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GroupTime {
    /// CPU time.
    pub(crate) cpu: Option<Duration>,
    /// Time during which none of them computes, or waits for a CPU or a disk.
    pub(crate) asleep: Option<Duration>,
}

/// A process to be started.
#[derive(Debug)]
pub(crate) struct Invocation<'a> {
    pub(crate) program: &'a Utf8Path,
    pub(crate) args: &'a [String],
    /// All of the environment.
    pub(crate) env: &'a BTreeMap<String, String>,
    /// Absolute.
    pub(crate) dir: &'a Utf8Path,
    pub(crate) bounds: Bounds,
    /// What it may not do.
    pub(crate) confinement: Option<&'a Confinement>,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this status.
    Exited(i32),
    /// By a signal that did not come from us.
    Signalled(i32),
    /// It was stopped at its deadline.
    TimedOut,
    /// It was stopped because the query was cancelled.
    Cancelled,
    /// It was stopped because what it had printed decided the question.
    Decided,
    /// It was stopped because it, or what it had started, used too much.
    Exceeded,
}

impl Ending {
    /// Whether a compiler that crashed would end so: with status 101 or by a signal.
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

/// All that is known of a process that has ended.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub(crate) ending: Ending,
    pub(crate) stdout: String,
    /// Head and tail, where it is longer than the bound.
    pub(crate) stderr: String,
    /// Whether some of the output was dropped.
    pub(crate) truncated: bool,
    /// Why it was stopped, where it ran out of time.
    pub(crate) late: Option<Late>,
    pub(crate) wall: Duration,
    /// Time during which all its processes were asleep, as far as [`Bounds::group`] has it looked at.
    pub(crate) asleep: Duration,
    /// User and system time of the leader and the children that it reaped.
    pub(crate) cpu: Duration,
    /// Largest resident set.
    pub(crate) peak_memory_bytes: u64,
}

/// Runs a process to its end, its deadline, or `cancel`. Nothing of its group is left afterwards.
///
/// # Errors
/// [`OracleError::Spawn`] when it cannot be started or watched.
pub(crate) fn run(invocation: &Invocation<'_>, cancel: &Cancel) -> Result<Outcome, OracleError> {
    run_until(invocation, cancel, &mut |_| false)
}

/// Like [`run`], or until `decides` has seen enough of stderr.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_until(
    invocation: &Invocation<'_>,
    cancel: &Cancel,
    decides: &mut Decides<'_>,
) -> Result<Outcome, OracleError> {
    run_child(invocation, cancel, decides).map_err(|source| failed(invocation, source))
}

fn failed(invocation: &Invocation<'_>, source: std::io::Error) -> OracleError {
    OracleError::Spawn {
        program: invocation.program.to_owned(),
        dir: invocation.dir.to_owned(),
        source,
    }
}

fn run_child(
    invocation: &Invocation<'_>,
    cancel: &Cancel,
    decides: &mut Decides<'_>,
) -> std::io::Result<Outcome> {
    let started = Instant::now();
    let meter = Meter::new(invocation);
    let (child, streams) = Child::spawn(invocation)?;
    let meter = meter.with(Group::Known(child.group()), invocation.bounds.memory_bytes);
    let mut streams = drains(streams, &invocation.bounds)?;
    let until = Until {
        deadline: invocation.bounds.deadline,
        cancel,
        decides,
        meter,
        sleep: sleep_meter(child.group(), &invocation.bounds),
    };
    let watched = watch(&child, &mut streams, until)?;
    child.signal_group(Signal::KILL);
    for stream in &mut streams {
        stream.take_what_is_there()?;
    }
    let usage = child.reap()?;
    Ok(outcome(watched, usage, streams, started))
}

fn sleep_meter(leader: Pid, bounds: &Bounds) -> Option<SleepMeter> {
    let group = bounds.group?;
    Some(SleepMeter::new(leader, group.asleep, group.cpu))
}

fn drains(streams: [OwnedFd; 2], bounds: &Bounds) -> std::io::Result<[Drain; 2]> {
    let [stdout, stderr] = streams;
    let limit = bounds.output_bytes;
    Ok([Drain::new(stdout, limit)?, Drain::new(stderr, limit)?])
}

fn outcome(watched: Watched, usage: Usage, streams: [Drain; 2], started: Instant) -> Outcome {
    let ending = watched.stop.unwrap_or(usage.ending);
    // Without a reason of ours the kernel has stopped it at its limit of CPU time.
    let is_late = ending == Ending::TimedOut;
    let late = is_late.then(|| watched.late.unwrap_or(Late::Cpu));
    let truncated = streams.iter().any(Drain::is_truncated);
    let [stdout, stderr] = streams.map(Drain::into_text);
    Outcome {
        ending,
        stdout,
        stderr,
        truncated,
        late,
        wall: started.elapsed(),
        asleep: watched.asleep,
        cpu: usage.cpu,
        peak_memory_bytes: usage.peak_memory_bytes,
    }
}

#[cfg(test)]
mod tests;
