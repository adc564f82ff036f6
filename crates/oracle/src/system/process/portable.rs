//! Runs processes on any system, by the standard library and `reduce_platform`.
//!
//! A child's output is read by threads, and the child is looked at every few milliseconds. There is no compiler that is
//! loaded already, and nothing is known of how long a process sleeps and what its group uses together: the wall time
//! and what the system limits by itself are the bounds.

mod reading;

use super::groups::Groups;
use super::invocation::{Bounds, Decides, Ending, Invocation, Outcome, Preload, Watched};
use super::stand_in::Passing;
use crate::error::OracleError;
use crate::system::budget::Late;
use reading::Reading;
use reduce_platform::Cancel;
use reduce_platform::processes::{self, Ended, Limits, Signal, start_when_free};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// The pause between two checks of a process that prints nothing.
const LOOK: Duration = Duration::from_millis(2);
/// The time that a group has between being asked to end and being killed.
const GRACE: Duration = Duration::from_millis(300);
/// The time that a process has after the end of its input, and again after it was asked to end.
const BY_ITSELF: Duration = Duration::from_millis(1500);
/// The time to wait for the last of the output, which a process that has left the group may hold open.
const LAST_OUTPUT: Duration = Duration::from_secs(5);

pub(crate) fn run(
    invocation: &Invocation<'_>,
    cancel: &Cancel,
    decides: &mut Decides<'_>,
) -> std::io::Result<Outcome> {
    watched(invocation, Stdio::null(), cancel, decides)
}

pub(crate) fn run_attended(
    invocation: &Invocation<'_>,
    cancel: &Cancel,
    decides: &mut Decides<'_>,
) -> std::io::Result<Outcome> {
    watched(invocation, Stdio::piped(), cancel, decides)
}

fn watched(
    invocation: &Invocation<'_>,
    input: Stdio,
    cancel: &Cancel,
    decides: &mut Decides<'_>,
) -> std::io::Result<Outcome> {
    let started = Instant::now();
    let mut running = Running::start(invocation, input)?;
    let bounds = &invocation.bounds;
    let mut output = Reading::of(&mut running.child, bounds.output_bytes)?;
    let mut stop = Stop::at(bounds.deadline.and_then(|time| started.checked_add(time)));
    while !processes::has_ended(&mut running.child)? {
        output.take_within(LOOK);
        if stop.reason.is_none() {
            if cancel.is_cancelled() {
                stop.begin(Ending::Cancelled, &mut running);
            } else if output.any_new_line(decides) {
                stop.begin(Ending::Decided, &mut running);
            } else if stop.is_due() {
                stop.begin(Ending::TimedOut, &mut running);
            }
        } else if stop.is_due() {
            stop.insist(&mut running);
        }
    }
    let ended = running.end()?;
    output.take_the_rest(LAST_OUTPUT);
    let watched = Watched {
        stop: stop.reason,
        late: stop.reason.map(|_| Late::Wall),
        asleep: Duration::ZERO,
    };
    Ok(Outcome::of(watched, ended, output.into_outputs(), started))
}

/// A child that leads a process group of its own, where there are groups.
struct Running {
    child: Child,
    /// The input of an attended process, open as long as the process is to run.
    input: Option<ChildStdin>,
    is_reaped: bool,
}

impl Running {
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is a part of the one that starts children"
    )]
    fn start(invocation: &Invocation<'_>, input: Stdio) -> std::io::Result<Self> {
        if let Some(confinement) = invocation.confinement {
            match *confinement {}
        }
        let mut command = Command::new(invocation.program);
        command
            .args(invocation.args)
            .env_clear()
            .envs(invocation.env)
            .current_dir(invocation.dir)
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        processes::lead_group(&mut command);
        processes::inherit_nothing(&mut command);
        processes::limit(&mut command, limits(&invocation.bounds));
        let mut child = start_when_free(|| command.spawn())?;
        Groups::begin(child.id());
        Ok(Self {
            input: child.stdin.take(),
            child,
            is_reaped: false,
        })
    }

    /// Kills the processes that are left of the group, and returns how the leader ended.
    fn end(&mut self) -> std::io::Result<Ended> {
        self.is_reaped = true;
        processes::signal_group(&mut self.child, Signal::Kill);
        Groups::end(self.child.id());
        processes::reap(&mut self.child)
    }
}

