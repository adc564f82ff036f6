//! The one place that starts processes.
//!
//! A child gets an absolute directory, an explicit environment, no input, a process group of its own
//! and limits. Its output is drained while it runs. When the leader has ended, the whole group is
//! killed *before* the leader is reaped: until then its pid, and with it the group's id, cannot
//! belong to anybody else. Linux: it needs pidfds and parent-death signals.

mod child;
mod drain;

pub(crate) use child::pass_through;

use crate::cancel::Cancel;
use crate::error::OracleError;
use camino::Utf8Path;
use child::{Child, Usage};
use drain::Drain;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long a group has between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_millis(300);

/// What a child may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Wall time.
    pub(crate) deadline: Option<Duration>,
    /// Address space of each process.
    pub(crate) memory_bytes: Option<u64>,
    /// Size of each file that it writes.
    pub(crate) file_bytes: Option<u64>,
    /// How much of each output stream is kept.
    pub(crate) output_bytes: usize,
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
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exit status {code}"),
            Self::Signalled(signal) => write!(f, "signal {signal}"),
            Self::TimedOut => write!(f, "stopped at its deadline"),
            Self::Cancelled => write!(f, "cancelled"),
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
    pub(crate) wall: Duration,
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
    run_child(invocation, cancel).map_err(|source| OracleError::Spawn {
        program: invocation.program.to_owned(),
        dir: invocation.dir.to_owned(),
        source,
    })
}

fn run_child(invocation: &Invocation<'_>, cancel: &Cancel) -> std::io::Result<Outcome> {
    let started = Instant::now();
    let (child, [stdout, stderr]) = Child::spawn(invocation)?;
    let limit = invocation.bounds.output_bytes;
    let mut drains = [Drain::new(stdout, limit)?, Drain::new(stderr, limit)?];
    let stop = watch(&child, &mut drains, cancel, invocation.bounds.deadline)?;
    child.kill_group(Signal::KILL);
    for drain in &mut drains {
        drain.take_what_is_there()?;
    }
    let Usage {
        ending,
        cpu,
        peak_memory_bytes,
    } = child.reap()?;
    let truncated = drains.iter().any(Drain::is_truncated);
    let [stdout, stderr] = drains.map(Drain::into_text);
    let ending = stop.unwrap_or(ending);
    Ok(Outcome {
        ending,
        stdout,
        stderr,
        truncated,
        wall: started.elapsed(),
        cpu,
        peak_memory_bytes,
    })
}

/// Drains the output until the leader has ended. Returns why it was stopped, if it was.
fn watch(
    child: &Child,
    drains: &mut [Drain; 2],
    cancel: &Cancel,
    deadline: Option<Duration>,
) -> std::io::Result<Option<Ending>> {
    let mut next = deadline.and_then(|deadline| Instant::now().checked_add(deadline));
    let mut stop = None;
    loop {
        let ready = wait(child, drains, cancel, stop.is_some(), next)?;
        if ready.ended {
            return Ok(stop);
        }
        let overdue = next.is_some_and(|next| Instant::now() >= next);
        if stop.is_some() && overdue {
            child.kill_group(Signal::KILL);
            next = None;
        } else if stop.is_none() && (ready.cancelled || overdue) {
            stop = Some(if ready.cancelled {
                Ending::Cancelled
            } else {
                Ending::TimedOut
            });
            child.kill_group(Signal::TERM);
            next = Instant::now().checked_add(GRACE);
        }
    }
}

struct Ready {
    ended: bool,
    cancelled: bool,
}

/// One poll on the outputs, the leader and the cancellation; takes the output that is there.
fn wait(
    child: &Child,
    drains: &mut [Drain; 2],
    cancel: &Cancel,
    stopping: bool,
    until: Option<Instant>,
) -> std::io::Result<Ready> {
    let mut fds = vec![PollFd::new(child.pidfd(), PollFlags::IN)];
    if !stopping {
        fds.push(PollFd::from_borrowed_fd(cancel.as_fd(), PollFlags::IN));
    }
    let fixed = fds.len();
    fds.extend(
        drains
            .iter()
            .filter_map(Drain::fd)
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
    );
    let timeout = until.map(|until| timespec(until.saturating_duration_since(Instant::now())));
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
    drop(fds);
    for drain in drains {
        drain.take_what_is_there()?;
    }
    Ok(Ready {
        ended: ready[0],
        cancelled: fixed == 2 && ready[1],
    })
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}

#[cfg(test)]
mod tests;
