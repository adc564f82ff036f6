//! Macro calls, macro definitions, and text that syn does not parse.

use super::{check, check_bytes, single};
use crate::builder::build_tree;
use crate::tree::ListKind;

#[test]
fn items_in_a_macro_call_go() {
    check(
        "m! { struct S; fn f() {} }",
        ListKind::Items,
        &["", "m! { fn f() {} }", "m! { struct S; }"],
    );
}

#[test]
fn arguments_of_a_macro_call_go_with_one_comma() {
    check(
        "fn f() { m!(\"{}\", a); }",
        ListKind::Arguments,
        &["fn f() { m!(a); }", "fn f() { m!(\"{}\"); }"],
    );
    check(
        "const C: A = vec![g(1), 2];",
        ListKind::Arguments,
        &[
            "const C: A = vec![2];",
            "const C: A = vec![g(1)];",
            "const C: A = vec![g(), 2];",
        ],
    );
}

#[test]
fn statements_in_a_macro_call_go() {
    check(
        "fn f() { m! { let a = 1; g() } }",
        ListKind::Statements,
        &[
            "fn f() {}",
            "fn f() { m! { g() } }",
            "fn f() { m! { let a = 1; } }",
        ],
    );
}

#[test]
fn other_tokens_of_a_macro_call_go_in_chunks_and_pieces_of_these() {
    check(
        "m!(a => b, c => d);",
        ListKind::Chunks,
        &[
            "m!(c => d);",
            "m!(a => b,);",
            "m!(=> b, c => d);",
            "m!(a b, c => d);",
            "m!(a =>, c => d);",
            "m!(a => b c => d);",
            "m!(a => b, => d);",
            "m!(a => b, c d);",
            "m!(a => b, c =>);",
        ],
    );
    check(
        "m!(a => { b; c } d =>);",
        ListKind::Chunks,
        &[
            "m!(d =>);",
            "m!(a => { b; c });",
            "m!(=> { b; c } d =>);",
            "m!(a { b; c } d =>);",
            "m!(a => d =>);",
            "m!(a => { c } d =>);",
            "m!(a => { b; } d =>);",
            "m!(a => { b; c } =>);",
            "m!(a => { b; c } d);",
            "m!(a => { ; c } d =>);",
            "m!(a => { b c } d =>);",
        ],
    );
}

#[test]
fn a_macro_definition_goes_in_chunks() {
    check(
        "macro_rules! m { ($a:expr) => { f($a); }; () => {} }",
        ListKind::Chunks,
        &[
            "macro_rules! m { ; () => {} }",
            "macro_rules! m { ($a:expr) => { f($a); } () => {} }",
            "macro_rules! m { ($a:expr) => { f($a); }; }",
            "macro_rules! m { () => { f($a); }; () => {} }",
            "macro_rules! m { ($a:expr) => { }; () => {} }",
            "macro_rules! m { ($a:expr) => { ($a); }; () => {} }",
            "macro_rules! m { ($a:expr) => { f; }; () => {} }",
            "macro_rules! m { ($a:expr) => { f($a) }; () => {} }",
            "macro_rules! m { ($a:expr) => { f(); }; () => {} }",
        ],
    );
}

#[test]
fn a_definition_with_attributes_is_an_item_with_attributes() {
    let text = "#[macro_export] macro_rules! m { () => {} }";
    check(text, ListKind::Items, &[""]);
    check(text, ListKind::Attributes, &["macro_rules! m { () => {} }"]);
}

#[test]
fn what_syn_does_not_understand_goes_in_chunks_and_single_tokens() {
    check(
        "fn fn; é fn f() { a, b } end",
        ListKind::Chunks,
        &[
            "é fn f() { a, b } end",
            "fn fn; end",
            "fn fn; é fn f() { a, b }",
            "fn ; é fn f() { a, b } end",
            "fn ; é fn f() { a, b } end",
            "fn fn é fn f() { a, b } end",
            "fn fn; fn f() { a, b } end",
            "fn fn; é f() { a, b } end",
            "fn fn; é fn () { a, b } end",
            "fn fn; é fn f { a, b } end",
            "fn fn; é fn f() end",
            "fn fn; é fn f() { b } end",
            "fn fn; é fn f() { a, } end",
            "fn fn; é fn f() { , b } end",
            "fn fn; é fn f() { a b } end",
        ],
    );
}

#[test]
fn a_file_with_an_open_literal_goes_line_by_line() {
    check_bytes(
        "é {\r\n\r\n  \"\n}",
        ListKind::Chunks,
        &["\r\n  \"\n}", "é {\r\n\r\n}", "é {\r\n\r\n  \"\n"],
    );
}

#[test]
fn a_file_that_does_not_parse_is_named_with_the_reason() {
    let sources = single("fn f() { \"open }");
    let [(file, reason)] = &build_tree(&sources).fallbacks[..] else {
        panic!("there is one such file");
    };
    assert_eq!(*file, sources.root());
    assert!(reason.contains("cannot parse"), "{reason}");
}

#[test]
fn an_empty_file_has_nothing_to_remove() {
    assert!(build_tree(&single("")).lists.is_empty());
    assert!(build_tree(&single("// nothing\n")).lists.is_empty());
}

#[test]
fn blocks_locals_and_statements_of_mir_go_one_by_one() {
    let mir = |declared: &str, first: &str, others: &str| {
        format!("fn f() {{ mir! {{ {declared} {{ {first} Goto(c) }} {others} }} }}")
    };
    let (both, first) = ("let a: u8; let b: u8;", "a = 1; b = a;");
    let (c, d) = ("c = { RET = b; Return() }", "d = { Return() }");
    let others = format!("{c} {d}");
    let expected = [
        "fn f() {}".to_owned(),
        mir("let b: u8;", first, &others),
        mir("let a: u8;", first, &others),
        mir(both, "b = a;", &others),
        mir(both, "a = 1;", &others),
        mir(both, first, d),
        mir(both, first, c),
        mir(both, first, &format!("c = {{ Return() }} {d}")),
    ];
    let expected = expected.each_ref().map(String::as_str);
    check(&mir(both, first, &others), ListKind::Statements, &expected);
}
