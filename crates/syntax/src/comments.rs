//! Removes the comments of a text, all of them or all but doc comments.

use crate::lexer::{bytes_before_code, tokens};
use crate::token::Token;
use ra_ap_rustc_lexer as rustc;
use rustc::{Cursor, FrontmatterAllowed};

/// The kinds of comments that a text may have: none, doc comments alone, or all kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comments {
    /// The text has no comments.
    Absent,
    /// The text has no comments but doc comments, which are attributes to the compiler.
    Doc,
    /// The text has ordinary comments, and perhaps doc comments.
    All,
}

impl Comments {
    /// The comments of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        [Self::Absent, Self::Doc]
            .into_iter()
            .find(|comments| comments.left_in(text).is_none())
            .unwrap_or(Self::All)
    }

    /// Removes all comments of a text but those of this kind, or returns `None` if there is none to remove. A line that
    /// has nothing but a removed comment goes, too.
    #[must_use]
    pub fn left_in(self, text: &str) -> Option<String> {
        let stays = |token: &Token| self == Self::Doc || !token.is_doc();
        if self == Self::All {
            return None;
        }
        let mut done = bytes_before_code(text);
        let mut left = Left {
            text: text[..done].to_owned(),
            has_comment: false,
        };
        for token in tokens(text).into_iter().filter(stays) {
            left.add_between(&text[done..token.range().start]);
            left.end_comment_before_token();
            left.text.push_str(&text[token.range()]);
            done = token.range().end;
        }
        left.add_between(&text[done..]);
        (left.text.len() < text.len()).then_some(left.text)
    }
}

/// The text up to a place, without the comments that are removed.
struct Left {
    text: String,
    /// Whether a comment that stood at the end of the text was left out.
    has_comment: bool,
}

impl Left {
    /// Adds the text between two tokens: white space, and comments that go.
    fn add_between(&mut self, between: &str) {
        let mut cursor = Cursor::new(between, FrontmatterAllowed::No);
        let mut at = 0;
        loop {
            let raw = cursor.advance_token();
            let piece = &between[at..at + raw.len as usize];
            at += piece.len();
            match raw.kind {
                rustc::TokenKind::Eof => return,
                rustc::TokenKind::Whitespace => self.add_space(piece),
                _ => self.has_comment = true,
            }
        }
    }

    fn add_space(&mut self, space: &str) {
        let line_end = space.find('\n').filter(|_| self.has_comment);
        self.has_comment &= line_end.is_none();
        let Some(line_end) = line_end else {
            return self.text.push_str(space);
        };
        let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r');
        self.text
            .truncate(self.text.trim_end_matches(is_blank).len());
        let is_line_empty = self.text.is_empty() || self.text.ends_with('\n');
        let from = if is_line_empty {
            line_end + 1
        } else {
            line_end
        };
        self.text.push_str(&space[from..]);
    }

    /// Adds a space where a comment was removed between two tokens, so that they stay apart.
    fn end_comment_before_token(&mut self) {
        if self.has_comment && !self.text.is_empty() && !self.text.ends_with(char::is_whitespace) {
            self.text.push(' ');
        }
        self.has_comment = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
//! A file.

/// `f`
#[inline] // why
fn/* a */f(
    // the number
    a: u8, /** which */ b: u8,
) {
    \"// no\" /* a
    b */
}
// the end";

    #[test]
    fn comments_go_with_the_lines_that_have_nothing_else() {
        assert_eq!(
            Comments::Absent.left_in(TEXT).as_deref(),
            Some("\n#[inline]\nfn f(\n    a: u8,  b: u8,\n) {\n    \"// no\"\n}\n")
        );
    }

    #[test]
    fn doc_comments_may_stay() {
        let left = Comments::Doc.left_in(TEXT).unwrap();
        assert_eq!(
            left,
            "//! A file.\n\n/// `f`\n#[inline]\nfn f(\n    a: u8, /** which */ b: u8,\n) {\n    \"// no\"\n}\n"
        );
        assert_eq!(Comments::Doc.left_in(&left), None);
        assert_eq!(Comments::All.left_in(TEXT), None);
    }

    #[test]
    fn the_kinds_of_comments_in_a_text_are_known() {
        let texts = [
            "fn f() { \"// a\" }",
            "/// a\nfn f() {}",
            "fn f() {} // a",
            TEXT,
        ];
        let expected = [
            Comments::Absent,
            Comments::Doc,
            Comments::All,
            Comments::All,
        ];
        assert_eq!(texts.map(Comments::of), expected);
    }

    #[test]
    fn no_tokens_change() {
        let text = "#!/bin/x // y\na/**/+/***/b//c\n/d #\"e // f\"#/ /g";
        let left = Comments::Absent.left_in(text).unwrap();
        assert!(left.starts_with("#!/bin/x // y\n"), "{left}");
        assert!(crate::has_same_tokens(&left, text), "{left}");
    }
}
