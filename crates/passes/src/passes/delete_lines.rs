//! `delete_lines`: deletes half of the lines of a string, a quarter of them, or a single line. A string of one line stays.
//!
//! This is a pass of its own, as a text of lines reads better without some of them than without parts of them.

use super::literals::replacements;
use super::shorten_strings::Literal;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use syn::Lit;

pub(super) const PASS: Pass = Pass {
    name: "delete_lines",
    about: "Deletes lines of strings",
    example: (
        "fn f() { g(\"a b\\nc d\\n\"); }",
        "fn f() { g(\"a b\\n\"); }",
    ),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(|program| {
        replacements(program, simpler)
    }))],
};

/// The most lines of a string from which single lines are deleted; a longer string loses several lines at once first.
const MOST_SINGLE: usize = 64;

fn simpler(literal: &Lit, text: &str) -> Vec<String> {
    match literal {
        Lit::Str(_) | Lit::ByteStr(_) | Lit::CStr(_) => {
            Literal::of_lines(text).map_or_else(Vec::new, |lines| lines.shorter(MOST_SINGLE))
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_string_loses_lines() {
        check(
            &PASS,
            "fn f() { g(\"ab\\n\\\n  cd\\nef\"); }",
            &[
                "fn f() { g(\"ab\\n\"); }",
                "fn f() { g(\"\\\n  cd\\nef\"); }",
                "fn f() { g(\"ab\\nef\"); }",
                "fn f() { g(\"ab\\n\\\n  cd\\n\"); }",
            ],
        );
        check(
            &PASS,
            "fn f() { g(r\"ab\nc\\nd\"); }",
            &["fn f() { g(r\"ab\n\"); }", "fn f() { g(r\"c\\nd\"); }"],
        );
    }

    #[test]
    fn each_line_of_a_long_string_may_go() {
        let lines: Vec<String> = (0..20).map(|line| format!("line {line}\\n")).collect();
        let shorter = super::simpler(
            &syn::parse_str("\"\"").unwrap(),
            &format!("\"{}\"", lines.concat()),
        );
        assert_eq!(shorter.len(), 2 + 4 + 20);
        for line in &lines {
            let without = format!("\"{}\"", lines.concat().replace(line.as_str(), ""));
            assert!(shorter.contains(&without), "{line}");
        }
    }

    #[test]
    fn a_string_of_one_line_stays() {
        check_not_applicable(
            &PASS,
            "#[doc = \"a\\nb\"] fn f() { g(\"abc\\n\", 64, '\\n', \"\"); }",
        );
    }
}
