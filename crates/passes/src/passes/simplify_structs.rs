//! `simplify_structs`: a type is declared in a simpler way, and all its uses follow: a tuple instead of
//! named fields, no fields at all, a struct instead of an enum.

mod tuples;
mod units;

use super::data::{Data, Definition, Kind, Segment, Shape};
use super::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program};
use reduce_syntax::EditSet;

pub(super) const PASS: Pass = Pass {
    name: "simplify_structs",
    about: "Makes tuple structs of structs, unit structs of both, and structs of enums, with their uses",
    example: (
        "struct S { a: u8 } fn f(s: S) -> S { s.a; S { a: 1 } }",
        "struct S(u8); fn f(s: S) -> S { s.0; S(1) }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let one = |idx| One::new(program, &data, idx);
    let all: Vec<One<'_>> = (0..data.definitions.len()).filter_map(one).collect();
    let enums = all.iter().filter_map(One::without_variants);
    let units = all.iter().flat_map(One::without_fields);
    let tuples = all.iter().filter_map(One::as_tuple);
    enums.chain(units).chain(tuples).collect()
}

/// A type or variant that may be simplified.
struct One<'d> {
    program: &'d Program,
    data: &'d Data,
    idx: usize,
    definition: &'d Definition,
}

impl<'d> One<'d> {
    fn new(program: &'d Program, data: &'d Data, idx: usize) -> Option<Self> {
        Some(Self {
            program,
            data,
            idx,
            definition: data.definitions.get(idx)?,
        })
    }

    /// An enum becomes a struct if it has one variant, or none with fields.
    fn without_variants(&self) -> Option<EditSet> {
        let variants: Vec<&Definition> = self.data.variants_of(self.definition).collect();
        let body = self.definition.body.as_ref()?;
        let first = variants.first()?;
        let is_plain = |one: &&Definition| one.shape == Shape::Unit;
        if variants.len() > 1 && !variants.iter().all(is_plain) {
            return None;
        }
        let mut change = self.program.change();
        change.replace(&self.definition.keyword, "struct");
        self.put_fields(first, body, &mut change)?;
        for &variant in &self.definition.variants {
            self.rename_variant(variant, &mut change);
        }
        for import in self.data.imports_of(self.program, self.definition) {
            // What is in the enum is imported.
            if !import.is_leaf {
                change.remove(&import.whole);
            }
        }
        change.finish()
    }

    /// What was between the braces becomes what a variant had.
    fn put_fields(
        &self,
        variant: &Definition,
        Place { file, range: body }: &Place,
        change: &mut Change<'_>,
    ) -> Option<()> {
        let (fields, end) = match &variant.shape {
            Shape::Unit => {
                change.replace(&Place::new(*file, body.clone()), ";");
                return Some(());
            }
            // A where clause would have to come after the fields.
            Shape::Tuple(_) if self.definition.has_where => return None,
            Shape::Tuple(Place { range: fields, .. }) => (fields, ";"),
            Shape::Named(Place { range: fields, .. }) => (fields, ""),
        };
        change.delete(&Place::new(*file, body.start..fields.start));
        change.replace(&Place::new(*file, fields.end..body.end), end);
        Some(())
    }

    /// `E::V` is `E`, and so is an imported `V`.
    fn rename_variant(&self, variant: usize, change: &mut Change<'_>) {
        for segment in self.data.segments_of(variant) {
            match self.before(segment) {
                Some(separated) => change.delete(&separated),
                None => change.replace(&segment.whole, &self.definition.name),
            };
        }
        if let Some(one) = self.data.definitions.get(variant) {
            for import in self.data.imports_of(self.program, one) {
                change.remove(&import.whole);
            }
        }
    }

    /// A segment with the colons before it.
    fn before(&self, segment: &Segment) -> Option<Place> {
        segment.before.as_ref()?;
        let Place {
            file,
            range: prefix,
        } = &segment.prefix;
        let text = self
            .program
            .text(&Place::new(*file, prefix.start..segment.at.at));
        let kept = text.trim_end().strip_suffix("::")?.trim_end().len();
        Some(Place::new(*file, prefix.start + kept..prefix.end))
    }

    fn is_variant(&self) -> bool {
        matches!(self.definition.kind, Kind::Variant(_))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn named_fields_become_those_of_a_tuple() {
        check_has(
            &PASS,
            "pub struct S<T> { pub a: T, b: u8, } fn f(S { a, b: 1 }: S<u8>, s: S<u8>) { S { b: 2, a: s.a }; }",
            "pub struct S<T>(pub T, u8,); fn f(S(a, 1): S<u8>, s: S<u8>) { S(s.0, 2); }",
        );
    }

    #[test]
    fn patterns_get_what_they_left_out() {
        check_has(
            &PASS,
            "struct S { a: u8, b: u8 } fn f(S { a, .. }: S, S { b: c, .. }: S, S { .. }: S) {}",
            "struct S(u8, u8); fn f(S(a, ..): S, S(_, c): S, S(..): S) {}",
        );
    }

    #[test]
    fn variants_and_unions_become_tuples_too() {
        check_has(
            &PASS,
            "enum E { V { a: u8 }, W } fn f() { E::V { a: 1 }; }",
            "enum E { V(u8), W } fn f() { E::V(1); }",
        );
        check_has(
            &PASS,
            "union U { a: u8 } fn f() { U { a: 1 }; }",
            "struct U(u8); fn f() { U(1); }",
        );
    }

    #[test]
    fn a_struct_with_a_base_stays_named() {
        check(
            &PASS,
            "struct S { a: u8 } fn f(s: S) { S { a: 1, ..s }; }",
            &[],
        );
    }

    #[test]
    fn all_fields_go_at_once() {
        check(
            &PASS,
            "struct S(u8, u8); fn f(S(a, _): S) -> S { S(1, 2).0; S(1, 2) }",
            &["struct S; fn f(S: S) -> S { loop {}; S }"],
        );
    }

    #[test]
    fn generic_parameters_go_with_the_fields_that_need_them() {
        check(
            &PASS,
            "struct S<'a, T>(&'a T); impl<'a, T> S<'a, T> { fn f<U>(x: U) -> Self { S::<'a, T>(loop {}) } }",
            &["struct S; impl S { fn f<U>(x: U) -> Self { S } }"],
        );
    }

    #[test]
    fn an_enum_with_one_variant_is_a_struct() {
        check_has(
            &PASS,
            "use E::V; use E::*; enum E<T> { V(T) } impl E<u8> { fn f() { E::V(1); V(2); Self::V(3); E::<u8>::V(4); } }",
            "struct E<T>(T); impl E<u8> { fn f() { E(1); E(2); Self(3); E::<u8>(4); } }",
        );
        check_has(
            &PASS,
            "enum E { V { a: u8 } } fn f(E::V { a }: E) {}",
            "struct E { a: u8 } fn f(E { a }: E) {}",
        );
    }

    #[test]
    fn an_enum_without_fields_is_a_unit_struct() {
        check(
            &PASS,
            "enum E { A, B = 2 } fn f(e: E) -> E { match e { E::A => E::B, _ => E::A } }",
            &["struct E; fn f(e: E) -> E { match e { E => E, _ => E } }"],
        );
    }

    #[test]
    fn simple_types_stay() {
        check_not_applicable(&PASS, "struct S; struct T(u8); enum E {} fn f() { T(1); }");
    }
}
