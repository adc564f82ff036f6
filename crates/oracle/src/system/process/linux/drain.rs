//! Reads one output stream of a child without blocking, so that a flood does not hang the child.

use crate::system::process::output::Output;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// One output stream of a child.
pub(super) struct Drain {
    /// The pipe from the child, gone once its end was seen.
    pipe: Option<OwnedFd>,
    pub(super) output: Output,
}

impl Drain {
    /// Makes a reader of `pipe` that keeps at most about `limit` bytes.
    pub(super) fn new(pipe: OwnedFd, limit: usize) -> std::io::Result<Self> {
        fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
        Ok(Self {
            pipe: Some(pipe),
            output: Output::new(limit),
        })
    }

    /// Returns the pipe to poll; `None` once the end of the output was seen.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Reads the output that is there, but at most 64 blocks, so that a flood cannot keep the caller from its
    /// deadline.
    pub(super) fn take_what_is_there(&mut self) -> std::io::Result<()> {
        let mut block = [0; 16 * 1024];
        for _ in 0..64 {
            let Some(pipe) = &self.pipe else { break };
            match rustix::io::read(pipe, &mut block) {
                Ok(0) => self.pipe = None,
                Ok(length) => self.output.keep(&block[..length]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}
