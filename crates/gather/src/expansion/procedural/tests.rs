//! Programs, their expansions, and what is made of both.

use super::*;
use std::sync::Arc;

fn sources(text: &str) -> SourceTree {
    SourceTree::single("lib.rs".into(), Arc::from(text))
}

#[track_caller]
fn check(text: &str, expanded: &str, expected: &str) {
    let result = expand_procedural(&sources(text), expanded).expect("expanded");
    let result = reduce_syntax::pretty(&result);
    assert_eq!(result, reduce_syntax::pretty(expected), "`{text}`");
}

#[test]
fn what_a_derive_made_stands_after_its_item() {
    check(
        "use m::D; #[derive(Clone, D)] #[d(x)] struct S { #[d] a: u8 } fn f() { println!(); }",
        "use m::D; #[d(x)] struct S { #[d] a: u8 } #[automatically_derived] impl \
         ::core::clone::Clone for S { #[inline] fn clone(&self) -> S { S } } impl m::T for S {} \
         fn f() { { ::std::io::_print(format_args!(\"\\n\")); }; }",
        "#[derive(Clone)] struct S { a: u8 } impl m::T for S {} fn f() { println!(); }",
    );
}

#[test]
fn what_an_attribute_made_stands_for_its_item() {
    check(
        "#[m::a] fn f() {} mod n { #[a] fn original() {} fn g() {} }",
        "fn f() {} fn f2() {} mod n { fn renamed() {} fn g() {} }",
        "fn f() {} fn f2() {} mod n { fn renamed() {} fn g() {} }",
    );
    check("#[gone] struct S; fn f() {}", "fn f() {}", "fn f() {}");
}

#[test]
fn an_attribute_that_is_eaten_is_a_macro_and_one_that_is_left_helps_a_derive() {
    check(
        "#[eaten] #[derive(D, Clone)] #[helps] struct S;",
        "#[helps] struct S { a: u8 } #[automatically_derived] impl ::core::clone::Clone for S { \
         #[inline] fn clone(&self) -> S { loop {} } } impl D for S {}",
        "#[derive(Clone)] struct S { a: u8 } impl D for S {}",
    );
}

#[test]
fn calls_are_what_they_made() {
    check(
        "m!{ a } struct S; m!(b); fn g() {}",
        "fn a() {} struct S; fn b() {} fn g() {}",
        "fn a() {} struct S; fn b() {} fn g() {}",
    );
    check(
        "fn f() -> u8 { m!() } fn g() -> u8 { assert!(x); 1 }",
        "fn f() -> u8 { 2 } fn g() -> u8 { if !x { panic() } 1 }",
        "fn f() -> u8 { 2 } fn g() -> u8 { assert!(x); 1 }",
    );
}

#[test]
fn members_of_impls_and_traits_are_expanded_one_by_one() {
    check(
        "impl S { #[a] fn f() {} fn g() { vec![1]; } m!(); } trait T { fn h() { m!() } fn i(); }",
        "impl S { fn f() { 1 } fn f2() {} fn g() { v() } fn j() {} } trait T { fn h() { 2 } fn i(); }",
        "impl S { fn f() { 1 } fn f2() {} fn g() { vec![1]; } fn j() {} } \
         trait T { fn h() { 2 } fn i(); }",
    );
}

#[test]
fn a_macro_of_the_program_is_expanded_if_its_rules_are_procedural() {
    check(
        "macro_rules! d { ($n:ident) => { #[derive(D)] struct $n; } } \
         macro_rules! p { () => { fn p() {} } } d!(A); p!();  struct B;  p!();",
        "macro_rules! d { ($n:ident) => { #[derive(D)] struct $n; } } \
         macro_rules! p { () => { fn p() {} } } struct A; impl D for A {} fn p() {} struct B; fn p() {}",
        "macro_rules! p { () => { fn p() {} } } struct A; impl D for A {} fn p() {} struct B; p!();",
    );
}

#[test]
fn what_a_condition_excludes_stays_unless_it_is_procedural() {
    check(
        "#[derive(D)] struct S; #[cfg(x)] fn f() {} #[cfg(test)] mod t { #[a::b] fn f() {} } fn g() {}",
        "struct S; impl D for S {} fn g() {}",
        "struct S; impl D for S {} #[cfg(x)] fn f() {} fn g() {}",
    );
}

#[test]
fn impls_of_a_type_are_known_by_what_they_have() {
    check(
        "#[derive(D)] struct S; impl S { fn f() {} }",
        "struct S; impl S { fn d() {} } impl S { fn f() {} }",
        "struct S; impl S { fn d() {} } impl S { fn f() {} }",
    );
}

#[test]
fn values_of_threads_stay_as_they_are() {
    check(
        "thread_local! { static A: u8 = 1; static B: u8 = 2; } m!(); fn f() {}",
        "const A: K = a; const B: K = b; fn m() {} fn f() {}",
        "thread_local! { static A: u8 = 1; static B: u8 = 2; } fn m() {} fn f() {}",
    );
}

#[test]
fn a_program_without_procedural_calls_has_no_expansion() {
    for (text, expanded) in [
        ("#[derive(Clone)] struct S;", "struct S;"),
        ("#[derive(D)] struct S;", "fn fn"),
        ("fn fn", "fn f() {}"),
    ] {
        assert_eq!(
            expand_procedural(&sources(text), expanded),
            None,
            "`{text}`"
        );
    }
}

#[test]
fn calls_are_found_in_all_files_together() {
    let mut two = sources("mod a; m!();");
    assert!(has_procedural_calls(&two));
    two.add("a.rs".into(), Arc::from("macro_rules! m { () => {} }"));
    assert!(!has_procedural_calls(&two));
}
