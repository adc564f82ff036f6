//! `empty_structs`: structs without fields lose their braces or parentheses, with those of the
//! expressions and patterns that are made of them.

use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::{Expr, Fields, Item, Pat};

pub(super) const PASS: Pass = Pass {
    name: "empty_structs",
    about: "Makes `struct S;` of `struct S {}` and `struct S();`, with their uses",
    example: ("struct S {} fn f() { S {}; }", "struct S; fn f() { S; }"),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let brackets = visit::collect(program, |at, node| {
        let (path, brackets) = brackets(node)?;
        let name = at.position(&path.segments.last()?.ident);
        Some((name, at.place_of(brackets)))
    });
    visit::collect(program, |at, node| {
        let Node::Item(Item::Struct(item)) = node else {
            return None;
        };
        // A unit struct needs a semicolon.
        let (own, semicolon) = match &item.fields {
            Fields::Named(fields) if fields.named.is_empty() => (fields.brace_token.span, ";"),
            Fields::Unnamed(fields) if fields.unnamed.is_empty() => (fields.paren_token.span, ""),
            _ => return None,
        };
        let name = at.position(&item.ident);
        change(
            program,
            name,
            (&at.place_of(own.join()), semicolon),
            &brackets,
        )
    })
}

/// Removes the brackets of a struct, and those of all its values and patterns: `brackets` are those after each path
/// by the position of its last name.
fn change(
    program: &Program,
    name: Position,
    (own, semicolon): (&Place, &str),
    brackets: &[(Position, Place)],
) -> Option<EditSet> {
    let mut change = program.change();
    change.replace(own, semicolon);
    for (mention, place) in brackets {
        if program.mentions().definition(*mention) == Some(name) {
            change.delete(place);
        }
    }
    change.finish()
}

/// Returns the path before empty brackets in an expression or pattern, such as `S {}` or `S()`, and the brackets.
fn brackets(node: Node<'_>) -> Option<(&syn::Path, proc_macro2::Span)> {
    match node {
        Node::Expr(Expr::Struct(one)) if one.fields.is_empty() && one.rest.is_none() => {
            Some((&one.path, one.brace_token.span.join()))
        }
        Node::Expr(Expr::Call(call)) if call.args.is_empty() => match &*call.func {
            Expr::Path(callee) => Some((&callee.path, call.paren_token.span.join())),
            _ => None,
        },
        Node::Pat(Pat::Struct(one)) if one.fields.is_empty() => {
            Some((&one.path, one.brace_token.span.join()))
        }
        Node::Pat(Pat::TupleStruct(one)) if one.elems.is_empty() => {
            Some((&one.path, one.paren_token.span.join()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_struct_loses_its_brackets_with_its_expressions_and_patterns() {
        check(
            &PASS,
            "struct S(); fn f(S(): S) -> S { S() }",
            &["struct S; fn f(S: S) -> S { S }"],
        );
    }

    #[test]
    fn each_struct_is_a_change_of_its_own() {
        check(
            &PASS,
            "struct A {} struct B {}",
            &["struct A; struct B {}", "struct A {} struct B;"],
        );
    }

    #[test]
    fn structs_with_fields_and_unit_structs_stay() {
        check_not_applicable(&PASS, "struct A; struct B(u8); struct C { a: u8 }");
    }
}
