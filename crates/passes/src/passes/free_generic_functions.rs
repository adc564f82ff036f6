//! `free_generic_functions`: the functions of a generic impl become free functions (outside of any impl) that keep
//! all that the impl's head says: its parameters, its where clause, and its type as a predicate or as a parameter.
//! `free_functions` keeps only what the function mentions.

use super::free_functions::tied_changes;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};

pub(super) const PASS: Pass = Pass {
    name: "free_generic_functions",
    about: "Makes functions of nobody of those of a generic impl, with its where clause",
    example: (
        "impl<T> S<T> where T: A { fn f() {} } fn g() { S::<u8>::f() }",
        "fn f<T>() where T: A {} fn g() { f::<u8>() }",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(tied_changes))],
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_function_keeps_the_type_as_a_predicate_or_as_a_parameter() {
        check(
            &PASS,
            "struct S<const A: u8>; impl<const A: usize> S<A> where [u8; A + 0]:, { fn f() {} } fn g() { S::<0>::f() }",
            &[
                "struct S<const A: u8>; fn f<const A: usize>() where [u8; A + 0]: {} fn g() { f::<0>() }",
                "struct S<const A: u8>; fn f<const A: usize>() where [u8; A + 0]:, S<A>: {} fn g() { f::<0>() }",
                "struct S<const A: u8>; fn f<const A: usize>(_: S<A>) where [u8; A + 0]: {} fn g() { f(S::<0>) }",
            ],
        );
    }

    #[test]
    fn what_is_not_called_is_called_with_the_type() {
        check_has(
            &PASS,
            "struct S<T>; impl<T> S<T> where T: A, { fn f() {} } fn g() { S::<u8>::f }",
            "struct S<T>; fn f<T>(_: S<T>) where T: A {} fn g() { f(S::<u8>) }",
        );
        check_has(
            &PASS,
            "struct S<T>(); impl<T> S<T> where T: A, { fn f() {} } fn g() { S::f() }",
            "struct S<T>(); fn f<T>(_: S<T>) where T: A {} fn g() { f(S()) }",
        );
        check_has(
            &PASS,
            "struct S<T>; impl<T> S<T> where T: A, { fn f(a: u8) {} } fn g() { S::f(1) }",
            "struct S<T>; fn f<T>(_: S<T>, a: u8) where T: A {} fn g() { f(S, 1) }",
        );
    }

    #[test]
    fn a_member_that_the_type_does_not_have_is_taken_for_the_one_that_it_has() {
        check_has(
            &PASS,
            "struct S<T>; impl<T> S<T> where T: A { fn f() {} } fn g() { S::<u8>::h() }",
            "struct S<T>; fn f<T>(_: S<T>) where T: A {} fn g() { f(S::<u8>) }",
        );
    }

    #[test]
    fn arguments_are_those_of_the_impls_parameters_and_the_functions_own() {
        check_has(
            &PASS,
            "impl<'a, T, U> S<'a, U, T> where T: B { fn f<V>() where V: C {} } fn g() { S::<u8, u16>::f::<u32>() }",
            "fn f<'a, T, U, V>() where T: B, V: C {} fn g() { f::<u16, u8, u32>() }",
        );
        check_has(
            &PASS,
            "impl<T> S<Vec<T>> where T: B { fn f() {} } fn g() { S::<u8>::f() }",
            "fn f<T>() where T: B {} fn g() { f() }",
        );
    }

    #[test]
    fn impls_without_parameters_stay() {
        check_not_applicable(&PASS, "impl S where u8: A { fn f() {} } fn g() { S::f() }");
    }
}
