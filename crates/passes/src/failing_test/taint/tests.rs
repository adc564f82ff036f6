use super::*;
use crate::visit::{self, Node};
use camino::Utf8PathBuf;
use reduce_syntax::SourceTree;
use std::sync::Arc;
use syn::Pat;

/// Checks which variables are made of tainted values, in their order.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let sources = SourceTree::single(Utf8PathBuf::from("tests/t.rs"), Arc::from(text));
    let program = Program::new(&sources);
    let taint = Taint::of(&program);
    let mut tainted = Vec::new();
    visit::each(&program, |at, node| {
        if let Node::Local(local) = node
            && let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && taint.is_in(&at.place(&*init.expr))
        {
            tainted.push(name.ident.to_string());
        }
    });
    assert_eq!(tainted, expected, "{text}");
}

#[test]
fn what_another_crate_returns_is_tainted_and_what_is_made_of_it() {
    check(
        "use other::f; fn t() { let a = f(1); let b = a + 1; let c = 2 + 3; let d = vec![c, b]; let e = c + 1; }",
        &["a", "b", "d"],
    );
    check(
        "fn t() { let a = other::f(1); let b = std::mem::take(&mut 1); let c = String::from(\"a\"); let d = c.len(); }",
        &["a"],
    );
    check(
        "fn t() { let a: u8 = \"1\".parse().unwrap(); let b = format!(\"{a}\"); let c = other::m!(1); let d = format!(\"{c}\"); }",
        &["c", "d"],
    );
}

#[test]
fn functions_of_the_test_pass_it_on() {
    check(
        "fn own(x: u8) -> u8 { let y = x + 1; y } fn t() { let a = own(1); let b = a; }",
        &[],
    );
    check(
        "fn own(x: u8) -> u8 { let y = x + 1; y } fn t() { let a = own(other::f()); let b = a; }",
        &["y", "a", "b"],
    );
    check(
        "fn own() -> u8 { other::f() } fn t() { let a = own(); let b = 1 + 1; }",
        &["a"],
    );
    check(
        "struct S(other::T); impl S { fn n(&self) -> u8 { let x = self.0.len(); x } } fn t() { let a = S(Default::default()); let b = a.n(); let c = 1 + 1; }",
        &["x", "a", "b"],
    );
    check(
        "struct S(u8); impl S { fn n(&self) -> u8 { let x = self.0; x } } fn t() { let a = S(1); let b = a.n(); }",
        &[],
    );
}

#[test]
fn what_is_passed_to_closures_and_functions_is_tainted() {
    check(
        "fn t() { let s = 1 + 1; other::fold(s, |acc, x: u8| { let y = acc - x; y }); }",
        &["y"],
    );
    check(
        "fn t() { let v = vec![1]; let w = v.iter().map(|x| { let y = x + 1; y }).sum::<u8>(); }",
        &[],
    );
    check(
        "fn own(x: u8) -> u8 { let y = x + 1; y } fn t() { let a = other::map(own); }",
        &["y", "a"],
    );
    check(
        "use other::Set; fn t() { let mut s = Set::new(); s.compact(|from, to| { let a = from > to; a }); let b = s.len(); }",
        &["s", "a", "b"],
    );
}

#[test]
fn what_another_crate_may_change_is_tainted() {
    check(
        "fn t() { let mut a = 1 + 1; other::f(&mut a); let b = a + 1; let mut c = vec![1]; c.push(b); let d = c.len(); }",
        &["b", "d"],
    );
    check(
        "use std::fmt::Write; fn t() { let mut a = String::new(); write!(a, \"{}\", other::f()); let b = a.len(); }",
        &["b"],
    );
    check(
        "fn t() { let mut a = 1; for x in other::all() { let y = x; a += y; } let b = a; let mut d = 0; for z in 0..3 { d += z; } let e = d; }",
        &["y", "b"],
    );
}

#[test]
fn traits_of_other_crates_give_methods_to_all_types() {
    check(
        "use other::Ext; fn t() { let a = \"a\".to_snake_case(); let b = \"a\".len(); }",
        &["a"],
    );
    check(
        "use other::Ext; fn t() { let a = (0..9).step_by(3); let b = \"a b\".split_whitespace(); }",
        &[],
    );
    check(
        "use other::T; fn t() { let a = \"a\".split_once('b'); let b = T::new(); }",
        &["b"],
    );
}

#[test]
fn what_stands_around_the_module_of_a_unit_test_is_tainted() {
    for import in ["super::f", "super::*", "crate::f", "crate::inner::f"] {
        check(
            &format!("use {import}; fn t() {{ let a = f(1); let b = a + 1; let c = 2 + 3; }}"),
            &["a", "b"],
        );
    }
    for path in ["super::f", "crate::f", "super::super::f"] {
        check(
            &format!("fn t() {{ let a = {path}(1); let b = a + 1; let c = 2 + 3; }}"),
            &["a", "b"],
        );
    }
}

#[test]
fn what_a_macro_of_another_crate_makes_is_tainted() {
    check(
        "other::flags! { struct Flags: u8 { const READ = 1; } } fn t() { let a = Flags::READ; let b = Flags::all(); let c = 2 + 3; }",
        &["a", "b"],
    );
}
