//! Reads items: the names that they define, and their contents.

use super::Collector;
use crate::definitions::DefKind;
use crate::ids::{DefId, PathId};
use crate::scopes::ScopeKind;
use reduce_syntax::{Located, byte_range};
use syn::visit::Visit;
use syn::{Fields, ForeignItem, Generics, Item, Signature, Type};

impl Collector<'_> {
    pub(super) fn item(&mut self, item: &Item) {
        let whole = self.place(item);
        match item {
            Item::Fn(function) => {
                let def = self.define_item(DefKind::Function, &function.sig.ident, whole);
                self.visit_visibility(&function.vis);
                self.function(def, &function.sig, Some(&function.block), ScopeKind::Item);
            }
            Item::Struct(item) => {
                let kind = match item.fields {
                    Fields::Named(_) => DefKind::Struct,
                    _ => DefKind::TupleStruct,
                };
                let def = self.define_item(kind, &item.ident, whole);
                self.visit_visibility(&item.vis);
                self.generic_item(def, &item.generics, |inside| {
                    inside.fields(&item.fields, def);
                });
            }
            Item::Union(item) => {
                let def = self.define_item(DefKind::Union, &item.ident, whole);
                self.generic_item(def, &item.generics, |inside| {
                    for field in &item.fields.named {
                        inside.field(field, def);
                    }
                });
            }
            Item::Enum(item) => self.enumeration(item),
            Item::Trait(item) => self.trait_item(item),
            Item::TraitAlias(item) => {
                let def = self.define_item(DefKind::Trait, &item.ident, whole);
                self.generic_item(def, &item.generics, |inside| {
                    inside.bounds_of(def, item.bounds.iter());
                });
            }
            Item::Impl(item) => self.impl_block(item),
            Item::Mod(module) => self.module(module),
            Item::Use(import) => self.use_item(import),
            Item::Const(item) if item.ident == "_" => {
                self.value_item(None, &item.generics, &item.ty, Some(&item.expr));
            }
            Item::Const(item) => {
                let def = self.define_item(DefKind::Const, &item.ident, whole);
                self.value_item(Some(def), &item.generics, &item.ty, Some(&item.expr));
            }
            Item::Static(item) => {
                let def = self.define_item(DefKind::Static, &item.ident, whole);
                self.visit_type(&item.ty);
                self.note_declared(def, &item.ty);
                self.note_body(def, Some(&*item.expr));
                self.in_scope(ScopeKind::Item, byte_range(&item.expr), |inside| {
                    inside.visit_expr(&item.expr);
                });
            }
            Item::Type(item) => {
                let def = self.define_item(DefKind::TypeAlias, &item.ident, whole);
                self.alias(def, &item.generics, Some(&item.ty));
            }
            Item::ForeignMod(block) => {
                for item in &block.items {
                    self.foreign_item(item);
                }
            }
            Item::ExternCrate(item) => {
                let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
                if name == "_" || name == "self" {
                    return;
                }
                let def = self.define_item(DefKind::ExternCrate, name, whole);
                if item.ident == "self" {
                    self.result.definitions[def.idx()].inside = Some(self.root_scope());
                }
            }
            Item::Macro(call) => self.macro_item(call),
            Item::Verbatim(tokens) => self.loose_text(&byte_range(tokens)),
            _ => {}
        }
    }

    /// Reads the contents of an item with generic parameters.
    pub(super) fn generic_item(
        &mut self,
        def: DefId,
        generics: &Generics,
        read: impl FnOnce(&mut Self),
    ) {
        let range = self.result.definition(def).whole.range.clone();
        self.inside(def, |inside| {
            inside.in_scope(ScopeKind::Owner(def), range, |inside| {
                inside.result.definitions[def.idx()].inside = Some(inside.scope);
                inside.generics(generics);
                read(inside);
            });
        });
    }

    pub(super) fn function(
        &mut self,
        def: DefId,
        signature: &Signature,
        body: Option<&syn::Block>,
        kind: ScopeKind,
    ) {
        self.note_body(def, body);
        let start = self.position(&signature.ident).at;
        let end = match body {
            Some(block) => self.place_of(block.brace_token.span.close()).range.end,
            None => byte_range(signature).end,
        };
        self.inside(def, |inside| {
            inside.in_scope(kind, start..end, |inside| {
                inside.result.definitions[def.idx()].inside = Some(inside.scope);
                inside.generics(&signature.generics);
                inside.visit_return_type(&signature.output);
                if let syn::ReturnType::Type(_, ty) = &signature.output {
                    inside.note_declared(def, ty);
                }
                let visible = body.map_or(end..end, byte_range);
                for input in &signature.inputs {
                    match input {
                        syn::FnArg::Typed(input) => {
                            inside.visit_type(&input.ty);
                            inside.pattern(&input.pat, visible.clone());
                            inside.note_typed(&input.pat, &input.ty);
                            inside.add_positional(def, &input.ty);
                        }
                        syn::FnArg::Receiver(receiver) => inside.visit_receiver(receiver),
                    }
                }
                body.into_iter().for_each(|block| inside.visit_block(block));
            });
        });
    }

    /// Notes the type that is written for a definition.
    pub(super) fn note_declared(&mut self, def: DefId, ty: &Type) {
        let ty = self.type_shape(ty);
        self.result.definitions[def.idx()].ty = Some(ty);
    }

    /// Notes the type of a parameter, or of a field without a name.
    fn add_positional(&mut self, of: DefId, ty: &Type) {
        let ty = self.type_shape(ty);
        self.result.positional.entry(of).or_default().push(ty);
    }

    pub(super) fn note_body(&mut self, def: DefId, body: Option<&impl Located>) {
        let body = body.map(byte_range);
        self.result.definitions[def.idx()].body = body;
    }

    fn fields(&mut self, fields: &Fields, of: DefId) {
        for field in fields {
            self.field(field, of);
        }
    }

    fn field(&mut self, field: &syn::Field, of: DefId) {
        self.visit_visibility(&field.vis);
        self.visit_type(&field.ty);
        if let Some(ident) = &field.ident {
            let whole = self.place(field);
            let def = self.define_member(DefKind::Field, ident, whole, of);
            self.note_declared(def, &field.ty);
        } else {
            self.add_positional(of, &field.ty);
        }
    }

    fn enumeration(&mut self, item: &syn::ItemEnum) {
        let whole = self.place(item);
        let def = self.define_item(DefKind::Enum, &item.ident, whole);
        self.generic_item(def, &item.generics, |inside| {
            for variant in &item.variants {
                let whole = inside.place(variant);
                let one = inside.define_member(DefKind::Variant, &variant.ident, whole, def);
                inside.fields(&variant.fields, one);
                if let Some((_, value)) = &variant.discriminant {
                    inside.visit_expr(value);
                }
            }
        });
    }

    fn value_item(
        &mut self,
        def: Option<DefId>,
        generics: &Generics,
        ty: &Type,
        value: Option<&syn::Expr>,
    ) {
        let range = match value {
            Some(value) => byte_range(ty).start..byte_range(value).end,
            None => byte_range(ty),
        };
        let read = |inside: &mut Self| {
            inside.generics(generics);
            inside.visit_type(ty);
            if let Some(def) = def {
                inside.note_declared(def, ty);
            }
            value.into_iter().for_each(|value| inside.visit_expr(value));
        };
        match def {
            Some(def) => {
                self.note_body(def, value);
                self.inside(def, |inside| inside.in_scope(ScopeKind::Item, range, read));
            }
            None => self.in_scope(ScopeKind::Item, range, read),
        }
    }

    /// Reads a type alias, or an associated type.
    pub(super) fn alias(&mut self, def: DefId, generics: &Generics, ty: Option<&Type>) {
        self.note_body(def, ty);
        let range = self.result.definition(def).whole.range.clone();
        self.inside(def, |inside| {
            inside.in_scope(ScopeKind::Inner, range, |inside| {
                inside.generics(generics);
                if let Some(ty) = ty {
                    let subject = inside.subject(ty);
                    inside.result.definitions[def.idx()].subject = subject;
                    inside.note_declared(def, ty);
                }
            });
        });
    }

    /// Reads a type; returns its path, if it is one.
    pub(super) fn subject(&mut self, ty: &Type) -> Option<PathId> {
        match ty {
            Type::Path(path) => Some(self.type_path(path)),
            Type::Group(group) => self.subject(&group.elem),
            Type::Paren(paren) => self.subject(&paren.elem),
            other => {
                self.visit_type(other);
                None
            }
        }
    }

    fn foreign_item(&mut self, item: &ForeignItem) {
        let whole = self.place(item);
        match item {
            ForeignItem::Fn(one) => {
                let def = self.define_item(DefKind::Function, &one.sig.ident, whole);
                self.function(def, &one.sig, None, ScopeKind::Item);
            }
            ForeignItem::Static(one) => {
                self.define_item(DefKind::Static, &one.ident, whole);
                self.visit_type(&one.ty);
            }
            ForeignItem::Type(one) => {
                self.define_item(DefKind::TypeAlias, &one.ident, whole);
            }
            ForeignItem::Macro(call) => self.visit_macro(&call.mac),
            other => self.loose_text(&byte_range(other)),
        }
    }

    fn macro_item(&mut self, item: &syn::ItemMacro) {
        let Some(name) = &item.ident else {
            self.result.scopes[self.scope.idx()].has_unseen = true;
            return self.visit_macro(&item.mac);
        };
        let whole = self.place(item);
        let (def, name) = self.define_named(DefKind::Macro, name, whole);
        self.result.macros.entry(name).or_default().push(def);
        if item.mac.path.is_ident("macro_rules") {
            let is_exported = |one: &syn::Attribute| one.path().is_ident("macro_export");
            if item.attrs.iter().any(is_exported) {
                self.add_item(self.root_scope(), name, def);
            }
        } else {
            self.add_item(self.scope, name, def);
        }
    }

    /// Returns the scope of the crate's root.
    fn root_scope(&self) -> crate::ids::ScopeId {
        let mut scope = self.scope;
        while let Some(parent) = self.result.scope(scope).parent {
            scope = parent;
        }
        scope
    }
}
