//! Processes on Unix: groups, signals, limits and their end.

use super::descriptors;
use crate::processes::{Ended, Limits, Signal};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Resource, Rlimit, WaitId, WaitIdOptions, getrlimit, kill_process, kill_process_group,
    setpgid, setrlimit, setsid, test_kill_process, waitid,
};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

pub use descriptors::{close_from, close_on_exec};

pub(crate) const ABORT: Option<i32> = Some(libc::SIGABRT);

pub(crate) const OF_CRASHES: &[i32] = &[
    libc::SIGABRT,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGSEGV,
    libc::SIGSYS,
    libc::SIGTRAP,
];

pub(crate) const OF_CPU_LIMIT: &[i32] = &[libc::SIGXCPU, libc::SIGPROF];

#[expect(
    unsafe_code,
    reason = "only the child can mark what it is not to keep open"
)]
pub(crate) fn inherit_nothing(command: &mut Command) {
    // SAFETY: it only makes system calls that are safe in a signal handler.
    unsafe { command.pre_exec(close_on_exec) };
}

pub(crate) fn lead_group(command: &mut Command) {
    command.process_group(0);
}

pub(crate) fn become_leader() {
    // The call fails where this process leads a group already.
    let _is_leader = setpgid(None, None);
}

#[expect(unsafe_code, reason = "only the child can limit itself")]
pub(crate) fn limit(command: &mut Command, limits: Limits) {
    // SAFETY: it only makes system calls that are safe in a signal handler.
    unsafe { command.pre_exec(move || set_limits(limits)) };
}

/// The seconds between the soft limit on CPU time and the hard one.
const SPARE_CPU_SECONDS: u64 = 5;

/// Limits the resources that this process may use. Only makes system calls.
///
/// # Errors
/// When the system refuses it.
pub fn set_limits(limits: Limits) -> io::Result<()> {
    set_one(Resource::Core, Some(0), 0)?;
    // The first limit sends a signal that can be told from others, the second one kills. A machine that does not look for a
    // while would see both at once if they were close.
    let cpu = limits.cpu.map(whole_seconds);
    set_one(Resource::Cpu, cpu, SPARE_CPU_SECONDS)?;
    set_one(Resource::Nproc, limits.processes, 0)?;
    match set_one(Resource::As, limits.memory_bytes, 0) {
        // macOS knows it, but refuses to lower it.
        Err(_) if cfg!(target_vendor = "apple") => {}
        set => set?,
    }
    set_one(Resource::Fsize, limits.file_bytes, 0)?;
    set_one(Resource::Nofile, limits.open_files, 0)
}

/// Rounds a limit on CPU time up to the whole seconds that the system needs: at least one second.
#[must_use]
pub fn whole_seconds(duration: Duration) -> u64 {
    duration
        .as_millis()
        .div_ceil(1000)
        .max(1)
        .try_into()
        .unwrap_or(u64::MAX)
}

/// Sets the soft limit on a resource to a value and the hard one by `spare` above it, both at most our own hard limit.
fn set_one(resource: Resource, value: Option<u64>, spare: u64) -> io::Result<()> {
    let Some(value) = value else { return Ok(()) };
    let ours = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let limits = Rlimit {
        current: Some(value.min(ours)),
        maximum: Some(value.saturating_add(spare).min(ours)),
    };
    setrlimit(resource, limits)?;
    Ok(())
}

pub(crate) fn signal_group(leader: &mut Child, signal: Signal) {
    let signal = match signal {
        Signal::Ask => rustix::process::Signal::TERM,
        Signal::Kill => rustix::process::Signal::KILL,
    };
    let _gone = kill_process_group(Pid::from_child(leader), signal);
}

pub(crate) fn kill_group(leader: i32) {
    if let Some(leader) = Pid::from_raw(leader) {
        let _gone = kill_process_group(leader, rustix::process::Signal::KILL);
    }
}

