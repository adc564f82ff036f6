//! `delete_items`: deletes items, and members of impls and traits.

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::ListKind;

pub(super) const PASS: Pass = Pass {
    name: "delete_items",
    about: "Deletes items, and members of impls and traits",
    example: ("struct S; impl S { fn f() {} }", "struct S; impl S { }"),
    keeps: Keeps::Behaviour,
    work: &[Work::ByLevel(&[ListKind::Items, ListKind::Members])],
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn items_and_members_go() {
        check(
            &PASS,
            "struct S; trait T { fn f(); }",
            &["trait T { fn f(); }", "struct S;", "struct S; trait T { }"],
        );
    }

    #[test]
    fn an_empty_file_has_no_items() {
        check_not_applicable(&PASS, "");
    }
}
