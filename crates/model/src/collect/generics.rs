//! Reads generic parameters and their bounds.

use super::Collector;
use crate::ids::DefId;
use crate::scopes::{ScopeKind, WordRole};
use reduce_syntax::byte_range;
use syn::visit::Visit;
use syn::{Generics, Ident, Type, TypeParamBound};

impl Collector<'_> {
    /// Reads generic parameters, which are visible in all of the scope, and their bounds.
    pub(super) fn generics(&mut self, generics: &Generics) {
        self.define_parameters(&generics.params);
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

    /// Reads a bound in a `where` clause, such as `T: Trait`.
    fn predicate(&mut self, predicate: &syn::WherePredicate) {
        let syn::WherePredicate::Type(predicate) = predicate else {
            return self.visit_where_predicate(predicate);
        };
        let range = byte_range(predicate);
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

    /// Finds the type parameter with a name in the scopes around.
    pub(super) fn parameter(&self, ident: &Ident) -> Option<DefId> {
        let name = self.result.words.name(&ident.to_string())?;
        let mut around = self.result.scopes_around(self.scope);
        let found = around.find_map(|one| one.scope.locals.get(&name))?;
        found.first().map(|(_, def)| *def)
    }

    fn definition_at(&self, ident: &Ident) -> Option<DefId> {
        match self.result.roles[self.word(ident)?.idx()] {
            WordRole::Definition(def) => Some(def),
            _ => None,
        }
    }

    /// Reads the bounds of a type parameter or a trait.
    pub(super) fn bounds_of<'b>(
        &mut self,
        def: DefId,
        bounds: impl Iterator<Item = &'b TypeParamBound>,
    ) {
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
}
