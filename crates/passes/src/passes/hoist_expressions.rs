//! `hoist_expressions`: replaces an expression by a part of it.

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::{Category, Replacing};

pub(super) const PASS: Pass = Pass {
    name: "hoist_expressions",
    about: "Replaces an expression by a part of it",
    example: ("const C: u8 = f(1) + 2;", "const C: u8 = f(1);"),
    keeps: Keeps::Nothing,
    work: Work::Replace(&[Category::Expression], Replacing::Hoist),
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_call_is_replaced_by_its_receiver() {
        check(&PASS, "const C: u8 = a.b();", &["const C: u8 = a;"]);
    }

    #[test]
    fn a_literal_has_no_parts() {
        check_not_applicable(&PASS, "const C: u8 = 1;");
    }
}
