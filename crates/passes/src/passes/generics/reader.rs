//! Reads the items that have generic parameters, and the places where arguments for them are given.

use super::{Head, Index, Owner, OwnerKind, last_name, plain_name, with_ordinals};
use crate::visit::{At, Node};
use reduce_syntax::ItemParts;
use syn::{
    AngleBracketedGenericArguments, Expr, GenericArgument, Generics, Ident, ImplItem, Item,
    PathArguments, TraitItem, Type, TypePath,
};

impl<'p> Index<'p> {
    /// Reads the generic parameters and arguments of a node, and the paths that begin with a parameter.
    pub(super) fn node(&mut self, at: At<'p>, node: Node<'p>) {
        match node {
            // The walk comes to the signature of a function next.
            Node::Item(Item::Fn(_))
            | Node::ImplItem(ImplItem::Fn(_))
            | Node::TraitItem(TraitItem::Fn(_)) => {}
            Node::Item(item) => self.parts(at, kind_of(item), ItemParts::of(item)),
            Node::ImplItem(item) => {
                let kind = match at.is_in_trait() {
                    true => OwnerKind::TraitMember,
                    false => OwnerKind::Other,
                };
                self.parts(at, kind, ItemParts::of_impl_item(item));
            }
            Node::TraitItem(item) => {
                self.parts(at, OwnerKind::TraitMember, ItemParts::of_trait_item(item));
            }
            Node::Signature(one) => {
                let kind = match at.is_in_trait() {
                    true => OwnerKind::TraitMember,
                    false => OwnerKind::Function,
                };
                self.own(at, kind, Some(&one.ident), &one.generics);
                if let Some(owner) = self.owners.last_mut() {
                    owner.signature = Some(one);
                }
            }
            Node::PathSegment(segment) => {
                if let PathArguments::AngleBracketed(arguments) = &segment.arguments {
                    self.given(at, &segment.ident, arguments);
                }
            }
            Node::GenericArgument(GenericArgument::AssocType(constraint)) => {
                if let Some(arguments) = &constraint.generics {
                    self.given(at, &constraint.ident, arguments);
                }
            }
            Node::Expr(Expr::MethodCall(call)) => {
                if let Some(arguments) = &call.turbofish {
                    self.given(at, &call.method, arguments);
                }
            }
            Node::Expr(Expr::Path(path)) if path.qself.is_none() => {
                let first = path.path.segments.first();
                let first = first.filter(|_| path.path.segments.len() > 1);
                let head = first.map(|first| (at.position(&first.ident), Head::Value));
                self.heads.extend(head);
            }
            Node::Type(Type::Path(path)) => self.heads.extend(projection(at, path)),
            _ => {}
        }
    }

    fn own(&mut self, at: At<'p>, kind: OwnerKind, name: Option<&Ident>, generics: &'p Generics) {
        self.owners.push(Owner {
            file: at.file,
            kind,
            name: name.map(|name| at.position(name)),
            generics,
            signature: None,
        });
    }

    fn parts(&mut self, at: At<'p>, kind: OwnerKind, parts: Option<ItemParts<'p>>) {
        if let Some((parts, generics)) = parts.and_then(|one| Some((one, one.generics?))) {
            self.own(at, kind, parts.name, generics);
        }
    }

    fn given(&mut self, at: At<'p>, name: &Ident, arguments: &'p AngleBracketedGenericArguments) {
        let all = (at.file, arguments);
        self.arguments.insert(at.position(name), all);
        if at.in_header {
            let name = at.position(name);
            let all = with_ordinals(arguments);
            let places = all.map(|(ordinal, one)| (at.place(one), (name, ordinal)));
            self.in_headers.extend(places);
        }
    }
}

fn kind_of(item: &Item) -> OwnerKind {
    match item {
        Item::Impl(_) => OwnerKind::Impl,
        Item::Struct(_) | Item::Enum(_) | Item::Union(_) | Item::Type(_) => OwnerKind::Type,
        _ => OwnerKind::Other,
    }
}

/// Reads a type such as `T::Item` or `<T as Trait>::Item`: returns the position of `T`, with the place and last name
/// of the path.
fn projection(at: At<'_>, path: &TypePath) -> Option<(reduce_model::Position, Head)> {
    let segments = &path.path.segments;
    let head = match &path.qself {
        Some(qself) if qself.position + 1 == segments.len() => plain_name(&qself.ty)?,
        None if segments.len() == 2 => &segments.first()?.ident,
        _ => return None,
    };
    let last = last_name(&path.path)?.to_string();
    Some((at.position(head), Head::Projection(at.place(path), last)))
}
