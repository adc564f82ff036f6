//! Implements the services of systems without a file of their own, by the standard library and tokio alone.

pub(crate) mod processes;
pub(crate) mod signals;
pub(crate) mod sockets;
pub(crate) mod terminal;

use crate::files::Room;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A bell, by which one thread wakes others: they can wait until it rings.
#[derive(Debug)]
pub(crate) struct Bell {
    cheapest_call: AtomicBool,
}

/// Held while a bell rings, and while somebody looks whether one has rung.
static RINGING: Mutex<()> = Mutex::new(());
/// Wakes all threads that wait for any bell, which then look whether it was theirs.
static WAKE: Condvar = Condvar::new();

impl Bell {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "where a bell is a pipe, there may be no descriptor left"
    )]
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            cheapest_call: AtomicBool::new(false),
        })
    }

    pub(crate) fn ring(&self) {
        let _held = RINGING.lock().unwrap_or_else(PoisonError::into_inner);
        self.cheapest_call.store(true, Ordering::SeqCst);
        WAKE.notify_all();
    }

    /// Returns when one of the bells rings, after this time if there is one, or for no reason.
    pub(crate) fn wait_for_any(bells: &[&Self], time: Option<Duration>) {
        let held = RINGING.lock().unwrap_or_else(PoisonError::into_inner);
        if bells
            .iter()
            .any(|bell| bell.cheapest_call.load(Ordering::SeqCst))
        {
            return;
        }
        match time {
            Some(time) => drop(WAKE.wait_timeout(held, time)),
            None => drop(WAKE.wait(held)),
        }
    }
}

pub(crate) fn changed(_: &Metadata) -> Option<(i64, i64)> {
    None
}

pub(crate) fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

pub(crate) fn names(_: &Metadata) -> Option<u64> {
    None
}

pub(crate) fn user() -> Option<u32> {
    None
}

pub(crate) fn owner(_: &Metadata) -> Option<u32> {
    None
}

pub(crate) fn is_executable(data: &Metadata) -> bool {
    data.is_file()
}

pub(crate) fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

pub(crate) fn make_private(_: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn make_private_file(_: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn make_open_file_private(_: &File) -> io::Result<()> {
    Ok(())
}

pub(crate) fn may_make_in(_: &Path) -> bool {
    true
}

/// Opens a file to read and write, or makes it, unless something else than a file is at the path (`None`). Between the
/// check and the opening, somebody may still put a link there, except where Windows opens the link itself.
pub(crate) fn open_or_make_unfollowed(path: &Path) -> io::Result<Option<File>> {
    match path.symlink_metadata() {
        Ok(there) if !there.is_file() => return Ok(None),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(windows)]
    {
        const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
        std::os::windows::fs::OpenOptionsExt::custom_flags(
            &mut options,
            FILE_FLAG_OPEN_REPARSE_POINT,
        );
    }
    options.open(path).map(Some)
}

pub(crate) fn open_unfollowed(path: &Path) -> io::Result<File> {
    match path.symlink_metadata()?.is_symlink() {
        true => Err(io::ErrorKind::InvalidInput.into()),
        false => File::open(path),
    }
}

pub(crate) fn room(_: &Path) -> Option<Room> {
    None
}

pub(crate) fn empty_directory(path: &Path) -> io::Result<()> {
    let mut result = Ok(());
    for entry in path.read_dir()? {
        let removed = entry.and_then(|entry| crate::files::remove_tree(&entry.path()));
        result = result.and(removed);
    }
    result
}

pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

pub(crate) fn create_private_dir(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

#[cfg(windows)]
pub(crate) fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    let from = link.parent().unwrap_or(link).join(target);
    match from.is_dir() {
        true => std::os::windows::fs::symlink_dir(target, link),
        false => std::os::windows::fs::symlink_file(target, link),
    }
}

#[cfg(not(windows))]
pub(crate) fn symlink(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_for_bells_is_woken_by_each() {
        for rings in [0, 1] {
            let bells = [Bell::new().unwrap(), Bell::new().unwrap()];
            let has_rung = |bell: &Bell| bell.cheapest_call.load(Ordering::SeqCst);
            std::thread::scope(|scope| {
                let waiting = scope.spawn(|| {
                    while !bells.iter().any(has_rung) {
                        Bell::wait_for_any(&[&bells[0], &bells[1]], None);
                    }
                });
                bells[rings].ring();
                waiting.join().unwrap();
            });
            // A bell that has rung goes on ringing.
            Bell::wait_for_any(&[&bells[rings]], None);
        }
        Bell::wait_for_any(&[&Bell::new().unwrap()], Some(Duration::from_millis(1)));
    }

    #[test]
    fn what_is_no_file_is_not_opened() {
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("file"), dir.path().join("link"));
        assert!(open_or_make_unfollowed(dir.path()).unwrap().is_none());
        for _ in 0..2 {
            assert!(open_or_make_unfollowed(&path).unwrap().is_some());
        }
        if crate::files::symlink(&path, &link).is_ok() {
            assert!(open_or_make_unfollowed(&link).unwrap().is_none());
            assert!(open_unfollowed(&link).is_err());
        }
    }

    #[test]
    fn a_directory_is_emptied() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("inner/most")).unwrap();
        std::fs::write(dir.path().join("inner/file"), "x").unwrap();
        std::fs::write(dir.path().join("file"), "x").unwrap();
        empty_directory(dir.path()).unwrap();
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn there_are_no_sockets() {
        let error = sockets::bind(Path::new("socket")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Unsupported);
    }
}
