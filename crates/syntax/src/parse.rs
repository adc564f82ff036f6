//! Parsing of one file, with positions that are bytes of its text whatever stands before it.

use crate::lexer::bytes_before_code;
use std::str::FromStr;

/// What a file's text parses as.
pub enum ParsedFile {
    /// syn understands it.
    Syntax {
        /// The syntax tree. Its spans are relative to `offset`.
        file: Box<syn::File>,
        /// Bytes before the part that was parsed: a byte order mark, a shebang line.
        offset: usize,
    },
    /// syn does not, but its brackets match.
    Tokens {
        /// The token trees. Their spans are relative to `offset`.
        tokens: proc_macro2::TokenStream,
        /// As above.
        offset: usize,
        /// syn's message.
        reason: String,
    },
    /// Not even that.
    Lines {
        /// The lexer's message.
        reason: String,
    },
}

/// Parses a file.
pub fn parse_file(text: &str) -> ParsedFile {
    let offset = bytes_before_code(text);
    let tokens = match proc_macro2::TokenStream::from_str(&text[offset..]) {
        Ok(tokens) => tokens,
        Err(error) => {
            return ParsedFile::Lines {
                reason: error.to_string(),
            };
        }
    };
    match syn::parse2(tokens.clone()) {
        Ok(file) => ParsedFile::Syntax {
            file: Box::new(file),
            offset,
        },
        Err(error) => ParsedFile::Tokens {
            tokens,
            offset,
            reason: error.to_string(),
        },
    }
}

/// Whether syn can parse `text`.
#[must_use]
pub fn is_parsable(text: &str) -> bool {
    let parsed = matches!(parse_file(text), ParsedFile::Syntax { .. });
    forget_spans();
    parsed
}

/// Frees what proc-macro2 keeps of parsed texts in this thread. No span of an earlier parse may be
/// used afterwards.
pub fn forget_spans() {
    proc_macro2::extra::invalidate_current_thread_spans();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_parses_as_syntax() {
        assert!(matches!(
            parse_file("fn f() {}"),
            ParsedFile::Syntax { offset: 0, .. }
        ));
    }

    #[test]
    fn a_shebang_line_and_a_byte_order_mark_stand_before_the_code() {
        let text = "\u{feff}#!/usr/bin/env run\nfn f() {}";
        assert!(matches!(
            parse_file(text),
            ParsedFile::Syntax { offset: 21, .. }
        ));
    }

    #[test]
    fn matching_brackets_without_syntax_are_tokens() {
        assert!(matches!(
            parse_file("fn fn (a) {}"),
            ParsedFile::Tokens { .. }
        ));
    }

    #[test]
    fn open_brackets_are_lines() {
        assert!(matches!(parse_file("fn f( {}"), ParsedFile::Lines { .. }));
    }
}
