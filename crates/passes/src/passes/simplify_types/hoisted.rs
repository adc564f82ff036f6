//! Replaces types, patterns and use trees by parts of them.

use crate::pass::Work;
use reduce_syntax::{Category, Replacing};

pub(super) const WORK: Work = Work::Replace(
    &[Category::Type, Category::Pattern, Category::UseTree],
    Replacing::Hoist,
);

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn patterns_and_types_are_replaced_by_their_parts() {
        check(
            &WORK,
            "fn f(Some(a): Option<B>) {}",
            &["fn f(a: Option<B>) {}", "fn f(Some(a): B) {}"],
        );
    }

    #[test]
    fn a_name_has_no_parts() {
        check_not_applicable(&WORK, "type A = u8;");
    }

    #[test]
    fn a_type_is_replaced_by_a_part_of_it() {
        check_has(&WORK, "type A = Vec<u8>;", "type A = u8;");
    }
}
