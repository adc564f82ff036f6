//! `delete_variants`: a variant goes with the arms that match it. What makes one makes another variant
//! instead, or never ends.

use super::data::{Data, Kind, Shape, Use};
use super::{Pass, Rewriter, Work};
use crate::program::{Place, Program};
use reduce_syntax::EditSet;
use std::collections::HashSet;

pub(super) const PASS: Pass = Pass {
    name: "delete_variants",
    about: "Deletes variants, with the arms that match them and the expressions that make them",
    example: (
        "enum E { A, B(u8) } fn f(e: E) { match e { E::A => {} E::B(_) => {} } }",
        "enum E { A } fn f(e: E) { match e { E::A => {} } }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let mut found = Vec::new();
    for (idx, one) in data.definitions.iter().enumerate() {
        let Kind::Variant(of) = one.kind else {
            continue;
        };
        let is_made = data.uses_of(idx).any(|one| !one.is_pattern);
        let stand_in = stand_in(&data, of, idx).filter(|_| is_made);
        let alternatives = stand_in.map(Some).into_iter().chain([None]);
        found.extend(alternatives.filter_map(|with| change(program, &data, idx, with)));
    }
    found
}

/// Another variant of the enum, without fields.
fn stand_in(data: &Data, of: usize, variant: usize) -> Option<&str> {
    let others = data.definitions.get(of)?.variants.iter();
    let others = others.filter(|&&idx| idx != variant);
    let mut others = others.filter_map(|&idx| data.definitions.get(idx));
    let plain = others.find(|one| one.shape == Shape::Unit)?;
    Some(&plain.name)
}

fn change(program: &Program, data: &Data, idx: usize, stand_in: Option<&str>) -> Option<EditSet> {
    let mut change = program.change();
    data.remove(program, idx, &mut change);
    for arm in arms(data, idx) {
        change.remove(arm);
    }
    for one in data.uses_of(idx) {
        if !one.is_pattern {
            change.replace(&one.whole, &instead(program, data, one, stand_in)?);
        } else if one.arm.is_none() {
            change.replace(&one.whole, "_");
        }
    }
    if let Some(name) = stand_in {
        for stray in data.strays(program, idx) {
            change.replace(&stray, name);
        }
    }
    change.finish()
}

/// The arms and cases that match the variant; and those of which all cases do.
fn arms(data: &Data, idx: usize) -> HashSet<&Place> {
    let patterns = data.uses_of(idx).filter(|one| one.is_pattern);
    let mut arms: HashSet<&Place> = patterns.filter_map(|one| one.arm.as_ref()).collect();
    if arms.is_empty() {
        return arms;
    }
    for one in data.alternatives.iter().rev() {
        if one.cases.iter().all(|case| arms.contains(case)) {
            arms.extend(&one.around);
        }
    }
    arms
}

/// What stands in place of an expression that makes the variant.
fn instead(program: &Program, data: &Data, one: &Use, stand_in: Option<&str>) -> Option<String> {
    let Some(name) = stand_in else {
        return Some("loop {}".to_owned());
    };
    let segment = data.segments.get(one.segment)?;
    segment.before.as_ref()?;
    let Place { file, range: path } = &one.path;
    let before = program.text(&Place::new(*file, path.start..segment.at.at));
    Some(format!("{before}{name}"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_variant_goes_with_its_arms() {
        check(
            &PASS,
            "enum E { A(u8), B(u8) } fn f(e: E) { match e { E::A(_) => {} E::B(x) if x > 0 => {} E::B(_) => {} } }",
            &[
                "enum E { B(u8) } fn f(e: E) { match e { E::B(x) if x > 0 => {} E::B(_) => {} } }",
                "enum E { A(u8) } fn f(e: E) { match e { E::A(_) => {} } }",
            ],
        );
    }

    #[test]
    fn what_makes_a_variant_makes_one_without_fields() {
        check(
            &PASS,
            "enum E { A, B(u8) } fn f() -> E { E::B(1) }",
            &[
                "enum E { B(u8) } fn f() -> E { E::B(1) }",
                "enum E { A } fn f() -> E { E::A }",
                "enum E { A } fn f() -> E { loop {} }",
            ],
        );
    }

    #[test]
    fn a_case_of_an_or_pattern_goes_and_not_the_arm() {
        check_has(
            &PASS,
            "enum E { A, B } fn f(e: E) { match e { E::A | E::B => {} } }",
            "enum E { B } fn f(e: E) { match e { E::B => {} } }",
        );
    }

    #[test]
    fn an_arm_goes_with_the_last_of_its_cases() {
        check_has(
            &PASS,
            "enum E { A(u8), B } fn f(e: E) { match e { E::A(1) | E::A(2) => {} _ => {} } }",
            "enum E { B } fn f(e: E) { match e { _ => {} } }",
        );
    }

    #[test]
    fn a_variant_that_is_only_matched_outside_of_arms_becomes_a_wildcard() {
        check_has(
            &PASS,
            "enum E { A, B(u8) } fn f(e: E) { if let E::B(_) = e {} }",
            "enum E { A } fn f(e: E) { if let _ = e {} }",
        );
    }

    #[test]
    fn variants_with_the_name_of_a_struct_are_told_apart() {
        check_has(
            &PASS,
            "struct A; enum E { A(A), B } fn f(a: A) -> E { E::A(A) }",
            "struct A; enum E { B } fn f(a: A) -> E { E::B }",
        );
    }

    #[test]
    fn enums_without_variants_and_structs_stay() {
        check_not_applicable(&PASS, "enum E {} struct S { a: u8 }");
    }
}
