//! The terminal on systems whose shells do not stop and resume processes.

use std::io;

pub(crate) fn is_in_foreground() -> bool {
    true
}

pub(crate) fn forget_input() -> io::Result<()> {
    Ok(())
}

pub(crate) fn stop_until_resumed() -> io::Result<()> {
    Ok(())
}
