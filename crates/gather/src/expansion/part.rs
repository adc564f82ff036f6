//! Items and members of impls and traits as one type, and by what they are known again.

use super::builtin::names;
use super::macros::{Macros, Procedural};
use std::ops::Range;
use syn::spanned::Spanned;
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
    /// Its bytes, attributes included.
    pub(super) fn range(self) -> Range<usize> {
        match self {
            Self::Item(item) => item.span().byte_range(),
            Self::Impl(member) => member.span().byte_range(),
            Self::Trait(member) => member.span().byte_range(),
        }
    }

    /// What is procedural in it.
    pub(super) fn procedural(self, macros: &Macros) -> Procedural<'_> {
        let mut found = Procedural::new(macros);
        match self {
            Self::Item(item) => found.visit_item(item),
            Self::Impl(member) => found.visit_impl_item(member),
            Self::Trait(member) => found.visit_trait_item(member),
        }
        found
    }

    /// The call, where it is one and no definition of a macro.
    pub(super) fn call(self) -> Option<&'a Macro> {
        match self {
            Self::Item(Item::Macro(item)) if item.ident.is_none() => Some(&item.mac),
            Self::Impl(ImplItem::Macro(member)) => Some(&member.mac),
            Self::Trait(TraitItem::Macro(member)) => Some(&member.mac),
            _ => None,
        }
    }

    pub(super) fn attributes(self) -> &'a [Attribute] {
        match self {
            Self::Item(item) => item_attributes(item),
            Self::Impl(ImplItem::Const(member)) => &member.attrs,
            Self::Impl(ImplItem::Fn(member)) => &member.attrs,
            Self::Impl(ImplItem::Type(member)) => &member.attrs,
            Self::Impl(ImplItem::Macro(member)) => &member.attrs,
            Self::Trait(TraitItem::Const(member)) => &member.attrs,
            Self::Trait(TraitItem::Fn(member)) => &member.attrs,
            Self::Trait(TraitItem::Type(member)) => &member.attrs,
            Self::Trait(TraitItem::Macro(member)) => &member.attrs,
            _ => &[],
        }
    }

    /// The name of a type that it defines.
    pub(super) fn type_name(self) -> Option<String> {
        match self {
            Self::Item(Item::Struct(item)) => Some(item.ident.to_string()),
            Self::Item(Item::Enum(item)) => Some(item.ident.to_string()),
            Self::Item(Item::Union(item)) => Some(item.ident.to_string()),
            _ => None,
        }
    }

    /// What it has in common with its expansion and, as far as that goes, with nothing else. `text`
    /// is the file that it stands in.
    pub(super) fn key(self, text: &str) -> String {
        let function = |name: &syn::Ident| format!("fn {name}");
        match self {
            Self::Item(item) => item_key(item, text),
            Self::Impl(ImplItem::Const(member)) => format!("const {}", member.ident),
            Self::Impl(ImplItem::Fn(member)) => function(&member.sig.ident),
            Self::Impl(ImplItem::Type(member)) => format!("type {}", member.ident),
            Self::Trait(TraitItem::Const(member)) => format!("const {}", member.ident),
            Self::Trait(TraitItem::Fn(member)) => function(&member.sig.ident),
            Self::Trait(TraitItem::Type(member)) => format!("type {}", member.ident),
            part => format!("other {}", compact(text, &part.range())),
        }
    }
}

fn item_attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn item_key(item: &Item, text: &str) -> String {
    match item {
        Item::Const(item) if item.ident == "_" => {
            format!("const {}", compact(text, &item.expr.span().byte_range()))
        }
        Item::Const(item) => format!("const {}", item.ident),
        Item::Enum(item) => format!("enum {}", item.ident),
        Item::ExternCrate(item) => format!("extern crate {}", item.ident),
        Item::Fn(item) => format!("fn {}", item.sig.ident),
        Item::ForeignMod(item) => {
            let brace = item.brace_token.span.join().byte_range();
            format!("extern {}", compact(text, &brace))
        }
        Item::Impl(item) => impl_key(item, text),
        Item::Macro(item) => macro_key(item, text),
        Item::Mod(item) => format!("mod {}", item.ident),
        Item::Static(item) => format!("static {}", item.ident),
        Item::Struct(item) => format!("struct {}", item.ident),
        Item::Trait(item) => format!("trait {}", item.ident),
        Item::TraitAlias(item) => format!("trait {}", item.ident),
        Item::Type(item) => format!("type {}", item.ident),
        Item::Union(item) => format!("union {}", item.ident),
        Item::Use(item) => format!("use {}", compact(text, &item.tree.span().byte_range())),
        item => format!("other {}", compact(text, &item.span().byte_range())),
    }
}

/// The trait and the type of an impl. Its first function, too: many impls are of a type alone.
fn impl_key(item: &ItemImpl, text: &str) -> String {
    let of_type = compact(text, &item.self_ty.span().byte_range());
    let of_trait = item.trait_.as_ref();
    let first = item.items.iter().find_map(|member| match member {
        ImplItem::Fn(function) => Some(function.sig.ident.to_string()),
        _ => None,
    });
    match of_trait {
        Some((path, _)) => {
            format!(
                "impl {} for {of_type}",
                compact(text, &path.span().byte_range())
            )
        }
        None => format!("impl {of_type} {}", first.unwrap_or_default()),
    }
}

/// A definition has its name. `thread_local!` is a constant when it is expanded.
fn macro_key(item: &syn::ItemMacro, text: &str) -> String {
    if let Some(name) = &item.ident {
        return format!("macro {name}");
    }
    let local = thread_local_name(&item.mac);
    local.map_or_else(
        || format!("call {}", compact(text, &item.span().byte_range())),
        |name| format!("const {name}"),
    )
}

/// The first name that `thread_local!` defines.
pub(super) fn thread_local_name(call: &Macro) -> Option<String> {
    if names(&call.path).last()? != "thread_local" {
        return None;
    }
    let mut words = call.tokens.clone().into_iter().map(|tree| tree.to_string());
    words.find(|word| word == "static")?;
    words.next()
}

/// The text of `range` as it is independent of layout and of commas at the ends of lists.
fn compact(text: &str, range: &Range<usize>) -> String {
    let text = text.get(range.clone()).unwrap_or_default();
    let mut compact: String = text.split_ascii_whitespace().collect();
    for end in ["}", ">", ")", "]"] {
        compact = compact.replace(&format!(",{end}"), end);
    }
    compact
}
