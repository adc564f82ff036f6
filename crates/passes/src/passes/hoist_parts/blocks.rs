//! Replaces a statement by what is in its block, and a module by its items.

use crate::pass::Work;
use reduce_syntax::{Category, Replacing};

pub(super) const WORK: Work =
    Work::Replace(&[Category::Statement, Category::Module], Replacing::Hoist);

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn a_module_is_replaced_by_its_items() {
        check(&WORK, "mod m { struct S; }", &["struct S;"]);
    }

    #[test]
    fn a_name_has_no_parts() {
        check_not_applicable(&WORK, "fn f() { g }");
    }

    #[test]
    fn a_statement_is_replaced_by_what_is_in_its_block() {
        check_has(&WORK, "fn f() { if a { g(); } }", "fn f() { g(); }");
    }
}
