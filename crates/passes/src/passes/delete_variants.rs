//! `delete_variants`: a variant goes with the arms that match it. What makes one makes another variant
//! instead, or never ends.

use super::data::{Data, Definition, Kind, Shape, Use};
use super::{Keeps, Pass, Rewriter, Work};
use crate::program::{Place, Program};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use std::collections::HashSet;
use syn::{Expr, Pat};

pub(super) const PASS: Pass = Pass {
    name: "delete_variants",
    about: "Deletes variants, with the arms that match them and the expressions that make them",
    example: (
        "enum E { A, B(u8) } fn f(e: E) { match e { E::A => {} E::B(_) => {} } }",
        "enum E { A } fn f(e: E) { match e { E::A => {} } }",
    ),
    keeps: Keeps::Types,
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let cases = cases(program);
    let mut found = Vec::new();
    for one in &data.definitions {
        let Kind::Variant(of) = one.kind else {
            continue;
        };
        let is_made = one.uses.iter().any(|one| !one.is_pattern);
        // Another variant of the enum, without fields.
        let others = data.variants_of(&data.definitions[of]).iter();
        let mut others = others.filter(|other| other.at != one.at);
        let stand_in = others.find(|other| is_made && other.shape == Shape::Unit);
        let alternatives = stand_in.map(|other| Some(other.name)).into_iter();
        let alternatives = alternatives.chain([None]);
        found.extend(alternatives.filter_map(|with| change(program, one, &cases, with)));
    }
    found
}

fn change(
    program: &Program,
    variant: &Definition<'_>,
    cases: &[Case],
    stand_in: Option<&str>,
) -> Option<EditSet> {
    let mut change = program.change();
    variant.remove(&mut change);
    let mut gone = HashSet::new();
    for one in &variant.uses {
        let case = Case::around(cases, &one.whole).filter(|_| one.is_pattern);
        match case {
            Some(case) => drop(gone.insert(&case.whole)),
            None if one.is_pattern => drop(change.replace(&one.whole, "_")),
            None => drop(change.replace(&one.whole, &instead(program, variant, one, stand_in)?)),
        }
    }
    for case in without_alternatives(cases, gone) {
        change.remove(case);
    }
    for stray in stand_in.iter().flat_map(|_| &variant.strays) {
        change.replace(stray, stand_in?);
    }
    change.finish()
}

/// An arm, or a case of an or-pattern.
struct Case {
    pattern: Place,
    /// What goes with the pattern.
    whole: Place,
    /// The or-pattern.
    of: Option<Place>,
}

/// All arms and cases, an outer one before those in it.
fn cases(program: &Program) -> Vec<Case> {
    let mut found = Vec::new();
    visit::each_also_in_macros(program, |at, node| match node {
        Node::Expr(Expr::Match(one)) => found.extend(one.arms.iter().map(|arm| Case {
            pattern: at.place(&arm.pat),
            whole: at.place(arm),
            of: None,
        })),
        Node::Pat(Pat::Or(one)) => found.extend(one.cases.iter().map(|case| Case {
            pattern: at.place(case),
            whole: at.place(case),
            of: Some(at.place(one)),
        })),
        _ => {}
    });
    found
}

impl Case {
    /// The innermost one around a pattern.
    fn around<'c>(cases: &'c [Self], pattern: &Place) -> Option<&'c Self> {
        let mut inner_first = cases.iter().rev();
        inner_first.find(|case| pattern.is_within(&case.pattern))
    }
}

/// What goes, with the arms and cases of which all cases do.
fn without_alternatives<'c>(cases: &'c [Case], mut gone: HashSet<&'c Place>) -> HashSet<&'c Place> {
    if gone.is_empty() {
        return gone;
    }
    for alternatives in cases.chunk_by(|a, b| a.of.is_some() && a.of == b.of).rev() {
        if alternatives.iter().all(|case| gone.contains(&case.whole))
            && let Some(pattern) = alternatives.first().and_then(|case| case.of.as_ref())
        {
            let around = Case::around(cases, pattern);
            gone.extend(around.map(|case| &case.whole));
        }
    }
    gone
}

/// What stands in place of an expression that makes the variant.
fn instead(
    program: &Program,
    of: &Definition<'_>,
    one: &Use,
    stand_in: Option<&str>,
) -> Option<String> {
    let Some(name) = stand_in else {
        return Some("loop {}".to_owned());
    };
    let before = program.text(of.segments[one.segment].before.as_ref()?);
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
