//! The parts of the file system that a confined process may use.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// The parts of the file system that a confined process may use, besides the system's own
/// directories. Paths are absolute; those that do not exist are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Places {
    /// The paths that may be read and executed.
    pub(crate) reads: Vec<Utf8PathBuf>,
    /// The paths that may be read, executed and written. The first one tells which file system must not be filled. A
    /// file cannot be renamed from one into another, as if they were file systems.
    pub(crate) writes: Vec<Utf8PathBuf>,
    /// The paths that stay closed although they are below one of the system's own directories.
    pub(crate) closed: Vec<Utf8PathBuf>,
}
