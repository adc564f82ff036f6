//! `simplify_structs`: declares a type in a simpler way, and changes all its uses: a tuple instead of named fields,
//! no fields at all, a struct instead of an enum.

mod tuples;
mod units;

use super::data::{Data, Definition, Kind, Segment, Shape};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program};
use reduce_syntax::EditSet;

pub(super) const PASS: Pass = Pass {
    name: "simplify_structs",
    about: "Makes tuple structs of structs, unit structs of both, and structs of enums, with their uses",
    example: (
        "struct S { a: u8 } fn f(s: S) -> S { s.a; S { a: 1 } }",
        "struct S(u8); fn f(s: S) -> S { s.0; S(1) }",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let all = data.definitions.iter();
    let enums = all
        .clone()
        .filter_map(|one| without_variants(program, &data, one));
    let units = all
        .clone()
        .flat_map(|one| units::without_fields(program, &data, one));
    let tuples = all.clone().filter_map(|one| tuples::as_tuple(program, one));
    enums.chain(units).chain(tuples).collect()
}

/// Makes a struct of an enum that has one variant, or none with fields.
fn without_variants(program: &Program, data: &Data<'_>, of: &Definition<'_>) -> Option<EditSet> {
    let Kind::Enum(item) = of.kind else {
        return None;
    };
    let variants = data.variants_of(of);
    let first = variants.first()?;
    let is_plain = |one: &Definition<'_>| one.shape == Shape::Unit;
    if variants.len() > 1 && !variants.iter().all(is_plain) {
        return None;
    }
    let mut change = program.change();
    change.replace(&of.keyword, "struct");
    let body = of.file.place_of(item.brace_token.span.join());
    put_fields(of, first, &body, &mut change)?;
    for variant in variants {
        rename_variant(program, of, variant, &mut change);
    }
    // Imports that are not of the enum itself are of its variants.
    for import in of.imports.iter().filter(|one| !one.is_leaf) {
        change.remove(&import.whole);
    }
    change.finish()
}

/// Puts the fields of a variant in place of all variants of its enum, which becomes a struct.
fn put_fields(
    of: &Definition<'_>,
    variant: &Definition<'_>,
    body: &Place,
    change: &mut Change<'_>,
) -> Option<()> {
    let (fields, end) = match &variant.shape {
        Shape::Unit => {
            change.replace(body, ";");
            return Some(());
        }
        // A where clause would have to come after the fields.
        Shape::Tuple(_) if of.has_where() => return None,
        Shape::Tuple(fields) => (fields, ";"),
        Shape::Named(fields) => (fields, ""),
    };
    change.delete(&Place::new(body.file, body.range.start..fields.range.start));
    change.replace(
        &Place::new(body.file, fields.range.end..body.range.end),
        end,
    );
    Some(())
}

/// Puts the type in place of a variant: `E::V` becomes `E`, and so does an imported `V`.
fn rename_variant(
    program: &Program,
    of: &Definition<'_>,
    variant: &Definition<'_>,
    change: &mut Change<'_>,
) {
    for segment in &variant.segments {
        match with_colons(program, segment) {
            Some(separated) => change.delete(&separated),
            None => change.replace(&segment.whole, of.name),
        };
    }
    for import in &variant.imports {
        change.remove(&import.whole);
    }
}

/// Returns the place of a path's segment with the `::` before it.
fn with_colons(program: &Program, segment: &Segment<'_>) -> Option<Place> {
    let before = segment.before.as_ref()?;
    let kept = program
        .text(before)
        .trim_end()
        .strip_suffix("::")?
        .trim_end()
        .len();
    let start = before.range.start + kept;
    Some(Place::new(before.file, start..segment.prefix.range.end))
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
