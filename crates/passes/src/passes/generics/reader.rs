//! Reads which items have generic parameters, and where arguments for them are given.

use super::{Head, Index, Owner, OwnerKind, last_name, plain_name};
use crate::program::{Program, SyntaxFile};
use syn::visit::{self, Visit};
use syn::{
    AngleBracketedGenericArguments, Expr, Generics, Ident, ImplItem, Item, PathArguments,
    PathSegment, Signature, TraitItem, TypePath,
};

#[derive(Default)]
pub(super) struct Reader<'p> {
    file: Option<SyntaxFile<'p>>,
    index: Index<'p>,
    in_header: bool,
    in_trait: bool,
}

impl<'p> Reader<'p> {
    /// Owners, arguments and heads; nothing that follows from them.
    pub(super) fn read(program: &'p Program<'_>) -> Index<'p> {
        let mut reader = Self::default();
        for file in program.files() {
            reader.file = Some(file);
            reader.visit_file(file.syntax);
        }
        reader.index
    }

    fn file(&self) -> SyntaxFile<'p> {
        self.file.expect("it is set before its syntax is visited")
    }

    fn own(&mut self, kind: OwnerKind, name: Option<&Ident>, generics: &'p Generics) {
        let file = self.file();
        self.index.owners.push(Owner {
            file,
            kind,
            name: name.map(|name| file.position(name)),
            generics,
            signature: None,
            block: None,
        });
    }

    fn last_owner(&mut self, change: impl FnOnce(&mut Owner<'p>)) {
        if let Some(owner) = self.index.owners.last_mut() {
            change(owner);
        }
    }

    fn member(&mut self, name: &Ident, generics: &'p Generics) {
        let kind = if self.in_trait {
            OwnerKind::TraitMember
        } else {
            OwnerKind::Other
        };
        self.own(kind, Some(name), generics);
    }

    fn members(&mut self, in_trait: bool, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.in_trait, in_trait);
        walk(self);
        self.in_trait = outer;
    }

    fn header(&mut self, block: &'p syn::ItemImpl) {
        self.visit_generics(&block.generics);
        self.in_header = true;
        if let Some((path, _)) = &block.trait_ {
            self.visit_path(path);
        }
        self.visit_type(&block.self_ty);
        self.in_header = false;
    }

    fn given(&mut self, name: &Ident, arguments: &'p AngleBracketedGenericArguments) {
        let file = self.file();
        self.index
            .arguments
            .insert(file.position(name), (file, arguments));
        if self.in_header {
            let places = arguments.args.iter().map(|one| file.place(one));
            let starts = places.map(|(id, range)| (id, range.start));
            self.index.in_headers.extend(starts);
        }
    }

    /// A type that is a path: what its first name leads to.
    fn projection(&mut self, path: &'p TypePath) {
        let file = self.file();
        let head = match &path.qself {
            Some(qself) if qself.position + 1 == path.path.segments.len() => plain_name(&qself.ty),
            None if path.path.segments.len() == 2 => {
                path.path.segments.first().map(|first| &first.ident)
            }
            _ => None,
        };
        if let (Some(head), Some(last)) = (head, last_name(&path.path)) {
            let projection = Head::Projection(file.place(path), last.to_string());
            self.index.heads.insert(file.position(head), projection);
        }
    }
}

impl<'p> Visit<'p> for Reader<'p> {
    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    fn visit_item(&mut self, item: &'p Item) {
        match item {
            Item::Const(one) => self.own(OwnerKind::Other, Some(&one.ident), &one.generics),
            Item::Enum(one) => self.own(OwnerKind::Other, Some(&one.ident), &one.generics),
            Item::Struct(one) => self.own(OwnerKind::Other, Some(&one.ident), &one.generics),
            Item::Trait(one) => self.own(OwnerKind::Other, Some(&one.ident), &one.generics),
            Item::TraitAlias(one) => self.own(OwnerKind::Other, Some(&one.ident), &one.generics),
            Item::Type(one) => self.own(OwnerKind::Other, Some(&one.ident), &one.generics),
            Item::Union(one) => self.own(OwnerKind::Other, Some(&one.ident), &one.generics),
            Item::Impl(one) => {
                self.own(OwnerKind::Impl, None, &one.generics);
                self.last_owner(|owner| owner.block = Some(one));
            }
            _ => {}
        }
        self.members(matches!(item, Item::Trait(_)), |inside| {
            visit::visit_item(inside, item);
        });
    }

    fn visit_item_impl(&mut self, block: &'p syn::ItemImpl) {
        self.header(block);
        self.members(block.trait_.is_some(), |inside| {
            for item in &block.items {
                inside.visit_impl_item(item);
            }
        });
    }

    fn visit_impl_item(&mut self, item: &'p ImplItem) {
        match item {
            ImplItem::Const(one) => self.member(&one.ident, &one.generics),
            ImplItem::Type(one) => self.member(&one.ident, &one.generics),
            _ => {}
        }
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'p TraitItem) {
        match item {
            TraitItem::Const(one) => self.member(&one.ident, &one.generics),
            TraitItem::Type(one) => self.member(&one.ident, &one.generics),
            _ => {}
        }
        visit::visit_trait_item(self, item);
    }

    fn visit_signature(&mut self, signature: &'p Signature) {
        let kind = if self.in_trait {
            OwnerKind::TraitMember
        } else {
            OwnerKind::Function
        };
        self.own(kind, Some(&signature.ident), &signature.generics);
        self.last_owner(|owner| owner.signature = Some(signature));
        visit::visit_signature(self, signature);
    }

    fn visit_path_segment(&mut self, segment: &'p PathSegment) {
        if let PathArguments::AngleBracketed(arguments) = &segment.arguments {
            self.given(&segment.ident, arguments);
        }
        visit::visit_path_segment(self, segment);
    }

    fn visit_expr(&mut self, expression: &'p Expr) {
        match expression {
            Expr::MethodCall(call) => {
                if let Some(arguments) = &call.turbofish {
                    self.given(&call.method, arguments);
                }
            }
            Expr::Path(path) if path.qself.is_none() && path.path.segments.len() > 1 => {
                if let Some(first) = path.path.segments.first() {
                    let head = self.file().position(&first.ident);
                    self.index.heads.insert(head, Head::Value);
                }
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_type_path(&mut self, path: &'p TypePath) {
        self.projection(path);
        visit::visit_type_path(self, path);
    }

    fn visit_assoc_type(&mut self, constraint: &'p syn::AssocType) {
        if let Some(arguments) = &constraint.generics {
            self.given(&constraint.ident, arguments);
        }
        visit::visit_assoc_type(self, constraint);
    }
}
