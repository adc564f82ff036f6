//! One output stream of a child, read without blocking: the head and the tail are kept, what lies
//! between is read and dropped, so that a flood neither hangs the child nor fills our memory.

use super::invocation::Decides;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// One output stream of a child.
pub(super) struct Drain {
    /// Gone once the end was seen.
    pipe: Option<OwnedFd>,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Bytes kept of the head, and as many of the tail.
    half: usize,
    dropped: u64,
    /// Bytes of the head that were handed on as lines.
    read: usize,
}

impl Drain {
    /// Reads from `pipe` and keeps at most about `limit` bytes.
    pub(super) fn new(pipe: OwnedFd, limit: usize) -> std::io::Result<Self> {
        fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
        let half = limit.div_ceil(2);
        Ok(Self {
            pipe: Some(pipe),
            head: vec![],
            tail: VecDeque::new(),
            half,
            dropped: 0,
            read: 0,
        })
    }

    /// What to poll, until the end was seen.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Reads until there is nothing more at the moment, but at most 64 blocks, so that a flood
    /// cannot keep the caller from its deadline.
    pub(super) fn take_what_is_there(&mut self) -> std::io::Result<()> {
        let mut block = [0; 16 * 1024];
        for _ in 0..64 {
            let Some(pipe) = &self.pipe else { break };
            match rustix::io::read(pipe, &mut block) {
                Ok(0) => self.pipe = None,
                Ok(length) => self.keep(&block[..length]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Puts what was printed earlier before what is still to be read.
    pub(super) fn begin_with(&mut self, earlier: &[u8]) {
        self.keep(earlier);
    }

    /// Hands the complete lines that are new to `decides`, until it returns true for one of them.
    /// Only the head is looked at.
    pub(super) fn any_new_line(&mut self, decides: &mut Decides<'_>) -> bool {
        while let Some(length) = self.head[self.read..]
            .iter()
            .position(|byte| *byte == b'\n')
        {
            let line = self.read..self.read + length;
            self.read = line.end + 1;
            if decides(&String::from_utf8_lossy(&self.head[line])) {
                return true;
            }
        }
        false
    }

    /// Whether something was dropped.
    pub(super) fn is_truncated(&self) -> bool {
        self.dropped > 0
    }

    /// What was kept, with a line that says how much is missing.
    pub(super) fn into_text(self) -> String {
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if self.dropped > 0 {
            text.push_str(&format!("\n[{} bytes left out]\n", self.dropped));
        }
        text.push_str(&String::from_utf8_lossy(&Vec::from(self.tail)));
        text
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = self.half.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.tail.extend(&bytes[room..]);
        let excess = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..excess);
        self.dropped += excess as u64;
    }
}
