//! Replaces a loop by its body, which then runs once. What leaves or continues the loop goes with it.

use super::firsts::{End, value_of};
use super::{Kept, Standing, Unwrapping, patterns};
use crate::program::Change;
use reduce_syntax::{EditSet, TokenCursor};
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprForLoop, Stmt};

impl Unwrapping<'_> {
    /// Replaces a loop by its body, if the body leaves or continues the loop. Without a `break` in it, another pass hoists it.
    pub(super) fn body(self, body: &Block, standing: &Standing) -> Option<EditSet> {
        let mut change = self.program.change();
        let n_left = self.leave_out_all(body, &mut change);
        (n_left > 0).then_some(())?;
        self.around(change, standing, &self.without_leaving(body), "")
    }

    /// Returns the contents of a loop's body, of which a `break` or `continue` at the end is left out.
    fn without_leaving(self, body: &Block) -> Kept {
        let mut kept = self.contents(body);
        kept.is_ended |= matches!(
            body.stmts.last(),
            Some(Stmt::Expr(Expr::Break(_) | Expr::Continue(_), _))
        );
        kept
    }

    /// Moves the closure of `map` into the body: `for p in a.map(|q| e) { b }` becomes
    /// `for q in a { let p = e; b }`.
    fn without_map(self, looping: &ExprForLoop, standing: &Standing) -> Option<EditSet> {
        let Expr::MethodCall(call) = &*looping.expr else {
            return None;
        };
        let (Some(Expr::Closure(closure)), true) = (call.args.first(), call.method == "map") else {
            return None;
        };
        let input = closure.inputs.first()?;
        let value = self.file.text(&*closure.body);
        let is_left = TokenCursor::new(value)
            .words()
            .any(|word| matches!(word, "return" | "?" | "await"));
        if is_left || looping.label.is_some() {
            return None;
        }
        let [input, all, pattern] = [
            self.file.text(input),
            self.file.text(&*call.receiver),
            self.file.text(&*looping.pat),
        ];
        let body = self.program.text(&self.contents(&looping.body).place);
        let text = format!("for {input} in {all} {{ let {pattern} = {value}; {body} }}");
        self.program.replaced([&standing.whole], &text)
    }

    /// Puts the body of a `for` in its place, with one of the values: `for p in [a] { b }` becomes
    /// `let p = a; b`.
    pub(super) fn for_loop(self, looping: &ExprForLoop, standing: &Standing) -> Vec<EditSet> {
        let mut found = self.rounds(looping, standing);
        found.extend(self.without_map(looping, standing));
        found
    }

    fn rounds(self, looping: &ExprForLoop, standing: &Standing) -> Vec<EditSet> {
        let body = &looping.body;
        if !patterns::binds(&looping.pat) {
            return self.body(body, standing).into_iter().collect();
        }
        let values = self.values(&looping.expr);
        let with = |value: &String| {
            let pattern = self.file.text(&*looping.pat);
            let mut change = self.program.change();
            self.leave_out_all(body, &mut change);
            let binding = format!("let {pattern} = {value};");
            self.around(change, standing, &self.without_leaving(body), &binding)
        };
        values.iter().filter_map(with).collect()
    }

    /// Returns the texts that may stand for one of the values that a loop goes through: a part of the loop's text,
    /// and the values that it is given first and last.
    fn values(self, all: &Expr) -> Vec<String> {
        let part = self.file.text(one_of(all).unwrap_or(all)).to_owned();
        let ends = [End::First, End::Last];
        let exact = ends.map(|end| value_of(self.program, self.file, all, end));
        let mut values = vec![part];
        for value in exact.into_iter().flatten() {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// Leaves out all that leaves or continues the loop of a body. How many there are of them.
    pub(super) fn leave_out_all(self, body: &Block, change: &mut Change<'_>) -> usize {
        let leaving = Leaving::of(body);
        leaving.iter().for_each(|one| self.leave_out(one, change));
        leaving.len()
    }

    /// Leaves out a jump: `break e;` becomes `e;`, and `break` nothing.
    fn leave_out(self, leaving: &Leave<'_>, change: &mut Change<'_>) {
        match leaving {
            Leave::Statement(statement) => change.delete(&self.file.place(*statement)),
            Leave::Value(statement, value) => {
                let value = self.file.text(*value);
                change.replace(&self.file.place(*statement), &format!("{value};"))
            }
            Leave::Expression(expression) => change.replace(&self.file.place(*expression), "()"),
        };
    }
}

/// Returns a value that a loop goes through, such as the first element of an array or the start of a range, if it is
/// written out.
fn one_of(all: &Expr) -> Option<&Expr> {
    match all {
        Expr::Array(array) => array.elems.first(),
        Expr::Repeat(repeat) => Some(&repeat.expr),
        Expr::Range(range) => range.start.as_deref(),
        Expr::Call(call) if is_of_one(&call.func) => call.args.first(),
        Expr::Reference(reference) => one_of(&reference.expr),
        Expr::Paren(inner) => one_of(&inner.expr),
        Expr::MethodCall(call) if call.args.is_empty() => one_of(&call.receiver),
        _ => None,
    }
}

/// Whether a function makes a sequence of its only argument, as `Some` and `once` do.
fn is_of_one(function: &Expr) -> bool {
    let Expr::Path(path) = function else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == "Some" || last.ident == "once")
}

enum Leave<'b> {
    Statement(&'b Stmt),
    Value(&'b Stmt, &'b Expr),
    Expression(&'b Expr),
}

/// The jumps in a loop's body that leave or continue the loop. Labels are not looked at.
#[derive(Default)]
struct Leaving<'b> {
    found: Vec<Leave<'b>>,
}

impl<'b> Leaving<'b> {
    fn of(body: &'b Block) -> Vec<Leave<'b>> {
        let mut leaving = Self::default();
        leaving.visit_block(body);
        leaving.found
    }
}

impl<'b> Visit<'b> for Leaving<'b> {
    fn visit_stmt(&mut self, statement: &'b Stmt) {
        match statement {
            Stmt::Expr(Expr::Break(leaving), _) => self.found.push(match &leaving.expr {
                Some(value) => Leave::Value(statement, value),
                None => Leave::Statement(statement),
            }),
            Stmt::Expr(Expr::Continue(_), _) => self.found.push(Leave::Statement(statement)),
            _ => visit::visit_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'b Expr) {
        match expression {
            Expr::Break(_) | Expr::Continue(_) => {
                self.found.push(Leave::Expression(expression));
            }
            Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) | Expr::Closure(_) => {}
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_item(&mut self, _: &'b syn::Item) {}
}
