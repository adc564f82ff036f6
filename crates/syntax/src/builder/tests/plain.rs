//! Lists without separators, and attributes.

use super::{check, check_emptied};
use crate::tree::ListKind;

#[test]
fn items_go_with_their_attributes() {
    check(
        "#[a] struct S; fn f() {} mod m { use a; }",
        ListKind::Items,
        &[
            "fn f() {} mod m { use a; }",
            "#[a] struct S; mod m { use a; }",
            "#[a] struct S; fn f() {}",
            "#[a] struct S; fn f() {} mod m {}",
        ],
    );
}

#[test]
fn members_of_impls_traits_and_extern_blocks_go() {
    check(
        "impl S { const A: u8 = 1; fn f() {} }",
        ListKind::Members,
        &["impl S { fn f() {} }", "impl S { const A: u8 = 1; }"],
    );
    check(
        "trait T { type A; fn f(); }",
        ListKind::Members,
        &["trait T { fn f(); }", "trait T { type A; }"],
    );
    check(
        "extern \"C\" { fn f(); static S: u8; }",
        ListKind::Members,
        &["extern \"C\" { static S: u8; }", "extern \"C\" { fn f(); }"],
    );
}

#[test]
fn statements_go_with_their_semicolon() {
    check(
        "fn f() { let a = 1; g(); m!(); a }",
        ListKind::Statements,
        &[
            "fn f() { g(); m!(); a }",
            "fn f() { let a = 1; m!(); a }",
            "fn f() { let a = 1; g(); a }",
            "fn f() { let a = 1; g(); m!(); }",
        ],
    );
}

#[test]
fn arms_go_with_their_comma() {
    check(
        "fn f() { match a { A => 1, B if c => {} _ => 2 } }",
        ListKind::Arms,
        &[
            "fn f() { match a { B if c => {} _ => 2 } }",
            "fn f() { match a { A => 1, _ => 2 } }",
            "fn f() { match a { A => 1, B if c => {} } }",
        ],
    );
}

#[test]
fn attributes_and_doc_comments_go() {
    check(
        "#![a]\n//! b\n/// c\n#[d(e)] fn f(#[g] h: u8) {}",
        ListKind::Attributes,
        &[
            "//! b\n/// c\n#[d(e)] fn f(#[g] h: u8) {}",
            "#![a]\n/// c\n#[d(e)] fn f(#[g] h: u8) {}",
            "#![a]\n//! b\n#[d(e)] fn f(#[g] h: u8) {}",
            "#![a]\n//! b\n/// c\nfn f(#[g] h: u8) {}",
            "#![a]\n//! b\n/// c\n#[d(e)] fn f(h: u8) {}",
        ],
    );
}

#[test]
fn attributes_of_modules_fields_and_arms_go() {
    check("#[a] mod m {}", ListKind::Attributes, &["mod m {}"]);
    check("mod m { #![a] }", ListKind::Attributes, &["mod m {}"]);
    check(
        "struct S { #[a] b: u8 }",
        ListKind::Attributes,
        &["struct S { b: u8 }"],
    );
    check(
        "fn f() { match a { #[b] _ => 1 } }",
        ListKind::Attributes,
        &["fn f() { match a { _ => 1 } }"],
    );
}

#[test]
fn arguments_of_attributes_go_with_one_comma() {
    check(
        "#[derive(Clone, Copy)] struct S;",
        ListKind::AttributeArguments,
        &["#[derive(Copy)] struct S;", "#[derive(Clone)] struct S;"],
    );
    check_emptied(
        "#![feature(a, b)] struct S;",
        ListKind::AttributeArguments,
        "struct S;",
    );
}

#[test]
fn the_only_argument_goes_with_its_attribute() {
    check(
        "#[derive(Clone)] struct S;",
        ListKind::AttributeArguments,
        &[],
    );
    check(
        "#[derive(Clone)] struct S;",
        ListKind::Attributes,
        &["struct S;"],
    );
}
