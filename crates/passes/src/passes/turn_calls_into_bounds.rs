//! `turn_calls_into_bounds`: replaces a call of an empty generic function, or of a function of a generic impl, by a
//! where clause of the caller, which makes the compiler check the same. A function that is nothing but a where clause
//! becomes a struct that is.

mod callers;
mod declared;
mod implemented;
mod required;

use super::functions::Functions;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Program, simplest_first};
use callers::Callers;
use reduce_syntax::EditSet;

pub(super) const PASS: Pass = Pass {
    name: "turn_calls_into_bounds",
    about: "Makes where clauses of calls of empty generic functions and of functions of generic impls",
    example: (
        "fn f<T: A>() {} fn g() { f::<u8>(); }",
        "fn g() where u8: A {}",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

/// The most changes of one sort that the pass tries; with more, other passes have work to do first.
const MAX_SITES: usize = 8;

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let callers = Callers::of(program);
    let mut found = required::changes(&functions, &callers);
    found.extend(implemented::changes(&functions, &callers));
    found.extend(declared::changes(program, &functions));
    simplest_first(program, found)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn bounds_of_an_empty_function_become_those_of_its_callers() {
        check_has(
            &PASS,
            "fn f() { fn g<T: A>() {} g::<S<0>>; }",
            "fn f() where S<0>: A {}",
        );
        check_has(
            &PASS,
            "fn g<T: A + ?Sized, const N: u8>() where [T; N]: B<T::C>, {} fn f<U>() where U: D { g::<U, 1>(); g::<u8, { 2 }>() }",
            "fn f<U>() where U: A, [U; 1]: B< <U>::C>, u8: A, [u8; { 2 }]: B< <u8>::C>, U: D {}",
        );
    }

    #[test]
    fn a_parameter_without_bounds_leaves_the_type() {
        check_has(
            &PASS,
            "fn g<T>(x: T) {} fn f(y: S<0>) { let _ = g::<S<0>>(y); h(); }",
            "fn f(y: S<0>) where S<0>: { h(); }",
        );
    }

    #[test]
    fn an_impl_becomes_one_of_a_trait_that_any_type_may_have() {
        check(
            &PASS,
            "impl<T> S<T> where T: A { fn f() {} } fn g() { S::<u8>::f() }",
            &["impl<T> Unpin for S<T> where T: A {} fn g() where S<u8>: Unpin {}"],
        );
    }

    #[test]
    fn an_empty_function_becomes_a_struct() {
        check(
            &PASS,
            "pub fn foo() -> u8 where for<T> [T; 0]:, {}",
            &["pub struct Foo where for<T> [T; 0]:;"],
        );
    }

    #[test]
    fn functions_that_do_something_or_are_mentioned_otherwise_stay() {
        check_not_applicable(
            &PASS,
            "fn a<T: A>() { b() } fn c() { a::<u8>() } \
             fn d<T: A>() {} fn e() { f(d::<u8>); } fn f<T: A>() {} fn g() { f(); } \
             struct H; fn h() where u8: A {} fn i<T>() where T: A {} fn j() where u8: A {} fn k() { l(j); }",
        );
    }
}
