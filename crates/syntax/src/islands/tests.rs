use super::Island;
use crate::parse::Parsed;

/// The islands of a text, as they are written.
fn islands(text: &str) -> Vec<&str> {
    let parsed = Parsed::new(text);
    assert!(parsed.file().is_some(), "{text}");
    let texts = parsed.islands().iter();
    texts
        .map(|Island { range, .. }| &text[range.clone()])
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(islands(text), expected, "{text}");
}

/// The islands of a text in the body of a function.
#[track_caller]
fn check_in_body(text: &str, expected: &[&str]) {
    check(
        &format!("fn f() {{ g(); {text} h(); }} fn i() {{}}"),
        expected,
    );
}

#[test]
fn what_syn_understands_has_none() {
    check("fn f() { g(); } struct S;", &[]);
}

#[test]
fn a_word_before_what_syn_knows_is_one() {
    check_in_body("super let x = 1;", &["super"]);
    check_in_body("super let mut x = 1;", &["super"]);
    check_in_body("let f = use || { x };", &["use"]);
}

#[test]
fn types_are_one() {
    check_in_body("let x: unsafe<T> () = y;", &["unsafe<T> ()"]);
    check("type X = unsafe<T> ();", &["unsafe<T> ()"]);
    check(
        "struct S { a: u8, b: unsafe<T> (), c: u8 }",
        &["unsafe<T> ()"],
    );
}

#[test]
fn bounds_are_one() {
    check("fn f(x: &mut (dyn ?Sized + !Send)) {}", &["!Send"]);
    check("pub trait Foo<C: use<Self>> {}", &["use<Self>"]);
}

#[test]
fn items_are_one() {
    check("fn f() {} const C = g(); fn h() {}", &["const C = g();"]);
    check("fn f() {} const C = A::b; fn h() {}", &["const C = A::b;"]);
    check("fn f() {} reuse Tr::g; fn h() {}", &["reuse Tr::g;"]);
    check(
        "impl S { fn f() {} reuse Tr::{g, h} { self.0 } }",
        &["reuse Tr::{g, h} { self.0 }"],
    );
}

#[test]
fn what_lacks_a_separator_has_none() {
    check_in_body("let x = 1 let y = 2;", &[]);
}

#[test]
fn fields_that_are_words_are_one() {
    check_in_body("let y = x.use;", &["x.use"]);
    check_in_body("g(a, x.use, b);", &["x.use"]);
}

#[test]
fn a_bracket_without_a_partner_is_one() {
    check("fn f() { g() } } fn h() {}", &["}"]);
    check("fn f() { g(; h() } fn i() {}", &["("]);
    check("fn f() { g()", &["fn f() { g()", "{"]);
}

#[test]
fn items_and_statements_that_are_no_rust_are_one_by_one() {
    check("fn f() {} fn g(x) {} fn h() {}", &["fn g(x) {}"]);
    check_in_body("let x = match y { Err(!) };", &["match y { Err(!) }"]);
}

#[test]
fn several_are_found() {
    check(
        "fn f() { super let x = 1; g(use || 1, use |x| x); } fn g() { y.use; }",
        &["super", "use", "use", "y.use"],
    );
}
