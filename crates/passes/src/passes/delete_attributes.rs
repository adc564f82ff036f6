//! `delete_attributes`: deletes attributes and doc comments.

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::ListKind;

pub(super) const PASS: Pass = Pass {
    name: "delete_attributes",
    about: "Deletes attributes and doc comments",
    example: ("#[derive(Clone)] struct S;", "struct S;"),
    keeps: Keeps::Nothing,
    work: &[Work::Everywhere(&[ListKind::Attributes])],
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn attributes_go_wherever_they_stand() {
        check(
            &PASS,
            "#![feature(a)] #[inline] fn f() { #[cfg(b)] g(); }",
            &[
                "#[inline] fn f() { #[cfg(b)] g(); }",
                "#![feature(a)] fn f() { #[cfg(b)] g(); }",
                "#![feature(a)] #[inline] fn f() { g(); }",
            ],
        );
    }

    #[test]
    fn without_attributes_there_is_nothing_to_do() {
        check_not_applicable(&PASS, "struct S;");
    }
}
