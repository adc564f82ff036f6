//! What a confined process may use of the file system.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// What a confined process may use of the file system, besides the system's own directories. Paths
/// are absolute; those that do not exist are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Places {
    /// To be read and executed.
    pub(crate) reads: Vec<Utf8PathBuf>,
    /// To be written as well. The first one tells which file system must not be filled. A file
    /// cannot be renamed from one into another, as if they were file systems.
    pub(crate) writes: Vec<Utf8PathBuf>,
    /// What stays closed although it is below one of the system's own directories.
    pub(crate) closed: Vec<Utf8PathBuf>,
}
