//! Blocks signals around a fork: none of our handlers may run in a child.

use std::io;

/// The signals of the calling thread, all blocked as long as this value lives: a child must not run our
/// handlers.
pub(crate) struct BlockedSignals {
    before: libc::sigset_t,
}

impl BlockedSignals {
    #[expect(unsafe_code, reason = "no safe interface to the signals of a thread")]
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: sets of signals are plain data, and both pointers are to live locals.
        unsafe {
            let mut all: libc::sigset_t = std::mem::zeroed();
            let mut before: libc::sigset_t = std::mem::zeroed();
            libc::sigfillset(&raw mut all);
            match libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before) {
                0 => Ok(Self { before }),
                error => Err(io::Error::from_raw_os_error(error)),
            }
        }
    }
}

impl Drop for BlockedSignals {
    #[expect(unsafe_code, reason = "no safe interface to the signals of a thread")]
    fn drop(&mut self) {
        let (before, nowhere) = (&raw const self.before, std::ptr::null_mut());
        // SAFETY: the set is live, and the other pointer may be null.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, nowhere) };
    }
}

/// Resets the handlers of all signals and unblocks the signals in a child: a program begins with what is usual, which
/// for us includes that a write to a closed pipe ends it.
#[expect(unsafe_code, reason = "no safe interface to the actions of signals")]
pub(super) fn reset_signals() {
    // SAFETY: plain data and live locals; the table of actions is the child's own.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        for signal in 1..=libc::SIGRTMAX() {
            let known = libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0;
            let is_ours = known && action.sa_sigaction != libc::SIG_IGN;
            if signal == libc::SIGPIPE || is_ours && action.sa_sigaction != libc::SIG_DFL {
                libc::signal(signal, libc::SIG_DFL);
            }
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}
