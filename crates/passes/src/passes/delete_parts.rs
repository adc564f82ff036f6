//! `delete_parts`: deletes what may be there or not: visibility, `mut`, `unsafe`, return types, defaults, ...

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::ListKind;

pub(super) const PASS: Pass = Pass {
    name: "delete_parts",
    about: "Deletes what may be there or not: visibility, `mut`, `unsafe`, return types, defaults, ..",
    example: ("pub fn f() {}", "fn f() {}"),
    keeps: Keeps::Nothing,
    work: &[Work::Everywhere(&[ListKind::Parts])],
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn each_part_goes_alone() {
        check(
            &PASS,
            "pub struct S; fn f() { let mut a = 1; }",
            &[
                "struct S; fn f() { let mut a = 1; }",
                "pub struct S; fn f() { let a = 1; }",
                "pub struct S; fn f() { let mut a; }",
            ],
        );
    }

    #[test]
    fn an_item_that_is_its_name_alone_has_no_parts() {
        check_not_applicable(&PASS, "struct S;");
    }
}
