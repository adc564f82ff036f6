//! Reads paths from tokens, so that those in the arguments of macros and in their definitions are
//! found too.

use crate::program::Program;
use reduce_syntax::{FileId, TokenCursor};
use std::ops::Range;

/// A mention of a path that has at least two segments, or `::` before it. Generic arguments end it.
pub(in crate::passes) struct PathMention<'s> {
    pub(in crate::passes) file: FileId,
    pub(in crate::passes) range: Range<usize>,
    pub(in crate::passes) is_external: bool,
    pub(in crate::passes) segments: Vec<Segment<'s>>,
}

#[derive(Debug, Clone, Copy)]
pub(in crate::passes) struct Segment<'s> {
    pub(in crate::passes) name: &'s str,
    pub(in crate::passes) at: usize,
}

/// Returns all paths outside of use declarations and attributes, in order.
pub(in crate::passes) fn path_mentions<'s>(program: &'s Program) -> Vec<PathMention<'s>> {
    let mut found = Vec::new();
    for file in program.files() {
        let text = program.sources().text(file.id);
        let mut finder = PathFinder {
            file: file.id,
            cursor: TokenCursor::without_docs(text),
            found: &mut found,
        };
        let mut idx = 0;
        while idx < finder.cursor.len() {
            idx = finder.token(idx);
        }
    }
    found
}

struct PathFinder<'s, 'f> {
    file: FileId,
    cursor: TokenCursor<'s>,
    found: &'f mut Vec<PathMention<'s>>,
}

impl<'s> PathFinder<'s, '_> {
    /// Reads the path, import or attribute that begins at a token, or the token alone; returns the index of what comes next.
    fn token(&mut self, idx: usize) -> usize {
        let cursor = &self.cursor;
        match cursor.word(idx) {
            "use" if !cursor.is(idx + 1, "<") => self.end_of_import(idx),
            "#" => cursor.skip_attribute(idx).max(idx + 1),
            "::" if cursor.is(idx + 1, "<") || matches!(cursor.before(idx, 1), ">" | ">>") => {
                idx + 1
            }
            "::" if self.is_segment(idx + 1) => self.path(idx, true),
            _ if self.is_segment(idx) && cursor.is(idx + 1, "::") => self.path(idx, false),
            _ => idx + 1,
        }
    }

    fn end_of_import(&self, idx: usize) -> usize {
        let mut rest = idx..self.cursor.len();
        rest.find(|&idx| self.cursor.is(idx, ";"))
            .map_or(self.cursor.len(), |idx| idx + 1)
    }

    fn path(&mut self, start: usize, is_external: bool) -> usize {
        let mut idx = start + usize::from(is_external);
        let mut segments = vec![self.segment(idx)];
        while self.cursor.is(idx + 1, "::") && self.is_segment(idx + 2) {
            idx += 2;
            segments.push(self.segment(idx));
        }
        let is_path = is_external || segments.len() > 1;
        if is_path && !matches!(self.cursor.before(start, 1), "." | "$") {
            self.found.push(PathMention {
                file: self.file,
                range: self.cursor.bytes(start, idx),
                is_external,
                segments,
            });
        }
        idx + 1
    }

    fn segment(&self, idx: usize) -> Segment<'s> {
        Segment {
            name: self.cursor.word(idx),
            at: self.cursor.range(idx).start,
        }
    }

    fn is_segment(&self, idx: usize) -> bool {
        let is_other = matches!(self.cursor.word(idx), "_" | "as" | "in" | "for" | "dyn");
        self.cursor.is_name(idx) && !is_other
    }
}
