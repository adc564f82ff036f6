//! `drop_callees`: a call of several arguments becomes the tuple of them. They are computed in the
//! same order and live together as before, and nothing needs the function any more.

use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Program, simplest_first};
use crate::visit::{self, Node, Walk};
use reduce_syntax::EditSet;
use syn::Expr;

pub(super) const PASS: Pass = Pass {
    name: "drop_callees",
    about: "Replaces a call by the tuple of its arguments",
    example: ("fn f() { a::g(b, c()); }", "fn f() { (b, c()); }"),
    keeps: Keeps::Nothing,
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    visit::each(program, |at, node| match node {
        // A pattern calls nothing.
        Node::Pat(_) => Walk::Past,
        Node::Expr(call) => {
            let operands = operands(call).into_iter();
            let texts: Vec<&str> = operands.map(|one| at.text(one)).collect();
            if texts.len() > 1 {
                let tuple = format!("({})", texts.join(", "));
                found.extend(program.replaced([&at.place(call)], &tuple));
            }
            Walk::Inside
        }
        _ => Walk::Inside,
    });
    simplest_first(program, found)
}

/// The operands of a call, its receiver included.
pub(super) fn operands(call: &Expr) -> Vec<&Expr> {
    match call {
        Expr::MethodCall(call) => std::iter::once(&*call.receiver).chain(&call.args).collect(),
        Expr::Call(call) => call.args.iter().collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn receivers_and_arguments_are_parts() {
        check(
            &PASS,
            "fn f() { a.b(c, d); e(g(1, 2), h()) }",
            &[
                "fn f() { (a, c, d); e(g(1, 2), h()) }",
                "fn f() { a.b(c, d); (g(1, 2), h()) }",
                "fn f() { a.b(c, d); e((1, 2), h()) }",
            ],
        );
    }

    #[test]
    fn calls_of_less_than_two_are_left_to_hoisting() {
        check_not_applicable(&PASS, "fn f() { a.b(); c(d); let E(x, y) = z; }");
    }
}
