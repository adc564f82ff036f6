//! The words of a text with their brackets, and edits of some of them.

use camino::Utf8PathBuf;
use reduce_syntax::{Edit, EditSet, FileId, SourceTree, Token, is_name_part, tokens};
use std::ops::Range;
use std::sync::Arc;

/// The text with the edits that `find` makes of its words.
pub(crate) fn rewrite(text: &str, find: impl FnOnce(&mut Rewriting<'_>)) -> String {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let mut rewriting = Rewriting {
        scan: Scan::new(text),
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
    pub(crate) scan: Scan<'t>,
    file: FileId,
    edits: EditSet,
}

impl Rewriting<'_> {
    /// Puts `text` before a token.
    pub(crate) fn insert(&mut self, idx: usize, text: &str) {
        let start = self.scan.range(idx).start;
        self.insert_at(start, text);
    }

    /// Puts `text` at a byte.
    pub(crate) fn insert_at(&mut self, at: usize, text: &str) {
        self.edits.add(Edit::replace(self.file, &(at..at), text));
    }

    /// Puts `text` in the place of a token.
    pub(crate) fn replace(&mut self, idx: usize, text: &str) {
        let range = self.scan.range(idx);
        self.edits.add(Edit::replace(self.file, &range, text));
    }
}

/// The tokens of a text. A token that is not there is an empty word.
pub(crate) struct Scan<'t> {
    text: &'t str,
    all: Vec<Token>,
    /// For each bracket the one that closes or opens it.
    partners: Vec<Option<usize>>,
}

impl<'t> Scan<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let all = tokens(text);
        let mut scan = Self {
            text,
            partners: vec![None; all.len()],
            all,
        };
        scan.match_brackets();
        scan
    }

    fn match_brackets(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for idx in 0..self.all.len() {
            match self.word(idx) {
                "(" | "[" | "{" => open.push(idx),
                ")" | "]" | "}" => {
                    let Some(opening) = open.pop() else { continue };
                    self.set_partner(opening, idx);
                    self.set_partner(idx, opening);
                }
                _ => {}
            }
        }
    }

    fn set_partner(&mut self, idx: usize, partner: usize) {
        if let Some(place) = self.partners.get_mut(idx) {
            *place = Some(partner);
        }
    }

    /// All tokens.
    pub(crate) fn indices(&self) -> Range<usize> {
        0..self.all.len()
    }

    /// The text of a token.
    pub(crate) fn word(&self, idx: usize) -> &'t str {
        self.text.get(self.range(idx)).unwrap_or("")
    }

    /// The text of the token that is `back` before `idx`.
    pub(crate) fn before(&self, idx: usize, back: usize) -> &'t str {
        idx.checked_sub(back).map_or("", |idx| self.word(idx))
    }

    pub(crate) fn is(&self, idx: usize, expected: &str) -> bool {
        self.word(idx) == expected
    }

    /// The bytes of a token.
    pub(crate) fn range(&self, idx: usize) -> Range<usize> {
        let end = self.text.len()..self.text.len();
        self.all.get(idx).map_or(end, |token| token.range())
    }

    /// The first token that begins at byte `at` or later.
    pub(crate) fn at_byte(&self, at: usize) -> usize {
        self.all.partition_point(|token| token.range().start < at)
    }

    /// What stands directly behind a token, be it white space or not.
    pub(crate) fn char_behind(&self, idx: usize) -> Option<char> {
        let rest = self.text.get(self.range(idx).end..)?;
        rest.chars().next()
    }

    pub(crate) fn partner(&self, idx: usize) -> Option<usize> {
        self.partners.get(idx).copied().flatten()
    }

    /// The token behind the bracket that closes the one at `idx`, or behind the token that is no
    /// opening bracket.
    pub(crate) fn skip(&self, idx: usize) -> usize {
        match self.partner(idx) {
            Some(partner) if partner > idx => partner + 1,
            _ => idx + 1,
        }
    }

    /// The token behind the `>` that closes the `<` at `idx`.
    pub(crate) fn skip_angles(&self, idx: usize) -> usize {
        let (mut at, mut depth) = (idx, 0);
        while at < self.all.len() {
            depth += angles(self.word(at));
            at = self.skip(at);
            if depth <= 0 {
                break;
            }
        }
        at
    }

    /// The beginnings and ends of what commas separate between the brackets around `inner`.
    pub(crate) fn split_by_commas(&self, inner: Range<usize>) -> Vec<Range<usize>> {
        let (mut at, mut depth, mut start) = (inner.start, 0, inner.start);
        let mut found = Vec::new();
        while at < inner.end {
            depth += angles(self.word(at));
            if depth <= 0 && self.is(at, ",") {
                found.push(start..at);
                start = at + 1;
            }
            at = self.skip(at);
        }
        found.push(start..inner.end);
        found.retain(|part| !part.is_empty());
        found
    }

    /// Whether a token is a name or a keyword.
    pub(crate) fn is_name(&self, idx: usize) -> bool {
        is_name(self.word(idx))
    }
}

/// Whether a word is a name or a keyword, perhaps in raw form.
pub(crate) fn is_name(word: &str) -> bool {
    let plain = word.strip_prefix("r#").unwrap_or(word);
    let is_start = |c: char| is_name_part(c) && !c.is_numeric();
    plain.starts_with(is_start) && plain.chars().all(is_name_part)
}

/// By how much a word changes the depth of angle brackets.
fn angles(word: &str) -> i32 {
    match word {
        "<" => 1,
        "<<" => 2,
        ">" | ">=" => -1,
        ">>" | ">>=" => -2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_know_their_partners_as_far_as_they_match() {
        let scan = Scan::new("f(a[0]) ) {");
        let found: Vec<_> = scan.indices().map(|idx| scan.partner(idx)).collect();
        let (a, b) = (Some(6), Some(5));
        assert_eq!(
            found,
            [None, a, None, b, None, Some(3), Some(1), None, None]
        );
    }

    #[test]
    fn commas_in_brackets_and_angles_separate_nothing() {
        let text = "a: A<B, C>, (d, e), ";
        let scan = Scan::new(text);
        let parts = scan.split_by_commas(scan.indices());
        assert_eq!(parts, [0..8, 9..14]);
        assert_eq!(scan.skip_angles(3), 8);
    }

    #[test]
    fn what_is_not_there_is_an_empty_word() {
        let scan = Scan::new("a");
        assert_eq!((scan.word(7), scan.before(0, 1)), ("", ""));
        assert_eq!(scan.char_behind(7), None);
    }

    #[test]
    fn names_are_told_from_numbers_and_literals() {
        let found = ["a", "r#fn", "_", "1a", "'a", "\"a\"", "", "::"].map(is_name);
        assert_eq!(found, [true, true, true, false, false, false, false, false]);
    }
}
