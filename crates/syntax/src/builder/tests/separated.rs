//! Lists with separators.

use super::{check, check_emptied};
use crate::tree::ListKind;

#[test]
fn a_parameter_goes_with_one_comma() {
    check(
        "fn f(a: u8, b: u8) {}",
        ListKind::Parameters,
        &["fn f(b: u8) {}", "fn f(a: u8) {}"],
    );
    check(
        "fn f(a: u8, b: u8,) {}",
        ListKind::Parameters,
        &["fn f(b: u8,) {}", "fn f(a: u8) {}"],
    );
    check_emptied("fn f(a: u8, b: u8,) {}", ListKind::Parameters, "fn f() {}");
}

#[test]
fn a_parameter_before_the_dots_of_a_variadic_keeps_its_comma() {
    check(
        "extern \"C\" { fn f(a: u8, b: u8, ...); }",
        ListKind::Parameters,
        &[
            "extern \"C\" { fn f(b: u8, ...); }",
            "extern \"C\" { fn f(a: u8, ...); }",
        ],
    );
}

#[test]
fn a_receiver_is_a_parameter() {
    check(
        "impl S { fn f(&self, a: u8) {} }",
        ListKind::Parameters,
        &["impl S { fn f(a: u8) {} }", "impl S { fn f(&self) {} }"],
    );
}

#[test]
fn parameters_of_closures_and_of_function_types_are_parameters() {
    check(
        "const C: u8 = |a, b| a;",
        ListKind::Parameters,
        &["const C: u8 = |b| a;", "const C: u8 = |a| a;"],
    );
    check(
        "type A = fn(u8, u16);",
        ListKind::Parameters,
        &["type A = fn(u16);", "type A = fn(u8);"],
    );
    check(
        "type A = F<dyn Fn(u8) -> u8>;",
        ListKind::Parameters,
        &["type A = F<dyn Fn() -> u8>;"],
    );
}

#[test]
fn a_generic_parameter_goes_with_one_comma() {
    check(
        "struct S<'a, T, const N: usize>(T);",
        ListKind::GenericParameters,
        &[
            "struct S<T, const N: usize>(T);",
            "struct S<'a, const N: usize>(T);",
            "struct S<'a, T>(T);",
        ],
    );
}

#[test]
fn without_generic_parameters_the_brackets_go() {
    check("fn f<T>() {}", ListKind::GenericParameters, &["fn f() {}"]);
    check_emptied(
        "impl<'a, T: 'a,> S {}",
        ListKind::GenericParameters,
        "impl S {}",
    );
}

#[test]
fn without_generic_arguments_the_brackets_go() {
    check(
        "type A = M<K, V = u8>;",
        ListKind::GenericArguments,
        &["type A = M<V = u8>;", "type A = M<K>;"],
    );
    check(
        "const C: u8 = a::<T>();",
        ListKind::GenericArguments,
        &["const C: u8 = a();"],
    );
    check_emptied(
        "type A = M<K, V>;",
        ListKind::GenericArguments,
        "type A = M;",
    );
}

#[test]
fn without_predicates_the_where_goes() {
    check(
        "fn f() where A: B, C: D {}",
        ListKind::WherePredicates,
        &["fn f() where C: D {}", "fn f() where A: B {}"],
    );
    check_emptied(
        "fn f() where A: B, C: D, {}",
        ListKind::WherePredicates,
        "fn f() {}",
    );
}

#[test]
fn without_bounds_the_colon_goes() {
    check(
        "fn f<T: A + 'static>() {}",
        ListKind::Bounds,
        &["fn f<T: 'static>() {}", "fn f<T: A>() {}"],
    );
    check("fn f<T: A>() {}", ListKind::Bounds, &["fn f<T>() {}"]);
    check("trait T: A {}", ListKind::Bounds, &["trait T {}"]);
    check(
        "trait T { type A: B; }",
        ListKind::Bounds,
        &["trait T { type A; }"],
    );
    check_emptied("trait T: A + B {}", ListKind::Bounds, "trait T {}");
}

