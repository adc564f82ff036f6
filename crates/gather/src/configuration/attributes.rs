//! Determines what a `cfg` or `cfg_attr` attribute turns on or off, and which attributes take its place.

use super::Configuration;
use proc_macro2::TokenStream;
use reduce_syntax::{TokenCursor, byte_range};
use std::ops::Range;
use syn::Attribute;
use syn::parse::{Parse, ParseStream};

/// The effect of a `cfg` or `cfg_attr` attribute on the source text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The attribute has no condition that we understand.
    Stays,
    /// The attribute turns off the syntax to which it belongs.
    Off,
    /// The attributes in these ranges replace the attribute: `cfg_attr(unix, a, b)` becomes `a` and `b`. Ranges are those of
    /// spans.
    Becomes(Vec<Range<usize>>),
}

/// Returns the effect of `attribute`, which stands in `text`. Nested `cfg_attr` are taken apart.
pub(super) fn effect(attribute: &Attribute, text: &str, configuration: &Configuration) -> Effect {
    if !is_conditional(attribute) {
        return Effect::Stays;
    }
    let whole = byte_range(&attribute.meta);
    let cursor = TokenCursor::new(text.get(whole.clone()).unwrap_or_default());
    let mut left = Vec::new();
    // Attributes that were not looked at, the next one last.
    let mut waiting = vec![cursor.indices()];
    while let Some(next) = waiting.pop() {
        let parts = parts_of(&cursor, &next);
        let is_on = match (cursor.word(next.start), parts.as_slice()) {
            ("cfg", [predicate]) | ("cfg_attr", [predicate, ..]) => {
                configuration.decide_text(cursor.text_of(predicate))
            }
            _ => None,
        };
        match is_on {
            None => left.push(cursor.bytes_of(&next)),
            Some(true) => waiting.extend(parts.into_iter().skip(1).rev()),
            Some(false) if cursor.is(next.start, "cfg") => return Effect::Off,
            Some(false) => {}
        }
    }
    if matches!(left.as_slice(), [only] if only.len() == cursor.text().len()) {
        return Effect::Stays;
    }
    let in_text = left
        .into_iter()
        .map(|one| whole.start + one.start..whole.start + one.end);
    Effect::Becomes(in_text.collect())
}

/// Returns the parts between the commas of `name(..)`; nothing if the tokens are something else.
fn parts_of(cursor: &TokenCursor<'_>, tokens: &Range<usize>) -> Vec<Range<usize>> {
    let opener = tokens.start + 1;
    let closing = cursor.closing(opener).filter(|at| at + 1 == tokens.end);
    closing.map_or_else(Vec::new, |closing| {
        cursor.split_values_by_commas(opener + 1..closing)
    })
}

/// Returns whether an attribute is `cfg(..)` or `cfg_attr(..)`.
pub(crate) fn is_conditional(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
}

/// Returns whether an attribute makes a test or a benchmark of a function.
pub(super) fn is_of_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test") || attribute.path().is_ident("bench")
}

/// Parses the attributes at the beginning of tokens for which syn has no tree.
pub(super) fn before(tokens: &TokenStream) -> Vec<Attribute> {
    syn::parse2(tokens.clone()).map_or_else(|_| Vec::new(), |leading: Leading| leading.0)
}

struct Leading(Vec<Attribute>);

impl Parse for Leading {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let _rest: TokenStream = input.parse()?;
        Ok(Self(attributes))
    }
}
