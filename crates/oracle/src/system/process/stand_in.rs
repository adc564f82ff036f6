//! Standing in for another program: what a compiler wrapper does that cargo calls in each build.
//!
//! The program has our own environment, input and standard output. What it prints to standard error goes through a
//! pipe of ours, and on at once, so that it can be looked at if the program crashes.

use camino::Utf8Path;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};

/// So much is read at a time.
const CHUNK_BYTES: usize = 64 << 10;
/// At most twice so much of the end of what is printed is kept.
const KEPT_BYTES: usize = 4 << 20;

/// How a program ended that had our own streams, and the end of what it printed to standard error.
pub(crate) struct Passed {
    pub(crate) status: ExitStatus,
    pub(crate) stderr: Vec<u8>,
}

/// Becomes the program. Returns only where that is not possible.
#[expect(
    clippy::disallowed_methods,
    reason = "a wrapper becomes the program that it was called for"
)]
pub(crate) fn become_program(program: &OsString, args: &[OsString]) -> std::io::Error {
    Command::new(program).args(args).exec()
}

/// Runs the program to its end.
///
/// # Errors
/// When it cannot be started.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is a part of the one that starts children"
)]
pub(crate) fn pass_on(program: &OsString, args: &[OsString]) -> std::io::Result<Passed> {
    let mut command = Command::new(program);
    let mut child = command.args(args).stderr(Stdio::piped()).spawn()?;
    let mut passing = Passing::default();
    if let Some(pipe) = child.stderr.take() {
        passing.pass(pipe, &child)?;
    }
    Ok(Passed {
        status: child.wait()?,
        stderr: passing.kept,
    })
}

#[derive(Default)]
struct Passing {
    kept: Vec<u8>,
}

impl Passing {
    /// Until the program has ended, and what it had printed is passed on. Others may hold the pipe open for longer.
    fn pass(&mut self, mut pipe: ChildStderr, child: &Child) -> std::io::Result<()> {
        let ended = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
        fcntl_setfl(&pipe, OFlags::NONBLOCK)?;
        let mut has_ended = false;
        while !has_ended {
            let mut waiting = [
                PollFd::new(&pipe, PollFlags::IN),
                PollFd::new(&ended, PollFlags::IN),
            ];
            retry_on_intr(|| poll(&mut waiting, None))?;
            has_ended = !waiting[1].revents().is_empty();
            if !self.pass_what_is_there(&mut pipe)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns whether there may be more.
    fn pass_what_is_there(&mut self, pipe: &mut ChildStderr) -> std::io::Result<bool> {
        let mut chunk = [0; CHUNK_BYTES];
        loop {
            match pipe.read(&mut chunk) {
                Ok(0) => return Ok(false),
                Ok(n) => {
                    // Where nobody reads it any more, the program should hear of that.
                    if std::io::stderr().write_all(&chunk[..n]).is_err() {
                        return Ok(false);
                    }
                    self.keep(&chunk[..n]);
                }
                Err(error) if error.raw_os_error() == Some(Errno::INTR.raw_os_error()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Ok(true),
                Err(error) => return Err(error),
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.kept.extend_from_slice(bytes);
        if self.kept.len() > 2 * KEPT_BYTES {
            let surplus = self.kept.len() - KEPT_BYTES;
            self.kept.drain(..surplus);
        }
    }
}

/// A program that nobody but us waits for.
pub(crate) struct Apart<'a> {
    pub(crate) program: &'a Utf8Path,
    pub(crate) args: &'a [String],
    /// All of its environment.
    pub(crate) env: &'a BTreeMap<String, String>,
    pub(crate) dir: &'a Utf8Path,
    /// Where what it prints goes.
    pub(crate) log: &'a Utf8Path,
}

/// Runs a program to its end, without input. Returns whether it succeeded.
///
/// # Errors
/// When it cannot be started, or its output cannot be written.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is a part of the one that starts children"
)]
pub(crate) fn run_apart(apart: &Apart<'_>) -> std::io::Result<bool> {
    let log = std::fs::File::create(apart.log)?;
    let mut command = Command::new(apart.program);
    command.args(apart.args);
    command.env_clear().envs(apart.env).current_dir(apart.dir);
    command
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    Ok(command.status()?.success())
}

/// Does some work in a process of its own that nobody waits for, and that has none of our streams. Where there is no
/// such process, it is not done.
#[expect(
    unsafe_code,
    reason = "only a fork goes on with what we know, without the cost of a start"
)]
pub(crate) fn work_apart(work: impl FnOnce()) {
    // SAFETY: a wrapper has a single thread, so that the fork finds every lock free.
    let is_apart = unsafe { libc::fork() } == 0;
    if is_apart {
        let _alone = rustix::process::setsid();
        super::descriptors::close_from(0);
        work();
        // SAFETY: it ends this process at once, and nothing of the parent's is written twice.
        unsafe { libc::_exit(0) }
    }
}
