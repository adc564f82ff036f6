//! A cursor over the tokens and brackets of a text, for code that cannot be read with syn: macros, and texts in which syn
//! understands nothing.

use crate::lexer::tokens;
use crate::token::{Token, TokenKind};
use std::ops::Range;

/// The tokens of a text with the brackets that belong together. Tokens are named by their index; one
/// that is not there is an empty word at the end of the text.
#[derive(Debug)]
pub struct TokenCursor<'t> {
    text: &'t str,
    all: Vec<Token>,
    /// For each token that is a bracket, the index of the bracket that it belongs to.
    partners: Vec<Option<u32>>,
    /// The index of the bracket that opens the innermost group around a token, for each token.
    around: Vec<Option<u32>>,
    is_balanced: bool,
}

impl<'t> TokenCursor<'t> {
    /// Makes a cursor over all tokens of a text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self::of(text, tokens(text))
    }

    /// Makes a cursor over the tokens of a text that are no doc comments.
    #[must_use]
    pub fn without_docs(text: &'t str) -> Self {
        let mut all = tokens(text);
        all.retain(|token| !token.is_doc());
        Self::of(text, all)
    }

    /// Makes a cursor over all tokens of a text; `None` unless each bracket has a partner of its own
    /// kind.
    #[must_use]
    pub fn balanced(text: &'t str) -> Option<Self> {
        Some(Self::new(text)).filter(|cursor| cursor.is_balanced)
    }

    fn of(text: &'t str, all: Vec<Token>) -> Self {
        let mut cursor = Self {
            text,
            partners: vec![None; all.len()],
            around: vec![None; all.len()],
            all,
            is_balanced: true,
        };
        cursor.match_brackets();
        cursor
    }

    fn match_brackets(&mut self) {
        let mut open: Vec<(u32, TokenKind)> = Vec::new();
        for (at, token) in (0..).zip(&self.all) {
            if token.kind.is_closing() {
                let opener = open.pop();
                let is_fit = opener.is_some_and(|(_, kind)| kind.closing() == Some(token.kind));
                self.is_balanced &= is_fit;
                if let Some((opener, _)) = opener {
                    self.partners[opener as usize] = Some(at);
                    self.partners[at as usize] = Some(opener);
                }
            }
            self.around[at as usize] = open.last().map(|(opener, _)| *opener);
            if token.kind.closing().is_some() {
                open.push((at, token.kind));
            }
        }
        self.is_balanced &= open.is_empty();
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns whether the text has no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the indices of all tokens.
    #[must_use]
    pub fn indices(&self) -> Range<usize> {
        0..self.all.len()
    }

    /// Returns the kind of a token.
    #[must_use]
    pub fn kind(&self, idx: usize) -> Option<TokenKind> {
        self.all.get(idx).map(|token| token.kind)
    }

    /// The text of a token.
    #[must_use]
    pub fn word(&self, idx: usize) -> &'t str {
        self.text.get(self.range(idx)).unwrap_or_default()
    }

    /// The texts of all tokens.
    pub fn words(&self) -> impl Iterator<Item = &'t str> {
        self.all.iter().map(|token| &self.text[token.range()])
    }

    /// Returns the text of the token that stands `back` tokens before the one at `idx`.
    #[must_use]
    pub fn before(&self, idx: usize, back: usize) -> &'t str {
        idx.checked_sub(back).map_or("", |idx| self.word(idx))
    }

    /// Returns whether a token has this text.
    #[must_use]
    pub fn is(&self, idx: usize, expected: &str) -> bool {
        self.word(idx) == expected
    }

    /// Returns whether the tokens from `idx` on have these texts.
    #[must_use]
    pub fn are(&self, idx: usize, expected: &[&str]) -> bool {
        (idx..).zip(expected).all(|(idx, word)| self.is(idx, word))
    }

    /// Returns whether a token is a name or a keyword.
    #[must_use]
    pub fn is_name(&self, idx: usize) -> bool {
        self.kind(idx).is_some_and(TokenKind::is_name)
    }

    /// Returns whether a token is a lifetime or a label.
    #[must_use]
    pub fn is_lifetime(&self, idx: usize) -> bool {
        self.kind(idx) == Some(TokenKind::Lifetime)
    }

    /// Returns whether a token is a string, raw or not, but not of bytes.
    #[must_use]
    pub fn is_string(&self, idx: usize) -> bool {
        self.kind(idx) == Some(TokenKind::Str)
    }

    /// Returns whether a token opens a group.
    #[must_use]
    pub fn is_open(&self, idx: usize) -> bool {
        self.kind(idx).is_some_and(|kind| kind.closing().is_some())
    }

    /// The bytes of a token.
    #[must_use]
    pub fn range(&self, idx: usize) -> Range<usize> {
        let end = self.text.len();
        self.all.get(idx).map_or(end..end, |token| token.range())
    }

    /// The bytes from one token to another, both included.
    #[must_use]
    pub fn bytes(&self, first: usize, last: usize) -> Range<usize> {
        let start = self.range(first).start;
        start..self.range(last).end.max(start)
    }

    /// The bytes of some tokens, of which there is at least one.
    #[must_use]
    pub fn bytes_of(&self, tokens: &Range<usize>) -> Range<usize> {
        self.bytes(tokens.start, tokens.end.saturating_sub(1))
    }

    /// The text of some tokens with what stands between them.
    #[must_use]
    pub fn text_of(&self, tokens: &Range<usize>) -> &'t str {
        match tokens.is_empty() {
            true => "",
            false => &self.text[self.bytes_of(tokens)],
        }
    }

    /// Returns the first token in a range that has this text, outside of the groups that open in the range.
    #[must_use]
    pub fn find(&self, tokens: Range<usize>, expected: &str) -> Option<usize> {
        let next = |&at: &usize| Some(self.skip_group(at));
        let outside = std::iter::successors(Some(tokens.start), next);
        let mut outside = outside.take_while(|&at| at < tokens.end);
        outside.find(|&at| self.is(at, expected))
    }

    /// The first token that begins at byte `at` or later.
    #[must_use]
    pub fn at_byte(&self, at: usize) -> usize {
        self.all
            .partition_point(|token| (token.start as usize) < at)
    }

    /// Returns the character directly behind a token, be it white space or not.
    #[must_use]
    pub fn char_behind(&self, idx: usize) -> Option<char> {
        self.text.get(self.range(idx).end..)?.chars().next()
    }

    /// The other bracket of a pair.
    #[must_use]
    pub fn partner(&self, idx: usize) -> Option<usize> {
        self.partners
            .get(idx)
            .copied()
            .flatten()
            .map(|at| at as usize)
    }

    /// The bracket that closes the group that `idx` opens.
    #[must_use]
    pub fn closing(&self, idx: usize) -> Option<usize> {
        self.partner(idx).filter(|&at| at > idx)
    }

    /// Returns the index of the bracket that opens the innermost group around a token.
    #[must_use]
    pub fn group(&self, idx: usize) -> Option<usize> {
        self.around
            .get(idx)
            .copied()
            .flatten()
            .map(|at| at as usize)
    }

    /// Returns the index of the opening bracket of each group around a token, from the innermost on.
    pub fn groups_around(&self, idx: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.group(idx), |&opener| self.group(opener))
    }

    /// The token behind the group that opens at `idx`, or behind the token that opens none.
    #[must_use]
    pub fn skip_group(&self, idx: usize) -> usize {
        self.closing(idx).unwrap_or(idx) + 1
    }

    /// The token behind the `>` that closes the `<` at `idx`.
    #[must_use]
    pub fn skip_angles(&self, idx: usize) -> usize {
        let (mut at, mut depth) = (idx, 0);
        while at < self.len() {
            depth += angles(self.word(at));
            at = self.skip_group(at);
            if depth <= 0 {
                break;
            }
        }
        at
    }

    /// The token behind the attribute, outer or inner, that begins at `idx`; `idx` if none does.
    #[must_use]
    pub fn skip_attribute(&self, idx: usize) -> usize {
        if self.all.get(idx).is_some_and(|token| token.is_doc()) {
            return idx + 1;
        }
        if !self.is(idx, "#") {
            return idx;
        }
        let open = idx + 1 + usize::from(self.is(idx + 1, "!"));
        match self.is(open, "[") {
            true => self.closing(open).map_or(self.len(), |close| close + 1),
            false => idx,
        }
    }

    /// The first token at `idx` or behind that is not of an attribute.
    #[must_use]
    pub fn skip_attributes(&self, idx: usize) -> usize {
        let mut at = idx;
        loop {
            match self.skip_attribute(at) {
                end if end == at => return at,
                end => at = end,
            }
        }
    }

    /// Returns the first token of the outer attribute or doc comment that ends before `idx`.
    #[must_use]
    pub fn attribute_before(&self, idx: usize) -> Option<usize> {
        let last = idx.checked_sub(1)?;
        match self.kind(last) {
            Some(TokenKind::OuterDoc) => return Some(last),
            Some(TokenKind::InnerDoc) => return None,
            _ => {}
        }
        let opener = self.partner(last).filter(|_| self.is(last, "]"))?;
        opener.checked_sub(1).filter(|&at| self.is(at, "#"))
    }

    /// Returns the first token of the visibility before the keyword at `idx`, else `idx`.
    #[must_use]
    pub fn visibility_start(&self, idx: usize) -> usize {
        let Some(last) = idx.checked_sub(1) else {
            return idx;
        };
        let opener = self.partner(last).filter(|_| self.is(last, ")"));
        let keyword = opener.map_or(Some(last), |opener| opener.checked_sub(1));
        keyword.filter(|&at| self.is(at, "pub")).unwrap_or(idx)
    }

    /// Returns the first token of the item whose keyword is at `idx`: of its attributes or its
    /// visibility.
    #[must_use]
    pub fn item_start(&self, idx: usize) -> usize {
        let mut start = self.visibility_start(idx);
        while let Some(earlier) = self.attribute_before(start) {
            start = earlier;
        }
        start
    }

    /// Splits the tokens of `inner` at commas, without empty parts. A comma within brackets or angle
    /// brackets separates nothing.
    #[must_use]
    pub fn split_by_commas(&self, inner: Range<usize>) -> Vec<Range<usize>> {
        self.split(inner, angles)
    }

    /// Splits the tokens of `inner` at commas where `<` is a comparison: in expressions.
    #[must_use]
    pub fn split_values_by_commas(&self, inner: Range<usize>) -> Vec<Range<usize>> {
        self.split(inner, |_| 0)
    }

    fn split(&self, inner: Range<usize>, deeper: impl Fn(&str) -> i32) -> Vec<Range<usize>> {
        let (mut at, mut depth, mut start) = (inner.start, 0, inner.start);
        let mut found = Vec::new();
        while at < inner.end {
            depth += deeper(self.word(at));
            if depth <= 0 && self.is(at, ",") {
                found.push(start..at);
                start = at + 1;
            }
            at = self.skip_group(at);
        }
        found.push(start..inner.end);
        found.retain(|part| !part.is_empty());
        found
    }
}

