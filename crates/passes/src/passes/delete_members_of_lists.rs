//! `delete_members_of_lists`: deletes fields, variants, parameters, arguments, generics, bounds, elements, ...

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::ListKind;

pub(super) const PASS: Pass = Pass {
    name: "delete_members_of_lists",
    about: "Deletes fields, variants, parameters, arguments, generics, bounds, elements, ends of ranges, ..",
    example: ("struct S { a: u8, b: u8 }", "struct S { a: u8 }"),
    keeps: Keeps::Nothing,
    work: &[MEMBERS, RANGE_ENDS],
};

const MEMBERS: Work = Work::ByLevel(&[
    ListKind::AttributeArguments,
    ListKind::UseTrees,
    ListKind::Fields,
    ListKind::Variants,
    ListKind::GenericParameters,
    ListKind::GenericArguments,
    ListKind::WherePredicates,
    ListKind::Bounds,
    ListKind::Parameters,
    ListKind::Arguments,
    ListKind::Elements,
]);

/// Deletes the start or the end of a range, so that the range begins or ends where its list does. That may be where
/// it did in the runs that were seen and not in others, so that it is no part that may be there or not.
const RANGE_ENDS: Work = Work::Everywhere(&[ListKind::RangeEnds]);

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::{MEMBERS, RANGE_ENDS};

    #[test]
    fn each_member_goes_alone_with_what_it_leaves_empty() {
        check(
            &MEMBERS,
            "fn f<T: A + B>(a: T) {}",
            &[
                "fn f(a: T) {}",
                "fn f<T: A>(a: T) {}",
                "fn f<T: B>(a: T) {}",
                "fn f<T: A + B>() {}",
            ],
        );
    }

    #[test]
    fn empty_lists_have_no_members() {
        check_not_applicable(&MEMBERS, "fn f() {}");
    }

    #[test]
    fn each_end_goes_alone() {
        check(
            &RANGE_ENDS,
            "fn f() { g(a..=b, c..); }",
            &["fn f() { g(..=b, c..); }", "fn f() { g(a..=b, ..); }"],
        );
    }

    #[test]
    fn a_whole_range_has_no_ends() {
        check_not_applicable(&RANGE_ENDS, "fn f() { g(..); }");
    }

    #[test]
    fn the_end_of_an_index_goes() {
        check_has(
            &RANGE_ENDS,
            "fn f() { g(&x[a..b]); }",
            "fn f() { g(&x[..b]); }",
        );
    }
}
