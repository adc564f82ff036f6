//! Reads files that a program includes, within limits, so that reading ends: no file that is too large, not too many bytes, and
//! no file within itself.

use super::Readable;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::without_dots;

/// The largest file that is embedded as a literal, in bytes: a larger one makes the program harder to read and to reduce than its
/// name does.
const LARGEST_FILE: usize = 1 << 20;

/// The largest file of Rust code that is embedded, in bytes: most of what a build script has written goes with the first slice.
const LARGEST_SOURCE: usize = 16 << 20;

/// The most bytes that are embedded, of all files together; a file counts each time that it is read.
const MOST_BYTES: usize = 32 << 20;

/// The files that are read for one text and for the files that this text includes, with the number of bytes that may still be
/// read.
pub(super) struct EmbeddedFiles<'r> {
    readable: &'r dyn Readable,
    remaining: usize,
    /// The files that are being read, each of them included by the file before it in the list.
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

    /// Returns the path that `relative`, as written in the file at `path`, leads to.
    pub(super) fn resolved(path: &Utf8Path, relative: &str) -> Utf8PathBuf {
        let directory = path.parent().unwrap_or(Utf8Path::new(""));
        without_dots(&directory.join(relative))
    }

    pub(super) fn variable(&self, name: &str) -> Option<String> {
        self.readable.variable(name)
    }

    pub(super) fn bytes(&mut self, path: &Utf8Path) -> Option<Vec<u8>> {
        let bytes = self.at_most(path, LARGEST_FILE)?;
        self.count(bytes)
    }

    fn count(&mut self, bytes: Vec<u8>) -> Option<Vec<u8>> {
        self.remaining = self.remaining.checked_sub(bytes.len())?;
        Some(bytes)
    }

    pub(super) fn text(&mut self, path: &Utf8Path) -> Option<String> {
        let bytes = self.peek(path)?;
        String::from_utf8(self.count(bytes)?).ok()
    }

    /// Reads a file of Rust code without counting its bytes: they are counted once the file is embedded.
    pub(super) fn peek(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        self.at_most(path, LARGEST_SOURCE)
    }

    fn at_most(&self, path: &Utf8Path, most: usize) -> Option<Vec<u8>> {
        let bytes = self.readable.file(path)?;
        (bytes.len() <= most).then_some(bytes)
    }

    /// Runs a closure with a file marked as being read, so that the file cannot include itself. `None` if the file is being
    /// read already.
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