#[test]
fn bounds_of_opaque_types_and_trait_objects_go_one_by_one() {
    check(
        "type A = dyn B + Send;",
        ListKind::Bounds,
        &["type A = dyn Send;", "type A = dyn B;"],
    );
    check(
        "fn f(a: impl B + Send) {}",
        ListKind::Bounds,
        &["fn f(a: impl Send) {}", "fn f(a: impl B) {}"],
    );
}

#[test]
fn arguments_of_calls_go_with_one_comma() {
    check(
        "const C: u8 = f(1, 2);",
        ListKind::Arguments,
        &["const C: u8 = f(2);", "const C: u8 = f(1);"],
    );
    check(
        "const C: u8 = a.f(1, 2);",
        ListKind::Arguments,
        &["const C: u8 = a.f(2);", "const C: u8 = a.f(1);"],
    );
}

#[test]
fn a_tuple_of_one_keeps_its_comma() {
    check(
        "type A = (B, C);",
        ListKind::Elements,
        &["type A = (C,);", "type A = (B,);"],
    );
    check(
        "const C: A = (1, 2,);",
        ListKind::Elements,
        &["const C: A = (2,);", "const C: A = (1,);"],
    );
    check(
        "fn f() { let (a, b); }",
        ListKind::Elements,
        &["fn f() { let (b,); }", "fn f() { let (a,); }"],
    );
    check(
        "type A = (B, C, D);",
        ListKind::Elements,
        &["type A = (C, D);", "type A = (B, D);", "type A = (B, C);"],
    );
    check_emptied("type A = (B, C);", ListKind::Elements, "type A = ();");
}

#[test]
fn elements_of_arrays_go_with_one_comma() {
    check(
        "const C: A = [1, 2];",
        ListKind::Elements,
        &["const C: A = [2];", "const C: A = [1];"],
    );
}

#[test]
fn elements_of_patterns_go_with_one_separator() {
    check(
        "fn f() { let S(a, ..) = s; }",
        ListKind::Elements,
        &["fn f() { let S(..) = s; }", "fn f() { let S(a) = s; }"],
    );
    check(
        "fn f() { let [a, b] = s; }",
        ListKind::Elements,
        &["fn f() { let [b] = s; }", "fn f() { let [a] = s; }"],
    );
    check(
        "fn f() { match s { A | B => 1 } }",
        ListKind::Elements,
        &[
            "fn f() { match s { B => 1 } }",
            "fn f() { match s { A => 1 } }",
        ],
    );
}

#[test]
fn fields_of_struct_expressions_go_with_one_comma() {
    check(
        "const C: S = S { a: 1, b };",
        ListKind::Elements,
        &["const C: S = S { b };", "const C: S = S { a: 1 };"],
    );
}

#[test]
fn a_field_before_the_rest_keeps_its_comma() {
    check(
        "const C: S = S { a, b, ..D };",
        ListKind::Elements,
        &["const C: S = S { b, ..D };", "const C: S = S { a, ..D };"],
    );
    check(
        "fn f() { let S { a, b, .. } = s; }",
        ListKind::Elements,
        &[
            "fn f() { let S { b, .. } = s; }",
            "fn f() { let S { a, .. } = s; }",
        ],
    );
}

#[test]
fn variants_and_fields_go_with_one_comma() {
    check(
        "enum E { A(u8), B }",
        ListKind::Variants,
        &["enum E { B }", "enum E { A(u8) }"],
    );
    check(
        "struct S { pub a: u8, b: u8 }",
        ListKind::Fields,
        &["struct S { b: u8 }", "struct S { pub a: u8 }"],
    );
    check(
        "struct S(u8, u16);",
        ListKind::Fields,
        &["struct S(u16);", "struct S(u8);"],
    );
    check("enum E { A(u8) }", ListKind::Fields, &["enum E { A() }"]);
    check("union U { a: u8 }", ListKind::Fields, &["union U {}"]);
}

#[test]
fn leaves_of_a_use_group_go_with_one_comma() {
    check(
        "use a::{b, c::{d, e as f}};",
        ListKind::UseTrees,
        &[
            "use a::{c::{d, e as f}};",
            "use a::{b};",
            "use a::{b, c::{e as f}};",
            "use a::{b, c::{d}};",
        ],
    );
}
