//! Signals that ask this process for its end.

use crate::system::signals as system;
use std::io;

/// The signals that this process handles itself, so that they do not end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The signal of Ctrl-C.
    Interrupt,
    /// The signal of Ctrl-C and, where the system has them, two others that end a process: SIGTERM and SIGHUP.
    All,
}

/// The signals that this process waits for, and that do not end it any more.
#[derive(Debug)]
pub struct Signals(system::Signals);

impl Signals {
    /// Makes this process handle these signals itself, rather than end by them. It needs a runtime of tokio.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn new(asked: Asked) -> io::Result<Self> {
        system::Signals::new(asked).map(Self)
    }

    /// Waits for the next signal, and returns its name. May be dropped and called again without loss.
    pub async fn next(&mut self) -> &'static str {
        self.0.next().await
    }
}

/// Calls a function when SIGTERM or SIGHUP end this process. They are not taken over where the system has none.
///
/// # Errors
/// When the system refuses it.
pub fn call_before_end(function: fn()) -> io::Result<()> {
    system::call_before_end(function)
}
