//! The terminal that this process shares with the shell that started it. Where shells do not stop and resume
//! processes, the terminal is always ours.

use crate::system::terminal as system;
use std::io;

/// Whether the shell has this process in the foreground, so that it may use the terminal of its standard input.
#[must_use]
pub fn is_in_foreground() -> bool {
    system::is_in_foreground()
}

/// Forgets what was typed on standard input and not read.
///
/// # Errors
/// When it is no terminal.
pub fn forget_input() -> io::Result<()> {
    system::forget_input()
}

/// Stops this process as Ctrl-Z does, until the shell has it go on. Returns at once where it cannot be stopped.
///
/// # Errors
/// When the system refuses it.
pub fn stop_until_resumed() -> io::Result<()> {
    system::stop_until_resumed()
}
