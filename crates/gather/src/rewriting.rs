//! A text that is edited by its tokens.

use camino::Utf8PathBuf;
use reduce_syntax::{Edit, EditSet, FileId, SourceTree, TokenCursor};
use std::ops::Range;
use std::sync::Arc;

/// The text with the edits that `find` makes of its words.
pub(crate) fn rewrite(text: &str, find: impl FnOnce(&mut Rewriting<'_>)) -> String {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let mut rewriting = Rewriting {
        cursor: TokenCursor::new(text),
        file: sources.root(),
        edits: EditSet::new(),
    };
    find(&mut rewriting);
    match rewriting.edits.is_empty() {
        true => text.to_owned(),
        false => rewriting
            .edits
            .apply(&sources)
            .text(sources.root())
            .to_owned(),
    }
}

/// A text, and what is changed in it.
pub(crate) struct Rewriting<'t> {
    pub(crate) cursor: TokenCursor<'t>,
    file: FileId,
    edits: EditSet,
}

impl Rewriting<'_> {
    /// Puts `text` before a token.
    pub(crate) fn insert(&mut self, idx: usize, text: &str) {
        let start = self.cursor.range(idx).start;
        self.insert_at(start, text);
    }

    /// Puts `text` at a byte.
    pub(crate) fn insert_at(&mut self, at: usize, text: &str) {
        self.edits.add(Edit::replace(self.file, &(at..at), text));
    }

    /// Puts `text` in the place of a token.
    pub(crate) fn replace(&mut self, idx: usize, text: &str) {
        self.replace_all(&(idx..idx + 1), text);
    }

    /// Puts `text` in the place of some tokens.
    pub(crate) fn replace_all(&mut self, tokens: &Range<usize>, text: &str) {
        let range = self.cursor.bytes_of(tokens);
        self.edits.add(Edit::replace(self.file, &range, text));
    }
}
