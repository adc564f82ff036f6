//! Replaces numbers by half of their value, where 0 and 1 will not do. Literals of the same text shrink together:
//! what is expected often is what was given. Each of them alone is halved.
//!
//! Libraries for property tests shrink inputs in this way; QuickCheck (Claessen and Hughes 2000) was the
//! first.

mod numbers;

use super::super::literals::replacements;
use crate::pass::{Rewriter, Work};
use syn::Lit;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(|program| replacements(program, smaller)));

/// Returns the numbers that a number may become, the smallest first. `least` tries zero and one.
fn smaller(literal: &Lit, _text: &str) -> Vec<String> {
    match literal {
        Lit::Int(int) => numbers::smaller(int),
        Lit::Float(float) => numbers::rounder(float),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{self, check, check_has, check_not_applicable};
    use super::WORK;

    #[track_caller]
    fn check_literal(literal: &str, expected: &[&str]) {
        testing::check_literal(&WORK, literal, expected);
    }

    #[test]
    fn a_number_becomes_a_half_and_three_quarters() {
        check_literal("64", &["32", "48"]);
        check_literal("10_000", &["5000", "7500"]);
        check_literal("0xff", &["127", "192"]);
        check_literal("4", &["2", "3"]);
        check_literal("3", &["2"]);
    }

    #[test]
    fn a_suffix_stays_or_goes_alone() {
        check_literal("8u8", &["8", "4u8", "6u8"]);
    }

    #[test]
    fn a_float_becomes_one_half_and_whole() {
        check_literal("8.25", &["1.0", "4.0", "8.0"]);
        check_literal("2.5f32", &["2.5", "1.0f32", "2.0f32"]);
        check_literal("1e9", &["1.0"]);
    }

    #[test]
    fn what_has_the_same_text_shrinks_together_and_alone_also_in_macros() {
        check(
            &WORK,
            "fn f() { let a = g(3); assert_eq!(a, 3); }",
            &[
                "fn f() { let a = g(2); assert_eq!(a, 2); }",
                "fn f() { let a = g(2); assert_eq!(a, 3); }",
                "fn f() { let a = g(3); assert_eq!(a, 2); }",
            ],
        );
        check_has(
            &WORK,
            "fn f() { vec![9; 3]; for _ in 0..9 {} }",
            "fn f() { vec![4; 3]; for _ in 0..4 {} }",
        );
    }

    #[test]
    fn the_shortest_are_left_alone() {
        check_not_applicable(
            &WORK,
            "fn f() { g(0, 1, 2, \"abc\", 0.0, 1.0, 'a', true); }",
        );
    }

    #[test]
    fn attributes_and_large_numbers_are_left_alone() {
        check_not_applicable(&WORK, "#[repr(align(64))] struct S;");
        check_literal(
            "0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff",
            &[
                "170141183460469231731687303715884105727",
                "255211775190703847597530955573826158592",
            ],
        );
    }

    #[test]
    fn equal_numbers_are_halved_together() {
        check_has(
            &WORK,
            "fn f() { g(64); h(64); }",
            "fn f() { g(32); h(32); }",
        );
    }
}
