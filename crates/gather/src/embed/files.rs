//! The files that were read so far, so that reading ends: files that are not too large, not too many, and not in
//! each other.

use super::Readable;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::without_dots;

/// A larger file makes the program harder to read and to reduce than its name does.
const LARGEST_FILE: usize = 1 << 20;

/// All files together, however often they are read.
const MOST_BYTES: usize = 32 << 20;

/// Reads for one text, and for what that includes.
pub(super) struct EmbeddedFiles<'r> {
    readable: &'r dyn Readable,
    remaining: usize,
    /// The files that are being read: each included by the one before.
    open: Vec<Utf8PathBuf>,
}

impl<'r> EmbeddedFiles<'r> {
    pub(super) fn new(readable: &'r dyn Readable, path: &Utf8Path) -> Self {
        Self {
            readable,
            remaining: MOST_BYTES,
            open: vec![without_dots(path)],
        }
    }

    /// The file that `relative` means in the file at `path`.
    pub(super) fn resolved(path: &Utf8Path, relative: &str) -> Utf8PathBuf {
        let directory = path.parent().unwrap_or(Utf8Path::new(""));
        without_dots(&directory.join(relative))
    }

    pub(super) fn variable(&self, name: &str) -> Option<String> {
        self.readable.variable(name)
    }

    pub(super) fn bytes(&mut self, path: &Utf8Path) -> Option<Vec<u8>> {
        let bytes = self.peek(path)?;
        self.remaining = self.remaining.checked_sub(bytes.len())?;
        Some(bytes)
    }

    pub(super) fn text(&mut self, path: &Utf8Path) -> Option<String> {
        String::from_utf8(self.bytes(path)?).ok()
    }

    /// A file that does not count, because it is counted when it is read to stay.
    pub(super) fn peek(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        let bytes = self.readable.file(path)?;
        (bytes.len() <= LARGEST_FILE).then_some(bytes)
    }

    /// Does something inside of a file. `None` if that is inside of it already.
    pub(super) fn inside<T>(
        &mut self,
        path: &Utf8Path,
        action: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.open.iter().any(|open| open == path) {
            return None;
        }
        self.open.push(path.to_owned());
        let result = action(self);
        self.open.pop();
        result
    }
}
