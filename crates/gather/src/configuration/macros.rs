//! Conditions that only the compiler can take out: those within macro definitions and calls, and those
//! at places where we leave them. Their predicates can be decided all the same, so that they mean what
//! they meant when the text is compiled with the flags of another crate.

use super::Configuration;
use crate::rewriting::with_replaced;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use reduce_syntax::{SpanGuard, bytes_of_trees, is_punct, parse_tokens, split_trees_by_commas};
use std::ops::Range;

/// A text in which each predicate of `cfg(..)`, `cfg_attr(.., ..)` and `cfg!(..)` that does not
/// mean the same `there` is `all()`, which is always true, or `any()`, which is never. To be used after
/// [`super::configured`]: it looks at tokens alone, in macro definitions and calls too, and takes
/// nothing out. Other predicates stay, because there are macros that match some of them literally.
/// Text whose brackets do not match stays as it is.
#[must_use]
pub fn decided_in_macros(text: &str, here: &Configuration, there: &Configuration) -> String {
    let _positions = SpanGuard::new();
    let tokens = parse_tokens(text).unwrap_or_default();
    let found = predicates(tokens, here, there);
    let constants = found.into_iter().map(|(range, is_on)| match is_on {
        true => (range, "all()"),
        false => (range, "any()"),
    });
    with_replaced(text, constants)
}

/// All predicates that are understood here and mean something else there; and whether they hold here.
fn predicates(
    tokens: TokenStream,
    here: &Configuration,
    there: &Configuration,
) -> Vec<(Range<usize>, bool)> {
    let mut found = Vec::new();
    // Not by recursion: nothing says how deep tokens are nested.
    let mut waiting = vec![tokens];
    while let Some(tokens) = waiting.pop() {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for idx in 0..tokens.len() {
            let from = tokens.get(idx..).unwrap_or_default();
            if let Some(predicate) = predicate_at(from)
                && let Some(is_on) = here.decide(&predicate)
                && there.decide(&predicate) != Some(is_on)
            {
                found.extend(bytes_of_trees(&predicate).map(|range| (range, is_on)));
            }
            if let Some(TokenTree::Group(group)) = from.first() {
                waiting.push(group.stream());
            }
        }
    }
    found
}

/// The predicate of the condition that begins with the first token. Where it stands does not matter:
/// macros also take `cfg(..)` to put it into an attribute of their own.
fn predicate_at(tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let (condition, is_alone) = match tokens {
        [pound, TokenTree::Group(attribute), ..] if is_punct(pound, '#') => {
            (bare_predicate(attribute)?, true)
        }
        [pound, bang, TokenTree::Group(attribute), ..]
            if is_punct(pound, '#') && is_punct(bang, '!') =>
        {
            (bare_predicate(attribute)?, true)
        }
        [TokenTree::Ident(name), bang, TokenTree::Group(group), ..]
            if name == "cfg" && is_punct(bang, '!') =>
        {
            (group.stream(), true)
        }
        [TokenTree::Ident(name), TokenTree::Group(group), ..]
            if group.delimiter() == Delimiter::Parenthesis
                && (name == "cfg" || name == "cfg_attr") =>
        {
            (group.stream(), name == "cfg")
        }
        _ => return None,
    };
    let tokens: Vec<TokenTree> = condition.into_iter().collect();
    match split_trees_by_commas(&tokens).as_slice() {
        [predicate] => Some(predicate.to_vec()),
        [predicate, ..] if !is_alone => Some(predicate.to_vec()),
        _ => None,
    }
}

/// What stands in `#[any(..)]`: some macros take predicates like this, to put them into a `cfg`.
fn bare_predicate(attribute: &Group) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let [TokenTree::Ident(name), TokenTree::Group(_)] = tokens.as_slice() else {
        return None;
    };
    let is_operator = name == "all" || name == "any" || name == "not";
    (is_operator && attribute.delimiter() == Delimiter::Bracket).then(|| attribute.stream())
}
