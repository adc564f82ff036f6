//! `empty_strings`: strings become empty and characters spaces, all of the same text together, then each alone.
//!
//! This is a pass of its own, as what a test expects may depend on strings that no run shows to matter.

use super::literals::shortest;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::simplest_first;
use syn::Lit;

pub(super) const PASS: Pass = Pass {
    name: "empty_strings",
    about: "Replaces strings by empty ones, and characters by spaces",
    example: ("fn f() { g(\"ab\"); }", "fn f() { g(\"\"); }"),
    keeps: Keeps::Types,
    work: Work::Rewrite(Rewriter(|program| {
        simplest_first(program, shortest(program, emptiest))
    })),
};

fn emptiest(literal: &Lit) -> &'static [&'static str] {
    match literal {
        Lit::Str(_) => &["\"\""],
        Lit::ByteStr(_) => &["b\"\""],
        Lit::CStr(_) => &["c\"\""],
        Lit::Char(_) => &["' '"],
        Lit::Byte(_) => &["b' '"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn strings_become_empty_together_and_alone() {
        check(&PASS, "fn f() { g(\"a\"); }", &["fn f() { g(\"\"); }"]);
        check(
            &PASS,
            "fn f() { g(\"a\"); h(\"a\"); }",
            &[
                "fn f() { g(\"\"); h(\"\"); }",
                "fn f() { g(\"\"); h(\"a\"); }",
                "fn f() { g(\"a\"); h(\"\"); }",
            ],
        );
    }

    #[test]
    fn numbers_and_attributes_stay() {
        check_not_applicable(&PASS, "#[doc = \"a\"] fn f() { g(4, \"\", 1.5); }");
    }
}
