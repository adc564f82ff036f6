//! `delete_variants`: a variant goes with the arms that match it. What makes one makes another variant
//! instead, with the same fields or without any, or never ends.

mod numbered;

use super::data::{Data, Definition, Kind, Shape};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
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
    work: &[WORK, numbered::WORK],
};

/// The part of the pass that this file does, without those of its submodules.
const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let cases = cases(program);
    let mut found = Vec::new();
    for one in &data.definitions {
        let Kind::Variant(of) = one.kind else {
            continue;
        };
        let is_made = one.uses.iter().any(|one| !one.is_pattern);
        // Other variants of the enum, without fields and with the same ones.
        let others = data.variants_of(&data.definitions[of]).iter();
        let others = others.filter(|other| is_made && other.at != one.at);
        let unit = others.clone().find(|other| other.shape == Shape::Unit);
        let unit = unit.map(|other| Instead::Unit(other.name));
        let alike = others.clone().find(|other| are_alike(program, one, other));
        let alike = alike.map(|other| Instead::Alike(other.name));
        let alternatives = [unit, alike].into_iter().flatten().chain([Instead::Loop]);
        found.extend(
            alternatives.filter_map(|instead| without_variant(program, one, &cases, instead)),
        );
    }
    found
}

/// The expression that takes the place of one that makes a value of the deleted variant.
#[derive(Clone, Copy)]
pub(super) enum Instead<'p> {
    /// The name of another variant, which has no fields.
    Unit(&'p str),
    /// The name of another variant, which has the same fields.
    Alike(&'p str),
    /// An endless loop in place of the value.
    Loop,
}

impl<'p> Instead<'p> {
    fn variant(self) -> Option<&'p str> {
        match self {
            Self::Unit(name) | Self::Alike(name) => Some(name),
            Self::Loop => None,
        }
    }
}

/// Whether two variants with fields are written in the same way, with the same types.
fn are_alike(program: &Program, one: &Definition<'_>, other: &Definition<'_>) -> bool {
    let fields = |of: &Definition<'_>| -> Vec<String> {
        let each = of.fields.iter();
        each.map(|field| program.text(&field.whole).to_owned())
            .collect()
    };
    let are_tuples = [one, other].map(|of| matches!(of.shape, Shape::Tuple(_)));
    !one.fields.is_empty() && are_tuples[0] == are_tuples[1] && fields(one) == fields(other)
}

/// Removes a variant from the program.
pub(super) fn without_variant(
    program: &Program,
    variant: &Definition<'_>,
    cases: &[Case],
    instead: Instead<'_>,
) -> Option<EditSet> {
    let mut change = program.change();
    variant.remove(&mut change);
    let mut gone = HashSet::new();
    for one in &variant.uses {
        let case = Case::around(cases, &one.whole).filter(|_| one.is_pattern);
        match case {
            Some(case) => drop(gone.insert(&case.whole)),
            None if one.is_pattern => drop(change.replace(&one.whole, "_")),
            None => match instead {
                Instead::Unit(name) => {
                    let before = variant.segments[one.segment].before.as_ref()?;
                    let before = program.text(before);
                    change.replace(&one.whole, &format!("{before}{name}"));
                }
                Instead::Alike(name) => {
                    change.replace(&variant.segments[one.segment].whole, name);
                }
                Instead::Loop => {
                    change.replace(&one.whole, "loop {}");
                }
            },
        }
    }
    for case in without_alternatives(cases, gone) {
        change.remove(case);
    }
    if let Some(name) = instead.variant() {
        for stray in &variant.strays {
            change.replace(stray, name);
        }
    }
    change.finish()
}

/// An arm of a `match`, or a case of an or-pattern.
pub(super) struct Case {
    pattern: Place,
    /// The arm, or the case of an or-pattern, that is deleted with the pattern.
    whole: Place,
    /// The or-pattern that a case is part of.
    of: Option<Place>,
}

/// Returns all arms and cases, an outer one before those in it.
pub(super) fn cases(program: &Program) -> Vec<Case> {
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
    /// Returns the innermost arm or case around a pattern.
    pub(super) fn around<'c>(cases: &'c [Self], pattern: &Place) -> Option<&'c Self> {
        let mut inner_first = cases.iter().rev();
        inner_first.find(|case| pattern.is_within(&case.pattern))
    }
}

/// Adds to the arms and cases that are deleted those around or-patterns of which all cases are deleted.
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

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn a_variant_with_the_same_fields_stands_in() {
        check_has(
            &WORK,
            "enum E { A(u8, S), B { c: u8 }, D(u8, S) } fn f(e: E) { match e { E::A(x, _) => x, E::B { c } => c, E::D(x, s) => g(x, s) }; h(E::A(1, S)); }",
            "enum E { B { c: u8 }, D(u8, S) } fn f(e: E) { match e { E::B { c } => c, E::D(x, s) => g(x, s) }; h(E::D(1, S)); }",
        );
        check_has(
            &WORK,
            "use E::{A, B}; enum E { A(u8), B(u8) } fn f(e: E) { match e { A(_) => {} B(_) => {} } h(A(1)); }",
            "use E::{B}; enum E { B(u8) } fn f(e: E) { match e { B(_) => {} } h(B(1)); }",
        );
    }

    #[test]
    fn a_variant_goes_with_its_arms() {
        check(
            &WORK,
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
            &WORK,
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
            &WORK,
            "enum E { A, B } fn f(e: E) { match e { E::A | E::B => {} } }",
            "enum E { B } fn f(e: E) { match e { E::B => {} } }",
        );
    }

    #[test]
    fn an_arm_goes_with_the_last_of_its_cases() {
        check_has(
            &WORK,
            "enum E { A(u8), B } fn f(e: E) { match e { E::A(1) | E::A(2) => {} _ => {} } }",
            "enum E { B } fn f(e: E) { match e { _ => {} } }",
        );
    }

    #[test]
    fn a_variant_that_is_only_matched_outside_of_arms_becomes_a_wildcard() {
        check_has(
            &WORK,
            "enum E { A, B(u8) } fn f(e: E) { if let E::B(_) = e {} }",
            "enum E { A } fn f(e: E) { if let _ = e {} }",
        );
    }

    #[test]
    fn variants_with_the_name_of_a_struct_are_told_apart() {
        check_has(
            &WORK,
            "struct A; enum E { A(A), B } fn f(a: A) -> E { E::A(A) }",
            "struct A; enum E { B } fn f(a: A) -> E { E::B }",
        );
    }

    #[test]
    fn enums_without_variants_and_structs_stay() {
        check_not_applicable(&WORK, "enum E {} struct S { a: u8 }");
    }
}
