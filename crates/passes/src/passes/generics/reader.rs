//! Reads which items have generic parameters, and where arguments for them are given.

use super::{Head, Index, Owner, OwnerKind, generics_of, last_name, plain_name};
use crate::program::Program;
use crate::visit::{self, At, Node};
use syn::{
    AngleBracketedGenericArguments, Expr, GenericArgument, Generics, Ident, ImplItem, Item,
    PathArguments, TraitItem, Type, TypePath,
};

impl<'p> Index<'p> {
    /// Owners, arguments and heads; nothing that follows from them.
    pub(super) fn read(program: &'p Program) -> Self {
        let mut index = Self::default();
        visit::each(program, |at, node| index.node(at, node));
        index
    }

    fn node(&mut self, at: At<'p>, node: Node<'p>) {
        match node {
            Node::Item(item) => {
                if let Some((name, generics)) = generics_of(item) {
                    self.own(at, OwnerKind::Other, name, generics);
                }
                if let (Item::Impl(block), Some(owner)) = (item, self.owners.last_mut()) {
                    (owner.kind, owner.block) = (OwnerKind::Impl, Some(block));
                }
            }
            Node::ImplItem(ImplItem::Const(one)) => self.member(at, &one.ident, &one.generics),
            Node::ImplItem(ImplItem::Type(one)) => self.member(at, &one.ident, &one.generics),
            Node::TraitItem(TraitItem::Const(one)) => self.member(at, &one.ident, &one.generics),
            Node::TraitItem(TraitItem::Type(one)) => self.member(at, &one.ident, &one.generics),
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
            block: None,
        });
    }

    fn member(&mut self, at: At<'p>, name: &Ident, generics: &'p Generics) {
        let kind = match at.is_in_trait() {
            true => OwnerKind::TraitMember,
            false => OwnerKind::Other,
        };
        self.own(at, kind, Some(name), generics);
    }

    fn given(&mut self, at: At<'p>, name: &Ident, arguments: &'p AngleBracketedGenericArguments) {
        let all = (at.file, arguments);
        self.arguments.insert(at.position(name), all);
        if at.in_header {
            let places = arguments.args.iter().map(|one| at.place(one));
            let starts = places.map(|place| place.start());
            self.in_headers.extend(starts);
        }
    }
}

/// A type that is a path: what its first name leads to.
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
