//! Tests of the imports that stay in slices.

use super::*;

#[test]
fn an_import_goes_with_what_it_imports() {
    check(
        "mod a { pub fn len() {} pub fn go() {} } use a::{len, go}; use a::len as other; fn f(x: &str) { x.len(); go() }",
        "f",
        0,
        "mod a { pub fn go() { loop {} } } use a::{go}; fn f(x: &str) { x.len(); go() }",
    );
    check(
        "mod a { pub fn len() {} } mod b { pub use crate::a::len; } pub use b::len; mod c { pub use super::*; } fn f(x: &str) { x.len(); }",
        "f",
        0,
        "fn f(x: &str) { x.len(); }",
    );
}

#[test]
fn modules_stay_that_only_lead_to_something_of_another_crate() {
    let text = "mod a { pub mod b { pub mod c { pub use std::fmt::Debug; } } } mod d { pub(crate) use crate::a::b::c; }
                pub mod e { pub use super::d::c::*; } use e::Debug; fn f(x: &dyn Debug) {}";
    check(text, "f", 0, text);
    let text = "mod a { pub mod b { pub use std::fmt; } } use crate::a::b::fmt; fn f(x: &dyn fmt::Debug) {}";
    check(text, "f", 0, text);
}

#[test]
fn what_an_import_gives_another_name_stays() {
    let text = "mod a { mod b { pub struct S; } pub use b::S as T; } use a::T as R; fn f(x: R) {}";
    check(text, "f", 0, text);
}

#[test]
fn imports_that_lead_to_each_other_are_no_reason_to_stay() {
    check(
        "mod a { pub use crate::b::*; pub fn len() {} } mod b { pub use crate::a::*; pub use crate::a::len; } use b::len; fn f(x: &str) { x.len(); }",
        "f",
        0,
        "fn f(x: &str) { x.len(); }",
    );
}
