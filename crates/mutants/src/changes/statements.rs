//! Changes that leave statements out or negate conditions.

use super::{ChangeCollector, Switch};
use crate::mutant::Operator;
use reduce_syntax::byte_range;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprIf, ExprWhile, Stmt, UnOp};

impl ChangeCollector<'_> {
    /// Notes the changes in a block; `is_unit` says whether its value is `()` in any case. Else the last statement may be one
    /// that does not return, and cannot be left out.
    pub(super) fn block(&mut self, block: &Block, is_unit: bool) {
        self.note_block(block);
        if let ([Stmt::Expr(only, Some(_))], true) = (block.stmts.as_slice(), is_unit)
            && self.may_end_later(only)
        {
            let range = byte_range(&block.stmts[0]);
            self.note(range, String::new(), Operator::Statement, Switch::Skipped);
        }
        let last = block.stmts.len().saturating_sub(1);
        for (idx, statement) in block.stmts.iter().enumerate() {
            self.statement(statement, is_unit || idx < last);
        }
        self.inserted(block);
    }

    /// Whether the program still comes to an end without this `return`, `continue` or `break`.
    fn may_end_later(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Return(_) | Expr::Continue(_) => true,
            Expr::Break(left) => self.scope.in_for_loop && left.label.is_none(),
            _ => false,
        }
    }

    fn statement(&mut self, statement: &Stmt, is_unit: bool) {
        match statement {
            Stmt::Expr(expr, Some(_)) if self.assigns_what_moves_on(expr) => {
                let outer = std::mem::replace(&mut self.scope.moves_on, true);
                self.visit_expr(expr);
                self.scope.moves_on = outer;
            }
            Stmt::Expr(expr, Some(_)) => {
                if is_unit && (may_be_skipped(expr) || self.assigns_again(expr)) {
                    let range = byte_range(statement);
                    self.note(range, String::new(), Operator::Statement, Switch::Skipped);
                }
                match expr {
                    Expr::MethodCall(call) => self.parts_of_method_call(call, false),
                    _ => self.visit_expr(expr),
                }
            }
            Stmt::Expr(expr, None) if is_unit => self.unit_expr(expr),
            _ => visit::visit_stmt(self, statement),
        }
    }

    /// Notes the changes in an expression whose value is `()` in any case.
    pub(super) fn unit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::If(branches) => self.branches(branches, true),
            Expr::Match(chosen) => {
                self.visit_expr(&chosen.expr);
                self.arms(chosen, true);
            }
            Expr::Block(inner) => self.block(&inner.block, true),
            Expr::Unsafe(inner) => self.in_unsafe(|all| all.block(&inner.block, true)),
            _ => self.visit_expr(expr),
        }
    }

    pub(super) fn branches(&mut self, branches: &ExprIf, is_unit: bool) {
        self.repeated(branches);
        self.condition(&branches.cond);
        self.block(
            &branches.then_branch,
            is_unit || branches.else_branch.is_none(),
        );
        match &branches.else_branch {
            Some((_, other)) if is_unit => self.unit_expr(other),
            Some((_, other)) => self.visit_expr(other),
            None => {}
        }
    }

    pub(super) fn while_loop(&mut self, repeated: &ExprWhile) {
        self.condition(&repeated.cond);
        let mut names = Names(self.scope.in_conditions.clone());
        let mut operands = Vec::new();
        all_of(&repeated.cond, &mut operands);
        let (flags, others): (Vec<_>, Vec<_>) = operands.into_iter().partition(|one| is_flag(one));
        let decide = match others.is_empty() {
            true => flags,
            false => others,
        };
        decide.into_iter().for_each(|one| names.visit_expr(one));
        let outer = std::mem::replace(&mut self.scope.in_conditions, names.0);
        self.loop_body(&repeated.body, false);
        self.scope.in_conditions = outer;
    }

    /// Notes the changes in the body of a loop.
    pub(super) fn loop_body(&mut self, body: &Block, is_for_loop: bool) {
        let is_in_for = std::mem::replace(&mut self.scope.in_for_loop, is_for_loop);
        self.block(body, true);
        self.scope.in_for_loop = is_in_for;
    }

    /// Notes that a condition may be negated, unless another mutant does the same or the condition binds a variable.
    pub(super) fn condition(&mut self, condition: &Expr) {
        if !binds(condition) && !is_negated_otherwise(condition) {
            let mutated = format!("!({})", self.text_of(condition));
            let range = byte_range(condition);
            self.note(range, mutated, Operator::Condition, Switch::Negated);
        }
        self.joined_conditions(condition);
        self.visit_expr(condition);
    }

    /// Whether a statement assigns to a variable that the condition of a loop around mentions. Without it, or with another
    /// value, the loop may have no end. A number that is one more brings it there, as a rule.
    fn assigns_what_moves_on(&self, expr: &Expr) -> bool {
        let place = match expr {
            Expr::Assign(assigned) => &assigned.left,
            Expr::Binary(operation) if is_assigning(&operation.op) => &operation.left,
            _ => return false,
        };
        let mut names = Names(BTreeSet::new());
        names.visit_expr(place);
        let is_plain = matches!(**place, Expr::Path(_) | Expr::Field(_) | Expr::Unary(_));
        is_plain && !names.0.is_disjoint(&self.scope.in_conditions)
    }
}

