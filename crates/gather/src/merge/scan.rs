//! A text by its tokens and brackets. Works where syn has nothing to say, such as in macros.

use reduce_syntax::{Token, is_name_part, tokens};
use std::ops::Range;

/// Keywords that may stand before a path, so that `::x` after them is a path of its own.
const BEFORE_A_PATH: [&str; 19] = [
    "as", "break", "const", "do", "dyn", "else", "for", "if", "impl", "in", "let", "match", "move",
    "mut", "ref", "return", "use", "where", "while",
];

/// The tokens of a text, with the brackets that belong together.
pub(super) struct Scan<'t> {
    pub(super) text: &'t str,
    all: Vec<Token>,
    /// For each bracket the other one.
    partners: Vec<Option<usize>>,
    /// For each token the bracket that opens the innermost group around it.
    around: Vec<Option<usize>>,
}

impl<'t> Scan<'t> {
    /// `None` if the brackets do not match.
    pub(super) fn new(text: &'t str) -> Option<Self> {
        let all = tokens(text);
        let mut scan = Self {
            text,
            partners: vec![None; all.len()],
            around: vec![None; all.len()],
            all,
        };
        scan.match_brackets().then_some(scan)
    }

    fn match_brackets(&mut self) -> bool {
        let mut open: Vec<usize> = Vec::new();
        for idx in 0..self.all.len() {
            let word = self.word(idx);
            if let Some(bracket) = opening(word) {
                let opener = open.pop().filter(|&opener| self.is(opener, bracket));
                let Some(opener) = opener else { return false };
                self.partners[opener] = Some(idx);
                self.partners[idx] = Some(opener);
            }
            self.around[idx] = open.last().copied();
            if matches!(word, "(" | "[" | "{") {
                open.push(idx);
            }
        }
        open.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The text of a token; nothing beyond the last.
    pub(super) fn word(&self, idx: usize) -> &'t str {
        let token = self.all.get(idx);
        token.map_or("", |token| &self.text[token.range()])
    }

    /// The text of the token before, nothing at the beginning.
    pub(super) fn before(&self, idx: usize) -> &'t str {
        idx.checked_sub(1).map_or("", |before| self.word(before))
    }

    pub(super) fn is(&self, idx: usize, expected: &str) -> bool {
        self.word(idx) == expected
    }

    /// Whether the tokens from `idx` on are these.
    pub(super) fn are(&self, idx: usize, expected: &[&str]) -> bool {
        let mut all = expected.iter().enumerate();
        all.all(|(offset, word)| self.is(idx + offset, word))
    }

    pub(super) fn is_doc(&self, idx: usize) -> bool {
        self.all.get(idx).is_some_and(|token| token.is_doc)
    }

    /// Whether the token is a name or a keyword.
    pub(super) fn is_name(&self, idx: usize) -> bool {
        let first = self.word(idx).chars().next();
        first.is_some_and(|first| is_name_part(first) && !first.is_ascii_digit())
            && !self.is_string(idx)
    }

    /// Literals may begin like a name: `b"x"`.
    fn is_string(&self, idx: usize) -> bool {
        self.word(idx).ends_with(['"', '\'']) || self.word(idx).contains('"')
    }

    /// The bytes from one token to another, both included.
    pub(super) fn bytes(&self, first: usize, last: usize) -> Range<usize> {
        let end_of_text = self.text.len();
        let start = self
            .all
            .get(first)
            .map_or(end_of_text, |token| token.range().start);
        let end = self
            .all
            .get(last)
            .map_or(end_of_text, |token| token.range().end);
        start..end.max(start)
    }

    /// The other bracket.
    pub(super) fn partner(&self, idx: usize) -> Option<usize> {
        self.partners.get(idx).copied().flatten()
    }

    /// What opens the innermost group around a token.
    pub(super) fn group(&self, idx: usize) -> Option<usize> {
        self.around.get(idx).copied().flatten()
    }

    /// Where an item begins whose keyword is at `idx`: at its attributes or its visibility.
    pub(super) fn item_start(&self, idx: usize) -> usize {
        let mut start = self.visibility_start(idx);
        while let Some(earlier) = self.attribute_before(start) {
            start = earlier;
        }
        start
    }

    /// Where the visibility before the keyword at `idx` begins, else `idx`.
    pub(super) fn visibility_start(&self, idx: usize) -> usize {
        let Some(last) = idx.checked_sub(1) else {
            return idx;
        };
        let opener = self.partner(last).filter(|_| self.is(last, ")"));
        let keyword = opener.map_or(Some(last), |opener| opener.checked_sub(1));
        keyword.filter(|&at| self.is(at, "pub")).unwrap_or(idx)
    }

    /// Where the attribute or doc comment begins that ends before `idx`.
    pub(super) fn attribute_before(&self, idx: usize) -> Option<usize> {
        let last = idx.checked_sub(1)?;
        if self.is_doc(last) {
            let is_inner = self.word(last).starts_with("//!") || self.word(last).starts_with("/*!");
            return (!is_inner).then_some(last);
        }
        let opener = self.partner(last).filter(|_| self.is(last, "]"))?;
        opener.checked_sub(1).filter(|&at| self.is(at, "#"))
    }

    /// Whether the `::` at `idx` begins a path.
    pub(super) fn is_global(&self, idx: usize) -> bool {
        let Some(last) = idx.checked_sub(1) else {
            return true;
        };
        if self.is(last, ">") || self.is(last, ">>") {
            return self.closes_parameters(last);
        }
        !self.is_name(last) || BEFORE_A_PATH.contains(&self.word(last))
    }

    /// Whether the `>` at `idx` ends the parameters of `impl<..>` or `for<..>`.
    fn closes_parameters(&self, idx: usize) -> bool {
        /// Parameters are shorter, and comparisons have no other end.
        const FAR: usize = 400;
        let mut depth = 0_usize;
        for at in (idx.saturating_sub(FAR)..=idx).rev() {
            match self.word(at) {
                ">" => depth += 1,
                ">>" => depth += 2,
                "<" => depth = depth.saturating_sub(1),
                "<<" => depth = depth.saturating_sub(2),
                ";" | "{" | "}" => return false,
                _ => continue,
            }
            if depth == 0 {
                return matches!(self.before(at), "impl" | "for");
            }
        }
        false
    }
}

fn opening(closing: &str) -> Option<&'static str> {
    match closing {
        ")" => Some("("),
        "]" => Some("["),
        "}" => Some("{"),
        _ => None,
    }
}
