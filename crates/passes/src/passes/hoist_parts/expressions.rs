//! Replaces an expression by a part of it.

use crate::pass::Work;
use reduce_syntax::{Category, Replacing};

pub(super) const WORK: Work = Work::Replace(&[Category::Expression], Replacing::Hoist);

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn a_call_is_replaced_by_its_receiver() {
        check(&WORK, "const C: u8 = a.b();", &["const C: u8 = a;"]);
    }

    #[test]
    fn a_literal_has_no_parts() {
        check_not_applicable(&WORK, "const C: u8 = 1;");
    }

    #[test]
    fn an_expression_is_replaced_by_a_part_of_it() {
        check_has(&WORK, "const C: u8 = f(1) + 2;", "const C: u8 = f(1);");
    }
}
