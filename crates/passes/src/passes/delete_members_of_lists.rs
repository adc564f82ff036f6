//! `delete_members_of_lists`: deletes fields, variants, parameters, arguments, generics, bounds, elements, ...

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::ListKind;

pub(super) const PASS: Pass = Pass {
    name: "delete_members_of_lists",
    about: "Deletes fields, variants, parameters, arguments, generics, bounds, elements, ..",
    example: ("struct S { a: u8, b: u8 }", "struct S { a: u8 }"),
    keeps: Keeps::Nothing,
    work: Work::ByLevel(&[
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
    ]),
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn each_member_goes_alone_with_what_it_leaves_empty() {
        check(
            &PASS,
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
        check_not_applicable(&PASS, "fn f() {}");
    }
}
