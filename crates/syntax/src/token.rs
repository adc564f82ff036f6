//! A token and its kind, as rustc's lexer knows it: what is a name, a lifetime or a string is asked of
//! the kind, and never guessed from the text.

use ra_ap_rustc_lexer as rustc;
use std::ops::Range;

/// A token that is neither white space nor an ordinary comment, as a byte range of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// What it is.
    pub kind: TokenKind,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword.
    Ident,
    /// `r#name`
    RawIdent,
    /// `'a`, which may be a label too.
    Lifetime,
    /// A number, a character or a string.
    Literal(LiteralKind),
    /// An opening bracket.
    Open(Bracket),
    /// A closing bracket.
    Close(Bracket),
    /// An operator, glued from its characters, or other punctuation.
    Punct,
    /// A doc comment, which rustc treats as an attribute.
    DocComment(DocStyle),
    /// A character that is no Rust, or a name with such characters.
    Unknown,
}

/// What a literal is. Raw strings are strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiteralKind {
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
}

/// A kind of brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bracket {
    /// `(`
    Parenthesis,
    /// `[`
    Square,
    /// `{`
    Brace,
}

/// What a doc comment describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocStyle {
    /// What follows it.
    Outer,
    /// What it stands in.
    Inner,
}

impl Token {
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

    /// Whether it is a doc comment.
    #[must_use]
    pub fn is_doc(self) -> bool {
        matches!(self.kind, TokenKind::DocComment(_))
    }
}

impl TokenKind {
    /// Whether it is a name or a keyword.
    #[must_use]
    pub fn is_name(self) -> bool {
        matches!(self, Self::Ident | Self::RawIdent)
    }

    /// Whether it is a literal.
    #[must_use]
    pub fn is_literal(self) -> bool {
        matches!(self, Self::Literal(_))
    }

    /// What a token of rustc's lexer is; `None` for white space, ordinary comments and the end.
    pub(crate) fn of(kind: rustc::TokenKind) -> Option<Self> {
        use rustc::TokenKind as Raw;
        Some(match kind {
            Raw::LineComment { doc_style } | Raw::BlockComment { doc_style, .. } => {
                Self::DocComment(match doc_style? {
                    rustc::DocStyle::Outer => DocStyle::Outer,
                    rustc::DocStyle::Inner => DocStyle::Inner,
                })
            }
            Raw::Whitespace | Raw::Frontmatter { .. } | Raw::Eof => return None,
            // Before edition 2021, what stands before a string is a name like any other.
            Raw::Ident | Raw::ForcedKeywordIdent | Raw::UnknownPrefix => Self::Ident,
            Raw::RawIdent => Self::RawIdent,
            Raw::Lifetime { .. } | Raw::RawLifetime | Raw::UnknownPrefixLifetime => Self::Lifetime,
            Raw::Literal { kind, .. } => Self::Literal(LiteralKind::of(kind)),
            Raw::OpenParen => Self::Open(Bracket::Parenthesis),
            Raw::OpenBracket => Self::Open(Bracket::Square),
            Raw::OpenBrace => Self::Open(Bracket::Brace),
            Raw::CloseParen => Self::Close(Bracket::Parenthesis),
            Raw::CloseBracket => Self::Close(Bracket::Square),
            Raw::CloseBrace => Self::Close(Bracket::Brace),
            Raw::InvalidIdent | Raw::Unknown => Self::Unknown,
            _ => Self::Punct,
        })
    }
}

impl LiteralKind {
    fn of(kind: rustc::LiteralKind) -> Self {
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
        use LiteralKind::{Byte, ByteStr, CStr, Char, Float, Integer, Str};
        check(
            "a r#fn _ 'a 'r#b",
            &[
                TokenKind::Ident,
                TokenKind::RawIdent,
                TokenKind::Ident,
                TokenKind::Lifetime,
                TokenKind::Lifetime,
            ],
        );
        let literals = [Integer, Float, Char, Byte, Str, Str, ByteStr, CStr];
        check(
            r##"1u8 1.5 'a' b'a' "a" r#"a"# br"a" c"a""##,
            &literals.map(TokenKind::Literal),
        );
    }

    #[test]
    fn what_stands_directly_before_a_string_is_a_name() {
        let string = TokenKind::Literal(LiteralKind::Str);
        check("a\"b\"", &[TokenKind::Ident, string]);
    }

    #[test]
    fn brackets_operators_and_doc_comments_have_their_kinds() {
        check(
            "([{}])",
            &[
                TokenKind::Open(Bracket::Parenthesis),
                TokenKind::Open(Bracket::Square),
                TokenKind::Open(Bracket::Brace),
                TokenKind::Close(Bracket::Brace),
                TokenKind::Close(Bracket::Square),
                TokenKind::Close(Bracket::Parenthesis),
            ],
        );
        check("<<= , #", &[TokenKind::Punct; 3]);
        check(
            "//! a\n/** b */",
            &[
                TokenKind::DocComment(DocStyle::Inner),
                TokenKind::DocComment(DocStyle::Outer),
            ],
        );
    }

    #[test]
    fn tokens_are_small() {
        assert_eq!(size_of::<Token>(), 12);
    }
}
