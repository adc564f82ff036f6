//! `hoist_types`: replaces types, patterns and use trees by parts of them.

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::{Category, Replacing};

pub(super) const PASS: Pass = Pass {
    name: "hoist_types",
    about: "Replaces types, patterns and use trees by parts of them",
    example: ("type A = Vec<u8>;", "type A = u8;"),
    keeps: Keeps::Nothing,
    work: Work::Replace(
        &[Category::Type, Category::Pattern, Category::UseTree],
        Replacing::Hoist,
    ),
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn patterns_and_types_are_replaced_by_their_parts() {
        check(
            &PASS,
            "fn f(Some(a): Option<B>) {}",
            &["fn f(a: Option<B>) {}", "fn f(Some(a): B) {}"],
        );
    }

    #[test]
    fn a_name_has_no_parts() {
        check_not_applicable(&PASS, "type A = u8;");
    }
}