pub(crate) fn has_ended(child: &mut Child) -> io::Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::Pid(Pid::from_child(child)), options)?;
    Ok(status.is_some())
}

pub(crate) fn reap(child: &mut Child) -> io::Result<Ended> {
    let pid = Pid::from_child(child).as_raw_nonzero().get();
    Ok(wait4(pid, 0)?.1)
}

/// Waits for a child process, or for one of a process group (a negative number), and reaps it. Returns its number, which
/// is zero if none has ended and `options` have nobody wait.
///
/// # Errors
/// When there is no such child.
#[expect(
    unsafe_code,
    reason = "no safe interface to wait4, the one call that gives usage too"
)]
pub fn wait4(whom: i32, options: i32) -> io::Result<(i32, Ended)> {
    let mut status = 0;
    // SAFETY: an all-zero rusage is valid, it consists of integers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live locals of the right types, and nobody else reaps the child.
        let pid = unsafe { libc::wait4(whom, &raw mut status, options, &raw mut usage) };
        if pid >= 0 {
            let resident = u64::try_from(usage.ru_maxrss).unwrap_or(0);
            let ended = Ended {
                status: ExitStatus::from_raw(status),
                cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
                peak_memory_bytes: resident * RESIDENT_BYTES,
            };
            return Ok((pid, ended));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// The number of bytes in the unit in which the system reports the largest resident set.
#[cfg(target_vendor = "apple")]
const RESIDENT_BYTES: u64 = 1;
#[cfg(not(target_vendor = "apple"))]
const RESIDENT_BYTES: u64 = 1024;

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

pub(crate) fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}

pub(crate) fn end_by_signal(signal: i32) {
    let Some(signal) = rustix::process::Signal::from_named_raw(signal) else {
        return;
    };
    // Twice: the first may only take away a handler that the runtime has set up.
    for _ in 0..2 {
        let _still_here = kill_process(rustix::process::getpid(), signal);
    }
}

pub(crate) fn become_program(command: &mut Command) -> io::Error {
    command.exec()
}

#[expect(
    unsafe_code,
    reason = "only a fork goes on with what we know, without the cost of a start"
)]
pub(crate) fn work_apart(work: impl FnOnce()) {
    // SAFETY: the process has a single thread, so that the fork finds every lock free.
    let is_apart = unsafe { libc::fork() } == 0;
    if is_apart {
        leave_session();
        close_from(0);
        work();
        // SAFETY: it ends this process at once, and nothing of the parent's is written twice.
        unsafe { libc::_exit(0) }
    }
}

pub(crate) fn print_at_once(bytes: &[u8]) -> bool {
    let stderr = io::stderr();
    let now = Timespec::default();
    let mut fds = [PollFd::new(&stderr, PollFlags::OUT)];
    let is_ready = poll(&mut fds, Some(&now)).is_ok_and(|ready| ready > 0);
    is_ready && rustix::io::write(&stderr, bytes).is_ok_and(|length| length == bytes.len())
}

pub(crate) fn is_gone(id: u32) -> bool {
    let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

pub(crate) fn most_open_files() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

pub(crate) fn machine_name() -> Option<String> {
    let machine = rustix::system::uname();
    Some(machine.nodename().to_string_lossy().into_owned())
}

pub(crate) fn leave_session() {
    // Fails for the leader of a group, which has left its starter's session already.
    let _left = setsid();
}

pub(crate) fn send_errors_to(file: &File) {
    let _sent = rustix::stdio::dup2_stderr(file);
}

pub(crate) fn let_go_of_output() {
    if let Ok(null) = OpenOptions::new().write(true).open("/dev/null") {
        let _let_go = rustix::stdio::dup2_stdout(null);
    }
}

pub(crate) fn variables(vars: BTreeMap<String, String>) -> BTreeMap<String, String> {
    vars
}

pub(crate) fn make_files_private() {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
}
