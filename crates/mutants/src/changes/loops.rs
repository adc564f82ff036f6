//! What is done once in place of as often as there is something: an `if let` that takes the next element becomes a loop.
//!
//! A loop that was forgotten leaves the elements after the first one alone. Whatever they are, the outcome is the same then, unless a
//! mutant goes on to them.

use super::{ChangeCollector, Switch, in_one_line};
use crate::instrument::Reach;
use crate::mutant::Operator;
use reduce_syntax::byte_range;
use syn::{Expr, ExprIf, ExprLet, ExprMethodCall, Pat, Stmt};

/// Methods that take an element away and give it, or `None` in the end.
const TAKING: [&str; 7] = [
    "next",
    "next_back",
    "pop",
    "pop_back",
    "pop_first",
    "pop_front",
    "pop_last",
];

impl ChangeCollector<'_> {
    /// Notes that an `if let` without `else` may be a loop, if it takes an element from something.
    pub(super) fn repeated(&mut self, branches: &ExprIf) {
        let is_last = branches.then_branch.stmts.last().is_some_and(leaves);
        if self.reach == Reach::Plain || branches.else_branch.is_some() || is_last {
            return;
        }
        let Some((chosen, taking)) = taken(&branches.cond) else {
            return;
        };
        let body = self.text_of(&branches.then_branch);
        let taken_from = self.text_of(&taking.receiver);
        let mutated = match (&*chosen.pat, is_place(&taking.receiver)) {
            (_, true) => format!("while {} {body}", self.text_of(chosen)),
            (Pat::TupleStruct(some), false) if taking.method == "next" && some.elems.len() == 1 => {
                format!("for {} in {taken_from} {body}", self.text_of(&some.elems))
            }
            _ => return,
        };
        if let Some(copy) = in_one_line(&mutated) {
            let switch = Switch::Otherwise(copy);
            self.note(byte_range(branches), mutated, Operator::Repetition, switch);
        }
    }
}

/// The call that takes an element in a condition, with the whole condition.
fn taken(condition: &Expr) -> Option<(&ExprLet, &ExprMethodCall)> {
    let Expr::Let(chosen) = condition else {
        return None;
    };
    let Expr::MethodCall(call) = &*chosen.expr else {
        return None;
    };
    let is_taking = call.args.is_empty() && TAKING.iter().any(|name| call.method == name);
    is_taking.then_some((chosen, call))
}

/// Whether an expression is there before and after, not made anew.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(indexed) => is_place(&indexed.expr),
        Expr::Paren(inner) => is_place(&inner.expr),
        Expr::Unary(operation) => is_place(&operation.expr),
        _ => false,
    }
}

/// Whether nothing comes after a statement.
fn leaves(statement: &Stmt) -> bool {
    let Stmt::Expr(expr, _) = statement else {
        return false;
    };
    matches!(expr, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_))
}

#[cfg(test)]
mod tests {
    use crate::instrument::Reach;
    use crate::testing::{check, check_reaching};

    #[test]
    fn what_takes_an_element_goes_on_to_the_next_one() {
        check_reaching(
            Reach::Constant,
            "fn f() -> S { if let Some(a) = b.c.pop() { d[0] = a; } e }",
            &["while let Some(a) = b.c.pop() { d[0] = a; }", "", "1"],
        );
        check_reaching(
            Reach::Constant,
            "fn f() -> S { if let Some((a, b)) = c.iter().next() { g = a + b } h }",
            &[
                "for (a, b) in c.iter() { g = a + b }",
                "c.iter().next_back()",
                "a - b",
            ],
        );
    }

    #[test]
    fn what_takes_nothing_or_ends_is_done_once() {
        let others = |text: &str| {
            let text = format!("fn f() -> S {{ {text} }}");
            check(&text, &[]);
            check_reaching(Reach::Constant, &text, &[]);
        };
        others("if let Some(a) = b.c { return a } d");
        others("if let Some(a) = b.peek() { c = a } d");
        others("if let Some(a) = b.pop() { return a } c");
        others("if let Some(a) = b.c().pop() { d = a } e");
    }
}
