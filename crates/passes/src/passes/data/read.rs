//! Finds the types that a program defines.

use super::{Data, Definition, Field, Kind, Shape};
use crate::passes::generics::position_of;
use crate::visit::{self, At, Node};
use proc_macro2::Span;
use reduce_syntax::Located;
use syn::token::{Brace, Paren};
use syn::{Fields, Generics, Ident, Item, ItemEnum};

/// Reads the definitions of types, and the generic parameters of all other items.
pub(super) fn definitions(data: &mut Data<'_>) {
    visit::each(data.program, |at, node| match node {
        Node::Item(Item::Impl(block)) => data.parameters(at, &block.generics),
        Node::Item(Item::Trait(item)) => data.parameters(at, &item.generics),
        Node::Signature(signature) => data.parameters(at, &signature.generics),
        Node::Item(Item::Enum(item)) => data.enumeration(at, item),
        Node::Item(item) => data.definitions.extend(Definition::of_item(at, item)),
        _ => {}
    });
}

impl<'p> Data<'p> {
    fn parameters(&mut self, at: At<'p>, generics: &'p Generics) {
        let all = generics.params.iter();
        let all = all.map(|one| (position_of(at.file, one), at.place(one)));
        self.parameters.extend(all);
    }

    fn enumeration(&mut self, at: At<'p>, item: &'p ItemEnum) {
        let of = self.definitions.len();
        let keyword = item.enum_token.span;
        let definition = Definition::new(at, Kind::Enum(item), &item.ident, item, keyword);
        self.definitions.push(Definition {
            generics: Some(&item.generics),
            variants: of + 1..of + 1 + item.variants.len(),
            ..definition
        });
        for variant in &item.variants {
            let (kind, name) = (Kind::Variant(of), &variant.ident);
            let definition = Definition::new(at, kind, name, variant, name.span());
            self.definitions.push(Definition {
                shape: Shape::of(at, &variant.fields),
                fields: fields(at, &variant.fields),
                ..definition
            });
        }
    }
}

impl<'p> Definition<'p> {
    fn new(
        at: At<'p>,
        kind: Kind<'p>,
        name: &'p Ident,
        whole: &impl Located,
        keyword: Span,
    ) -> Self {
        Self {
            file: at.file,
            kind,
            name: at.text(name),
            at: at.position(name),
            whole: at.place(whole),
            keyword: at.place_of(keyword),
            generics: None,
            shape: Shape::Unit,
            fields: Vec::new(),
            variants: 0..0,
            uses: Vec::new(),
            segments: Vec::new(),
            impls: Vec::new(),
            imports: Vec::new(),
            strays: Vec::new(),
        }
    }

    /// Reads the definition of a struct, union or type alias; `None` for another item.
    fn of_item(at: At<'p>, item: &'p Item) -> Option<Self> {
        let new = |kind, name, keyword| Self::new(at, kind, name, item, keyword);
        Some(match item {
            Item::Struct(one) => Self {
                generics: Some(&one.generics),
                shape: Shape::of(at, &one.fields),
                fields: fields(at, &one.fields),
                ..new(Kind::Struct, &one.ident, one.struct_token.span)
            },
            Item::Union(one) => Self {
                generics: Some(&one.generics),
                shape: Shape::named(at, one.fields.brace_token),
                fields: fields(at, &one.fields.named),
                ..new(Kind::Union, &one.ident, one.union_token.span)
            },
            Item::Type(one) => Self {
                generics: Some(&one.generics),
                ..new(Kind::Alias(&one.ty), &one.ident, one.type_token.span)
            },
            _ => return None,
        })
    }
}

impl Shape {
    fn of(at: At<'_>, fields: &Fields) -> Self {
        match fields {
            Fields::Unit => Self::Unit,
            Fields::Named(all) => Self::named(at, all.brace_token),
            Fields::Unnamed(all) => Self::tuple(at, all.paren_token),
        }
    }

    pub(super) fn named(at: At<'_>, braces: Brace) -> Self {
        Self::Named(at.place_of(braces.span.join()))
    }

    pub(super) fn tuple(at: At<'_>, parentheses: Paren) -> Self {
        Self::Tuple(at.place_of(parentheses.span.join()))
    }
}

fn fields<'p>(at: At<'p>, fields: impl IntoIterator<Item = &'p syn::Field>) -> Vec<Field<'p>> {
    let field = |field: &'p syn::Field| Field {
        name: field.ident.as_ref().map(|name| at.text(name)),
        whole: at.place(field),
        label: field.ident.as_ref().map(|name| at.up_to(name, &field.ty)),
        ty: at.place(&field.ty),
        reads: Vec::new(),
    };
    fields.into_iter().map(field).collect()
}
