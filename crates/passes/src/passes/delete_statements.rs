//! `delete_statements`: deletes statements and arms of matches.

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::ListKind;

pub(super) const PASS: Pass = Pass {
    name: "delete_statements",
    about: "Deletes statements and arms of matches",
    example: ("fn f() { g(); h(); }", "fn f() { g(); }"),
    keeps: Keeps::Nothing,
    work: &[Work::ByLevel(&[ListKind::Statements, ListKind::Arms])],
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_match_and_its_arms_go() {
        check(
            &PASS,
            "fn f() { match a { 0 => b, _ => c } }",
            &[
                "fn f() {}",
                "fn f() { match a { _ => c } }",
                "fn f() { match a { 0 => b, } }",
            ],
        );
    }

    #[test]
    fn without_statements_there_is_nothing_to_do() {
        check_not_applicable(&PASS, "fn f() {} const C: u8 = 0;");
    }
}
