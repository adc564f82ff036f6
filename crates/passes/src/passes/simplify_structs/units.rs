//! All fields of a type go at once; and the generic parameters that only they needed.

use super::One;
use crate::passes::data::{Kind, Shape};
use crate::program::{Change, Place};
use reduce_syntax::EditSet;

impl One<'_> {
    /// `S(T, U)` as `S`.
    pub(super) fn without_fields(&self) -> Vec<EditSet> {
        let has_fields = !self.definition.fields.is_empty();
        let is_enum = self.definition.kind == Kind::Union || self.definition.body.is_some();
        if !has_fields || is_enum {
            return Vec::new();
        }
        let generics = &self.definition.generics;
        let needs_fields = generics.iter().any(|one| !one.is_const);
        // A single field is for `delete_fields`.
        let keeps_generics = !needs_fields && self.definition.fields.len() > 1;
        let with = keeps_generics.then(|| self.unit(false)).flatten();
        let drops_generics = needs_fields && !self.definition.has_where;
        let without = drops_generics.then(|| self.unit(true)).flatten();
        without.into_iter().chain(with).collect()
    }

    fn unit(&self, drops_generics: bool) -> Option<EditSet> {
        let mut change = self.program.change();
        match &self.definition.shape {
            Shape::Named(braces) if !self.is_variant() => change.replace(braces, ";"),
            Shape::Named(brackets) | Shape::Tuple(brackets) => change.delete(brackets),
            Shape::Unit => return None,
        };
        for one in self.data.uses_of(self.idx) {
            if let Shape::Named(brackets) | Shape::Tuple(brackets) = &one.shape {
                change.delete(brackets);
            }
        }
        self.end_reads(&mut change);
        if drops_generics {
            self.drop_generics(&mut change);
        }
        change.finish()
    }

    fn end_reads(&self, change: &mut Change<'_>) {
        if self.is_variant() {
            return;
        }
        for idx in 0..self.definition.fields.len() {
            for read in self.data.reads_of(self.idx, self.definition.member(idx)) {
                read.become_text("loop {}", change);
            }
        }
    }

    /// Takes all parameters away, with the arguments, and with the parameters of impls and functions
    /// that were only mentioned in these.
    fn drop_generics(&self, change: &mut Change<'_>) {
        for one in &self.definition.generics {
            change.remove(&one.place);
        }
        let segments = self.data.segments_of(self.idx);
        let brackets: Vec<Place> = segments.filter_map(|one| one.brackets.clone()).collect();
        for place in &brackets {
            change.delete(place);
        }
        self.data.remove_unneeded(self.program, &brackets, change);
    }
}
