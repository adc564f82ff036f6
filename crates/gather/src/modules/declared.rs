//! Finds the modules that items declare, also in arguments of macros like `cfg_if!`, which expand to the items that they are
//! given.
//!
//! Definitions of macros are left out: a file's text cannot stand in a body where `$` has a meaning.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use reduce_syntax::is_conditional_path;
use std::borrow::Cow;
use syn::visit::Visit;
use syn::{Attribute, Item, ItemMod};

/// Returns all modules among `items`, also those in arguments of macro calls; those of one call come last bracket first.
pub(crate) fn declared_modules(items: &[Item]) -> Vec<Cow<'_, ItemMod>> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Mod(module) => found.push(Cow::Borrowed(module)),
            Item::Macro(call) if call.ident.is_none() => {
                handed_on(call.mac.tokens.clone(), &mut found);
            }
            _ => Inside(&mut found).visit_item(item),
        }
    }
    found
}

/// Finds modules in functions' bodies. These are files only where a `#[path]` says so.
struct Inside<'f, 'ast>(&'f mut Vec<Cow<'ast, ItemMod>>);

impl<'ast> Visit<'ast> for Inside<'_, 'ast> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let says_where = |one: &Attribute| one.path().is_ident("path") || is_conditional_path(one);
        if module.content.is_none() && module.attrs.iter().any(says_where) {
            self.0.push(Cow::Borrowed(module));
        }
    }
}

/// Finds the modules in a macro's arguments, in brackets of any depth.
fn handed_on(tokens: TokenStream, found: &mut Vec<Cow<'_, ItemMod>>) {
    let mut levels = vec![tokens];
    while let Some(level) = levels.pop() {
        let trees: Vec<TokenTree> = level.into_iter().collect();
        let mut done = 0;
        for (idx, tree) in trees.iter().enumerate() {
            if idx < done {
                continue;
            }
            if let Some(module) = module_at(&trees, idx) {
                found.push(Cow::Owned(module));
                done = idx + 3;
            } else if let TokenTree::Group(group) = tree {
                levels.push(group.stream());
            }
        }
    }
}

/// Parses the module whose `mod` is at `idx`, with its attributes and visibility.
fn module_at(trees: &[TokenTree], idx: usize) -> Option<ItemMod> {
    let is_word = |idx: usize| matches!(trees.get(idx), Some(TokenTree::Ident(_)));
    if !is_word(idx) || !is_word(idx + 1) || trees.get(idx)?.to_string() != "mod" {
        return None;
    }
    let is_end = |tree: &TokenTree| match tree {
        TokenTree::Punct(mark) => mark.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    trees.get(idx + 2).filter(|tree| is_end(tree))?;
    let item = trees.get(start_of(trees, idx)..idx + 3)?;
    syn::parse2(item.iter().cloned().collect()).ok()
}

/// Finds the first token of the attributes and the visibility before a keyword.
fn start_of(trees: &[TokenTree], keyword: usize) -> usize {
    let is_group = |idx: usize, delimiter: Delimiter| matches!(trees.get(idx), Some(TokenTree::Group(group)) if group.delimiter() == delimiter);
    let is = |idx: usize, text: &str| match trees.get(idx) {
        Some(TokenTree::Ident(word)) => word == text,
        Some(TokenTree::Punct(mark)) => text.starts_with(mark.as_char()),
        _ => false,
    };
    let mut start = keyword;
    if start >= 1 && is(start - 1, "pub") {
        start -= 1;
    } else if start >= 2 && is_group(start - 1, Delimiter::Parenthesis) && is(start - 2, "pub") {
        start -= 2;
    }
    while start >= 2 && is_group(start - 1, Delimiter::Bracket) && is(start - 2, "#") {
        start -= 2;
    }
    start
}
