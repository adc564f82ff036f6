//! Finds the value that each variable of a pattern stands for.

use super::Collector;
use crate::definitions::Namespace;
use crate::ids::{DefId, ShapeId};
use crate::scopes::{PathStart, WordRole};
use crate::shapes::Shape;
use syn::punctuated::Punctuated;
use syn::{Expr, Member, Pat, Token, Type};

impl Collector<'_> {
    /// Notes for each variable of a pattern the part of a value that it stands for, where `whole` is
    /// what the pattern matches.
    pub(super) fn note_parts(&mut self, pattern: &Pat, whole: ShapeId) {
        match pattern {
            Pat::Ident(name) => {
                if let Some(def) = self.variable_at(&name.ident) {
                    self.result.definitions[def.idx()]
                        .value
                        .get_or_insert(whole);
                }
                if let Some((_, inner)) = &name.subpat {
                    self.note_parts(inner, whole);
                }
            }
            Pat::Reference(one) => self.note_parts(&one.pat, whole),
            Pat::Paren(one) => self.note_parts(&one.pat, whole),
            Pat::Guard(one) => self.note_parts(&one.pat, whole),
            Pat::Or(one) => one.cases.iter().for_each(|one| self.note_parts(one, whole)),
            Pat::Type(one) => self.note_typed(&one.pat, &one.ty),
            Pat::Tuple(one) => {
                self.note_each(&one.elems, |idx| Shape::Component(whole, idx));
            }
            Pat::TupleStruct(one) => {
                if let Some(path) = self.path_at(one.path.segments.last()) {
                    self.note_each(&one.elems, |idx| Shape::Part(whole, path, idx));
                }
            }
            Pat::Slice(one) => self.note_each(&one.elems, |_| Shape::Content(whole)),
            Pat::Struct(one) => self.note_fields(one, whole),
            _ => {}
        }
    }

    /// Notes for the elements before `..` in a pattern the parts of a value that they match.
    fn note_each(&mut self, elements: &Punctuated<Pat, Token![,]>, shape: impl Fn(usize) -> Shape) {
        let before_rest = elements
            .iter()
            .take_while(|one| !matches!(one, Pat::Rest(_)));
        for (idx, element) in before_rest.enumerate() {
            let part = self.push_shape(shape(idx));
            self.note_parts(element, part);
        }
    }

    fn note_fields(&mut self, pattern: &syn::PatStruct, whole: ShapeId) {
        let Some(path) = self.path_at(pattern.path.segments.last()) else {
            return;
        };
        for field in &pattern.fields {
            if let Member::Named(name) = &field.member {
                let name = self.intern(name);
                let part = self.push_shape(Shape::NamedPart(whole, path, name));
                self.note_parts(&field.pat, part);
            }
        }
    }

    /// Notes that a pattern matches a value of a written type, which was read already.
    pub(super) fn note_typed(&mut self, pattern: &Pat, ty: &Type) {
        let ty = self.type_shape(ty);
        let whole = self.push_shape(Shape::Written(ty));
        self.note_parts(pattern, whole);
    }

    /// Notes that a pattern matches the value of an expression, which was read already.
    pub(super) fn note_value(&mut self, pattern: &Pat, value: &Expr) {
        let whole = self.shape(value);
        self.note_parts(pattern, whole);
    }

    fn variable_at(&self, ident: &syn::Ident) -> Option<DefId> {
        match self.result.roles[self.word(ident)?.idx()] {
            WordRole::Definition(def)
            | WordRole::Pattern(_, def)
            | WordRole::ShorthandPattern(_, def) => Some(def),
            _ => None,
        }
    }

    /// Reads a pattern that is one name with a capital letter: a constant, a variant or a unit
    /// struct if there is one of that name, else a variable.
    pub(super) fn capital_pattern(&mut self, ident: &syn::Ident) {
        let path = self.push_path([ident], Some(Namespace::Value), PathStart::Scope);
        let def = self.variable(ident);
        self.result.may_be_constants.insert(def, path);
        self.set_role(ident, WordRole::Pattern(path, def));
    }
}
