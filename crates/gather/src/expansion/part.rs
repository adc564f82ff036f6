//! Treats items and members of impls and traits as one type, and makes keys by which an expanded one is matched with its
//! original.

use super::builtin::names;
use super::macros::{Macros, Procedural};
use reduce_syntax::{ItemParts, byte_range};
use std::ops::Range;
use syn::visit::Visit;
use syn::{Attribute, ImplItem, Item, ItemImpl, Macro, TraitItem};

/// An item, or a member of an impl or a trait.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    Item(&'a Item),
    Impl(&'a ImplItem),
    Trait(&'a TraitItem),
}

impl<'a> Part<'a> {
    /// Returns the bytes of the part, attributes included.
    pub(super) fn range(self) -> Range<usize> {
        match self {
            Self::Item(item) => byte_range(item),
            Self::Impl(member) => byte_range(member),
            Self::Trait(member) => byte_range(member),
        }
    }

    /// Returns the procedural macros that the part calls.
    pub(super) fn procedural(self, macros: &Macros) -> Procedural<'_> {
        let mut found = Procedural::new(macros);
        match self {
            Self::Item(item) => found.visit_item(item),
            Self::Impl(member) => found.visit_impl_item(member),
            Self::Trait(member) => found.visit_trait_item(member),
        }
        found
    }

    /// Returns the macro call that the part is, unless it defines a macro.
    pub(super) fn call(self) -> Option<&'a Macro> {
        match self {
            Self::Item(Item::Macro(item)) if item.ident.is_none() => Some(&item.mac),
            Self::Impl(ImplItem::Macro(member)) => Some(&member.mac),
            Self::Trait(TraitItem::Macro(member)) => Some(&member.mac),
            _ => None,
        }
    }

    fn parts(self) -> Option<ItemParts<'a>> {
        match self {
            Self::Item(item) => ItemParts::of(item),
            Self::Impl(member) => ItemParts::of_impl_item(member),
            Self::Trait(member) => ItemParts::of_trait_item(member),
        }
    }

    pub(super) fn attributes(self) -> &'a [Attribute] {
        self.parts().map_or(&[], |parts| parts.attributes)
    }

    /// Returns the name of the part if it is a struct, an enum or a union.
    pub(super) fn type_name(self) -> Option<String> {
        let parts = self.parts()?;
        let is_type = matches!(parts.keyword, "struct" | "enum" | "union");
        parts.name.filter(|_| is_type).map(ToString::to_string)
    }

    /// Returns a key that is equal for the part and its expansion, and differs from those of other parts as far as possible.
    /// `text` is the file that it stands in.
    pub(super) fn key(self, text: &str) -> String {
        let compact = |range: &Range<usize>| compact(text, range);
        match self {
            Self::Item(Item::Const(item)) if item.ident == "_" => {
                format!("const {}", compact(&byte_range(&item.expr)))
            }
            Self::Item(Item::ExternCrate(item)) => format!("extern crate {}", item.ident),
            Self::Item(Item::ForeignMod(item)) => {
                format!(
                    "extern {}",
                    compact(&item.brace_token.span.join().byte_range())
                )
            }
            Self::Item(Item::Impl(item)) => impl_key(item, text),
            Self::Item(Item::Macro(item)) => macro_key(item, text),
            Self::Item(Item::Use(item)) => format!("use {}", compact(&byte_range(&item.tree))),
            part => match part.parts().map(|parts| (parts.keyword, parts.name)) {
                Some((keyword, Some(name))) => format!("{keyword} {name}"),
                _ => format!("other {}", compact(&part.range())),
            },
        }
    }
}

/// Returns the key of an impl, made of its trait and its type. Without a trait, its first function is a part of the key, as a
/// type may have many impls.
fn impl_key(item: &ItemImpl, text: &str) -> String {
    let of_type = compact(text, &byte_range(&item.self_ty));
    let of_trait = item.trait_.as_ref();
    let first = item.items.iter().find_map(|member| match member {
        ImplItem::Fn(function) => Some(function.sig.ident.to_string()),
        _ => None,
    });
    match of_trait {
        Some((path, _)) => {
            format!("impl {} for {of_type}", compact(text, &byte_range(path)))
        }
        None => format!("impl {of_type} {}", first.unwrap_or_default()),
    }
}

/// Returns the key of a macro call or definition: a definition has its name. `thread_local!` is a constant when it is expanded.
fn macro_key(item: &syn::ItemMacro, text: &str) -> String {
    if let Some(name) = &item.ident {
        return format!("macro {name}");
    }
    let local = thread_local_name(&item.mac);
    local.map_or_else(
        || format!("call {}", compact(text, &byte_range(item))),
        |name| format!("const {name}"),
    )
}

/// Returns the first name that a `thread_local!` call defines.
pub(super) fn thread_local_name(call: &Macro) -> Option<String> {
    if names(&call.path).last()? != "thread_local" {
        return None;
    }
    let mut words = call.tokens.clone().into_iter().map(|tree| tree.to_string());
    words.find(|word| word == "static")?;
    words.next()
}

/// Returns the text in `range` in a form that does not depend on layout or on commas at the ends of lists.
fn compact(text: &str, range: &Range<usize>) -> String {
    let text = text.get(range.clone()).unwrap_or_default();
    let mut compact: String = text.split_ascii_whitespace().collect();
    for end in ["}", ">", ")", "]"] {
        compact = compact.replace(&format!(",{end}"), end);
    }
    compact
}
