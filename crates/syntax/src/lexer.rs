//! Tokens as the compiler's own lexer sees them: what sizes are counted in, and what a verdict is
//! cached under. Works on any text, also on text that does not parse.

use crate::interruption::poll_interruption;
use crate::token::{Token, TokenKind};
use ra_ap_rustc_lexer::{self as rustc, Cursor, FrontmatterAllowed, strip_shebang};
use std::ops::Range;

/// The operators of several characters, which rustc's parser puts together from adjacent ones, longest first.
const OPERATORS: [&str; 24] = [
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=",
    "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", "..",
];

/// All tokens of `text`, operators glued, ordinary comments left out. Doc comments are one token.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(text.len() / 5);
    let mut scanner = Scanner::new(text, bytes_before_code(text));
    while scanner.advance(|token| found.push(token)) {}
    found
}

/// The size of `text` in tokens; doc comments are not counted.
#[must_use]
pub fn count_tokens(text: &str) -> u64 {
    let mut count = 0;
    let mut scanner = Scanner::new(text, bytes_before_code(text));
    while scanner.advance(|token| count += u64::from(!token.is_doc())) {}
    count
}

/// `text` without its doc comments; `None` if it has none.
#[must_use]
pub fn without_doc_comments(text: &str) -> Option<String> {
    let mut left = String::with_capacity(text.len());
    let mut copied = 0;
    for comment in tokens(text).into_iter().filter(|token| token.is_doc()) {
        left.push_str(&text[copied..comment.range().start]);
        // Without a space two tokens could become one.
        left.push(' ');
        copied = comment.range().end;
    }
    left.push_str(&text[copied..]);
    (copied > 0).then_some(left)
}

/// The kind of a text that is a single token without anything around it; `None` for all else.
#[must_use]
pub fn single_token(text: &str) -> Option<TokenKind> {
    let raw = Cursor::new(text, FrontmatterAllowed::No).advance_token();
    TokenKind::of(raw.kind).filter(|_| raw.len as usize == text.len())
}

/// Returns whether a character may stand in a name, though perhaps not at its beginning. For text without tokens of its
/// own, such as that of strings.
pub fn is_name_part(character: char) -> bool {
    rustc::is_id_continue(character)
}

/// Returns whether a text is a name, a keyword or a whole number, so that it needs no parentheses anywhere.
pub fn is_one_name(text: &str) -> bool {
    single_token(text).is_some_and(|kind| kind.is_name() || kind == TokenKind::Integer)
}

/// Goes through a text from any place between two tokens.
pub struct Scanner<'t> {
    text: &'t str,
    cursor: Cursor<'t>,
    position: usize,
    /// The first byte of a run of adjacent operator characters that are not yet put together to operators.
    run_start: Option<usize>,
}

impl<'t> Scanner<'t> {
    /// Makes a scanner that begins at byte `position`, which is between two tokens.
    #[must_use]
    pub fn new(text: &'t str, position: usize) -> Self {
        Self {
            text,
            cursor: Cursor::new(&text[position..], FrontmatterAllowed::No),
            position,
            run_start: None,
        }
    }

    /// Returns the first byte of the text that was not read yet.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns whether the position is between two tokens, and not within an operator.
    pub fn is_between_tokens(&self) -> bool {
        self.run_start.is_none()
    }

    /// Reads one more piece of the text (a token, a character of an operator, white space or a comment), and hands the
    /// tokens that end with it to `found`. Returns `false` if there is nothing more to come.
    pub fn advance(&mut self, mut found: impl FnMut(Token)) -> bool {
        poll_interruption();
        let raw = self.cursor.advance_token();
        let (start, end) = (self.position, self.position + raw.len as usize);
        self.position = end;
        if raw.kind == rustc::TokenKind::GuardedStrPrefix {
            return self.advance_by_hash(start, found);
        }
        if is_operator_part(raw.kind) {
            self.run_start.get_or_insert(start);
            return true;
        }
        if let Some(run) = self.run_start.take() {
            glue(self.text, run..start, &mut found);
        }
        if let Some(kind) = TokenKind::of(raw.kind) {
            found(Token::new(start..end, kind));
        }
        raw.kind != rustc::TokenKind::Eof
    }

