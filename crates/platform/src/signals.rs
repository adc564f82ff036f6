//! Signals that ask this process for its end.

use crate::system::signals as system;
use std::io;

/// The signals to take over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The signal of Ctrl-C.
    Interrupt,
    /// Ctrl-C and, where the system has them, those that otherwise end a process: SIGTERM and SIGHUP.
    All,
}

/// Signals that come here from now on, and do not end the process any more.
#[derive(Debug)]
pub struct Signals(system::Signals);

impl Signals {
    /// Takes the signals over. It needs a runtime of tokio.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn new(asked: Asked) -> io::Result<Self> {
        system::Signals::new(asked).map(Self)
    }

    /// Waits for the next signal, and names it. May be dropped and called again without loss.
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
