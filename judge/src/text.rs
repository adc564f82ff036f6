//! Where things stand in the files of a crate: from the compiler's lines and columns to bytes, and the
//! words of a range.

use crate::meaning::Place;
use reduce_syntax::{FileId, SourceTree, tokens};
use std::collections::HashMap;
use std::ops::Range;

/// A token of a file that may be a name: an identifier, a keyword, a lifetime; or any other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'t> {
    pub at: usize,
    pub text: &'t str,
}

impl<'t> Piece<'t> {
    /// The spelling without `r#`.
    pub fn name(self) -> &'t str {
        self.text.strip_prefix("r#").unwrap_or(self.text)
    }
}

/// The text of a crate with an index of lines and tokens.
pub struct CrateText<'s> {
    sources: &'s SourceTree,
    files: HashMap<FileId, FileText<'s>>,
}

struct FileText<'s> {
    text: &'s str,
    /// Where each line begins.
    lines: Vec<usize>,
    tokens: Vec<Piece<'s>>,
}

impl<'s> FileText<'s> {
    fn new(text: &'s str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            lines: std::iter::once(0).chain(breaks).collect(),
            tokens: pieces(text, 0),
        }
    }

    /// The byte of a line and column as rustc counts them, from 1 and in characters.
    fn byte(&self, line: usize, column: usize) -> Option<usize> {
        let start = *self.lines.get(line.checked_sub(1)?)?;
        let mut characters = self.text[start..].char_indices().map(|(at, _)| start + at);
        characters
            .nth(column.checked_sub(1)?)
            .or(Some(self.text.len()))
    }
}

fn pieces(text: &str, offset: usize) -> Vec<Piece<'_>> {
    let piece = |token: reduce_syntax::Token| Piece {
        at: offset + token.start as usize,
        text: &text[token.range()],
    };
    tokens(text).into_iter().map(piece).collect()
}

impl<'s> CrateText<'s> {
    /// Indexes all files of a crate.
    pub fn new(sources: &'s SourceTree) -> Self {
        let files = sources.files();
        let files = files.map(|(file, _, text)| (file, FileText::new(text)));
        Self {
            sources,
            files: files.collect(),
        }
    }

    /// The files themselves.
    pub fn sources(&self) -> &'s SourceTree {
        self.sources
    }

    /// The bytes from one line and column to another.
    pub fn range(
        &self,
        file: FileId,
        from: (usize, usize),
        to: (usize, usize),
    ) -> Option<Range<usize>> {
        let file = self.files.get(&file)?;
        let range = file.byte(from.0, from.1)?..file.byte(to.0, to.1)?;
        (range.start <= range.end).then_some(range)
    }

    /// The tokens that begin in a range. A range within a string literal, such as that of a `{name}` to
    /// be formatted, is read as if it were code.
    pub fn tokens(&self, file: FileId, range: &Range<usize>) -> Vec<Piece<'s>> {
        let Some(file) = self.files.get(&file) else {
            return Vec::new();
        };
        let first = file.tokens.partition_point(|piece| piece.at < range.start);
        let end = file.tokens.partition_point(|piece| piece.at < range.end);
        if first < end {
            let mut tokens = file.tokens[first..end].to_vec();
            // Of the `>>` of `A<B<C>>`, only one belongs to `B<C>`.
            if let Some(last) = tokens.last_mut() {
                last.text = last.text.get(..range.end - last.at).unwrap_or(last.text);
            }
            return tokens;
        }
        let within = file.text.get(range.clone());
        within.map_or_else(Vec::new, |within| pieces(within, range.start))
    }

    /// The tokens before a byte.
    pub fn tokens_before(&self, file: FileId, at: usize) -> &[Piece<'s>] {
        self.files.get(&file).map_or(&[], |file| {
            &file.tokens[..file.tokens.partition_point(|piece| piece.at < at)]
        })
    }

    /// The tokens from a byte on.
    pub fn tokens_from(&self, file: FileId, at: usize) -> &[Piece<'s>] {
        self.files.get(&file).map_or(&[], |file| {
            &file.tokens[file.tokens.partition_point(|piece| piece.at < at)..]
        })
    }

    /// The identifier that begins at a place, without `r#`.
    pub fn name(&self, place: Place) -> &'s str {
        let text = self.files.get(&place.file).map_or("", |file| file.text);
        let text = text.get(place.at..).unwrap_or("");
        let text = text.strip_prefix("r#").unwrap_or(text);
        let quote = usize::from(text.starts_with('\''));
        let part = |character: char| character == '_' || character.is_alphanumeric();
        let end = text[quote..].find(|character| !part(character));
        &text[..end.map_or(text.len(), |end| quote + end)]
    }

    /// A place for people: path, line and column.
    pub fn shown(&self, place: Place) -> String {
        let path = self.sources.path(place.file);
        let Some(file) = self.files.get(&place.file) else {
            return path.to_string();
        };
        let line = file.lines.partition_point(|&start| start <= place.at);
        let start = file.lines[line - 1];
        let column = file.text[start..place.at].chars().count() + 1;
        let path = path.file_name().unwrap_or(path.as_str());
        format!("{path}:{line}:{column}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_text(text: &str, check: impl FnOnce(&CrateText<'_>, FileId)) {
        let sources = SourceTree::single("a.rs".into(), text.into());
        check(&CrateText::new(&sources), sources.root());
    }

    #[test]
    fn columns_count_characters() {
        with_text("fn a() {}\nlet é = 'x';\n", |text, file| {
            assert_eq!(text.range(file, (2, 5), (2, 6)), Some(14..16));
            assert_eq!(text.shown(Place { file, at: 14 }), "a.rs:2:5");
        });
    }

    #[test]
    fn a_name_in_a_string_is_a_token_of_its_range() {
        with_text("f(\"{x} y\")", |text, file| {
            let tokens = text.tokens(file, &(4..5));
            assert_eq!(tokens, [Piece { at: 4, text: "x" }]);
        });
    }

    #[test]
    fn a_token_ends_with_its_range() {
        with_text("A<B<C>>", |text, file| {
            let tokens = text.tokens(file, &(2..6));
            assert_eq!(tokens.last(), Some(&Piece { at: 5, text: ">" }));
        });
    }

    #[test]
    fn a_name_is_spelled_without_its_prefix() {
        with_text("r#type 'a", |text, file| {
            assert_eq!(text.name(Place { file, at: 0 }), "type");
            assert_eq!(text.name(Place { file, at: 7 }), "'a");
        });
    }
}