/// Kills and reaps a process that was not reaped because something went wrong.
impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_reaped {
            let _status = self.end();
        }
    }
}

/// Returns the limits of a child. CPU time is limited in whole seconds, whether a program may lift the limit or not.
fn limits(bounds: &Bounds) -> Limits {
    let own = bounds.own_cpu.into_iter();
    Limits {
        cpu: own.chain(bounds.cpu).min(),
        ..bounds.limits()
    }
}

/// The reason for which a process is told to end, and the next step of that.
struct Stop {
    reason: Option<Ending>,
    /// The time at which the process is next asked to end or killed.
    next: Option<Instant>,
    is_asked: bool,
}

impl Stop {
    fn at(deadline: Option<Instant>) -> Self {
        Self {
            reason: None,
            next: deadline,
            is_asked: false,
        }
    }

    fn is_due(&self) -> bool {
        self.next.is_some_and(|next| Instant::now() >= next)
    }

    /// Begins to stop a process. An attended one is told by the end of its input. Another one that has decided the question
    /// is killed: nothing more is wanted of it, not even a tidy end.
    fn begin(&mut self, reason: Ending, running: &mut Running) {
        self.reason = Some(reason);
        if running.input.take().is_some() {
            self.next = Instant::now().checked_add(BY_ITSELF);
        } else if reason == Ending::Decided {
            self.kill(running);
        } else {
            self.ask(running, GRACE);
        }
    }

    /// Asks a process once more that was told to end and has not, or kills it.
    fn insist(&mut self, running: &mut Running) {
        match self.is_asked {
            true => self.kill(running),
            false => self.ask(running, BY_ITSELF),
        }
    }

    fn ask(&mut self, running: &mut Running, grace: Duration) {
        self.is_asked = true;
        processes::signal_group(&mut running.child, Signal::Ask);
        self.next = Instant::now().checked_add(grace);
    }

    fn kill(&mut self, running: &mut Running) {
        processes::signal_group(&mut running.child, Signal::Kill);
        self.next = None;
    }
}

/// A loaded compiler, of which there is none on this system.
#[derive(Debug)]
pub(crate) enum Server {}

impl Server {
    /// Starts no server, as on this system a compiler is started anew for each query.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "where there is a server, it may not be started"
    )]
    pub(crate) fn start(
        _: &Invocation<'_>,
        _: Preload<'_>,
        _: &Cancel,
    ) -> Result<Option<Self>, OracleError> {
        Ok(None)
    }

    pub(crate) fn run(
        &mut self,
        _: &Invocation<'_>,
        _: &Cancel,
        _: &mut Decides<'_>,
    ) -> Result<Option<Outcome>, OracleError> {
        match *self {}
    }

    pub(crate) fn run_with(
        &mut self,
        _: &Invocation<'_>,
        _: usize,
        _: &Cancel,
    ) -> Result<Option<Outcome>, OracleError> {
        match *self {}
    }

    pub(crate) fn is_worn(&self) -> bool {
        match *self {}
    }
}

/// Returns no limit of a query's processes: the system counts all of a user's, and does not say how many there are already.
pub(crate) fn most_processes() -> Option<u64> {
    None
}

/// Waits until a child has ended or the deadline has passed, and does not reap the child where the system can tell
/// without.
pub(crate) fn has_ended_within(child: &mut Child, deadline: Duration) -> std::io::Result<bool> {
    let until = Instant::now().checked_add(deadline);
    while !processes::has_ended(child)? {
        if until.is_some_and(|until| Instant::now() >= until) {
            return Ok(false);
        }
        std::thread::sleep(LOOK);
    }
    Ok(true)
}

/// Passes on what a program prints until it has ended. Others may hold the pipe open for longer.
///
/// # Errors
/// When the program cannot be watched.
pub(crate) fn pass(
    passing: &mut Passing,
    pipe: ChildStderr,
    child: &mut Child,
) -> std::io::Result<()> {
    let chunks = reading::chunks(pipe)?;
    loop {
        let had_ended = processes::has_ended(child)?;
        match chunks.recv_timeout(10 * LOOK) {
            Ok(chunk) if !passing.pass(&chunk) => return Ok(()),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) if !had_ended => {}
            Ok(_) => {}
            Err(_) => return Ok(()),
        }
    }
}
