//! Tests of what a candidate may not lose because its unsafe code depends on it.

use super::UnsafeCode;
use reduce_syntax::SourceTree;
use std::sync::Arc;

fn code(text: &str) -> UnsafeCode {
    UnsafeCode::of(&SourceTree::single("main.rs".into(), Arc::from(text))).unwrap()
}

#[track_caller]
fn check(before: &str, after: &str, is_kept: bool) {
    let lost = code(before).lost_in(&code(after));
    assert_eq!(lost.is_none(), is_kept, "{after}\n{lost:?}");
}

const UNINIT: &str = "fn main() { let mut a = MaybeUninit::uninit(); let mut n = 0; n += 1; \
    a.write(1); println!(\"{n}\"); println!(\"{}\", unsafe { a.assume_init() }); }";

#[test]
fn a_value_that_is_read_stays_written() {
    check(UNINIT, &UNINIT.replace("a.write(1); ", ""), false);
    check(UNINIT, &UNINIT.replace("a.write(1)", "a"), false);
    check(UNINIT, &UNINIT.replace("uninit()", "zeroed()"), false);
    check(UNINIT, &UNINIT.replace("println!(\"{n}\"); ", ""), true);
    check(UNINIT, &UNINIT.replace("n += 1; ", ""), true);
}

#[test]
fn what_is_not_read_any_more_need_not_be_written() {
    let read = "println!(\"{}\", unsafe { a.assume_init() }); ";
    let without = UNINIT.replace(read, "");
    check(UNINIT, &without, true);
    check(&without, &without.replace("a.write(1); ", ""), true);
}

#[test]
fn unsafe_code_stays_as_it_is_or_goes() {
    let text = "fn main() { let x = [1, 2]; let p = x.as_ptr(); unsafe { f(*p.add(1)); g(); } }";
    check(text, &text.replace("p.add(1)", "p.add(2)"), false);
    check(text, &text.replace("g(); ", ""), true);
    check(text, &text.replace("[1, 2]", "[1]"), false);
}

#[test]
fn a_function_that_gives_a_value_stays_whole() {
    let text = "fn fill(a: &mut [u8]) { for one in a { *one = 1; } } fn other() { h(); } \
        fn main() { let mut a = new(); fill(&mut a); other(); unsafe { read(&a) } }";
    check(text, &text.replace("*one = 1; ", ""), false);
    check(text, &text.replace("h(); ", ""), true);
    check(text, &text.replace("other(); unsafe", "unsafe"), true);
}

#[test]
fn a_condition_of_what_is_written_stays() {
    let text = "fn main() { let mut a = new(); if c { a.write(1); } unsafe { read(&a) } }";
    check(text, &text.replace("if c", "if false"), false);
    check(text, &text.replace("if c { a.write(1); } ", ""), false);
}

#[test]
fn statics_and_fields_are_written_in_other_functions() {
    let text = "static mut A: usize = 0; struct S { n: usize } fn init() { unsafe { A = 1; } } \
        fn grow(s: &mut S) { s.n = 2; } fn idle(s: &mut S) { s.n = 3; } \
        fn main() { let mut s = S { n: 0 }; init(); grow(&mut s); unsafe { f(A, s.n) } }";
    check(text, &text.replace("A = 1;", ""), false);
    check(text, &text.replace("init(); grow", "grow"), false);
    check(text, &text.replace("s.n = 2;", ""), false);
    // Nothing comes to it.
    check(
        text,
        &text.replace("fn idle(s: &mut S) { s.n = 3; } ", ""),
        true,
    );
}

#[test]
fn safe_programs_lose_what_they_like() {
    let text = "fn main() { let mut a = 1; a = 2; println!(\"{a}\"); }";
    check(text, "fn main() { }", true);
    assert!(!code(text).is_there());
    assert!(code("fn main() { unsafe { f() } }").is_there());
}

const MIR: &str = "fn f(n: u8) -> u8 { mir! { let a: u8; let b: u8; let p: *mut u8; \
    { a = n; p = &raw mut b; *p = 3; match n { 0 => zero, _ => other } } \
    zero = { RET = a; Goto(end) } other = { RET = b; Goto(end) } end = { Return() } } }";

#[test]
fn a_local_of_mir_has_a_value_where_it_is_read() {
    check(MIR, MIR, true);
    check(MIR, &MIR.replace("a = n; ", ""), false);
    check(MIR, &MIR.replace("*p = 3; ", ""), false);
    check(MIR, &MIR.replace("RET = b; ", ""), false);
    check(MIR, &MIR.replace("RET = b", "RET = a"), true);
    check(MIR, &MIR.replace("RET = a", "RET = 1"), true);
    let unread = MIR.replace("RET = a", "RET = 1");
    check(&unread, &unread.replace("a = n; ", ""), true);
}

#[test]
fn a_local_of_mir_that_is_moved_has_no_value_afterwards() {
    let text = "fn f() -> u8 { mir! { let a: u8; let b: u8; { a = 1; b = Move(a); a = 2; RET = a; Return() } } }";
    check(text, &text.replace("a = 2; ", ""), false);
    check(text, &text.replace("b = Move(a); ", ""), true);
}

#[test]
fn what_a_body_of_mir_does_not_read_goes() {
    let text = "fn f(n: u8) -> u8 { mir! { let a: u8; let b: u8; let p: *mut u8; { a = 1; b = 2; p = &raw mut b; \
        match n { 0 => zero, _ => other } } zero = { RET = *p; Return() } other = { RET = n; Return() } } } \
        fn main() { println!(\"{}\", f(cfg!(wrong) as u8)); }";
    check(text, &text.replace("a = 1; ", ""), true);
    check(
        text,
        &text.replace("let a: u8; ", "").replace("a = 1; ", ""),
        true,
    );
    check(text, &text.replace("0 => zero, ", ""), true);
    check(text, &text.replace("b = 2; ", ""), false);
    let ends = text.replace("other = { RET = n; Return() }", "other = { Unreachable() }");
    check(&ends, &ends.replace("0 => zero, ", ""), false);
}