    /// Reads the first character of `#"` or `##`, which are two tokens before edition 2024, and errors since then, so
    /// that there is nothing to be asked of the edition. What follows is read anew.
    fn advance_by_hash(&mut self, start: usize, mut found: impl FnMut(Token)) -> bool {
        if let Some(run) = self.run_start.take() {
            glue(self.text, run..start, &mut found);
        }
        self.position = start + 1;
        self.cursor = Cursor::new(&self.text[self.position..], FrontmatterAllowed::No);
        found(Token::new(start..self.position, TokenKind::Punct));
        true
    }
}

/// The first bytes of the tokens of a text, to count those in a range in logarithmic time.
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
            .filter(|token| !token.is_doc())
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

/// Returns the number of bytes of a byte order mark and a shebang line at the beginning of a text.
pub fn bytes_before_code(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    mark + strip_shebang(&text[mark..]).unwrap_or(0)
}

/// Splits a run of adjacent operator characters into operators, longest first.
fn glue(text: &str, run: Range<usize>, found: &mut impl FnMut(Token)) {
    let mut start = run.start;
    while start < run.end {
        let rest = &text[start..run.end];
        let is_first = |op: &&&str| rest.starts_with(**op);
        let len = match rest.len() {
            1 => 1,
            _ => OPERATORS.iter().find(is_first).map_or(1, |op| op.len()),
        };
        found(Token::new(start..start + len, TokenKind::Punct));
        start += len;
    }
}

fn is_operator_part(kind: rustc::TokenKind) -> bool {
    use rustc::TokenKind::{
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

/// Returns the tokens of a text with one space between each two, so that its layout makes no difference.
#[must_use]
pub fn spaced(text: &str) -> String {
    let words: Vec<&str> = tokens(text)
        .iter()
        .map(|token| &text[token.range()])
        .collect();
    words.join(" ")
}

/// The names in a text, in its order, wherever they stand.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let names = tokens(text)
        .into_iter()
        .filter(|token| token.kind.is_name());
    names.map(|token| &text[token.range()])
}

/// Replaces those tokens of a text for which `other` returns another word.
#[must_use]
pub fn with_words<'a>(text: &str, other: impl Fn(&str) -> Option<&'a str>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for range in tokens(text).into_iter().map(Token::range) {
        if let Some(word) = other(&text[range.clone()]) {
            result.push_str(&text[done..range.start]);
            result.push_str(word);
            done = range.end;
        }
    }
    result.push_str(&text[done..]);
    result
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
    fn doc_comments_can_be_taken_out() {
        let text = "//! A file.\n/// `f`\nfn/** why */f() { \"/// no\" } // ordinary\n";
        let left = without_doc_comments(text).unwrap();
        assert_eq!(left, " \n \nfn f() { \"/// no\" } // ordinary\n");
        assert_eq!(without_doc_comments(&left), None);
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
    fn a_hash_before_a_string_or_another_hash_is_a_token() {
        check(
            "m!(#\"a b\"#, ## #\"c;\")",
            &[
                "m", "!", "(", "#", "\"a b\"", "#", ",", "#", "#", "#", "\"c;\"", ")",
            ],
        );
        check(
            "a+#\"b\" r##\"#\"#\"##",
            &["a", "+", "#", "\"b\"", "r##\"#\"#\"##"],
        );
    }

    #[test]
    fn words_are_exchanged_as_a_whole() {
        let text = with_words("a ab 'a  \"a\" a", |word| (word == "a").then_some("b"));
        assert_eq!(text, "b ab 'a  \"a\" b");
    }

    #[test]
    fn names_are_no_literals_lifetimes_or_operators() {
        let found: Vec<&str> = names("a.r#fn(1u8, \"b\"); // c\n 'd: d").collect();
        assert_eq!(found, ["a", "r#fn", "d"]);
    }

    #[test]
    fn one_name_is_nothing_but_a_name_or_a_whole_number() {
        let found = ["a", "r#fn", "1u8", "1.5", "'a", "a b", "a.b", ""].map(is_one_name);
        assert_eq!(found, [true, true, true, false, false, false, false, false]);
    }

    #[test]
    fn text_that_does_not_parse_still_has_tokens() {
        check("fn ) \"open", &["fn", ")", "\"open"]);
    }

    #[test]
    fn index_counts_tokens_that_begin_in_a_range() {
        let index = TokenIndex::new("fn f() { g(); }");
        assert_eq!(index.count(&(0..15)), 10);
        assert_eq!(index.count(&(9..13)), 4);
    }
}
