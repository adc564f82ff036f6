//! The common parts of items and members of all kinds, in one table: whoever asks for a name, the
//! attributes or the generic parameters need not know all kinds.

use syn::{Attribute, Generics, Ident, ImplItem, Item, TraitItem};

/// The parts of an item, or of a member of an impl or a trait.
#[derive(Clone, Copy)]
pub struct ItemParts<'i> {
    /// The keyword of the item: `fn`, `extern crate`; `macro` for the definition or call of one, `extern`
    /// for a block.
    pub keyword: &'static str,
    /// The attributes of the item.
    pub attributes: &'i [Attribute],
    /// The name of the item. That of `extern crate a as b` is `b`.
    pub name: Option<&'i Ident>,
    /// The generic parameters of the item, where it can have some.
    pub generics: Option<&'i Generics>,
}

impl<'i> ItemParts<'i> {
    /// Returns the parts of an item; `None` for tokens that syn does not understand.
    #[must_use]
    pub fn of(item: &'i Item) -> Option<Self> {
        Some(match item {
            Item::Const(one) => Self::new("const", &one.attrs, &one.ident).with(&one.generics),
            Item::Enum(one) => Self::new("enum", &one.attrs, &one.ident).with(&one.generics),
            Item::ExternCrate(one) => {
                let name = one.rename.as_ref().map_or(&one.ident, |(_, name)| name);
                Self::new("extern crate", &one.attrs, name)
            }
            Item::Fn(one) => Self::new("fn", &one.attrs, &one.sig.ident).with(&one.sig.generics),
            Item::ForeignMod(one) => Self::nameless("extern", &one.attrs),
            Item::Impl(one) => Self::nameless("impl", &one.attrs).with(&one.generics),
            Item::Macro(one) => Self {
                name: one.ident.as_ref(),
                ..Self::nameless("macro", &one.attrs)
            },
            Item::Mod(one) => Self::new("mod", &one.attrs, &one.ident),
            Item::Static(one) => Self::new("static", &one.attrs, &one.ident),
            Item::Struct(one) => Self::new("struct", &one.attrs, &one.ident).with(&one.generics),
            Item::Trait(one) => Self::new("trait", &one.attrs, &one.ident).with(&one.generics),
            Item::TraitAlias(one) => Self::new("trait", &one.attrs, &one.ident).with(&one.generics),
            Item::Type(one) => Self::new("type", &one.attrs, &one.ident).with(&one.generics),
            Item::Union(one) => Self::new("union", &one.attrs, &one.ident).with(&one.generics),
            Item::Use(one) => Self::nameless("use", &one.attrs),
            _ => return None,
        })
    }

    /// Returns the parts of a member of an impl; `None` for tokens that syn does not understand.
    #[must_use]
    pub fn of_impl_item(item: &'i ImplItem) -> Option<Self> {
        Some(match item {
            ImplItem::Const(one) => Self::new("const", &one.attrs, &one.ident).with(&one.generics),
            ImplItem::Fn(one) => {
                Self::new("fn", &one.attrs, &one.sig.ident).with(&one.sig.generics)
            }
            ImplItem::Type(one) => Self::new("type", &one.attrs, &one.ident).with(&one.generics),
            ImplItem::Macro(one) => Self::nameless("macro", &one.attrs),
            _ => return None,
        })
    }

    /// Returns the parts of a member of a trait; `None` for tokens that syn does not understand.
    #[must_use]
    pub fn of_trait_item(item: &'i TraitItem) -> Option<Self> {
        Some(match item {
            TraitItem::Const(one) => Self::new("const", &one.attrs, &one.ident).with(&one.generics),
            TraitItem::Fn(one) => {
                Self::new("fn", &one.attrs, &one.sig.ident).with(&one.sig.generics)
            }
            TraitItem::Type(one) => Self::new("type", &one.attrs, &one.ident).with(&one.generics),
            TraitItem::Macro(one) => Self::nameless("macro", &one.attrs),
            _ => return None,
        })
    }

    fn nameless(keyword: &'static str, attributes: &'i [Attribute]) -> Self {
        Self {
            keyword,
            attributes,
            name: None,
            generics: None,
        }
    }

    fn new(keyword: &'static str, attributes: &'i [Attribute], name: &'i Ident) -> Self {
        Self {
            name: Some(name),
            ..Self::nameless(keyword, attributes)
        }
    }

    fn with(self, generics: &'i Generics) -> Self {
        Self {
            generics: Some(generics),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keyword, name, number of attributes, and number of parameters.
    type Shown = (&'static str, String, usize, Option<usize>);

    fn shown(parts: ItemParts<'_>) -> Shown {
        (
            parts.keyword,
            parts.name.map(ToString::to_string).unwrap_or_default(),
            parts.attributes.len(),
            parts.generics.map(|one| one.params.len()),
        )
    }

    #[track_caller]
    fn check(item: &str, keyword: &str, name: &str, n_parameters: Option<usize>) {
        let item: Item = syn::parse_str(&format!("#[a] #[b] {item}")).unwrap();
        let found = shown(ItemParts::of(&item).unwrap());
        assert_eq!(found, (found.0, name.to_owned(), 2, n_parameters));
        assert_eq!(found.0, keyword);
    }

    #[test]
    fn items_of_all_kinds_have_their_parts() {
        check("fn f<T>() {}", "fn", "f", Some(1));
        check("struct S<'a, T>(&'a T);", "struct", "S", Some(2));
        check("enum E {}", "enum", "E", Some(0));
        check("mod m {}", "mod", "m", None);
        check("extern crate a as b;", "extern crate", "b", None);
        check("impl<T> A for B<T> {}", "impl", "", Some(1));
        check("use a::b;", "use", "", None);
        check("macro_rules! m { () => {} }", "macro", "m", None);
        check("m!{}", "macro", "", None);
    }

    #[test]
    fn members_have_them_too() {
        let block: syn::ItemImpl = syn::parse_str("impl S { #[a] fn f<T>() {} m!{} }").unwrap();
        let found = block.items.iter().filter_map(ItemParts::of_impl_item);
        let function = ("fn", "f".to_owned(), 1, Some(1));
        let call = ("macro", String::new(), 0, None);
        assert_eq!(found.map(shown).collect::<Vec<_>>(), [function, call]);
        let definition: syn::ItemTrait = syn::parse_str("trait T { type A; }").unwrap();
        let found = definition.items.iter().filter_map(ItemParts::of_trait_item);
        let ty = ("type", "A".to_owned(), 0, Some(0));
        assert_eq!(found.map(shown).collect::<Vec<_>>(), [ty]);
    }
}
