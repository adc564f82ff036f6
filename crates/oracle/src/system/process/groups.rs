//! Tells the keeper which process groups are running.

use std::io::Write;
use std::process::ChildStdin;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The one keeper of this process, if it has one.
static KEEPER: OnceLock<Option<Mutex<ChildStdin>>> = OnceLock::new();

/// The interface through which the keeper is told which process groups are running.
pub(crate) struct Groups;

impl Groups {
    /// Starts the keeper if there is none and it can be started. Returns whether there is.
    pub(crate) fn are_kept_by(start: impl FnOnce() -> std::io::Result<ChildStdin>) -> bool {
        KEEPER
            .get_or_init(|| start().ok().map(Mutex::new))
            .is_some()
    }

    pub(super) fn begin(leader: u32) {
        Self::tell('+', leader);
    }

    /// Tells the keeper that a group has ended. To be called before the leader is reaped: until
    /// then its number is its own.
    pub(super) fn end(leader: u32) {
        Self::tell('-', leader);
    }

    fn tell(what: char, leader: u32) {
        if let Some(Some(keeper)) = KEEPER.get() {
            let mut keeper = keeper.lock().unwrap_or_else(PoisonError::into_inner);
            // A keeper that was killed keeps nothing; the parent-death signal is left.
            let _gone = writeln!(keeper, "{what}{leader}");
        }
    }
}
