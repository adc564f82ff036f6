//! Parsing of one file, with positions that are bytes of its text whatever stands before it.
//!
//! proc-macro2 keeps the text of everything that a thread parses, for the sake of the positions, until
//! it is told to forget all of it at once. [`SpanGuard`] counts who still needs positions in a thread,
//! and forgets the texts when the last one is done.

use crate::lexer::bytes_before_code;
use crate::source::{FileId, SourceTree};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::Arc;

thread_local! {
    /// How many guards of this thread live.
    static GUARDS: Cell<usize> = const { Cell::new(0) };
}

/// While it lives, the positions of all syntax that this thread has parsed stay valid. It stays in its
/// thread, as the positions do.
#[derive(Debug)]
pub struct SpanGuard {
    in_its_thread: PhantomData<*const ()>,
}

impl SpanGuard {
    /// Keeps positions from now on.
    #[must_use]
    pub fn new() -> Self {
        GUARDS.set(GUARDS.get() + 1);
        Self {
            in_its_thread: PhantomData,
        }
    }
}

impl Default for SpanGuard {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for SpanGuard {
    fn drop(&mut self) {
        GUARDS.set(GUARDS.get() - 1);
        if GUARDS.get() == 0 {
            proc_macro2::extra::invalidate_current_thread_spans();
        }
    }
}

/// A parsed text with a guard over its positions.
pub struct Parsed {
    content: ParsedText,
    _positions: SpanGuard,
}

/// The parsed files of a crate.
pub type ParsedFiles = BTreeMap<FileId, Parsed>;

/// Parses all files of a crate.
#[must_use]
pub fn parse_files(sources: &SourceTree) -> ParsedFiles {
    let parse = |(file, _, text): (FileId, _, &Arc<str>)| (file, Parsed::new(text));
    sources.files().map(parse).collect()
}

/// A text that syn understands.
#[derive(Clone, Copy)]
pub struct ParsedSyntax<'p> {
    /// The syntax tree.
    pub file: &'p syn::File,
    /// Bytes before the part that was parsed: a byte order mark, a shebang line. The spans of the tree
    /// are relative to it.
    pub offset: usize,
}

impl Parsed {
    /// Parses a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let positions = SpanGuard::new();
        Self {
            content: parsed_text(text),
            _positions: positions,
        }
    }

    /// The syntax tree; `None` if syn does not understand the text.
    #[must_use]
    pub fn syntax(&self) -> Option<ParsedSyntax<'_>> {
        match &self.content {
            ParsedText::Syntax { file, offset } => Some(ParsedSyntax {
                file,
                offset: *offset,
            }),
            ParsedText::Tokens { .. } | ParsedText::Lines { .. } => None,
        }
    }

    /// Whether each bracket has its partner, though syn may not understand what is between them.
    #[must_use]
    pub fn has_matching_brackets(&self) -> bool {
        !matches!(self.content, ParsedText::Lines { .. })
    }

    /// What the text parses as.
    pub(crate) fn content(&self) -> &ParsedText {
        &self.content
    }
}

/// What a text parses as.
pub(crate) enum ParsedText {
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

fn parsed_text(text: &str) -> ParsedText {
    let offset = bytes_before_code(text);
    let tokens = match proc_macro2::TokenStream::from_str(&text[offset..]) {
        Ok(tokens) => tokens,
        Err(error) => {
            return ParsedText::Lines {
                reason: error.to_string(),
            };
        }
    };
    match syn::parse2(tokens.clone()) {
        Ok(file) => ParsedText::Syntax {
            file: Box::new(file),
            offset,
        },
        Err(error) => ParsedText::Tokens {
            tokens,
            offset,
            reason: error.to_string(),
        },
    }
}

/// Whether syn can parse `text`.
#[must_use]
pub fn is_parsable(text: &str) -> bool {
    Parsed::new(text).syntax().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of the first item's name.
    fn range_of_name(parsed: &Parsed) -> std::ops::Range<usize> {
        match &parsed.syntax().unwrap().file.items[0] {
            syn::Item::Fn(function) => function.sig.ident.span().byte_range(),
            _ => unreachable!("the tests parse functions"),
        }
    }

    #[test]
    fn positions_stay_valid_while_another_text_is_parsed_and_dropped() {
        let outer = Parsed::new("fn outer() {}");
        drop(Parsed::new("fn inner_with_a_longer_name() {}"));
        let other = Parsed::new("fn g() {}");
        assert_eq!(range_of_name(&outer), 3..8);
        assert_eq!(range_of_name(&other), 3..4);
    }

    #[test]
    fn texts_are_forgotten_with_the_last_guard() {
        let before = Parsed::new("fn f() {}");
        drop(before);
        assert_eq!(GUARDS.get(), 0);
        assert_eq!(range_of_name(&Parsed::new("fn f() {}")), 3..4);
    }

    #[test]
    fn rust_parses_as_syntax() {
        assert!(matches!(
            parsed_text("fn f() {}"),
            ParsedText::Syntax { offset: 0, .. }
        ));
    }

    #[test]
    fn a_shebang_line_and_a_byte_order_mark_stand_before_the_code() {
        let text = "\u{feff}#!/usr/bin/env run\nfn f() {}";
        assert!(matches!(
            parsed_text(text),
            ParsedText::Syntax { offset: 21, .. }
        ));
    }

    #[test]
    fn matching_brackets_without_syntax_are_tokens() {
        assert!(matches!(
            parsed_text("fn fn (a) {}"),
            ParsedText::Tokens { .. }
        ));
    }

    #[test]
    fn open_brackets_are_lines() {
        assert!(matches!(parsed_text("fn f( {}"), ParsedText::Lines { .. }));
    }
}
