//! The paths by which a compiler names the files of a worker's tree.

use super::query::Query;
use crate::evidence::diagnostics::ErrorSpan;
use crate::text::path::normal;
use camino::Utf8PathBuf;
use std::ops::Range;

/// The tree of a worker, and the directory in it that the compiler names files from.
#[derive(Debug)]
pub struct TreePaths {
    tree: Utf8PathBuf,
    dir: Utf8PathBuf,
}

impl TreePaths {
    /// Returns the path from the root of the tree to the file that the compiler calls `path`; `None` where it is
    /// outside of the tree.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<Utf8PathBuf> {
        let path = normal(&self.dir.join(path));
        Some(path.strip_prefix(&self.tree).ok()?.to_owned())
    }

    /// Returns a part of a file of the tree; `None` where the file is outside of it.
    pub(super) fn part(&self, part: ErrorSpan) -> Option<(Utf8PathBuf, Range<usize>)> {
        Some((self.file(part.file.as_ref())?, part.bytes))
    }
}

impl Query<'_> {
    pub(super) fn tree_paths(&self) -> TreePaths {
        TreePaths {
            tree: self.place.tree.clone(),
            dir: self.place.tree.join(&self.plan.call.cwd),
        }
    }
}
