//! What an attribute turns on or off, and what it leaves of itself.

use super::Configuration;
use proc_macro2::{TokenStream, TokenTree};
use reduce_syntax::{bytes_of_trees, split_trees_by_commas};
use std::ops::Range;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Meta};

/// What becomes of an attribute.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It has no condition that we understand.
    Stays,
    /// It turns off what it stands at.
    Off,
    /// These texts stand in its place, each as an attribute of its own. Ranges are those of spans.
    Becomes(Vec<Range<usize>>),
}

/// What becomes of `attribute`. Nested `cfg_attr` are taken apart.
pub(super) fn effect(attribute: &Attribute, configuration: &Configuration) -> Effect {
    if !is_conditional(attribute) {
        return Effect::Stays;
    }
    let Meta::List(list) = &attribute.meta else {
        return Effect::Stays;
    };
    let name = list.path.get_ident().map(ToString::to_string);
    let tokens: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
    let whole = attribute.meta.span().byte_range();
    let mut unfolded = Unfolded {
        configuration,
        waiting: Vec::new(),
        left: Vec::new(),
    };
    if unfolded.all(&name.unwrap_or_default(), &tokens, &whole) {
        return Effect::Off;
    }
    match unfolded.left.as_slice() {
        [only] if *only == whole => Effect::Stays,
        _ => Effect::Becomes(unfolded.left),
    }
}

/// Whether it is `cfg(..)` or `cfg_attr(..)`.
pub(crate) fn is_conditional(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
}

/// Whether it makes a test of a function.
pub(super) fn is_of_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test") || attribute.path().is_ident("bench")
}

/// An attribute that is being taken apart.
struct Unfolded<'c> {
    configuration: &'c Configuration,
    /// Attributes within `cfg_attr` that were not looked at, the next one last.
    waiting: Vec<Vec<TokenTree>>,
    /// What remains, in order.
    left: Vec<Range<usize>>,
}

impl Unfolded<'_> {
    /// Takes an attribute apart until nothing waits. Returns whether something turns off.
    fn all(&mut self, name: &str, tokens: &[TokenTree], whole: &Range<usize>) -> bool {
        let mut is_off = self.one(name, tokens, whole);
        while let Some(next) = self.waiting.pop() {
            let Some(whole) = bytes_of_trees(&next) else {
                continue;
            };
            is_off |= match next.as_slice() {
                [TokenTree::Ident(name), TokenTree::Group(group)] => {
                    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.one(&name.to_string(), &tokens, &whole)
                }
                _ => self.one("", &[], &whole),
            };
        }
        is_off
    }

    fn one(&mut self, name: &str, tokens: &[TokenTree], whole: &Range<usize>) -> bool {
        let parts = split_trees_by_commas(tokens);
        let is_on = match (name, parts.as_slice()) {
            ("cfg", [predicate]) | ("cfg_attr", [predicate, ..]) => {
                self.configuration.decide(predicate)
            }
            _ => None,
        };
        match is_on {
            None => self.left.push(whole.clone()),
            Some(true) => {
                let inner = parts.iter().skip(1).rev();
                self.waiting.extend(inner.map(|part| part.to_vec()));
            }
            Some(false) => {}
        }
        name == "cfg" && is_on == Some(false)
    }
}

/// The attributes before tokens of which syn makes no tree.
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
