//! Parsing of one file, with positions that are bytes of its text. What may only stand before the
//! code, such as a shebang line, is white space to the parser, so that it shifts nothing.
//!
//! proc-macro2 keeps the text of everything that a thread parses, for the sake of the positions, until
//! it is told to forget all of it at once. [`SpanGuard`] counts who still needs positions in a thread,
//! and forgets the texts when the last one is done.
//!
//! See docs/decisions/libraries.md.

use crate::floats::{self, Floats};
use crate::interruption::interrupt_if_over;
use crate::islands::{FileWithIslands, Island, MOST_REPAIRS, parse_with_islands, without_strays};
use crate::lexer::bytes_before_code;
use crate::located::Located;
use crate::source::{FileId, SourceTree};
use proc_macro2::TokenStream;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;
use syn::visit_mut::VisitMut;

thread_local! {
    /// The number of guards (`SpanGuard`) that exist in this thread.
    static GUARDS: Cell<usize> = const { Cell::new(0) };
}

/// A guard that keeps the positions of all syntax that this thread has parsed valid while it exists. It stays in its
/// thread, as the positions do.
#[derive(Debug)]
pub struct SpanGuard {
    in_its_thread: PhantomData<*const ()>,
}

impl SpanGuard {
    /// Makes a guard that keeps the positions of syntax valid from now on.
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

impl Parsed {
    /// Parses a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::with_repairs(text, MOST_REPAIRS)
    }

    /// Parses a text that syn has to understand as a whole, as it becomes a part of another one.
    #[must_use]
    pub fn without_islands(text: &str) -> Self {
        Self::with_repairs(text, 0)
    }

    /// Parses a text that may need so many changes, as in [`Parsed::n_repairs`].
    #[must_use]
    pub fn with_repairs(text: &str, at_most: usize) -> Self {
        let positions = SpanGuard::new();
        let mut content = parsed_text(text, at_most);
        if let ParsedText::Syntax { file, .. } = &mut content
            && floats::has_some(text)
        {
            Floats.visit_file_mut(file);
        }
        Self {
            content,
            _positions: positions,
        }
    }

    /// The syntax tree; `None` if syn does not understand the text. Of what it does not understand though it understands
    /// the rest, the tree has the tokens, as `Expr::Verbatim` and the like.
    #[must_use]
    pub fn file(&self) -> Option<&syn::File> {
        match &self.content {
            ParsedText::Syntax { file, .. } => Some(file),
            ParsedText::Tokens { .. } | ParsedText::Lines { .. } => None,
        }
    }

    /// Returns the number of changes of the text that syn needs to understand it. That may be more than there are
    /// islands, as one may be around several changes, and also where there are none, as where a `;` is missing.
    #[must_use]
    pub fn n_repairs(&self) -> usize {
        match &self.content {
            ParsedText::Syntax { n_repairs, .. } => *n_repairs,
            ParsedText::Tokens { .. } | ParsedText::Lines { .. } => 0,
        }
    }

    /// Returns the parts of the text that syn does not understand, though it understands the rest.
    #[must_use]
    pub fn islands(&self) -> &[Island] {
        match &self.content {
            ParsedText::Syntax { islands, .. } => islands,
            ParsedText::Tokens { .. } | ParsedText::Lines { .. } => &[],
        }
    }

    /// Returns whether each bracket has its partner, though syn may not understand what is between them.
    #[must_use]
    pub fn has_matching_brackets(&self) -> bool {
        match &self.content {
            ParsedText::Syntax { has_strays, .. } => !has_strays,
            ParsedText::Tokens { .. } => true,
            ParsedText::Lines { .. } => false,
        }
    }

    /// Returns the form in which the text was parsed.
    pub(crate) fn content(&self) -> &ParsedText {
        &self.content
    }
}

/// The form in which a text is parsed: as syntax, as tokens or as lines.
pub(crate) enum ParsedText {
    /// syn understands the text, perhaps after some changes.
    Syntax {
        /// The syntax tree.
        file: Box<syn::File>,
        /// The runs of tokens that syn does not understand: the tree has these tokens as they are.
        islands: Vec<Island>,
        /// The number of changes that syn needed.
        n_repairs: usize,
        /// Whether some islands are brackets without a partner, or characters that are no Rust.
        has_strays: bool,
    },
    /// syn does not understand the text, but its brackets match.
    Tokens {
        /// The token trees.
        tokens: TokenStream,
        /// syn's message.
        reason: String,
    },
    /// The text has no token trees, as its brackets do not match or the lexer fails.
    Lines {
        /// The lexer's message.
        reason: String,
    },
}

