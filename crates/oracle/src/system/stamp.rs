//! Tells without reading a file whether it is another one than before.

use camino::Utf8Path;
use reduce_platform::files;
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};

/// The marks by which a file is seen, without reading it, to be replaced or written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    bytes: u64,
    modified: (i64, i64),
    inode: Option<(u64, u64)>,
}

impl Stamp {
    /// Reads the stamp of a file; `None` where there is no such file.
    pub(crate) fn of(path: &Utf8Path) -> Option<Self> {
        let data = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some(Self {
            bytes: data.len(),
            modified: files::modified(&data),
            inode: files::identity(&data),
        })
    }

    /// Returns the length of the file in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the file was written to at that time or later.
    pub(crate) fn is_later_than(&self, time: SystemTime) -> bool {
        let (seconds, nanoseconds) = self.modified;
        let modified = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
        let time = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        modified >= i128::try_from(time.as_nanos()).unwrap_or(i128::MAX)
    }
}
