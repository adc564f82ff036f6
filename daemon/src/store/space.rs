//! Room for the store on its disk. sled writes in the background, and a write that the system cuts short
//! is hard to tell from damage afterwards: so it is not begun where the disk is nearly full.

use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::files;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of free bytes without which the store is not opened: sled writes segments of half a MiB,
/// and a snapshot.
pub(super) const LEAST_TO_OPEN: u64 = 16 << 20;
/// The number of free bytes without which nothing is written to the store.
const LEAST_TO_WRITE: u64 = 8 << 20;
/// The number of small writes between two looks at the free room, which need less than is kept free.
const WRITES_BETWEEN_LOOKS: u32 = 256;

/// A function that returns how many bytes are free on the disk of a path, or the largest number if that is unknown.
pub(super) type FreeBytes = fn(&Utf8Path) -> u64;

/// Returns the free room on the disk as the system tells it.
pub(super) fn free_bytes(path: &Utf8Path) -> u64 {
    let there = path.ancestors().find(|path| path.exists());
    let room = files::room(there.unwrap_or(path).as_std_path());
    room.map_or(u64::MAX, |room| room.bytes)
}

/// A check that the disk has room for what is written to the store, which is made now and then.
#[derive(Debug)]
pub(super) struct Room {
    directory: Utf8PathBuf,
    free: FreeBytes,
    writes: AtomicU32,
}

impl Room {
    pub(super) fn new(directory: Utf8PathBuf, free: FreeBytes) -> Self {
        let writes = AtomicU32::new(0);
        Self {
            directory,
            free,
            writes,
        }
    }

    /// Checks now and then, before something small is written to the store, that the disk has room.
    ///
    /// # Errors
    /// [`io::ErrorKind::StorageFull`].
    pub(super) fn for_little(&self) -> io::Result<()> {
        let before = self.writes.fetch_add(1, Ordering::Relaxed);
        match before.is_multiple_of(WRITES_BETWEEN_LOOKS) {
            true => self.for_bytes(0),
            false => Ok(()),
        }
    }

    /// Checks, before so many bytes are written to the store, that the disk has room for them.
    ///
    /// # Errors
    /// [`io::ErrorKind::StorageFull`].
    pub(super) fn for_bytes(&self, bytes: u64) -> io::Result<()> {
        match (self.free)(&self.directory) < LEAST_TO_WRITE.saturating_add(bytes) {
            true => Err(io::Error::new(
                io::ErrorKind::StorageFull,
                "the disk is nearly full",
            )),
            false => Ok(()),
        }
    }

    /// Returns whether the disk is nearly full, so that apparent damage may be a write that was cut short.
    pub(super) fn is_short(&self) -> bool {
        self.for_bytes(0).is_err()
    }
}

/// Whether the system had no room for what sled wrote.
pub(super) fn is_full(error: &sled::Error) -> bool {
    matches!(error, sled::Error::Io(error) if matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    ))
}