fn parsed_text(text: &str, most_repairs: usize) -> ParsedText {
    let error = match parse_tokens(text) {
        Ok(tokens) => return parsed_tokens(tokens, most_repairs),
        Err(error) => error,
    };
    match text_with_strays(text, most_repairs) {
        Some(content) => content,
        None => ParsedText::Lines {
            reason: error.to_string(),
        },
    }
}

/// Parses a text with brackets that have no partner, or characters that are no Rust. Each of them is an island.
fn text_with_strays(text: &str, most_repairs: usize) -> Option<ParsedText> {
    let (left, strays) = without_strays(text, most_repairs)?;
    let tokens = parse_tokens(&left).ok()?;
    let n_strays = strays.len();
    let ParsedText::Syntax {
        file,
        mut islands,
        n_repairs,
        ..
    } = parsed_tokens(tokens, most_repairs - n_strays)
    else {
        return None;
    };
    islands.extend(strays.into_iter().map(|token| Island {
        range: token.range(),
        is_extra: true,
    }));
    islands.sort_by_key(|island| island.range.start);
    Some(ParsedText::Syntax {
        file,
        islands,
        n_repairs: n_repairs + n_strays,
        has_strays: true,
    })
}

fn parsed_tokens(tokens: TokenStream, most_repairs: usize) -> ParsedText {
    let error = match syn::parse2(tokens.clone()) {
        Ok(file) => {
            return ParsedText::Syntax {
                file: Box::new(file),
                islands: Vec::new(),
                n_repairs: 0,
                has_strays: false,
            };
        }
        Err(error) => error,
    };
    match parse_with_islands(tokens.clone(), most_repairs) {
        Some(FileWithIslands {
            syntax,
            islands,
            n_repairs,
        }) => ParsedText::Syntax {
            file: Box::new(syntax),
            islands,
            n_repairs,
            has_strays: false,
        },
        None => ParsedText::Tokens {
            tokens,
            reason: error.to_string(),
        },
    }
}

/// The token trees of a text, or why it has none. Hold a [`SpanGuard`] as long as their positions are
/// needed.
pub fn parse_tokens(text: &str) -> Result<TokenStream, proc_macro2::LexError> {
    interrupt_if_over();
    let code = match bytes_before_code(text) {
        0 => Cow::Borrowed(text),
        before => Cow::Owned(" ".repeat(before) + &text[before..]),
    };
    TokenStream::from_str(&code)
}

/// Returns the bytes of some syntax in the text that it was parsed from; `0..0` if it has no tokens.
pub fn byte_range(syntax: &(impl Located + ?Sized)) -> Range<usize> {
    let (Some(first), Some(last)) = (syntax.first_span(), syntax.last_span()) else {
        return 0..0;
    };
    first.join(last).unwrap_or(first).byte_range()
}

/// Returns whether syn can parse `text`, all of it.
#[must_use]
pub fn is_parsable(text: &str) -> bool {
    let _positions = SpanGuard::new();
    parse_tokens(text).is_ok_and(|tokens| syn::parse2::<syn::File>(tokens).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of the first item's name.
    fn range_of_name(parsed: &Parsed) -> std::ops::Range<usize> {
        match &parsed.file().unwrap().items[0] {
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
            parsed_text("fn f() {}", 0),
            ParsedText::Syntax { islands, .. } if islands.is_empty()
        ));
    }

    #[test]
    fn a_shebang_line_and_a_byte_order_mark_stand_before_the_code() {
        let text = "\u{feff}#!/usr/bin/env run\nfn f() {}";
        assert_eq!(range_of_name(&Parsed::new(text)), 25..26);
        assert_eq!(&text[25..26], "f");
    }

    #[test]
    fn matching_brackets_without_syntax_are_tokens() {
        assert!(matches!(
            parsed_text("fn fn (a) {}", 0),
            ParsedText::Tokens { .. }
        ));
    }

    #[test]
    fn open_brackets_are_lines() {
        assert!(matches!(
            parsed_text("fn f( {}", 0),
            ParsedText::Lines { .. }
        ));
    }
}
