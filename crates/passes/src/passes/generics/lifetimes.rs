//! Where each lifetime parameter is mentioned, and what may stand there instead. Words do not count
//! lifetimes, so these are found in the syntax tree, with the scopes of their parameters.

use super::generics_of;
use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Position;
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{BoundLifetimes, GenericParam, Generics, ImplItem, Item, Lifetime, Signature, TraitItem};

/// A mention of a lifetime parameter.
#[derive(Debug, Clone)]
pub(in super::super) struct LifetimeUse {
    pub(in super::super) place: Place,
    pub(in super::super) role: Role,
    pub(in super::super) setting: Setting,
}

/// What a lifetime is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Role {
    /// `&'a T`, `&'a self`
    Reference,
    /// `S<'a>`
    Argument,
    /// `T: 'a`, `'b: 'a`, `dyn A + 'a`
    Bound,
    Other,
}

/// Where a lifetime may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Setting {
    /// In a function's signature or body.
    Free,
    /// In the header of an impl: there a path needs `'_`.
    Header,
    /// Nowhere: fields, bounds, aliases.
    Rigid,
}

/// The lifetimes that something declares: where, if not in a `for<'a>`.
type Scope = Vec<(String, Option<Position>)>;

pub(super) struct Lifetimes<'p> {
    file: SyntaxFile<'p>,
    scopes: Vec<Scope>,
    setting: Setting,
    role: Role,
    found: HashMap<Position, Vec<LifetimeUse>>,
}

impl<'p> Lifetimes<'p> {
    /// The mentions of each parameter, by where its name stands.
    pub(super) fn of(program: &'p Program) -> HashMap<Position, Vec<LifetimeUse>> {
        let mut found = HashMap::new();
        for file in program.files() {
            let mut lifetimes = Self {
                file,
                scopes: Vec::new(),
                setting: Setting::Rigid,
                role: Role::Other,
                found,
            };
            lifetimes.visit_file(file.syntax);
            found = lifetimes.found;
        }
        found
    }

    fn owner(&mut self, generics: &Generics, walk: impl FnOnce(&mut Self)) {
        let file = self.file;
        let named = generics.lifetimes().map(|one| {
            let place = file.place_of(one.lifetime.span());
            (one.lifetime.ident.to_string(), Some(place.start()))
        });
        self.scope(named.collect(), walk);
    }

    fn binder(&mut self, lifetimes: Option<&BoundLifetimes>, walk: impl FnOnce(&mut Self)) {
        let parameters = lifetimes.into_iter().flat_map(|one| &one.lifetimes);
        let named = parameters.filter_map(|one| match one {
            GenericParam::Lifetime(one) => Some((one.lifetime.ident.to_string(), None)),
            _ => None,
        });
        self.scope(named.collect(), walk);
    }

    fn scope(&mut self, scope: Scope, walk: impl FnOnce(&mut Self)) {
        self.scopes.push(scope);
        walk(self);
        self.scopes.pop();
    }

    fn setting(&mut self, setting: Setting, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.setting, setting);
        walk(self);
        self.setting = outer;
    }

    fn role(&mut self, role: Role, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.role, role);
        walk(self);
        self.role = outer;
    }

    fn parameter(&self, name: &str) -> Option<Position> {
        let in_scope = |scope: &Scope| {
            let found = scope.iter().find(|(one, _)| one == name);
            found.map(|(_, declared)| *declared)
        };
        self.scopes.iter().rev().find_map(in_scope).flatten()
    }
}

