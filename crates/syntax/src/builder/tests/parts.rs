//! Parts that are there or not, and bodies.

use super::{check, single, weights};
use crate::tree::ListKind;

#[test]
fn parts_of_signatures_go() {
    check(
        "pub const unsafe extern \"C\" fn f() -> u8 { 1 }",
        ListKind::Parts,
        &[
            "const unsafe extern \"C\" fn f() -> u8 { 1 }",
            "pub unsafe extern \"C\" fn f() -> u8 { 1 }",
            "pub const extern \"C\" fn f() -> u8 { 1 }",
            "pub const unsafe fn f() -> u8 { 1 }",
            "pub const unsafe extern \"C\" fn f() {}",
            "pub const unsafe extern \"C\" fn f() { 1 }",
        ],
    );
    check("async fn f() {}", ListKind::Parts, &["fn f() {}"]);
}

#[test]
fn parts_of_receivers_go() {
    check(
        "trait T { fn f(&'a mut self); }",
        ListKind::Parts,
        &[
            "trait T { fn f(&mut self); }",
            "trait T { fn f(&'a self); }",
        ],
    );
    check(
        "trait T { fn f(mut self); }",
        ListKind::Parts,
        &["trait T { fn f(self); }"],
    );
}

#[test]
fn visibility_goes_with_its_path() {
    check(
        "struct S(pub(in a::b) u8);",
        ListKind::Parts,
        &["struct S(u8);"],
    );
    check("pub(crate) mod m {}", ListKind::Parts, &["mod m {}"]);
}

#[test]
fn a_reference_loses_its_lifetime_or_its_mut() {
    check(
        "type A = &'a mut u8;",
        ListKind::Parts,
        &["type A = &mut u8;", "type A = &'a u8;"],
    );
    check(
        "const C: A = &mut 1;",
        ListKind::Parts,
        &["const C: A = &1;"],
    );
}

#[test]
fn a_binding_loses_its_type_its_value_or_its_modifiers() {
    check(
        "fn f() { let ref mut a: u8 = 1; }",
        ListKind::Parts,
        &[
            "fn f() { let mut a: u8 = 1; }",
            "fn f() { let ref a: u8 = 1; }",
            "fn f() { let ref mut a = 1; }",
            "fn f() { let ref mut a: u8; }",
        ],
    );
    check(
        "fn f() { let a @ S = b; }",
        ListKind::Parts,
        &["fn f() { let a = b; }", "fn f() { let a @ S; }"],
    );
}

#[test]
fn a_value_goes_with_its_else() {
    check(
        "fn f() { let S = a else { g() }; }",
        ListKind::Parts,
        &["fn f() { let S; }"],
    );
}

#[test]
fn defaults_go_with_their_equals_sign() {
    check(
        "struct S<T = u8, const N: usize = 1>(T);",
        ListKind::Parts,
        &[
            "struct S<T, const N: usize = 1>(T);",
            "struct S<T = u8, const N: usize>(T);",
        ],
    );
    check(
        "trait T { const C: u8 = 1; type A = u8; }",
        ListKind::Parts,
        &[
            "trait T { const C: u8; type A = u8; }",
            "trait T { const C: u8 = 1; type A; }",
        ],
    );
    check("enum E { A = 1 }", ListKind::Parts, &["enum E { A }"]);
}

#[test]
fn the_body_of_a_trait_method_goes() {
    check(
        "trait T { fn f() { g() } }",
        ListKind::Parts,
        &["trait T { fn f(); }"],
    );
}

#[test]
fn labels_go() {
    check(
        "fn f() { 'a: loop { continue 'a; } }",
        ListKind::Parts,
        &[
            "fn f() { loop { continue 'a; } }",
            "fn f() { 'a: loop { continue; } }",
        ],
    );
    check(
        "fn f() { 'a: for _ in b {} }",
        ListKind::Parts,
        &["fn f() { for _ in b {} }"],
    );
    check(
        "fn f() { 'a: while b {} }",
        ListKind::Parts,
        &["fn f() { while b {} }"],
    );
    check("fn f() { 'a: {} }", ListKind::Parts, &["fn f() { {} }"]);
}

