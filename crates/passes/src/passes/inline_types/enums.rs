//! Replaces an enum whose variants have no fields by numbers: a variant by its index.

use super::super::data::{Data, Definition, Kind, PathRole, Shape};
use crate::pass::{Rewriter, Work};
use crate::program::{Change, Program, simplest_first};
use reduce_syntax::EditSet;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The type in place of the enum.
const NUMBER: &str = "u8";
/// The number of variants that have an index of this type.
const MOST_VARIANTS: usize = 256;

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let all = data.definitions.iter();
    simplest_first(program, all.filter_map(|one| change(program, &data, one)))
}

fn change(program: &Program, data: &Data<'_>, of: &Definition<'_>) -> Option<EditSet> {
    let Kind::Enum(item) = of.kind else {
        return None;
    };
    let variants = data.variants_of(of);
    let is_plain = of.parameters().next().is_none() && of.impls.is_empty();
    let has_index = item.variants.iter().all(|one| one.discriminant.is_none());
    let is_unit = |one: &Definition<'_>| {
        let mut uses = one.uses.iter();
        one.shape == Shape::Unit
            && one.strays.is_empty()
            && uses.all(|one| one.shape == Shape::Unit)
    };
    let are_units = of.strays.is_empty() && variants.iter().all(is_unit);
    if !is_plain || !has_index || !are_units || variants.len() > MOST_VARIANTS {
        return None;
    }
    let mut change = program.change();
    of.remove(&mut change);
    for (number, variant) in variants.iter().enumerate() {
        name_the_number(variant, number, &mut change)?;
    }
    name_the_type(of, variants, &mut change)?;
    change.finish()
}

/// Puts a number in place of a variant, wherever that is named.
fn name_the_number(variant: &Definition<'_>, number: usize, change: &mut Change<'_>) -> Option<()> {
    for import in &variant.imports {
        change.remove(&import.whole);
    }
    for segment in &variant.segments {
        match (segment.role, segment.is_last) {
            (PathRole::Value, true) => change.replace(&segment.prefix, &number.to_string()),
            _ => return None,
        };
    }
    Some(())
}

/// Puts the type of the numbers in place of the enum, wherever that is named without a variant.
fn name_the_type(
    of: &Definition<'_>,
    variants: &[Definition<'_>],
    change: &mut Change<'_>,
) -> Option<()> {
    let named = variants.iter().flat_map(|one| &one.segments);
    for segment in &of.segments {
        if named.clone().any(|one| segment.at.is_in(&one.prefix)) {
            continue;
        }
        match (segment.role, segment.is_last) {
            (PathRole::Type, true) | (PathRole::Value, false) => {
                change.replace(&segment.prefix, NUMBER)
            }
            _ => return None,
        };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn variants_are_their_indices() {
        check(
            &WORK,
            "#[derive(PartialEq)] enum E { A, B } fn f(x: E) -> Vec<E> { vec![x, E::B, E::A] }",
            &["fn f(x: u8) -> Vec<u8> { vec![x, 1, 0] }"],
        );
    }

    #[test]
    fn imported_variants_are_their_indices() {
        check(
            &WORK,
            "use E::A; enum E { A, B } fn f() -> bool { g(A) < g(E::B) }",
            &["fn f() -> bool { g(0) < g(1) }"],
        );
    }

    #[test]
    fn patterns_are_indices_too() {
        check(
            &WORK,
            "enum E { A, B } fn f(x: E) { match x { E::B => g(), _ => {} } }",
            &["fn f(x: u8) { match x { 1 => g(), _ => {} } }"],
        );
    }

    #[test]
    fn enums_with_fields_methods_or_numbers_of_their_own_stay() {
        check_not_applicable(&WORK, "enum E { A, B(u8) }");
        check_not_applicable(&WORK, "enum E { A } impl E { fn f(&self) {} }");
        check_not_applicable(&WORK, "enum E { A = 3 } fn f() -> E { E::A }");
        check_not_applicable(&WORK, "enum E<T> { A }");
    }

    #[test]
    fn a_default_is_that_of_the_numbers() {
        check_has(
            &WORK,
            "#[derive(Default)] enum E { #[default] A, B } fn f() -> E { E::default() }",
            "fn f() -> u8 { u8::default() }",
        );
    }
}
