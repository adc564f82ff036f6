//! A started process: how it is set up before it runs, signalled, and reaped.

use super::groups::Groups;
use super::watch::Leader;
use super::{Ending, Invocation};
use crate::sandbox::Role;
use camino::Utf8Path;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{FdFlags, fcntl_setfd, retry_on_intr};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, getppid, getrlimit, kill_process_group, pidfd_open,
    set_parent_process_death_signal, setrlimit,
};
use std::ffi::OsString;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::time::Duration;

/// The leader of a process group of its own. Not reaped before [`Child::reap`].
#[derive(Debug)]
pub(super) struct Child {
    pid: Pid,
    pidfd: OwnedFd,
}

/// What a reaped process has used.
pub(super) struct Usage {
    pub(super) ending: Ending,
    pub(super) cpu: Duration,
    pub(super) peak_memory_bytes: u64,
}

impl Child {
    /// Starts it; returns the read ends of its stdout and stderr.
    pub(super) fn spawn(invocation: &Invocation<'_>) -> std::io::Result<(Self, [OwnedFd; 2])> {
        let mut command = command(invocation);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = start_in_group(command, invocation, None)?;
        let stdout = child
            .stdout
            .take()
            .ok_or_else(|| std::io::Error::other("no stdout"))?;
        let stderr = child
            .stderr
            .take()
            .ok_or_else(|| std::io::Error::other("no stderr"))?;
        Ok((Self::watched(child)?, [stdout.into(), stderr.into()]))
    }

    /// Starts it with given streams, and with `socket` in its hands.
    pub(super) fn spawn_with(
        invocation: &Invocation<'_>,
        streams: [OwnedFd; 2],
        socket: &OwnedFd,
    ) -> std::io::Result<Self> {
        let mut command = command(invocation);
        let [stdout, stderr] = streams;
        command.stdout(stdout).stderr(stderr);
        let child = start_in_group(command, invocation, Some(socket.as_raw_fd()))?;
        Self::watched(child)
    }

    fn watched(mut child: std::process::Child) -> std::io::Result<Self> {
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let pid = pid.ok_or_else(|| std::io::Error::other("the child has no pid"))?;
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(pidfd) => {
                Groups::begin(pid);
                Ok(Self { pid, pidfd })
            }
            Err(error) => {
                child.kill()?;
                child.wait()?;
                Err(error.into())
            }
        }
    }

    /// The leader; its number is that of the group.
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Waits for the leader and takes its status and usage.
    #[expect(
        unsafe_code,
        reason = "no safe interface to wait4, the one call that gives usage too"
    )]
    pub(super) fn reap(self) -> std::io::Result<Usage> {
        Groups::end(self.pid);
        let mut status = 0;
        // SAFETY: an all-zero rusage is valid, it consists of integers.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        loop {
            // SAFETY: both pointers are to live locals of the right types; the pid is our own child
            // that nobody else reaps.
            let pid = unsafe {
                libc::wait4(
                    self.pid.as_raw_nonzero().get(),
                    &raw mut status,
                    0,
                    &raw mut usage,
                )
            };
            if pid >= 0 {
                break;
            }
            let error = std::io::Error::last_os_error();
            if error.kind() != std::io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
        Ok(Usage {
            ending: ending(status),
            cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            peak_memory_bytes: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
        })
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

/// How a program ended that had our own streams.
pub(crate) struct Passed {
    pub(crate) status: ExitStatus,
    /// Whether it was stopped at its deadline.
    pub(crate) timed_out: bool,
}

/// Runs a program with our own environment and streams: what a compiler wrapper does. It is killed
/// at the deadline, if there is one; what it has started is not.
///
/// # Errors
/// When it cannot be started.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the one that starts children"
)]
pub(crate) fn pass_through(
    program: &OsString,
    args: &[OsString],
    deadline: Option<Duration>,
) -> std::io::Result<Passed> {
    let mut child = Command::new(program).args(args).spawn()?;
    let timed_out = match deadline {
        Some(deadline) => !has_ended_within(&child, deadline)?,
        None => false,
    };
    if timed_out {
        child.kill()?;
    }
    let status = child.wait()?;
    Ok(Passed { status, timed_out })
}

/// Waits for a child's end, which stays to be reaped.
fn has_ended_within(child: &std::process::Child, deadline: Duration) -> std::io::Result<bool> {
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

/// Starts a program that is told apart by a variable, reads what we write, and is not ours to end: it
/// is in no group of ours and does not die with us.
///
/// # Errors
/// When it cannot be started.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the one that starts children"
)]
pub(crate) fn start_keeper(program: &Utf8Path, variable: &str) -> std::io::Result<ChildStdin> {
    let mut keeper = Command::new(program)
        .env_clear()
        .env(variable, "1")
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    keeper
        .stdin
        .take()
        .ok_or_else(|| std::io::Error::other("no stdin"))
}

