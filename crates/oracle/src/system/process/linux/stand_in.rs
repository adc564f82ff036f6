//! Passes on what a program prints to standard error, until that program has ended.

use crate::system::process::stand_in::Passing;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::io::Read;
use std::process::{Child, ChildStderr};

/// The number of bytes that are read at a time.
const CHUNK_BYTES: usize = 64 << 10;

/// Passes on what a program prints until it has ended. Others may hold the pipe open for longer.
///
/// # Errors
/// When the program cannot be watched, or its pipe not be read.
pub(crate) fn pass(
    passing: &mut Passing,
    mut pipe: ChildStderr,
    child: &mut Child,
) -> std::io::Result<()> {
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
        if !pass_what_is_there(passing, &mut pipe)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Passes on what is in the pipe, and returns whether there may be more. Where nobody reads the output any
/// more, the program should hear of that.
fn pass_what_is_there(passing: &mut Passing, pipe: &mut ChildStderr) -> std::io::Result<bool> {
    let mut chunk = [0; CHUNK_BYTES];
    loop {
        match pipe.read(&mut chunk) {
            Ok(0) => return Ok(false),
            Ok(n) if !passing.pass(&chunk[..n]) => return Ok(false),
            Ok(_) => {}
            Err(error) if error.raw_os_error() == Some(Errno::INTR.raw_os_error()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Ok(true),
            Err(error) => return Err(error),
        }
    }
}