/// Whether a statement has an effect, and the rest still compiles without it.
fn may_be_skipped(expr: &Expr) -> bool {
    match expr {
        Expr::Call(_) | Expr::MethodCall(_) => true,
        Expr::Try(inner) => may_be_skipped(&inner.expr),
        Expr::Await(inner) => may_be_skipped(&inner.base),
        Expr::Assign(assigned) => is_part(&assigned.left),
        Expr::Binary(operation) => is_assigning(&operation.op),
        _ => false,
    }
}

/// Collects the operands of `&&` in a condition, or the condition itself if it has none.
fn all_of<'e>(condition: &'e Expr, operands: &mut Vec<&'e Expr>) {
    match condition {
        Expr::Binary(operation) if matches!(operation.op, BinOp::And(_)) => {
            all_of(&operation.left, operands);
            all_of(&operation.right, operands);
        }
        Expr::Paren(inner) => all_of(&inner.expr, operands),
        _ => operands.push(condition),
    }
}

/// Whether an operand of a condition is a variable, or its negation. A loop that asks for something else too comes to its end
/// whatever that has for its value.
fn is_flag(operand: &Expr) -> bool {
    match operand {
        Expr::Path(_) => true,
        Expr::Unary(operation) => {
            matches!(operation.op, UnOp::Not(_)) && matches!(*operation.expr, Expr::Path(_))
        }
        Expr::Paren(inner) => is_flag(&inner.expr),
        _ => false,
    }
}

/// Collects the names in an expression.
struct Names(BTreeSet<String>);

impl<'ast> Visit<'ast> for Names {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(name) = path.path.get_ident() {
            self.0.insert(name.to_string());
        }
    }
}

/// Whether an assigned place is a part of something, as in `a.b = c`: an assignment to a plain name may be its first value.
fn is_part(place: &Expr) -> bool {
    match place {
        Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(operation) => matches!(operation.op, UnOp::Deref(_)),
        Expr::Paren(inner) => is_part(&inner.expr),
        _ => false,
    }
}

/// Whether an operator assigns, such as `+=`.
fn is_assigning(op: &BinOp) -> bool {
    super::operators::level(op).is_none()
}

/// Whether a `let` in a condition binds something.
pub(super) fn binds(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(operation) => binds(&operation.left) || binds(&operation.right),
        _ => false,
    }
}

