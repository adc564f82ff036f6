//! Cancellation that a thread in `poll` can see: a flag and a pipe whose write end is closed.

use rustix::pipe::{PipeFlags, pipe_with};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Tells queries that are under way to stop. Clones share their state.
#[derive(Debug, Clone)]
pub struct Cancel(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    cancelled: AtomicBool,
    /// Becomes readable (end of file) once the writer is closed.
    reader: OwnedFd,
    writer: Mutex<Option<OwnedFd>>,
}

impl Cancel {
    /// A token that is not cancelled.
    ///
    /// # Errors
    /// Fails when the system has no file descriptor left.
    pub fn new() -> std::io::Result<Self> {
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
        Ok(Self(Arc::new(Shared {
            cancelled: AtomicBool::new(false),
            reader,
            writer: Mutex::new(Some(writer)),
        })))
    }

    /// Cancels; calling it again changes nothing.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        let mut writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner);
        drop(writer.take());
    }

    /// Whether [`Cancel::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// A descriptor that polls as readable or hung up once cancelled.
    #[must_use]
    pub fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.reader.as_fd()
    }
}
