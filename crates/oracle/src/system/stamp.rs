//! What tells without reading it that a file is another one than before.

use camino::Utf8Path;
use std::os::unix::fs::MetadataExt;

/// By what it is seen without reading a file that it was replaced or written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    bytes: u64,
    modified: (i64, i64),
    inode: (u64, u64),
}

impl Stamp {
    /// `None` where there is no such file.
    pub(crate) fn of(path: &Utf8Path) -> Option<Self> {
        let data = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some(Self {
            bytes: data.len(),
            modified: (data.mtime(), data.mtime_nsec()),
            inode: (data.dev(), data.ino()),
        })
    }
}
