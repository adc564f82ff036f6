//! Removes the imports of procedural macros when all their calls are expanded. A name may be that of a trait as well, as
//! `serde::Serialize` is: such a trait is needed for its methods, even where nothing names it.

use super::builtin::{is_std_root, names};
use crate::imports::imports;
use crate::rewriting::with_replaced;
use reduce_syntax::{Parsed, TokenCursor, byte_range, use_leaves};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, File, ItemExternCrate, ItemImpl, ItemUse, UseTree};

/// Removes from an expanded program the imports of those `macros` that it names nowhere else. `expanded` shows which of them are
/// also traits.
pub(super) fn without_macros(
    text: &str,
    macros: &BTreeSet<String>,
    expanded: &File,
) -> Option<String> {
    let parsed = Parsed::new(text);
    let file = parsed.file()?;
    let mut traits = Traits(BTreeSet::new());
    traits.visit_file(expanded);
    let mentions = Mentions::of(text);
    let mut remover = Remover {
        is_unneeded: &|name| {
            macros.contains(name) && !mentions.is_named(name) && !traits.0.contains(name)
        },
        mentions: &mentions,
        replaced: Vec::new(),
    };
    remover.visit_file(file);
    Some(with_replaced(text, remover.replaced))
}

/// The names of traits of other crates that the expanded program implements by a path without private names.
struct Traits(BTreeSet<String>);

impl<'ast> Visit<'ast> for Traits {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if let Some((path, _)) = &item.trait_
            && let [root, between @ .., name] = names(path).as_slice()
        {
            let is_private = between.iter().any(|one| one.starts_with('_'));
            if !is_std_root(root) && !is_private {
                self.0.insert(name.clone());
            }
        }
        visit::visit_item_impl(self, item);
    }
}

/// The number of mentions of each name in a text, outside of imports.
struct Mentions {
    /// The names that begin a path, or follow `self`, `super` or `crate`.
    first: BTreeSet<String>,
    anywhere: BTreeMap<String, usize>,
}

impl Mentions {
    fn of(text: &str) -> Self {
        let mut mentions = Self {
            first: BTreeSet::new(),
            anywhere: BTreeMap::new(),
        };
        let cursor = TokenCursor::without_docs(text);
        let imports = imports(&cursor);
        for idx in cursor.indices() {
            let word = cursor.word(idx);
            let is_in_crate = matches!(cursor.before(idx, 2), "self" | "super" | "crate");
            let is_inner = cursor.before(idx, 1) == "::" && !is_in_crate;
            let after = imports.partition_point(|import| import.keyword <= idx);
            let is_import = after > 0 && idx < imports[after - 1].semicolon;
            *mentions.anywhere.entry(word.to_owned()).or_default() += 1;
            if !is_inner && !is_import {
                mentions.first.insert(word.to_owned());
            }
        }
        mentions
    }

    fn is_named(&self, name: &str) -> bool {
        self.first.contains(name)
    }
}

struct Remover<'m> {
    is_unneeded: &'m dyn Fn(&str) -> bool,
    mentions: &'m Mentions,
    replaced: Vec<(Range<usize>, String)>,
}

impl Remover<'_> {
    fn replace(&mut self, range: &Range<usize>, text: &str) {
        self.replaced.push((range.clone(), text.to_owned()));
    }

    /// Returns the part of an import that stays when unneeded names are removed.
    fn keep(&self, tree: &UseTree) -> Option<UseTree> {
        match tree {
            UseTree::Name(name) => {
                (!(self.is_unneeded)(&name.ident.to_string())).then(|| tree.clone())
            }
            UseTree::Path(path) => {
                let mut path = path.clone();
                *path.tree = self.keep(&path.tree)?;
                Some(UseTree::Path(path))
            }
            UseTree::Group(group) if !group.items.is_empty() => {
                let kept: Punctuated<_, _> = group
                    .items
                    .iter()
                    .filter_map(|one| self.keep(one))
                    .collect();
                let mut group = group.clone();
                group.items = kept;
                (!group.items.is_empty()).then_some(UseTree::Group(group))
            }
            tree => Some(tree.clone()),
        }
    }
}

impl<'ast> Visit<'ast> for Remover<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if matches!(&item.tree, UseTree::Path(path) if is_std_root(&path.ident.to_string())) {
            return;
        }
        match self.keep(&item.tree) {
            None => self.replace(&byte_range(item), ""),
            Some(kept) => {
                let text =
                    |tree: &UseTree| -> proc_macro2::TokenStream { syn::parse_quote!(#tree) };
                let (new, old) = (text(&kept).to_string(), text(&item.tree).to_string());
                if use_leaves(&kept).len() < use_leaves(&item.tree).len() && new != old {
                    self.replace(&byte_range(&item.tree), &new);
                }
            }
        }
    }

    /// Removes `#[macro_use]`: all calls of other crates' macros are expanded.
    fn visit_item_extern_crate(&mut self, item: &'ast ItemExternCrate) {
        let is_mark = |one: &&Attribute| one.path().is_ident("macro_use");
        let Some(mark) = item.attrs.iter().find(is_mark) else {
            return;
        };
        let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
        match self.mentions.anywhere.get(&name.to_string()) {
            Some(0..=1) | None => self.replace(&byte_range(item), ""),
            _ => self.replace(&byte_range(mark), ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let macros = ["Hello", "keep", "Serialize", "Error"]
            .map(String::from)
            .into();
        let expanded = syn::parse_file(
            "impl _serde::Serialize for A {} impl t::__private::Error for A {} impl Clone for A {}",
        );
        let left = without_macros(text, &macros, &expanded.unwrap()).unwrap();
        assert_eq!(
            reduce_syntax::pretty(&left),
            reduce_syntax::pretty(expected),
            "`{text}`"
        );
    }

    #[test]
    fn imports_of_macros_go() {
        check("use mac::Hello; struct S;", "struct S;");
        check(
            "use mac::{Hello, keep, other::{Hello}}; struct S;",
            "struct S;",
        );
        check("use {mac::keep, a::{b, Hello}};", "use {a::{b}};");
        check("mod m { fn f() { use mac::keep; } }", "mod m { fn f() {} }");
    }

    #[test]
    fn names_that_are_used_otherwise_stay() {
        for text in [
            "use a::Hello; fn f(x: Hello) {}",
            "use a::Hello; mod m { fn f(x: super::Hello) {} }",
            "use serde::{Serialize};",
            "use std::error::Error;",
            "use a::Other as Hello;",
        ] {
            check(text, text);
        }
        check(
            "use t::Error; fn f(x: std::error::Error) {}",
            "fn f(x: std::error::Error) {}",
        );
    }

    #[test]
    fn macros_need_no_crate_any_more() {
        check("#[macro_use] extern crate log;", "");
        check(
            "#[macro_use] extern crate log; fn f() { log::g(); }",
            "extern crate log; fn f() { log::g(); }",
        );
        check("extern crate log;", "extern crate log;");
    }
}
