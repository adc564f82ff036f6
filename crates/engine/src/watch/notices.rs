//! The notices of changes that the file system sends.

use camino::Utf8Path;
use std::path::Path;

/// Whether an event may mean that a file has other contents; an event of reading does not.
pub(super) fn may_change(event: &notify::Event) -> bool {
    !event.kind.is_access() || event.need_rescan()
}

/// Returns a path as UTF-8; `None` where it is not UTF-8.
pub(super) fn utf8(path: &Path) -> Option<&Utf8Path> {
    Utf8Path::from_path(path)
}