/// Returns the change that a word makes to the depth of angle brackets.
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
        let cursor = TokenCursor::new("f(a[0]) ) {");
        let found: Vec<_> = cursor.indices().map(|idx| cursor.partner(idx)).collect();
        let (a, b) = (Some(6), Some(5));
        assert_eq!(
            found,
            [None, a, None, b, None, Some(3), Some(1), None, None]
        );
        let found = ["f(a[0]) {}", "f(a[0)]", "f(", ")"].map(TokenCursor::balanced);
        assert_eq!(found.map(|one| one.is_some()), [true, false, false, false]);
    }

    #[test]
    fn a_token_knows_the_group_around_it() {
        let cursor = TokenCursor::new("a (b [c]) d");
        let found: Vec<_> = cursor.indices().map(|idx| cursor.group(idx)).collect();
        let (a, b) = (Some(1), Some(3));
        assert_eq!(found, [None, None, a, a, b, a, None, None]);
        assert_eq!(cursor.groups_around(4).collect::<Vec<_>>(), [3, 1]);
        let found = ["b", "d"].map(|word| cursor.find(cursor.indices(), word));
        assert_eq!(found, [None, Some(7)]);
        assert_eq!(
            [0, 1, 3, 5, 7].map(|idx| cursor.skip_group(idx)),
            [1, 7, 6, 6, 8]
        );
    }

    #[test]
    fn commas_in_brackets_and_angles_separate_nothing() {
        let cursor = TokenCursor::new("a: A<B, C>, (d, e), ");
        let parts = cursor.split_by_commas(cursor.indices());
        let parts = parts.iter().map(|part| cursor.text_of(part));
        assert_eq!(parts.collect::<Vec<_>>(), ["a: A<B, C>", "(d, e)"]);
        assert_eq!(cursor.skip_angles(3), 8);
    }

    #[test]
    fn a_comparison_is_no_angle_bracket_among_values() {
        let cursor = TokenCursor::new("a < b, f(c, d) > e");
        let parts = cursor.split_values_by_commas(cursor.indices());
        let parts = parts.iter().map(|part| cursor.text_of(part));
        assert_eq!(parts.collect::<Vec<_>>(), ["a < b", "f(c, d) > e"]);
    }

    #[test]
    fn what_is_not_there_is_an_empty_word() {
        let cursor = TokenCursor::new("a");
        assert_eq!((cursor.word(7), cursor.before(0, 1)), ("", ""));
        assert_eq!((cursor.char_behind(7), cursor.kind(7)), (None, None));
        assert_eq!((cursor.range(7), cursor.bytes(0, 7)), (1..1, 0..1));
        assert!(cursor.are(0, &["a", "", ""]) && !cursor.are(0, &["a", "b"]));
    }

    #[test]
    fn attributes_are_skipped_whether_outer_or_inner() {
        let cursor = TokenCursor::new("#![a] //! b\n #[c([d])] /// e\n fn # f");
        assert!(cursor.is(cursor.skip_attributes(0), "fn"));
        let (function, pound) = (cursor.skip_attributes(0), cursor.skip_attributes(0) + 1);
        assert_eq!(
            [function, pound].map(|at| cursor.skip_attribute(at)),
            [function, pound]
        );
    }

    #[test]
    fn an_item_begins_with_its_attributes_and_its_visibility() {
        for head in ["/// a\n #[b] pub(in c)", "#[b] pub", "#[b]", "pub", ""] {
            for before in ["//! d\n", "fn f() {} ", ""] {
                let text = format!("{before}{head} struct S;");
                let cursor = TokenCursor::new(&text);
                let keyword = cursor.at_byte(text.find("struct").unwrap());
                let start = cursor.range(cursor.item_start(keyword)).start;
                assert_eq!(&text[start..], format!("{head} struct S;").trim_start());
            }
        }
    }

    #[test]
    fn names_are_told_from_numbers_and_literals() {
        let cursor = TokenCursor::new("a r#fn _ 1a 'a \"a\" b'a' ::");
        let found: Vec<bool> = cursor.indices().map(|idx| cursor.is_name(idx)).collect();
        let (name, other) = (true, false);
        assert_eq!(found, [name, name, name, other, other, other, other, other]);
        assert!(cursor.is_lifetime(4) && cursor.is_string(5) && !cursor.is_string(6));
    }

    #[test]
    fn doc_comments_may_be_left_out() {
        let cursor = TokenCursor::without_docs("/// a\n fn");
        assert_eq!((cursor.len(), cursor.word(0)), (1, "fn"));
    }
}
