//! A token and its kind, as rustc's lexer knows it: what is a name, a lifetime or a string is asked of
//! the kind, and never guessed from the text.

use ra_ap_rustc_lexer as rustc;
use std::ops::Range;

/// A token that is neither white space nor an ordinary comment, as a byte range of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: u32,
    /// The byte after the token's last one.
    pub end: u32,
    /// The kind of the token.
    pub kind: TokenKind,
}

/// The kind of a token. One byte without parts, as the lexer that finds it is hot. Raw strings are
/// strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword.
    Ident,
    /// `r#name`
    RawIdent,
    /// `'a`, which may be a label too.
    Lifetime,
    /// `1`, `0x1_u8`
    Integer,
    /// `1.5`
    Float,
    /// `'a'`
    Char,
    /// `b'a'`
    Byte,
    /// `"a"`, `r#"a"#`
    Str,
    /// `b"a"`
    ByteStr,
    /// `c"a"`
    CStr,
    /// `(`
    OpenParenthesis,
    /// `[`
    OpenSquare,
    /// `{`
    OpenBrace,
    /// `)`
    CloseParenthesis,
    /// `]`
    CloseSquare,
    /// `}`
    CloseBrace,
    /// An operator, glued from its characters, or other punctuation.
    Punct,
    /// A doc comment for what follows it, which rustc treats as an attribute.
    OuterDoc,
    /// A doc comment for what it stands in.
    InnerDoc,
    /// A character that is no Rust, or a name with such characters.
    Unknown,
}

impl Token {
    #[inline]
    pub(crate) fn new(range: Range<usize>, kind: TokenKind) -> Self {
        let byte = |at: usize| u32::try_from(at).expect("a source file is under 4 GiB");
        Self {
            start: byte(range.start),
            end: byte(range.end),
            kind,
        }
    }

    /// The token's bytes.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns whether the token is a doc comment.
    #[must_use]
    #[inline]
    pub fn is_doc(self) -> bool {
        matches!(self.kind, TokenKind::OuterDoc | TokenKind::InnerDoc)
    }
}

impl TokenKind {
    /// Returns whether a token of this kind is a name or a keyword.
    #[must_use]
    pub fn is_name(self) -> bool {
        matches!(self, Self::Ident | Self::RawIdent)
    }

    /// Returns whether a token of this kind is a number, a character or a string.
    #[must_use]
    pub fn is_literal(self) -> bool {
        use TokenKind::{Byte, ByteStr, CStr, Char, Float, Integer, Str};
        matches!(self, Integer | Float | Char | Byte | Str | ByteStr | CStr)
    }

    /// Returns the kind of the bracket that closes the group which a token of this kind opens.
    #[must_use]
    pub fn closing(self) -> Option<Self> {
        match self {
            Self::OpenParenthesis => Some(Self::CloseParenthesis),
            Self::OpenSquare => Some(Self::CloseSquare),
            Self::OpenBrace => Some(Self::CloseBrace),
            _ => None,
        }
    }

    /// Returns whether a token of this kind closes a group.
    #[must_use]
    pub fn is_closing(self) -> bool {
        use TokenKind::{CloseBrace, CloseParenthesis, CloseSquare};
        matches!(self, CloseParenthesis | CloseSquare | CloseBrace)
    }

    /// Returns the kind of a token of rustc's lexer; `None` for white space, ordinary comments and the
    /// end.
    #[inline]
    pub(crate) fn of(kind: rustc::TokenKind) -> Option<Self> {
        use rustc::TokenKind as Raw;
        Some(match kind {
            Raw::LineComment { doc_style } | Raw::BlockComment { doc_style, .. } => {
                match doc_style? {
                    rustc::DocStyle::Outer => Self::OuterDoc,
                    rustc::DocStyle::Inner => Self::InnerDoc,
                }
            }
            Raw::Whitespace | Raw::Frontmatter { .. } | Raw::Eof => return None,
            // Before edition 2021, what stands before a string is a name like any other.
            Raw::Ident | Raw::ForcedKeywordIdent | Raw::UnknownPrefix => Self::Ident,
            Raw::RawIdent => Self::RawIdent,
            Raw::Lifetime { .. } | Raw::RawLifetime | Raw::UnknownPrefixLifetime => Self::Lifetime,
            Raw::Literal { kind, .. } => Self::of_literal(kind),
            Raw::OpenParen => Self::OpenParenthesis,
            Raw::OpenBracket => Self::OpenSquare,
            Raw::OpenBrace => Self::OpenBrace,
            Raw::CloseParen => Self::CloseParenthesis,
            Raw::CloseBracket => Self::CloseSquare,
            Raw::CloseBrace => Self::CloseBrace,
            Raw::InvalidIdent | Raw::Unknown => Self::Unknown,
            _ => Self::Punct,
        })
    }

    #[inline]
    fn of_literal(kind: rustc::LiteralKind) -> Self {
        use rustc::LiteralKind as Raw;
        match kind {
            Raw::Int { .. } => Self::Integer,
            Raw::Float { .. } => Self::Float,
            Raw::Char { .. } => Self::Char,
            Raw::Byte { .. } => Self::Byte,
            Raw::Str { .. } | Raw::RawStr { .. } => Self::Str,
            Raw::ByteStr { .. } | Raw::RawByteStr { .. } => Self::ByteStr,
            Raw::CStr { .. } | Raw::RawCStr { .. } => Self::CStr,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::tokens;

    #[track_caller]
    fn check(text: &str, expected: &[TokenKind]) {
        let found: Vec<TokenKind> = tokens(text).iter().map(|token| token.kind).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names_lifetimes_and_literals_are_told_apart() {
        use TokenKind::{
            Byte, ByteStr, CStr, Char, Float, Ident, Integer, Lifetime, RawIdent, Str,
        };
        check(
            "a r#fn _ 'a 'r#b",
            &[Ident, RawIdent, Ident, Lifetime, Lifetime],
        );
        let literals = [Integer, Float, Char, Byte, Str, Str, ByteStr, CStr];
        check(r##"1u8 1.5 'a' b'a' "a" r#"a"# br"a" c"a""##, &literals);
        assert!(
            literals
                .iter()
                .all(|kind| kind.is_literal() && !kind.is_name())
        );
    }

    #[test]
    fn what_stands_directly_before_a_string_is_a_name() {
        check("a\"b\"", &[TokenKind::Ident, TokenKind::Str]);
    }

    #[test]
    fn brackets_know_what_closes_them() {
        let kinds: Vec<TokenKind> = tokens("([{}])").iter().map(|token| token.kind).collect();
        for (open, close) in kinds.iter().zip(kinds.iter().rev()).take(3) {
            assert_eq!(open.closing(), Some(*close));
            assert!(close.is_closing() && !open.is_closing());
        }
    }

    #[test]
    fn operators_and_doc_comments_have_their_kinds() {
        check("<<= , #", &[TokenKind::Punct; 3]);
        check(
            "//! a\n/** b */",
            &[TokenKind::InnerDoc, TokenKind::OuterDoc],
        );
    }

    #[test]
    fn tokens_are_small() {
        assert_eq!(size_of::<Token>(), 12);
    }
}
