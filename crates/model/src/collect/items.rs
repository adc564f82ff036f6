//! Which items define names, and what is in them.

use super::Collector;
use crate::definitions::{DefKind, Namespace};
use crate::ids::{DefId, ImportId, NameId, PathId, Place, Position};
use crate::scopes::{Import, PathStart, ScopeKind, WordRole};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{
    Fields, ForeignItem, Generics, Ident, ImplItem, Item, ItemImpl, ItemMod, ItemTrait, ItemUse,
    Signature, TraitItem, Type, TypeParamBound, UseTree,
};

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
                let ty = self.type_shape(&item.ty);
                self.result.definitions[def.idx()].ty = Some(ty);
                self.note_body(def, Some(&*item.expr));
                self.in_scope(ScopeKind::Item, self.range(&item.expr), |inside| {
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
                self.define_item(DefKind::ExternCrate, name, whole);
            }
            Item::Macro(call) => self.macro_item(call),
            Item::Verbatim(tokens) => self.loose_text(&self.range(tokens)),
            _ => {}
        }
    }

    /// Reads what is in an item with generic parameters.
    fn generic_item(&mut self, def: DefId, generics: &Generics, read: impl FnOnce(&mut Self)) {
        let range = self.result.definition(def).whole.range.clone();
        self.inside(def, |inside| {
            inside.in_scope(ScopeKind::Owner(def), range, |inside| {
                inside.result.definitions[def.idx()].inside = Some(inside.scope);
                inside.generics(generics);
                read(inside);
            });
        });
    }

    /// Generic parameters are visible in all of the scope.
    pub(super) fn generics(&mut self, generics: &Generics) {
        let visible = self.scope_range();
        for parameter in &generics.params {
            match parameter {
                syn::GenericParam::Lifetime(one) => {
                    self.define_lifetime(DefKind::Lifetime, &one.lifetime, visible.clone());
                }
                syn::GenericParam::Type(one) => {
                    self.define_local(DefKind::TypeParameter, &one.ident, visible.clone());
                }
                syn::GenericParam::Const(one) => {
                    self.define_local(DefKind::ConstParameter, &one.ident, visible.clone());
                }
            }
        }
        for parameter in &generics.params {
            match parameter {
                syn::GenericParam::Type(one) => {
                    let def = self.definition_at(&one.ident);
                    match def {
                        Some(def) => self.bounds_of(def, one.bounds.iter()),
                        None => one
                            .bounds
                            .iter()
                            .for_each(|one| self.visit_type_param_bound(one)),
                    }
                    one.default.iter().for_each(|(_, ty)| self.visit_type(ty));
                }
                other => self.visit_generic_param(other),
            }
        }
        for predicate in generics.where_clause.iter().flat_map(|one| &one.predicates) {
            self.predicate(predicate);
        }
    }

    /// `T: Trait` says of a parameter what it has.
    fn predicate(&mut self, predicate: &syn::WherePredicate) {
        let syn::WherePredicate::Type(predicate) = predicate else {
            return self.visit_where_predicate(predicate);
        };
        let range = self.range(predicate);
        self.in_scope(ScopeKind::Inner, range, |inside| {
            if let Some(lifetimes) = &predicate.lifetimes {
                inside.visit_bound_lifetimes(lifetimes);
            }
            inside.visit_type(&predicate.bounded_ty);
            let parameter = match &predicate.bounded_ty {
                Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
                _ => None,
            };
            let def = parameter.and_then(|ident| inside.parameter(ident));
            match def {
                Some(def) => inside.bounds_of(def, predicate.bounds.iter()),
                None => {
                    let bounds = predicate.bounds.iter();
                    bounds.for_each(|one| inside.visit_type_param_bound(one));
                }
            }
        });
    }

    /// The type parameter of the scopes around that has a name.
    fn parameter(&self, ident: &Ident) -> Option<DefId> {
        let name = self.result.words.name(&ident.to_string())?;
        let mut scope = Some(self.scope);
        while let Some(id) = scope {
            let here = self.result.scope(id);
            if let Some(found) = here.locals.get(&name) {
                return found.first().map(|(_, def)| *def);
            }
            scope = here.parent;
        }
        None
    }

    fn definition_at(&self, ident: &Ident) -> Option<DefId> {
        match self.result.roles[self.word(ident)?.idx()] {
            WordRole::Definition(def) => Some(def),
            _ => None,
        }
    }

    /// The bounds of a type parameter or a trait.
    fn bounds_of<'b>(&mut self, def: DefId, bounds: impl Iterator<Item = &'b TypeParamBound>) {
        for bound in bounds {
            match bound {
                TypeParamBound::Trait(bound) => {
                    let path = self.trait_bound(bound);
                    self.result.definitions[def.idx()].bounds.push(path);
                }
                other => self.visit_type_param_bound(other),
            }
        }
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
            None => self.range(signature).end,
        };
        self.inside(def, |inside| {
            inside.in_scope(kind, start..end, |inside| {
                inside.result.definitions[def.idx()].inside = Some(inside.scope);
                inside.generics(&signature.generics);
                inside.visit_return_type(&signature.output);
                if let syn::ReturnType::Type(_, ty) = &signature.output {
                    let ty = inside.type_shape(ty);
                    inside.result.definitions[def.idx()].ty = Some(ty);
                }
                let visible = body.map_or(end..end, |block| inside.range(block));
                for input in &signature.inputs {
                    match input {
                        syn::FnArg::Typed(input) => {
                            inside.visit_type(&input.ty);
                            inside.pattern(&input.pat, visible.clone());
                            let ty = inside.type_shape(&input.ty);
                            inside.note_type(&input.pat, ty);
                        }
                        syn::FnArg::Receiver(receiver) => inside.visit_receiver(receiver),
                    }
                }
                body.into_iter().for_each(|block| inside.visit_block(block));
            });
        });
    }

    fn note_body(&mut self, def: DefId, body: Option<&impl Spanned>) {
        let body = body.map(|body| self.range(body));
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
            let ty = self.type_shape(&field.ty);
            self.result.definitions[def.idx()].ty = Some(ty);
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
            Some(value) => self.range(ty).start..self.range(value).end,
            None => self.range(ty),
        };
        let read = |inside: &mut Self| {
            inside.generics(generics);
            inside.visit_type(ty);
            if let Some(def) = def {
                let ty = inside.type_shape(ty);
                inside.result.definitions[def.idx()].ty = Some(ty);
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

    /// A type alias, or an associated type.
    fn alias(&mut self, def: DefId, generics: &Generics, ty: Option<&Type>) {
        self.note_body(def, ty);
        let range = self.result.definition(def).whole.range.clone();
        self.inside(def, |inside| {
            inside.in_scope(ScopeKind::Inner, range, |inside| {
                inside.generics(generics);
                if let Some(ty) = ty {
                    let subject = inside.subject(ty);
                    inside.result.definitions[def.idx()].subject = subject;
                }
            });
        });
    }

    /// Reads a type; returns the path that it begins with, if it is one.
    fn subject(&mut self, ty: &Type) -> Option<PathId> {
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

    fn trait_item(&mut self, item: &ItemTrait) {
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
            other => self.loose_text(&self.range(other)),
        }
    }

    /// The constant of a trait or an impl, in which the parameters of that are visible.
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

    fn impl_block(&mut self, block: &ItemImpl) {
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
            let ty = inside.type_shape(&block.self_ty);
            let head = inside.first_type_since(n_paths);
            let definition = &mut inside.result.definitions[def.idx()];
            definition.head = head;
            (definition.subject, definition.ty) = (subject, Some(ty));
            for member in &block.items {
                inside.impl_member(member, def);
            }
        });
    }

    /// The first path of a type that was read after so many paths.
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
            other => self.loose_text(&self.range(other)),
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
            other => self.loose_text(&self.range(other)),
        }
    }

    fn module(&mut self, module: &ItemMod) {
        let whole = self.place(module);
        let def = self.define_item(DefKind::Module, &module.ident, whole);
        self.visit_visibility(&module.vis);
        match &module.content {
            Some((braces, items)) => {
                let place = Place::new(self.file, self.between(braces));
                let inner = self.directory.inline(module);
                let outer = std::mem::replace(&mut self.directory, inner);
                self.module_contents(def, place, |inside| {
                    items.iter().for_each(|item| inside.item(item));
                });
                self.directory = outer;
            }
            None => self.module_file(def, module),
        }
    }

    fn module_contents(
        &mut self,
        def: DefId,
        place: crate::ids::Place,
        read: impl FnOnce(&mut Self),
    ) {
        let scope = self.new_scope(ScopeKind::Module(def), place, Some(self.scope));
        self.result.definitions[def.idx()].inside = Some(scope);
        let outer = std::mem::replace(&mut self.scope, scope);
        self.inside(def, read);
        self.scope = outer;
    }

    fn module_file(&mut self, def: DefId, module: &ItemMod) {
        let candidates = self.directory.candidates(module);
        let files: Vec<(reduce_syntax::FileId, bool)> = candidates
            .into_iter()
            .filter_map(|(path, by_attribute)| Some((self.sources.find(&path)?, by_attribute)))
            .filter(|(file, _)| !self.is_reached(*file))
            .collect();
        let Some((&(file, by_attribute), others)) = files.split_first() else {
            // Nobody knows what is in it.
            let place = Place::new(self.file, 0..0);
            return self.module_contents(def, place, |inside| {
                inside.result.scopes[inside.scope.idx()].has_unseen = true;
            });
        };
        let path = self.sources.path(file);
        let inner = reduce_syntax::ModuleDirectory::of_file(path, false, by_attribute);
        let outer = std::mem::replace(&mut self.directory, inner);
        let len = self.sources.text(file).len();
        self.module_contents(def, Place::new(file, 0..len), |inside| {
            inside.file_contents(file);
            // A configuration decides which of several it is.
            for &(other, _) in others {
                inside.guessing(true, |inside| inside.file_contents(other));
            }
        });
        self.directory = outer;
    }

    fn use_item(&mut self, item: &ItemUse) {
        self.visit_visibility(&item.vis);
        let start = match item.leading_colon {
            Some(_) => PathStart::Crates,
            None => PathStart::Scope,
        };
        self.use_tree(&item.tree, &mut Vec::new(), start);
    }

    fn use_tree<'t>(&mut self, tree: &'t UseTree, before: &mut Vec<&'t Ident>, start: PathStart) {
        match tree {
            UseTree::Path(path) => {
                before.push(&path.ident);
                self.use_tree(&path.tree, before, start);
                before.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.use_tree(tree, before, start);
                }
            }
            UseTree::Name(leaf) => self.use_leaf(&leaf.ident, None, before, start),
            UseTree::Rename(leaf) => self.use_leaf(&leaf.ident, Some(&leaf.rename), before, start),
            UseTree::Glob(glob) => {
                let leaf = self.place(glob).start();
                let import = self.push_import(before, start, leaf, true, None);
                self.result.scopes[self.scope.idx()].globs.push(import);
            }
        }
    }

    fn use_leaf<'t>(
        &mut self,
        ident: &'t Ident,
        rename: Option<&'t Ident>,
        before: &mut Vec<&'t Ident>,
        start: PathStart,
    ) {
        let is_self = ident == "self" && !before.is_empty();
        if !is_self {
            before.push(ident);
        }
        let leaf = self.position(ident);
        let name = rename.or(before.last().copied());
        let name = name.map(|name| self.intern(name));
        let import = self.push_import(before, start, leaf, is_self, name);
        if let Some(name) = name.filter(|name| self.result.words.text(*name) != "_") {
            let scope = &mut self.result.scopes[self.scope.idx()];
            scope.imports.entry(name).or_default().push(import);
        }
        if is_self {
            self.set_role(ident, WordRole::ImportName(import));
        } else {
            before.pop();
        }
        if let Some(rename) = rename {
            self.set_role(rename, WordRole::ImportName(import));
        }
    }

    fn push_import(
        &mut self,
        path: &[&Ident],
        start: PathStart,
        leaf: Position,
        of_types: bool,
        name: Option<NameId>,
    ) -> ImportId {
        let namespace = of_types.then_some(Namespace::Type);
        let path = self.push_path(path.iter().copied(), namespace, start);
        let import = ImportId::new(self.result.imports.len());
        self.result.imports.push(Import {
            path,
            leaf,
            of_types,
            name,
        });
        import
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
                let scope = self.root_scope();
                let scope = &mut self.result.scopes[scope.idx()];
                scope.items.entry(name).or_default().push(def);
            }
        } else {
            let scope = &mut self.result.scopes[self.scope.idx()];
            scope.items.entry(name).or_default().push(def);
        }
    }

    /// The scope of the crate's root.
    fn root_scope(&self) -> crate::ids::ScopeId {
        let mut scope = self.scope;
        while let Some(parent) = self.result.scope(scope).parent {
            scope = parent;
        }
        scope
    }
}
