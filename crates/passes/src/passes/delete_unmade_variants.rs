//! `delete_unmade_variants`: a variant that nothing makes goes with the arms that match it. No value is another one then, but for
//! the numbers of the variants after it.

use super::data::{Data, Kind};
use super::delete_variants::{Case, Instead, cases, without_variant};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Program, simplest_first};
use reduce_syntax::EditSet;

pub(super) const PASS: Pass = Pass {
    name: "delete_unmade_variants",
    about: "Deletes variants that nothing makes, with the arms that match them",
    example: (
        "enum E { A, B } fn f() { match E::A { E::A => {} E::B => {} } }",
        "enum E { A } fn f() { match E::A { E::A => {} } }",
    ),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let cases = cases(program);
    let variants = data.definitions.iter();
    let variants = variants.filter(|one| matches!(one.kind, Kind::Variant(_)));
    // Outside of an arm a pattern that never matches would become one that does.
    let unmade = variants.filter(|one| {
        let mut uses = one.uses.iter();
        uses.all(|one| one.is_pattern && Case::around(&cases, &one.whole).is_some())
    });
    let found = unmade.filter_map(|one| without_variant(program, one, &cases, Instead::Loop));
    simplest_first(program, found)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_variant_goes_that_is_only_matched_in_arms() {
        check(
            &PASS,
            "enum E { A, B(u8), C } fn f(e: E) { match e { E::A => {} E::B(x) => g(x), E::C => {} } f(E::A); f(E::C); }",
            &["enum E { A, C } fn f(e: E) { match e { E::A => {} E::C => {} } f(E::A); f(E::C); }"],
        );
        check(
            &PASS,
            "enum E { A, B } fn f(e: E) { match e { E::A | E::B => {} } f(E::A); }",
            &["enum E { A } fn f(e: E) { match e { E::A => {} } f(E::A); }"],
        );
    }

    #[test]
    fn what_is_made_or_matched_elsewhere_stays() {
        check_not_applicable(&PASS, "enum E { A } fn f() { match E::A { E::A => {} } }");
        check_not_applicable(
            &PASS,
            "enum E { A } fn f(e: E) { if let E::A = e { g(); } }",
        );
    }
}
