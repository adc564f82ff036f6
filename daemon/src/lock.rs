//! Advisory locks on files. They end with the process, however it ends, so that nothing stale is
//! left to be judged.

use crate::error::DaemonError;
use camino::Utf8Path;
use reduce_platform::files;
use std::fs::{File, OpenOptions, TryLockError};
use std::time::{Duration, Instant};

/// The time for which a lock is waited for: its last holder may be on its way out.
const PATIENCE: Duration = Duration::from_millis(1500);
const PAUSE: Duration = Duration::from_millis(20);

/// A file that is locked until this is dropped.
#[derive(Debug)]
pub(crate) struct FileLock {
    _file: File,
}

/// Locks a file, which is made if absent; waits a moment for another holder to let go. `None` where
/// it does not.
///
/// # Errors
/// Where the file cannot be made or locked.
pub(crate) fn acquire(path: &Utf8Path) -> Result<Option<FileLock>, DaemonError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match try_acquire(path)? {
            Some(lock) => return Ok(Some(lock)),
            None if Instant::now() >= deadline => return Ok(None),
            None => std::thread::sleep(PAUSE),
        }
    }
}

fn try_acquire(path: &Utf8Path) -> Result<Option<FileLock>, DaemonError> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    let opened = files::private(&mut options).open(path);
    let file = opened.map_err(DaemonError::io("open", path))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(FileLock { _file: file })),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(DaemonError::io("lock", path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_once_and_free_again_after_it_is_dropped() {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(temp.path()).unwrap().join("lock");
        let lock = try_acquire(&path).unwrap().expect("nobody holds it");
        assert!(try_acquire(&path).unwrap().is_none());
        drop(lock);
        assert!(try_acquire(&path).unwrap().is_some());
    }
}
