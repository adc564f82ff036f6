//! `empty_bodies`: replaces function bodies by `loop {}`, which fits any return type.

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::ListKind;

pub(super) const PASS: Pass = Pass {
    name: "empty_bodies",
    about: "Replaces function bodies by `loop {}`, which fits any return type",
    example: (
        "fn f(a: u8) -> u8 { let b = a + 1; g(b) }",
        "fn f(a: u8) -> u8 { loop {} }",
    ),
    keeps: Keeps::Types,
    work: &[Work::Everywhere(&[ListKind::Bodies])],
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_body_that_is_no_larger_than_the_loop_stays() {
        check(
            &PASS,
            "fn f() { g(); h(1); } fn g() { f() }",
            &["fn f() { loop {} } fn g() { f() }"],
        );
    }

    #[test]
    fn what_has_no_body_or_a_small_one_stays() {
        check_not_applicable(&PASS, "fn f() { loop {} } fn g() {} trait T { fn h(); }");
    }
}
