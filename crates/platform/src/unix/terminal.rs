//! The terminal, and the shell that has this process in its foreground or background.

use rustix::process::getpgrp;
use rustix::termios::{QueueSelector, tcflush, tcgetpgrp};
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;
use std::io;

pub(crate) fn is_in_foreground() -> bool {
    tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp())
}

pub(crate) fn forget_input() -> io::Result<()> {
    Ok(tcflush(io::stdin(), QueueSelector::IFlush)?)
}

pub(crate) fn stop_until_resumed() -> io::Result<()> {
    emulate_default_handler(SIGTSTP)
}
