//! The programs of a log without some of their comments, in one sequence of parts. A piece of a woven text says nothing
//! of comments that begin in another piece, so that they go before it is woven.

use super::LONGEST_TEXT;
use super::weave::{Weave, Woven};
use reduce_syntax::{Comments, SourceTree};
use std::sync::Arc;

/// The largest number of bytes of deleted texts that are kept of programs without some of their
/// comments; a page shows fewer.
const MOST_BYTES: usize = 4_000_000;

/// The programs of a log, with comments of some kinds alone, for people who read them.
#[derive(Debug)]
pub(super) struct Readable {
    comments: Comments,
    weave: Weave,
    last: SourceTree,
}

impl Readable {
    /// Makes the readable form of a log whose only program is the input, with the number 0.
    pub(super) fn new(input: &SourceTree, comments: Comments) -> Self {
        let mut last = input.clone();
        for (file, _, text) in input.files() {
            if let Some(left) = comments.left_in(text) {
                last.set_text(file, Arc::from(left));
            }
        }
        Self {
            comments,
            weave: Weave::new(&last, LONGEST_TEXT),
            last,
        }
    }

    /// Returns the kind of comments that the programs keep.
    pub(super) fn comments(&self) -> Comments {
        self.comments
    }

    /// Adds a program that comes after `before`, which was added last.
    pub(super) fn advance(&mut self, before: &SourceTree, after: &SourceTree) {
        let mut next = after.clone();
        for (file, path, text) in after.files() {
            let as_before = before
                .find(path)
                .filter(|file| before.shared_text(*file) == *text);
            let left = match as_before.and_then(|_| self.last.find(path)) {
                Some(file) => Some(self.last.shared_text(file)),
                None => self.comments.left_in(text).map(Arc::from),
            };
            if let Some(left) = left {
                next.set_text(file, left);
            }
        }
        self.weave.advance(&self.last, &next);
        self.weave.keep_below(MOST_BYTES);
        self.last = next;
    }

    /// Returns the texts of all programs, woven into one.
    pub(super) fn woven(&self) -> Woven {
        self.weave.finish(&self.last)
    }
}
