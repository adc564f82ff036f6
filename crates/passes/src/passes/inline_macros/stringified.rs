//! Replaces `stringify!` of a single token by a literal. Of more than one, the compiler decides where
//! spaces are.

use super::rules::inside;
use proc_macro2::{Delimiter, Literal, TokenTree};
use reduce_syntax::is_punct;

/// Returns token trees with texts in place of calls of `stringify!` with one name or literal.
pub(super) fn with_texts(mut rest: &[TokenTree]) -> Vec<TokenTree> {
    let mut found = Vec::with_capacity(rest.len());
    while let Some((first, after)) = rest.split_first() {
        let text = match after {
            [bang, argument, ..] if is_punct(bang, '!') => text_of_call(first, argument),
            _ => None,
        };
        let is_path = matches!(&found[..], [.., a, b] if is_punct(a, ':') && is_punct(b, ':'));
        rest = match text.filter(|_| !is_path) {
            Some(text) => {
                found.push(TokenTree::Literal(Literal::string(&text)));
                &after[2..]
            }
            None => {
                found.push(first.clone());
                after
            }
        };
    }
    found
}

/// Returns the literal that a macro makes of its argument, if the macro is `stringify!` and the argument is one token.
fn text_of_call(name: &TokenTree, argument: &TokenTree) -> Option<String> {
    let TokenTree::Group(group) = argument else {
        return None;
    };
    let is_stringify = matches!(name, TokenTree::Ident(name) if *name == "stringify");
    let mut only = inside(group);
    while let [TokenTree::Group(inner)] = only.as_slice()
        && inner.delimiter() == Delimiter::None
    {
        only = inside(inner);
    }
    match only.as_slice() {
        [TokenTree::Ident(_) | TokenTree::Literal(_)] if is_stringify => Some(only[0].to_string()),
        _ => None,
    }
}