#[expect(
    clippy::disallowed_methods,
    reason = "this module is the one that starts children"
)]
fn command(invocation: &Invocation<'_>) -> Command {
    let mut command = Command::new(invocation.program);
    command
        .args(invocation.args)
        .env_clear()
        .envs(invocation.env)
        .current_dir(invocation.dir)
        .stdin(Stdio::null())
        .process_group(0);
    command
}

#[expect(
    unsafe_code,
    reason = "limits and the parent-death signal can only be set in the child"
)]
fn start_in_group(
    mut command: Command,
    invocation: &Invocation<'_>,
    inherited: Option<RawFd>,
) -> std::io::Result<std::process::Child> {
    let parent = rustix::process::getpid();
    let bounds = invocation.bounds.clone();
    let confinement = invocation.confinement.cloned();
    // What is handed the socket of a server is one.
    let role = inherited.map_or(Role::Leader, |_| Role::Server);
    let set_up = move || {
        if let Some(confinement) = &confinement {
            confinement.isolate()?;
        }
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if getppid() != Some(parent) {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        if let Some(fd) = inherited {
            // SAFETY: the caller keeps the descriptor open until the child is there.
            let fd = unsafe { BorrowedFd::borrow_raw(fd) };
            fcntl_setfd(fd, FdFlags::empty())?;
        }
        limit(Resource::Core, Some(0), 0)?;
        // The first limit sends a signal that can be told from others, the second one kills.
        limit(Resource::Cpu, bounds.cpu.map(whole_seconds), 1)?;
        stop_after(bounds.own_cpu)?;
        limit(Resource::Nproc, bounds.processes, 0)?;
        limit(Resource::As, bounds.memory_bytes, 0)?;
        limit(Resource::Fsize, bounds.file_bytes, 0)?;
        limit(Resource::Nofile, bounds.open_files, 0)?;
        confinement
            .as_ref()
            .map_or(Ok(()), |confinement| confinement.restrict(role))
    };
    // SAFETY: between fork and exec it only makes system calls that are safe in a signal handler:
    // prctl, getppid, fcntl, setitimer, getrlimit, setrlimit and those of the confinement; it allocates
    // nothing and takes no lock.
    unsafe { command.pre_exec(set_up) };
    start(&mut command)
}

/// Has the process sent SIGPROF when it has used so much CPU time; that lasts beyond `exec`.
#[expect(unsafe_code, reason = "no safe interface to setitimer")]
fn stop_after(cpu: Option<Duration>) -> std::io::Result<()> {
    let Some(cpu) = cpu else { return Ok(()) };
    let none = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    let timer = libc::itimerval {
        it_interval: none,
        it_value: libc::timeval {
            tv_sec: cpu.as_secs().try_into().unwrap_or(libc::time_t::MAX),
            tv_usec: cpu.subsec_micros().into(),
        },
    };
    // SAFETY: the pointer is to a live local of the right type, and the old value is not wanted.
    match unsafe { libc::setitimer(libc::ITIMER_PROF, &raw const timer, std::ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// At least one.
pub(super) fn whole_seconds(duration: Duration) -> u64 {
    duration
        .as_millis()
        .div_ceil(1000)
        .max(1)
        .try_into()
        .unwrap_or(u64::MAX)
}

/// Lowers a limit, with so much to spare below the hard one; it never goes above what we may use
/// ourselves.
fn limit(resource: Resource, value: Option<u64>, spare: u64) -> std::io::Result<()> {
    let Some(value) = value else { return Ok(()) };
    let ours = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let limits = Rlimit {
        current: Some(value.min(ours)),
        maximum: Some(value.saturating_add(spare).min(ours)),
    };
    Ok(setrlimit(resource, limits)?)
}

/// Starts it. A program that was written a moment ago may still be open in a child that another
/// thread is about to start, and cannot be run until that has been.
fn start(command: &mut Command) -> std::io::Result<std::process::Child> {
    for _ in 0..100 {
        match command.spawn() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(5));
            }
            started => return started,
        }
    }
    command.spawn()
}

/// What a status as `wait4` gives it means.
pub(super) fn ending(status: i32) -> Ending {
    use std::os::unix::process::ExitStatusExt;
    let status = ExitStatus::from_raw(status);
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, Some(libc::SIGXCPU | libc::SIGPROF)) => Ending::TimedOut,
        (None, signal) => Ending::Signalled(signal.unwrap_or(0)),
    }
}

fn seconds(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}
