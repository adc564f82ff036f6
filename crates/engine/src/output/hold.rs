//! A lock on an output directory, for whoever writes a state of it or reads one.

use camino::Utf8Path;
use std::fs::File;

/// The purpose for which a directory is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    ToRead,
    ToWrite,
}

/// Locks a directory: nobody writes while others read. Where its file system has no locks, nobody waits.
pub(super) fn hold(directory: &Utf8Path, hold: Hold) -> Option<File> {
    let file = File::open(directory).ok()?;
    let held = match hold {
        Hold::ToRead => file.lock_shared(),
        Hold::ToWrite => file.lock(),
    };
    held.ok().map(|()| file)
}
