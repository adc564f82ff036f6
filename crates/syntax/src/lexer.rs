//! Tokens as the compiler's own lexer sees them: what sizes are counted in, and what a verdict is
//! cached under. Works on any text, also on text that does not parse.

use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind, strip_shebang, tokenize};
use std::ops::Range;

/// Operators that rustc's parser glues from adjacent characters, longest first.
const OPERATORS: [&str; 24] = [
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=",
    "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", "..",
];

/// A token that is neither white space nor an ordinary comment, as a byte range of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Whether it is a doc comment, which rustc treats as an attribute.
    pub is_doc: bool,
}

impl Token {
    /// The token's bytes.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// All tokens of `text`, operators glued, ordinary comments left out. Doc comments are one token.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let skipped = bytes_before_code(text);
    let mut found: Vec<Token> = Vec::with_capacity(text.len() / 5);
    let mut position = skipped;
    let mut run_start = None;
    for raw in tokenize(&text[skipped..], FrontmatterAllowed::No) {
        let end = position + raw.len as usize;
        if is_operator_part(raw.kind) {
            run_start.get_or_insert(position);
        } else {
            if let Some(start) = run_start.take() {
                glue(text, start..position, &mut found);
            }
            if let Some(is_doc) = is_significant(raw.kind) {
                found.push(token(position..end, is_doc));
            }
        }
        position = end;
    }
    if let Some(start) = run_start {
        glue(text, start..position, &mut found);
    }
    found
}

/// The size of `text` in tokens; doc comments are not counted.
#[must_use]
pub fn count_tokens(text: &str) -> u64 {
    tokens(text).iter().filter(|token| !token.is_doc).count() as u64
}

/// Feeds the token stream of `text` to `hasher`: equal for texts that differ only in white space
/// and ordinary comments.
pub fn hash_tokens(text: &str, hasher: &mut blake3::Hasher) {
    let mut bytes = Vec::with_capacity(text.len());
    for token in tokens(text) {
        bytes.extend_from_slice(&text.as_bytes()[token.range()]);
        bytes.push(0);
    }
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(&bytes);
}

/// Where tokens begin in a text, to count those in a range in logarithmic time.
#[derive(Debug, Clone)]
pub struct TokenIndex {
    starts: Vec<u32>,
}

impl TokenIndex {
    /// Indexes `text`; doc comments are not counted.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let starts = tokens(text)
            .into_iter()
            .filter(|token| !token.is_doc)
            .map(|token| token.start)
            .collect();
        Self { starts }
    }

    /// The number of tokens that begin in `range`.
    #[must_use]
    pub fn count(&self, range: &Range<usize>) -> u64 {
        let below = |byte: usize| {
            self.starts
                .partition_point(|&start| (start as usize) < byte)
        };
        (below(range.end) - below(range.start)) as u64
    }
}

/// A byte order mark and a shebang line.
pub(crate) fn bytes_before_code(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    mark + strip_shebang(&text[mark..]).unwrap_or(0)
}

fn token(range: Range<usize>, is_doc: bool) -> Token {
    let byte = |at: usize| u32::try_from(at).expect("a source file is under 4 GiB");
    Token {
        start: byte(range.start),
        end: byte(range.end),
        is_doc,
    }
}

/// Splits a run of adjacent operator characters into operators, longest first.
fn glue(text: &str, run: Range<usize>, found: &mut Vec<Token>) {
    let mut start = run.start;
    while start < run.end {
        let rest = &text[start..run.end];
        let len = OPERATORS
            .iter()
            .find(|op| rest.starts_with(**op))
            .map_or(1, |op| op.len());
        found.push(token(start..start + len, false));
        start += len;
    }
}

fn is_operator_part(kind: TokenKind) -> bool {
    use TokenKind::{
        And, Bang, Caret, Colon, Dot, Eq, Gt, Lt, Minus, Or, Percent, Plus, Slash, Star,
    };
    matches!(
        kind,
        And | Bang
            | Caret
            | Colon
            | Dot
            | Eq
            | Gt
            | Lt
            | Minus
            | Or
            | Percent
            | Plus
            | Slash
            | Star
    )
}

/// `None` for white space and comments, else whether the token is a doc comment.
fn is_significant(kind: TokenKind) -> Option<bool> {
    match kind {
        TokenKind::LineComment { doc_style } | TokenKind::BlockComment { doc_style, .. } => {
            doc_style.map(|_| true)
        }
        TokenKind::Whitespace | TokenKind::Frontmatter { .. } | TokenKind::Eof => None,
        _ => Some(false),
    }
}

/// A text without its layout, for tests that compare programs.
#[cfg(test)]
pub(crate) fn spaced(text: &str) -> String {
    let words: Vec<&str> = tokens(text)
        .iter()
        .map(|token| &text[token.range()])
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = tokens(text)
            .iter()
            .map(|token| &text[token.range()])
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn operators_are_glued_longest_first() {
        check("a<<=b..=c", &["a", "<<=", "b", "..=", "c"]);
        check("x::<T>()", &["x", "::", "<", "T", ">", "(", ")"]);
        check("& &a", &["&", "&", "a"]);
        check("&&a", &["&&", "a"]);
    }

    #[test]
    fn comments_and_white_space_are_no_tokens() {
        check("fn /* a */ f() {} // b\n", &["fn", "f", "(", ")", "{", "}"]);
    }

    #[test]
    fn a_slash_that_begins_a_comment_is_no_operator() {
        check("a /= b // c", &["a", "/=", "b"]);
    }

    #[test]
    fn doc_comments_are_tokens_but_have_no_size() {
        check("/// doc\nfn", &["/// doc", "fn"]);
        assert_eq!(count_tokens("/// doc\nfn"), 1);
    }

    #[test]
    fn lifetimes_literals_and_raw_identifiers_are_single_tokens() {
        check(
            "'a b'x' r#\"y\"# r#fn 1.5e3f64",
            &["'a", "b'x'", "r#\"y\"#", "r#fn", "1.5e3f64"],
        );
    }

    #[test]
    fn text_that_does_not_parse_still_has_tokens() {
        check("fn ) \"open", &["fn", ")", "\"open"]);
    }

    #[test]
    fn hash_ignores_layout_but_not_tokens() {
        let hash = |text: &str| {
            let mut hasher = blake3::Hasher::new();
            hash_tokens(text, &mut hasher);
            hasher.finalize()
        };
        assert_eq!(hash("fn f ( ) { }"), hash("fn f(){} // x"));
        assert_ne!(hash("a = = b"), hash("a == b"));
        assert_ne!(hash("/// a\nfn f(){}"), hash("fn f(){}"));
    }

    #[test]
    fn index_counts_tokens_that_begin_in_a_range() {
        let index = TokenIndex::new("fn f() { g(); }");
        assert_eq!(index.count(&(0..15)), 10);
        assert_eq!(index.count(&(9..13)), 4);
    }
}
