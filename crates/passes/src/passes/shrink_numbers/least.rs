//! Replaces numbers by 0 or 1, all of the same text together, since lengths must often agree, then each alone.
//!
//! This is a pass of its own, as what a test expects may depend on numbers that no run shows to matter.

use super::super::literals::shortest;
use crate::pass::{Rewriter, Work};
use crate::program::simplest_first;
use syn::Lit;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(|program| {
    simplest_first(program, shortest(program, least))
}));

fn least(literal: &Lit) -> &'static [&'static str] {
    match literal {
        Lit::Int(int) if int.base10_digits() == "0" => &["0"],
        Lit::Int(_) => &["0", "1"],
        Lit::Float(_) => &["0.0"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn the_same_numbers_are_replaced_together_and_alone() {
        check(
            &WORK,
            "const C: [u8; 4] = [1; 4];",
            &[
                "const C: [u8; 0] = [1; 0];",
                "const C: [u8; 1] = [1; 1];",
                "const C: [u8; 4] = [0; 4];",
                "const C: [u8; 0] = [1; 4];",
                "const C: [u8; 1] = [1; 4];",
                "const C: [u8; 4] = [1; 0];",
                "const C: [u8; 4] = [1; 1];",
            ],
        );
        check(&WORK, "const C: u8 = 0u8;", &["const C: u8 = 0;"]);
    }

    #[test]
    fn strings_and_attributes_stay() {
        check_not_applicable(
            &WORK,
            "#[repr(align(4))] struct S; fn f() { g(\"a\", 0, 'b'); }",
        );
    }

    #[test]
    fn a_number_becomes_zero() {
        check_has(&WORK, "fn f() { g(64); }", "fn f() { g(0); }");
    }
}
