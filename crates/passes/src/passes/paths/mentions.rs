//! Paths, read from tokens, so that those in the arguments of macros and in their definitions are
//! found too.

use crate::program::Program;
use reduce_syntax::{FileId, Token, tokens};
use std::ops::Range;

/// A path of at least two segments, or with `::` before it. Generic arguments end it.
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

/// All paths outside of use declarations and attributes, in order.
pub(in crate::passes) fn path_mentions<'s>(program: &Program<'s>) -> Vec<PathMention<'s>> {
    let mut found = Vec::new();
    for file in program.files() {
        let text = program.sources().text(file.id);
        let all: Vec<Token> = tokens(text).into_iter().filter(|one| !one.is_doc).collect();
        let mut scan = PathTokens {
            file: file.id,
            text,
            all,
            found: &mut found,
        };
        let mut idx = 0;
        while idx < scan.all.len() {
            idx = scan.token(idx);
        }
    }
    found
}

struct PathTokens<'s, 'f> {
    file: FileId,
    text: &'s str,
    all: Vec<Token>,
    found: &'f mut Vec<PathMention<'s>>,
}

impl<'s> PathTokens<'s, '_> {
    fn at(&self, idx: usize) -> &'s str {
        self.all.get(idx).map_or("", |one| &self.text[one.range()])
    }

    fn before(&self, idx: usize) -> &'s str {
        idx.checked_sub(1).map_or("", |idx| self.at(idx))
    }

    /// Reads what begins with a token; returns the index of what comes next.
    fn token(&mut self, idx: usize) -> usize {
        match self.at(idx) {
            "use" if self.at(idx + 1) != "<" => self.skip(idx, ";"),
            "#" if matches!(self.at(idx + 1), "[") || self.at(idx + 2) == "[" => {
                self.skip(idx, "]")
            }
            "::" if self.at(idx + 1) == "<" || matches!(self.before(idx), ">" | ">>") => idx + 1,
            "::" if is_identifier(self.at(idx + 1)) => self.path(idx, true),
            text if is_identifier(text) && self.at(idx + 1) == "::" => self.path(idx, false),
            _ => idx + 1,
        }
    }

    fn skip(&self, idx: usize, end: &str) -> usize {
        let mut rest = idx..self.all.len();
        rest.find(|&idx| self.at(idx) == end)
            .map_or(self.all.len(), |idx| idx + 1)
    }

    fn path(&mut self, start: usize, is_external: bool) -> usize {
        let mut idx = start + usize::from(is_external);
        let mut segments = vec![self.segment(idx)];
        while self.at(idx + 1) == "::" && is_identifier(self.at(idx + 2)) {
            idx += 2;
            segments.push(self.segment(idx));
        }
        let is_path = is_external || segments.len() > 1;
        if is_path && !matches!(self.before(start), "." | "$") {
            self.found.push(PathMention {
                file: self.file,
                range: self.all[start].range().start..self.all[idx].range().end,
                is_external,
                segments,
            });
        }
        idx + 1
    }

    fn segment(&self, idx: usize) -> Segment<'s> {
        Segment {
            name: self.at(idx),
            at: self.all[idx].range().start,
        }
    }
}

fn is_identifier(text: &str) -> bool {
    let is_name = text.starts_with(|first: char| first == '_' || first.is_alphabetic());
    is_name && !text.contains(['"', '\'']) && !matches!(text, "_" | "as" | "in" | "for" | "dyn")
}
