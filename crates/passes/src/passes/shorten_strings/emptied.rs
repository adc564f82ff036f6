//! Makes strings empty and characters spaces, all of the same text together, then each alone.
//!
//! This is a pass of its own, as what a test expects may depend on strings that no run shows to matter.

use super::super::literals::shortest;
use crate::pass::{Rewriter, Work};
use crate::program::simplest_first;
use syn::Lit;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(|program| {
    simplest_first(program, shortest(program, emptiest))
}));

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
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn strings_become_empty_together_and_alone() {
        check(&WORK, "fn f() { g(\"a\"); }", &["fn f() { g(\"\"); }"]);
        check(
            &WORK,
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
        check_not_applicable(&WORK, "#[doc = \"a\"] fn f() { g(4, \"\", 1.5); }");
    }

    #[test]
    fn a_string_becomes_empty() {
        check_has(&WORK, "fn f() { g(\"ab\"); }", "fn f() { g(\"\"); }");
    }
}
