//! A lock on an output directory, for readers and writers of the result in it.

use camino::Utf8Path;
use std::fs::File;

/// The purpose for which a directory is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    ToRead,
    ToWrite,
}

/// Locks a directory, so that nobody writes into it while others read. Where its file system has no
/// locks, nobody waits.
pub(super) fn hold(directory: &Utf8Path, hold: Hold) -> Option<File> {
    let file = File::open(directory).ok()?;
    let held = match hold {
        Hold::ToRead => file.lock_shared(),
        Hold::ToWrite => file.lock(),
    };
    held.ok().map(|()| file)
}