/// Whether another mutant of a condition is its negation.
fn is_negated_otherwise(condition: &Expr) -> bool {
    match condition {
        Expr::Unary(operation) => matches!(operation.op, UnOp::Not(_)),
        Expr::Binary(operation) => matches!(operation.op, BinOp::Eq(_) | BinOp::Ne(_)),
        Expr::Lit(_) => true,
        Expr::MethodCall(call) => is_question(&call.method),
        Expr::Paren(inner) => is_negated_otherwise(&inner.expr),
        _ => false,
    }
}

/// Whether there is another method with the opposite answer, such as `is_some` for `is_none`.
fn is_question(method: &syn::Ident) -> bool {
    let opposites = ["is_err", "is_none", "is_ok", "is_some"];
    opposites.iter().any(|name| method == name)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn statements_are_left_out() {
        check(
            "fn f() -> S { g(); a.b(c); *p = q; s.t = u; v[w] = x; y += z; S }",
            &["", "", "", "", "", "", "y -= z"],
        );
        check("fn f() -> S { g()?; h().await; S }", &["", ""]);
    }

    #[test]
    fn a_return_is_left_out_where_the_rest_still_compiles() {
        check("fn f() -> S { if a { return b; } S }", &["!(a)", ""]);
        check(
            "fn f() -> S { for a in b { if c { continue; } } S }",
            &["!(c)", ""],
        );
        check("fn f() -> S { if a { b = c; return b; } S }", &["!(a)"]);
        check(
            "fn f() -> S { for a in b { if c { break; } loop { if d { break; } } } S }",
            &["!(c)", "", "!(d)"],
        );
        check(
            "fn f() -> S { let a = if b { c } else { return d; }; a }",
            &["!(b)"],
        );
        check("fn f() -> S { return a; }", &[]);
    }

    #[test]
    fn statements_that_something_needs_stay() {
        check(
            "fn f() -> S { let a; a = b; let c = d(); (e, g) = h; S }",
            &[],
        );
        check("fn f() -> S { fail(); }", &[]);
        check(
            "fn f(a: T) -> S { let b = match a { A => { fail(); } B => S }; b }",
            &[],
        );
        check(
            "fn f(a: T) -> S { let Some(b) = a else { fail(); }; b }",
            &[],
        );
    }

    #[test]
    fn the_last_statement_of_a_block_without_a_value_is_left_out() {
        check(
            "fn f() -> S { if a { g(); } else { h(); } S }",
            &["!(a)", "", ""],
        );
        check("fn f() -> S { for a in b { g(); } S }", &[""]);
    }

    #[test]
    fn conditions_are_negated() {
        check("fn f() -> S { if a.b() { c } else { d } }", &["!(a.b())"]);
        check("fn f() -> S { if !a { c } else { d } }", &["a"]);
        check("fn f() -> S { if a == b { c } else { d } }", &["a != b"]);
        check(
            "fn f() -> S { if let Some(a) = b && c { d } else { e } }",
            &[],
        );
        check(
            "fn f() -> S { match a { b if b.c() => d, e => g } }",
            &["!(b.c())"],
        );
    }

    #[test]
    fn what_moves_a_loop_on_moves_it_further() {
        check(
            "fn f() -> S { while i < n { i += 1; g(); } S }",
            &["!(i < n)", "i <= n", "i > n", "2", ""],
        );
        check(
            "fn f() -> S { while i < n { i = h(i - 3, !a, true) as usize; } S }",
            &["!(i < n)", "i <= n", "i > n", "4"],
        );
        check(
            "fn f() -> S { while !a { a = b[0] || c < d; } S }",
            &["a", "1"],
        );
    }

    #[test]
    fn what_may_end_a_loop_early_is_changed_like_other_values() {
        check(
            "fn f() -> S { while !a && (b) && i < n { a = c[0] || d == e; i += 1; } S }",
            &[
                "!(!a && (b) && i < n)",
                "(!a && (b) || i < n)",
                "(!a || (b))",
                "a",
                "i <= n",
                "i > n",
                "c[0] && d == e",
                "1",
                "d != e",
                "2",
            ],
        );
    }
}
