//! `shrink_literals`: numbers become smaller by halves, and strings shorter, where the shortest value
//! will not do. Literals of the same text shrink together: what is expected often is what was given. Each
//! of them alone is halved.
//!
//! Libraries for property tests shrink inputs in this way; QuickCheck (Claessen and Hughes 2000) was the
//! first.

mod numbers;
mod strings;

use super::literals::{Same, by_text};
use super::{Keeps, Pass, Rewriter, Work};
use crate::program::Program;
use reduce_syntax::EditSet;
use std::slice::from_ref;
use syn::Lit;

pub(super) const PASS: Pass = Pass {
    name: "shrink_literals",
    about: "Makes numbers smaller and strings shorter, by halves",
    example: (
        "fn f() { g(64, \"ab\"); h(64); }",
        "fn f() { g(32, \"ab\"); h(32); }",
    ),
    keeps: Keeps::Types,
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    for (text, Same { literal, places }) in by_text(program) {
        let smaller = smaller(literal, text);
        let together = smaller.iter();
        found.extend(together.filter_map(|value| program.replaced(&places, value)));
        if let (Some(first), 2..) = (smaller.first(), places.len()) {
            let alone = places.iter();
            found.extend(alone.filter_map(|place| program.replaced(from_ref(place), first)));
        }
    }
    found
}

/// What a literal may become, the smallest first. Zero, one and the empty string are another pass's
/// business.
fn smaller(literal: &Lit, text: &str) -> Vec<String> {
    match literal {
        Lit::Int(int) => numbers::smaller(int),
        Lit::Float(float) => numbers::rounder(float),
        Lit::Str(_) | Lit::ByteStr(_) | Lit::CStr(_) => strings::shorter(text),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    /// What a literal becomes.
    #[track_caller]
    fn check_literal(literal: &str, expected: &[&str]) {
        let program = |text: &str| format!("fn f() {{ g({text}); }}");
        let after: Vec<String> = expected.iter().map(|text| program(text)).collect();
        let after: Vec<&str> = after.iter().map(String::as_str).collect();
        check(&PASS, &program(literal), &after);
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
    fn a_string_becomes_a_part_of_it() {
        check_literal(
            "\"abcdefgh\"",
            &[
                "\"abcd\"",
                "\"efgh\"",
                "\"cdefgh\"",
                "\"abefgh\"",
                "\"abcdgh\"",
                "\"abcdef\"",
            ],
        );
        check_literal("\"abc\"", &["\"a\"", "\"bc\"", "\"ac\"", "\"ab\""]);
        check_literal("b\"ab\"", &["b\"a\"", "b\"b\""]);
        check_literal("r#\"\"a\"#", &["r#\"\"\"#", "r#\"a\"#"]);
    }

    #[test]
    fn escapes_and_what_is_formatted_are_not_cut() {
        check_literal("\"\\n\\u{1f}\"", &["\"\\n\"", "\"\\u{1f}\""]);
        check_literal("\"\\x41{:?}\"", &["\"\\x41\"", "\"{:?}\""]);
        check_literal("\"{{}\"", &["\"{{\"", "\"}\""]);
        check_literal("\"{ }\"", &["\"{\"", "\" }\"", "\"{}\"", "\"{ \""]);
    }

    #[test]
    fn what_has_the_same_text_shrinks_together_and_alone_also_in_macros() {
        check(
            &PASS,
            "fn f() { let a = g(\"ab\"); assert_eq!(a, \"ab\"); }",
            &[
                "fn f() { let a = g(\"a\"); assert_eq!(a, \"a\"); }",
                "fn f() { let a = g(\"b\"); assert_eq!(a, \"b\"); }",
                "fn f() { let a = g(\"a\"); assert_eq!(a, \"ab\"); }",
                "fn f() { let a = g(\"ab\"); assert_eq!(a, \"a\"); }",
            ],
        );
        check_has(
            &PASS,
            "fn f() { vec![9; 3]; for _ in 0..9 {} }",
            "fn f() { vec![4; 3]; for _ in 0..4 {} }",
        );
    }

    #[test]
    fn the_shortest_are_left_alone() {
        check_not_applicable(
            &PASS,
            "fn f() { g(0, 1, 2, \"\", \"a\", 0.0, 1.0, 'a', true, b\"\", r\"\"); }",
        );
    }

    #[test]
    fn attributes_and_large_numbers_are_left_alone() {
        check_not_applicable(&PASS, "#[doc = \"abc\"] #[repr(align(64))] struct S;");
        check_literal(
            "0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff",
            &[
                "170141183460469231731687303715884105727",
                "255211775190703847597530955573826158592",
            ],
        );
    }
}