impl<'p> Visit<'p> for Lifetimes<'p> {
    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    fn visit_label(&mut self, _label: &'p syn::Label) {}

    fn visit_expr_break(&mut self, leaving: &'p syn::ExprBreak) {
        if let Some(value) = &leaving.expr {
            self.visit_expr(value);
        }
    }

    fn visit_expr_continue(&mut self, _leaving: &'p syn::ExprContinue) {}

    fn visit_lifetime_param(&mut self, parameter: &'p syn::LifetimeParam) {
        for bound in &parameter.bounds {
            self.role(Role::Bound, |inside| inside.visit_lifetime(bound));
        }
    }

    fn visit_item(&mut self, item: &'p Item) {
        let walk = |inside: &mut Self| {
            inside.setting(Setting::Rigid, |inside| visit::visit_item(inside, item));
        };
        match generics_of(item) {
            Some((_, generics)) => self.owner(generics, walk),
            None => walk(self),
        }
    }

    fn visit_item_fn(&mut self, function: &'p syn::ItemFn) {
        self.owner(&function.sig.generics, |inside| {
            visit::visit_item_fn(inside, function);
        });
    }

    fn visit_foreign_item_fn(&mut self, function: &'p syn::ForeignItemFn) {
        self.owner(&function.sig.generics, |inside| {
            visit::visit_foreign_item_fn(inside, function);
        });
    }

    fn visit_item_impl(&mut self, block: &'p syn::ItemImpl) {
        self.visit_generics(&block.generics);
        self.setting(Setting::Header, |inside| {
            if let Some((path, _)) = &block.trait_ {
                inside.visit_path(path);
            }
            inside.visit_type(&block.self_ty);
        });
        for item in &block.items {
            self.visit_impl_item(item);
        }
    }

    fn visit_impl_item(&mut self, item: &'p ImplItem) {
        let walk = |inside: &mut Self| visit::visit_impl_item(inside, item);
        match item {
            ImplItem::Const(one) => self.owner(&one.generics, walk),
            ImplItem::Type(one) => self.owner(&one.generics, walk),
            ImplItem::Fn(one) => self.owner(&one.sig.generics, walk),
            _ => walk(self),
        }
    }

    fn visit_trait_item(&mut self, item: &'p TraitItem) {
        let walk = |inside: &mut Self| visit::visit_trait_item(inside, item);
        match item {
            TraitItem::Const(one) => self.owner(&one.generics, walk),
            TraitItem::Type(one) => self.owner(&one.generics, walk),
            TraitItem::Fn(one) => self.owner(&one.sig.generics, walk),
            _ => walk(self),
        }
    }

    fn visit_signature(&mut self, signature: &'p Signature) {
        self.visit_generics(&signature.generics);
        self.setting(Setting::Free, |inside| {
            for input in &signature.inputs {
                inside.visit_fn_arg(input);
            }
            inside.visit_return_type(&signature.output);
        });
    }

    fn visit_block(&mut self, block: &'p syn::Block) {
        self.setting(Setting::Free, |inside| visit::visit_block(inside, block));
    }

    fn visit_bound_lifetimes(&mut self, _binder: &'p syn::BoundLifetimes) {}

    fn visit_trait_bound(&mut self, bound: &'p syn::TraitBound) {
        self.binder(bound.lifetimes.as_ref(), |inside| {
            inside.role(Role::Other, |inside| inside.visit_path(&bound.path));
        });
    }

    fn visit_type_fn_ptr(&mut self, pointer: &'p syn::TypeFnPtr) {
        self.binder(pointer.lifetimes.as_ref(), |inside| {
            visit::visit_type_fn_ptr(inside, pointer);
        });
    }

    fn visit_predicate_type(&mut self, predicate: &'p syn::PredicateType) {
        self.binder(predicate.lifetimes.as_ref(), |inside| {
            visit::visit_predicate_type(inside, predicate);
        });
    }

    fn visit_predicate_lifetime(&mut self, predicate: &'p syn::PredicateLifetime) {
        self.role(Role::Bound, |inside| {
            visit::visit_predicate_lifetime(inside, predicate);
        });
    }

    fn visit_type_param_bound(&mut self, bound: &'p syn::TypeParamBound) {
        self.role(Role::Bound, |inside| {
            visit::visit_type_param_bound(inside, bound);
        });
    }

    fn visit_precise_capture(&mut self, capture: &'p syn::PreciseCapture) {
        self.role(Role::Other, |inside| {
            visit::visit_precise_capture(inside, capture);
        });
    }

    fn visit_type_reference(&mut self, reference: &'p syn::TypeReference) {
        if let Some(lifetime) = &reference.lifetime {
            self.role(Role::Reference, |inside| inside.visit_lifetime(lifetime));
        }
        self.visit_type(&reference.elem);
    }

    fn visit_receiver_kind(&mut self, kind: &'p syn::ReceiverKind) {
        self.role(Role::Reference, |inside| {
            visit::visit_receiver_kind(inside, kind);
        });
    }

    fn visit_type(&mut self, ty: &'p syn::Type) {
        self.role(Role::Other, |inside| visit::visit_type(inside, ty));
    }

    fn visit_generic_argument(&mut self, argument: &'p syn::GenericArgument) {
        self.role(Role::Argument, |inside| {
            visit::visit_generic_argument(inside, argument);
        });
    }

    fn visit_lifetime(&mut self, lifetime: &'p Lifetime) {
        let file = self.file;
        if let Some(parameter) = self.parameter(&lifetime.ident.to_string()) {
            let place = file.place_of(lifetime.span());
            let (role, setting) = (self.role, self.setting);
            self.found.entry(parameter).or_default().push(LifetimeUse {
                place,
                role,
                setting,
            });
        }
    }
}
