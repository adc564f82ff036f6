//! Reads traits and impls with their members.

use super::Collector;
use crate::definitions::{DefKind, Namespace};
use crate::ids::{DefId, PathId, Position};
use crate::scopes::ScopeKind;
use reduce_syntax::byte_range;
use syn::visit::Visit;
use syn::{Generics, ImplItem, ItemImpl, ItemTrait, TraitItem, Type};

impl Collector<'_> {
    pub(super) fn trait_item(&mut self, item: &ItemTrait) {
        let whole = self.place(item);
        let def = self.define_item(DefKind::Trait, &item.ident, whole);
        self.visit_visibility(&item.vis);
        self.generic_item(def, &item.generics, |inside| {
            inside.bounds_of(def, item.supertraits.iter());
            for member in &item.items {
                inside.trait_member(member, def);
            }
        });
    }

    fn trait_member(&mut self, member: &TraitItem, of: DefId) {
        let whole = self.place(member);
        match member {
            TraitItem::Fn(one) => {
                let def = self.define_member(DefKind::Function, &one.sig.ident, whole, of);
                self.function(def, &one.sig, one.default.as_ref(), ScopeKind::Inner);
            }
            TraitItem::Const(one) => {
                let def = self.define_member(DefKind::Const, &one.ident, whole, of);
                self.member_value(
                    def,
                    &one.generics,
                    &one.ty,
                    one.default.as_ref().map(|one| &one.1),
                );
            }
            TraitItem::Type(one) => {
                let def = self.define_member(DefKind::TypeAlias, &one.ident, whole.clone(), of);
                self.note_body(def, one.default.as_ref().map(|(_, ty)| ty));
                self.inside(def, |inside| {
                    inside.in_scope(ScopeKind::Inner, whole.range, |inside| {
                        inside.generics(&one.generics);
                        inside.bounds_of(def, one.bounds.iter());
                        if let Some((_, ty)) = &one.default {
                            inside.visit_type(ty);
                        }
                    });
                });
            }
            TraitItem::Macro(call) => self.visit_macro(&call.mac),
            other => self.loose_text(&byte_range(other)),
        }
    }

    /// Reads a constant of a trait or an impl, in which the parameters of that trait or impl are
    /// visible.
    fn member_value(
        &mut self,
        def: DefId,
        generics: &Generics,
        ty: &Type,
        value: Option<&syn::Expr>,
    ) {
        self.note_body(def, value);
        let range = self.result.definition(def).whole.range.clone();
        self.inside(def, |inside| {
            inside.in_scope(ScopeKind::Inner, range, |inside| {
                inside.generics(generics);
                inside.visit_type(ty);
                value.into_iter().for_each(|value| inside.visit_expr(value));
            });
        });
    }

    pub(super) fn impl_block(&mut self, block: &ItemImpl) {
        let whole = self.place(block);
        let at = self.place_of(block.impl_token.span).range.start;
        let def = self.define_unseen(DefKind::Impl, Position::new(self.file, at), whole);
        self.result.impls.push(def);
        self.generic_item(def, &block.generics, |inside| {
            if let Some((path, _)) = &block.trait_ {
                let of_trait = inside.path(path, Namespace::Type);
                inside.result.definitions[def.idx()].bounds.push(of_trait);
            }
            let n_paths = inside.result.paths.len();
            let subject = inside.subject(&block.self_ty);
            let head = inside.first_type_since(n_paths);
            inside.note_declared(def, &block.self_ty);
            let definition = &mut inside.result.definitions[def.idx()];
            (definition.subject, definition.head) = (subject, head);
            definition.is_of_reference = matches!(*block.self_ty, Type::Reference(_));
            for member in &block.items {
                inside.impl_member(member, def);
            }
        });
    }

    /// Returns the first path of a type among those that were read after the first `n_paths`.
    fn first_type_since(&self, n_paths: usize) -> Option<PathId> {
        let mut read = n_paths..self.result.paths.len();
        let is_type = |&idx: &usize| self.result.paths[idx].namespace == Some(Namespace::Type);
        read.find(is_type).map(PathId::new)
    }

    fn impl_member(&mut self, member: &ImplItem, of: DefId) {
        let whole = self.place(member);
        match member {
            ImplItem::Fn(one) => {
                let def = self.define_member(DefKind::Function, &one.sig.ident, whole, of);
                self.visit_visibility(&one.vis);
                self.function(def, &one.sig, Some(&one.block), ScopeKind::Inner);
            }
            ImplItem::Const(one) => {
                let def = self.define_member(DefKind::Const, &one.ident, whole, of);
                self.member_value(def, &one.generics, &one.ty, Some(&one.expr));
            }
            ImplItem::Type(one) => {
                let def = self.define_member(DefKind::TypeAlias, &one.ident, whole, of);
                self.alias(def, &one.generics, Some(&one.ty));
            }
            ImplItem::Macro(call) => self.visit_macro(&call.mac),
            other => self.loose_text(&byte_range(other)),
        }
    }
}
