//! Tests of the pass on small programs.

use super::super::testing::{check, check_has, check_not_applicable};
use super::PASS;

#[test]
fn an_argument_that_is_given_comes_in_place_of_the_parameter() {
    check_has(
        &PASS,
        "fn f<T: Tr>() -> T { T::new() } fn g() { f::<u8>() }",
        "fn f() -> u8 { u8::new() } fn g() { f() }",
    );
}

#[test]
fn a_type_that_implements_the_bound_is_tried() {
    check_has(
        &PASS,
        "trait A {} struct S; impl A for S {} fn f<T>(x: T) where T: A {}",
        "trait A {} struct S; impl A for S {} fn f(x: S) {}",
    );
}

#[test]
fn without_any_type_there_is_nothing() {
    check(
        &PASS,
        "fn f<T: Copy>(x: T) { T::new(x) }",
        &["fn f(x: ()) { <()>::new(x) }"],
    );
}

#[test]
fn a_word_stands_for_a_parameter_with_many_mentions() {
    check(
        &PASS,
        "fn f<T>(x: T, y: T, z: T) -> T {}",
        &["fn f(x: u8, y: u8, z: u8) -> u8 {}"],
    );
}

#[test]
fn a_parameter_that_is_only_given_goes_with_its_arguments() {
    check(
        &PASS,
        "struct S<A, B>(B); fn f(x: S<u8, u16>) { S::<u8, _>(1); }",
        &[
            "struct S<B>(B); fn f(x: S<u16>) { S::<_>(1); }",
            "struct S<A>(u16); fn f(x: S<u8>) { S::<u8>(1); }",
            "struct S<A>(()); fn f(x: S<u8>) { S::<u8>(1); }",
        ],
    );
}

#[test]
fn impls_follow_their_type() {
    check_has(
        &PASS,
        "struct S<T>(T); trait Tr<T> {} impl<T: Copy> Tr<T> for S<T> {}",
        "struct S(()); trait Tr<T> {} impl Tr<()> for S {}",
    );
}

#[test]
fn an_impl_alone_becomes_concrete_as_its_type_is_used() {
    check_has(
        &PASS,
        "struct S<T>(T); impl<T> Tr for S<T> { fn f(x: T) {} } fn g(x: S<u8>) {}",
        "struct S<T>(T); impl Tr for S<u8> { fn f(x: u8) {} } fn g(x: S<u8>) {}",
    );
}

#[test]
fn a_parameter_that_nothing_mentions_any_more_goes_too() {
    check_has(
        &PASS,
        "struct S<T>(T); struct U<V>(S<V>); fn f(x: U<u8>) {}",
        "struct S(()); struct U(S); fn f(x: U) {}",
    );
}

#[test]
fn methods_of_a_trait_go_with_those_of_its_impls() {
    check_has(
        &PASS,
        "trait A { fn f<T>(x: T); } impl A for S { fn f<U>(x: U) {} } fn g() { A::f::<u8>(1) }",
        "trait A { fn f(x: u8); } impl A for S { fn f(x: u8) {} } fn g() { A::f(1) }",
    );
}

#[test]
fn associated_types_become_what_the_type_has() {
    check_has(
        &PASS,
        "trait A { type B; } impl A for u8 { type B = u16; } fn f<T: A>(x: T::B, y: <T as A>::B) {}",
        "trait A { type B; } impl A for u8 { type B = u16; } fn f(x: u16, y: u16) {}",
    );
}

#[test]
fn constants_become_the_value_that_is_given_or_a_number() {
    check(
        &PASS,
        "fn f<const N: usize>(x: [u8; N]) {} fn g() { f::<3>() }",
        &[
            "fn f(x: [u8; 3]) {} fn g() { f() }",
            "fn f(x: [u8; 0]) {} fn g() { f() }",
        ],
    );
    check(
        &PASS,
        "fn f<const N: bool>() { if N {} }",
        &["fn f() { if false {} }"],
    );
}

#[test]
fn lifetimes_are_left_out_where_that_is_possible() {
    check(
        &PASS,
        "fn f<'a>(x: &'a S<'a>) -> &'a u8 { g::<&'a u8>() }",
        &[
            "fn f(x: &S) -> &u8 { g::<&u8>() }",
            "fn f(x: &'static S<'static>) -> &'static u8 { g::<&'static u8>() }",
        ],
    );
}

#[test]
fn the_lifetime_of_a_struct_goes_with_those_of_its_impls() {
    check_has(
        &PASS,
        "struct S<'a>(&'a u8); impl<'a> S<'a> { fn f(&'a self) {} } fn f<'b>(x: S<'b>) {}",
        "struct S(&'static u8); impl S { fn f(&self) {} } fn f(x: S) {}",
    );
}

#[test]
fn the_lifetime_of_an_impl_alone_becomes_anonymous_in_its_header() {
    check_has(
        &PASS,
        "struct S<'a>(&'a u8); impl<'a> S<'a> where 'a: 'static { fn f(&'a self) {} }",
        "struct S<'a>(&'a u8); impl S<'_> { fn f(&self) {} }",
    );
}

#[test]
fn bounds_on_a_lifetime_go() {
    check_has(
        &PASS,
        "fn f<'a, T: 'a + Copy>(x: &'a T) where T: 'a {}",
        "fn f<T: Copy>(x: &T) {}",
    );
}

#[test]
fn a_lifetime_of_the_same_name_stays() {
    check_has(
        &PASS,
        "fn f<'a>(x: &'a u8, y: for<'a> fn(&'a u8)) { 'a: loop { break 'a; } }",
        "fn f(x: &u8, y: for<'a> fn(&'a u8)) { 'a: loop { break 'a; } }",
    );
}

#[test]
fn mentions_in_macros_are_replaced() {
    check(&PASS, "fn f<T>() { m!(T); }", &["fn f() { m!(()); }"]);
}

#[test]
fn parameters_without_mentions_are_of_other_passes() {
    check_not_applicable(&PASS, "struct S<T>; fn f<'a, U: Copy>() where U: Clone {}");
}
