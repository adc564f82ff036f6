//! `replace_members`: puts a value of a unit struct in place of an expression that names or calls a member of the
//! struct. That is mostly all that the member was there for: its type and what must be inferred.

use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Program, simplest_first};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::HashSet;
use syn::{Expr, Fields, Item};

pub(super) const PASS: Pass = Pass {
    name: "replace_members",
    about: "Replaces a member of a unit struct by the struct",
    example: (
        "struct S<T>; fn f() { S::<u8>::g(1); }",
        "struct S<T>; fn f() { S::<u8>; }",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let units = visit::collect(program, |at, node| match node {
        Node::Item(Item::Struct(one)) if matches!(one.fields, Fields::Unit) => {
            Some(at.position(&one.ident))
        }
        _ => None,
    });
    let units: HashSet<Position> = units.into_iter().collect();
    let found = visit::collect(program, |at, node| {
        let Node::Expr(whole) = node else { return None };
        let path = named(whole)?;
        let first = path.segments.first()?;
        let definition = program.mentions().definition(at.position(&first.ident))?;
        let is_member = path.segments.len() > 1 && units.contains(&definition);
        is_member.then(|| program.replaced([&at.place(whole)], at.text(first)))?
    });
    simplest_first(program, found)
}

/// Returns the path that an expression is, or that it calls.
fn named(expression: &Expr) -> Option<&syn::Path> {
    match expression {
        Expr::Path(path) => Some(&path.path),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => Some(&path.path),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_member_or_its_call_becomes_the_struct() {
        check(
            &PASS,
            "struct S; fn f() { S::g(S::h) }",
            &[
                "struct S; fn f() { S }",
                "struct S; fn f() { S(S::h) }",
                "struct S; fn f() { S::g(S) }",
            ],
        );
    }

    #[test]
    fn members_of_other_types_stay() {
        check_not_applicable(
            &PASS,
            "struct S(u8); struct T; fn f() { S::g(T); Vec::new() }",
        );
    }
}
