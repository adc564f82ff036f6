//! Replaces a call of several arguments by the tuple of the arguments. They are computed in the same order and live
//! together as before, and nothing needs the function any more.

use crate::pass::{Rewriter, Work};
use crate::program::{Program, simplest_first};
use crate::visit::{self, Node, Walk};
use reduce_syntax::EditSet;
use syn::Expr;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

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

/// Returns the operands of a call, its receiver included.
pub(in crate::passes) fn operands(call: &Expr) -> Vec<&Expr> {
    match call {
        Expr::MethodCall(call) => std::iter::once(&*call.receiver).chain(&call.args).collect(),
        Expr::Call(call) => call.args.iter().collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn receivers_and_arguments_are_parts() {
        check(
            &WORK,
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
        check_not_applicable(&WORK, "fn f() { a.b(); c(d); let E(x, y) = z; }");
    }

    #[test]
    fn a_call_is_replaced_by_the_tuple_of_its_arguments() {
        check_has(&WORK, "fn f() { a::g(b, c()); }", "fn f() { (b, c()); }");
    }
}