#[test]
fn what_break_and_return_give_goes() {
    check(
        "fn f() { break 'a 1; }",
        ListKind::Parts,
        &["fn f() { break 1; }", "fn f() { break 'a; }"],
    );
    check(
        "fn f() { return 1; }",
        ListKind::Parts,
        &["fn f() { return; }"],
    );
}

#[test]
fn guards_go_with_their_if() {
    check(
        "fn f() { match a { _ if b => 1 } }",
        ListKind::Parts,
        &["fn f() { match a { _ => 1 } }"],
    );
}

#[test]
fn the_trait_of_an_impl_goes_with_its_for() {
    check("impl T for S {}", ListKind::Parts, &["impl S {}"]);
    check("impl !T for S {}", ListKind::Parts, &["impl S {}"]);
    check(
        "unsafe impl<A> T<A> for S {}",
        ListKind::Parts,
        &["impl<A> T<A> for S {}", "unsafe impl<A> S {}"],
    );
}

#[test]
fn an_else_goes_with_its_branch() {
    check(
        "fn f() { if a {} else if b {} else {} }",
        ListKind::Parts,
        &["fn f() { if a {} }", "fn f() { if a {} else if b {} }"],
    );
}

#[test]
fn modifiers_of_closures_and_blocks_go() {
    check(
        "const C: A = async move |a: u8| -> u8 { a };",
        ListKind::Parts,
        &[
            "const C: A = move |a: u8| -> u8 { a };",
            "const C: A = async |a: u8| -> u8 { a };",
            "const C: A = async move |a| -> u8 { a };",
            "const C: A = async move |a: u8| { a };",
        ],
    );
    check(
        "fn f() { unsafe { g() } }",
        ListKind::Parts,
        &["fn f() { { g() } }"],
    );
}

#[test]
fn ends_of_ranges_go() {
    check(
        "const C: A = 1..2;",
        ListKind::RangeEnds,
        &["const C: A = ..2;", "const C: A = 1..;"],
    );
    check(
        "const C: A = 1..=2;",
        ListKind::RangeEnds,
        &["const C: A = ..=2;"],
    );
}

#[test]
fn the_rest_of_a_struct_expression_goes() {
    check(
        "const C: S = S { ..D };",
        ListKind::Parts,
        &["const C: S = S {};"],
    );
}

#[test]
fn higher_ranked_lifetimes_go() {
    check(
        "type A = for<'a> unsafe extern \"C\" fn(&u8);",
        ListKind::Parts,
        &[
            "type A = unsafe extern \"C\" fn(&u8);",
            "type A = for<'a> extern \"C\" fn(&u8);",
            "type A = for<'a> unsafe fn(&u8);",
        ],
    );
    check(
        "fn f<T: for<'a> A<'a>>() {}",
        ListKind::Parts,
        &["fn f<T: A<'a>>() {}"],
    );
}

#[test]
fn a_body_becomes_an_endless_loop() {
    check(
        "fn f() { g(); h(); }",
        ListKind::Bodies,
        &["fn f() { loop {} }"],
    );
    check(
        "impl S { fn f() -> u8 { g(1, 2) } }",
        ListKind::Bodies,
        &["impl S { fn f() -> u8 { loop {} } }"],
    );
    check(
        "trait T { fn f() { g(1, 2) } }",
        ListKind::Bodies,
        &["trait T { fn f() { loop {} } }"],
    );
}

#[test]
fn a_body_that_is_no_larger_than_an_endless_loop_stays() {
    check("fn f() {}", ListKind::Bodies, &[]);
    check("fn f() { loop {} }", ListKind::Bodies, &[]);
    check("fn f() { g() }", ListKind::Bodies, &[]);
}

#[test]
fn a_body_one_token_larger_than_an_endless_loop_becomes_one() {
    check("fn f() { g(1) }", ListKind::Bodies, &["fn f() { loop {} }"]);
}

#[test]
fn a_body_weighs_what_is_saved() {
    let saved = weights(&single("fn f() { g(1, 2, 3); }"), ListKind::Bodies);
    assert_eq!(saved, [11 - 5]);
}
