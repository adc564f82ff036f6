//! `simplify`: replaces expressions by `loop {}`, types by `()`, patterns by `_`.

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::{Category, Replacing};

pub(super) const PASS: Pass = Pass {
    name: "simplify",
    about: "Replaces expressions by `loop {}`, types by `()`, patterns by `_`",
    example: ("type A = Vec<u8>;", "type A = ();"),
    keeps: Keeps::Nothing,
    work: &[Work::Replace(
        &[Category::Type, Category::Pattern, Category::Expression],
        Replacing::Smallest,
    )],
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_pattern_of_parts_becomes__() {
        check(&PASS, "fn f((a, b): C) {}", &["fn f(_: C) {}"]);
    }

    #[test]
    fn what_is_as_small_as_its_replacement_stays() {
        check_not_applicable(&PASS, "const C: u8 = 1;");
    }
}
