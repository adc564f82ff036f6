//! Starts, signals and reaps a child, which leads a process group of its own.

use super::spawn::spawn;
use super::watch::Leader;
use crate::system::process::groups::Groups;
use crate::system::process::invocation::Invocation;

use crate::system::sandbox::Confinement;
use reduce_platform::processes::{Ended, wait4};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, kill_process_group, pidfd_open, waitpid,
};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// A started process that leads a process group of its own. It is not reaped before [`Child::reap`], or the drop of
/// this value.
#[derive(Debug)]
pub(super) struct Child {
    pid: Pid,
    pidfd: OwnedFd,
    is_reaped: bool,
    /// The confinement, kept until the process is reaped: the namespace of a process that is not
    /// reaped cannot end.
    _confinement: Option<Confinement>,
}

/// Kills and reaps a child that was not reaped because something went wrong.
impl Drop for Child {
    fn drop(&mut self) {
        if !self.is_reaped {
            self.signal_group(Signal::KILL);
            let _status = self.wait();
        }
    }
}

impl Child {
    /// Starts a program with this standard input, or with none; returns the read ends of its stdout and stderr.
    pub(super) fn spawn(
        invocation: &Invocation<'_>,
        input: Option<&OwnedFd>,
    ) -> std::io::Result<(Self, [OwnedFd; 2])> {
        let (out, out_of_child) = pipe_with(PipeFlags::CLOEXEC)?;
        let (err, err_of_child) = pipe_with(PipeFlags::CLOEXEC)?;
        let pid = spawn(invocation, input, [&out_of_child, &err_of_child], None)?;
        Ok((Self::watched(pid, invocation)?, [out, err]))
    }

    /// Starts a program with these output streams, and with `socket` among its descriptors.
    pub(super) fn spawn_with(
        invocation: &Invocation<'_>,
        [stdout, stderr]: [&OwnedFd; 2],
        socket: &OwnedFd,
    ) -> std::io::Result<Self> {
        let pid = spawn(invocation, None, [stdout, stderr], Some(socket))?;
        Self::watched(pid, invocation)
    }

    fn watched(pid: Pid, invocation: &Invocation<'_>) -> std::io::Result<Self> {
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(pidfd) => {
                Groups::begin(number(pid));
                Ok(Self {
                    pid,
                    pidfd,
                    is_reaped: false,
                    _confinement: invocation.confinement.cloned(),
                })
            }
            Err(error) => {
                let _gone = kill_process_group(pid, Signal::KILL);
                let _status = waitpid(Some(pid), WaitOptions::empty());
                Err(error.into())
            }
        }
    }

    /// Returns the process group that the child leads.
    pub(super) fn group(&self) -> Pid {
        self.pid
    }

    /// Waits for the leader and takes its status and usage. Other members of the group that are our
    /// children, as a process may make siblings instead of children, are reaped too. The group has
    /// been killed.
    pub(super) fn reap(mut self) -> std::io::Result<Ended> {
        self.wait()
    }

    fn wait(&mut self) -> std::io::Result<Ended> {
        self.is_reaped = true;
        Groups::end(number(self.pid));
        let leader = self.pid.as_raw_nonzero().get();
        let (_, ended) = wait4(leader, 0)?;
        reap_siblings(leader);
        Ok(ended)
    }
}

/// The number of checks whether a killed child is gone, which takes a moment.
const LOOKS: u32 = 200;
/// The pause between two checks whether a killed child is gone.
const MOMENT: Duration = Duration::from_micros(100);

/// Reaps the processes of a group, whose leader was reaped before, that have become children of the calling thread.
/// The thread
/// has started no other process with this number meanwhile, and children of other threads do not count.
fn reap_siblings(group: libc::pid_t) {
    for _ in 0..LOOKS {
        match wait4(-group, libc::WNOHANG | libc::__WNOTHREAD) {
            // There is one, which has not ended yet.
            Ok((0, _)) => std::thread::sleep(MOMENT),
            Ok(_) => {}
            Err(_) => return,
        }
    }
}

impl Leader for Child {
    fn ended(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }

    fn signal_group(&self, signal: Signal) {
        let _gone = kill_process_group(self.pid, signal);
    }
}

/// Waits until a child has ended or the deadline has passed, and does not reap the child.
pub(crate) fn has_ended_within(
    child: &mut std::process::Child,
    deadline: Duration,
) -> std::io::Result<bool> {
    let pid = Pid::from_child(child);
    let pidfd = pidfd_open(pid, PidfdFlags::empty())?;
    let seconds = i64::try_from(deadline.as_secs()).unwrap_or(i64::MAX);
    let until = Timespec {
        tv_sec: seconds,
        tv_nsec: i64::from(deadline.subsec_nanos()),
    };
    let mut fds = [PollFd::new(&pidfd, PollFlags::IN)];
    Ok(retry_on_intr(|| poll(&mut fds, Some(&until)))? > 0)
}

fn number(pid: Pid) -> u32 {
    pid.as_raw_nonzero().get().unsigned_abs()
}
