//! Tests put every operator inside of every other, and check what surroundings ask for besides.

use super::*;
use crate::program::Place;
use crate::program::Program;
use camino::Utf8PathBuf;
use reduce_syntax::{SourceTree, spaced};
use std::sync::Arc;

/// Puts `text` in place of the name `X` of a program.
fn put(program: &str, text: &str) -> String {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(program));
    let at = program.find('X').unwrap();
    let mut change = Program::new(&sources);
    let place = Place::new(sources.root(), at..at + 1);
    let edits = change_at(&mut change, &place, text);
    let result = edits.apply(&sources);
    result.text(result.root()).to_owned()
}

fn change_at(program: &mut Program, place: &Place, text: &str) -> reduce_syntax::EditSet {
    let context = program.expression_context(place);
    let mut change = program.change();
    match context.role {
        Role::Pointee => change.replace_type(place, text),
        _ => change.replace_expr(place, text),
    };
    change.finish().unwrap()
}

/// Checks that `text` stands for the `X` of a statement as it is, or in parentheses.
#[track_caller]
fn check(statement: &str, text: &str, expected: &str) {
    let found = put(&format!("fn f() {{ {statement} }}"), text);
    let expected = format!("fn f() {{ {expected} }}");
    assert_eq!(spaced(&found), spaced(&expected));
}

const OPERATORS: [&str; 29] = [
    "*", "/", "%", "+", "-", "<<", ">>", "&", "^", "|", "==", "!=", "<", ">", "<=", ">=", "&&",
    "||", "..", "..=", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "<<=",
];

/// The text of an operand of an operation, without parentheses.
fn operand(operation: &str, operator: &str, is_left: bool) -> Option<String> {
    let (own, left, right) = match syn::parse_str::<Expr>(operation).ok()? {
        Expr::Binary(one) => (text(operation, &one.op), one.left, one.right),
        Expr::Assign(one) => (text(operation, &one.eq_token), one.left, one.right),
        Expr::Range(one) => (text(operation, &one.limits), one.start?, one.end?),
        _ => return None,
    };
    let one = if is_left { left } else { right };
    let one = match *one {
        Expr::Paren(inner) => *inner.expr,
        other => other,
    };
    (own == operator).then(|| text(operation, &one))
}

fn text(whole: &str, syntax: &impl reduce_syntax::Located) -> String {
    whole[reduce_syntax::byte_range(syntax)].to_owned()
}

#[test]
fn every_operation_stays_whole_in_every_other() {
    for outer in OPERATORS {
        for inner in OPERATORS {
            for is_left in [true, false] {
                let around = match is_left {
                    true => format!("X {outer} z"),
                    false => format!("z {outer} X"),
                };
                let operation = format!("a {inner} b");
                let program = put(&format!("fn f() {{ g({around}); }}"), &operation);
                let result = program.strip_prefix("fn f() { g(").unwrap();
                let result = result.strip_suffix("); }").unwrap();
                let found = operand(result, outer, is_left);
                assert_eq!(found, Some(operation), "{result}");
            }
        }
    }
}

#[test]
fn what_binds_tighter_has_no_parentheses() {
    check("X * z;", "a * b", "a * b * z;");
    check("z * X;", "a * b", "z * (a * b);");
    check("X + z;", "a * b", "a * b + z;");
    check("z + X;", "a as u8", "z + a as u8;");
    check("X == z;", "a | b", "a | b == z;");
    check("z = X;", "a = b", "z = a = b;");
    check("X as u8;", "a as u16", "a as u16 as u8;");
    check("X as u8;", "-a", "-a as u8;");
    check("-X;", "&a", "-&a;");
    check("&X;", "a + b", "&(a + b);");
}

#[test]
fn what_follows_is_not_taken_in() {
    check("X < z;", "a as u8", "(a as u8) < z;");
    check("X << z;", "a as u8", "(a as u8) << z;");
    check("y + X < z;", "a as u8", "y + (a as u8) < z;");
    check("X <= z;", "a as u8", "a as u8 <= z;");
    check("X + z;", "&|| a", "(&|| a) + z;");
    check("X + z;", "|| a", "(|| a) + z;");
    check("X.y;", "return", "(return).y;");
}

#[test]
fn receivers_are_tight() {
    check("X.g();", "-1", "(-1).g();");
    check("X.g();", "a.b()?", "a.b()?.g();");
    check("X?;", "a as B", "(a as B)?;");
    check("X.await;", "a(b)", "a(b).await;");
    check("X[0];", "&a", "(&a)[0];");
    check("X(0);", "a.b", "(a.b)(0);");
    check("X(0);", "a.b()", "a.b()(0);");
}

#[test]
fn a_statement_does_not_end_within() {
    check("X;", "loop {}", "loop {};");
    check("X.g();", "loop {}", "loop {}.g();");
    check("X + 1;", "loop {}", "(loop {}) + 1;");
    check("X + 1;", "{ a }.b", "{ a }.b + 1;");
    check("X[0];", "{ a }", "({ a })[0];");
    check("X;", "{ a } + 1", "({ a } + 1);");
    check("g(X + 1);", "loop {}", "g(loop {} + 1);");
    check(
        "match a { _ => X + 1 }",
        "{ a }",
        "match a { _ => ({ a }) + 1 }",
    );
}

#[test]
fn literals_of_structs_are_not_taken_for_blocks() {
    check("if X {}", "S {}", "if (S {}) {}");
    check("if X == z {}", "S {}", "if (S {}) == z {}");
    check("match X {}", "S {}.a", "match (S {}.a) {}");
    check("for _ in g(X) {}", "S {}", "for _ in g(S {}) {}");
    check("while let p = X {}", "S {}", "while let p = (S {}) {}");
    check("if let p = X {}", "a && b", "if let p = (a && b) {}");
    check(
        "let p = X else {};",
        "loop {}",
        "let p = (loop {}) else {};",
    );
    check("let p = X else {};", "a || b", "let p = (a || b) else {};");
    check(
        "let p = &X else {};",
        "loop {}",
        "let p = &(loop {}) else {};",
    );
    check(
        "let p = a + X else {};",
        "S {}",
        "let p = a + (S {}) else {};",
    );
    check("let p = g(X) else {};", "S {}", "let p = g(S {}) else {};");
    check("let p = X;", "S {}", "let p = S {};");
}

#[test]
fn other_surroundings_ask_for_more_than_parentheses() {
    check("S { X };", "1 + 1", "S { X: 1 + 1 };");
    check("S::<X>::g();", "1 + 1", "S::<{ 1 + 1 }>::g();");
    check("S::<X>::g();", "-1", "S::<-1>::g();");
    check("|| -> u8 { X };", "1", "|| -> u8 { 1 };");
    check("let a: &X;", "impl A + B", "let a: &(impl A + B);");
    check("let a: &X;", "impl A", "let a: &impl A;");
    check("m!(X + z, 1);", "a << b", "m!((a << b) + z, 1);");
    check("m!(X => z);", "a << b", "m!((a << b) => z);");
}
