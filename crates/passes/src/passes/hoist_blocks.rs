//! `hoist_blocks`: replaces a statement by what is in its block, and a module by its items.

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::{Category, Replacing};

pub(super) const PASS: Pass = Pass {
    name: "hoist_blocks",
    about: "Replaces a statement by what is in its block, and a module by its items",
    example: ("fn f() { if a { g(); } }", "fn f() { g(); }"),
    keeps: Keeps::Nothing,
    work: Work::Replace(&[Category::Statement, Category::Module], Replacing::Hoist),
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_module_is_replaced_by_its_items() {
        check(&PASS, "mod m { struct S; }", &["struct S;"]);
    }

    #[test]
    fn a_name_has_no_parts() {
        check_not_applicable(&PASS, "fn f() { g }");
    }
}
