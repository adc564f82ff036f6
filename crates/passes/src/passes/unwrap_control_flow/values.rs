//! Unwraps expressions wherever they stand: a called closure, a loop that only gives a value, a long chain of method calls.

use super::super::expressions::{SUCCESS, contents, inside_of, plain_block};
use crate::precedence::as_receiver;
use crate::program::{Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use std::collections::HashSet;
use syn::{Block, Expr, ExprCall, ExprClosure, ExprMatch, ExprMethodCall, Pat, Stmt};

/// Finds all changes of expressions, wherever they stand.
pub(super) fn changes(program: &Program, found: &mut Vec<EditSet>) {
    let mut receivers: HashSet<*const Expr> = HashSet::new();
    visit::each(program, |at, node| {
        let Node::Expr(expression) = node else { return };
        let file = at.file;
        let mut values = Values {
            program,
            file,
            found,
        };
        match expression {
            Expr::Call(call) => values.called_closure(expression, call),
            Expr::Closure(closure) => values.body_of_closure(&closure.body),
            Expr::Loop(looping) => values.broken_loop(expression, &looping.body),
            Expr::Match(matching) => values.passed_on(expression, matching),
            Expr::Try(one) => values.opened(expression, &one.expr),
            Expr::MethodCall(call) => {
                values.for_each(expression, call);
                if call.method == "unwrap" || call.method == "expect" {
                    values.opened(expression, &call.receiver);
                }
                if !receivers.contains(&std::ptr::from_ref(expression)) {
                    values.chain(expression, call);
                }
                receivers.insert(&*call.receiver);
            }
            _ => {}
        }
    });
}

/// Returns the values of a `match` or of an `if` with `else`; `None` of another expression, and where a branch has no value.
fn values_of_branches(expression: &Expr) -> Option<Vec<&Expr>> {
    match expression {
        Expr::Match(one) => {
            let values = one.arms.iter().map(|arm| values_of_branch(&arm.body));
            values.collect::<Option<Vec<_>>>().map(|all| all.concat())
        }
        Expr::If(one) => {
            let mut values = vec![value_of_block(&one.then_branch)?];
            let (_, otherwise) = one.else_branch.as_ref()?;
            values.extend(values_of_branch(otherwise)?);
            Some(values)
        }
        _ => None,
    }
}

/// Returns the value of a branch, or the values of its own branches. One that leaves has none, and stays.
fn values_of_branch(branch: &Expr) -> Option<Vec<&Expr>> {
    match branch {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Macro(_) => Some(vec![]),
        Expr::Block(block) if block.label.is_none() => Some(vec![value_of_block(&block.block)?]),
        _ => Some(values_of_branches(branch).unwrap_or_else(|| vec![branch])),
    }
}

fn value_of_block(block: &Block) -> Option<&Expr> {
    match block.stmts.last()? {
        Stmt::Expr(value, None) => Some(value),
        _ => None,
    }
}

struct Values<'p, 'f> {
    program: &'p Program,
    file: SyntaxFile<'p>,
    found: &'f mut Vec<EditSet>,
}

/// Returns the expression in a success: `e` of `Ok(e)`, `Some(e)` and a block that ends with one of these.
fn in_success(expression: &Expr) -> Option<&Expr> {
    if let Some(block) = plain_block(expression) {
        return match block.stmts.last()? {
            Stmt::Expr(last @ Expr::Call(_), None) => in_success(last),
            _ => None,
        };
    }
    match expression {
        Expr::Paren(inner) => in_success(&inner.expr),
        call => inside_of(call, &SUCCESS),
    }
}

impl<'p> Values<'p, '_> {
    fn text(&self, expression: &Expr) -> &'p str {
        self.file.text(expression)
    }

    fn replace(&mut self, whole: &Expr, text: &str) {
        let change = self
            .program
            .change()
            .replace_expr(&self.file.place(whole), text)
            .finish();
        self.found.extend(change);
    }

    /// Puts a block in place of a called closure: `(|a| b)(c)` becomes `{ let a = c; b }`.
    fn called_closure(&mut self, whole: &Expr, call: &ExprCall) {
        let Some(closure) = closure(&call.func) else {
            return;
        };
        if closure.inputs.len() != call.args.len() || closure.asyncness.is_some() {
            return;
        }
        let body = match &*closure.body {
            Expr::Block(block) => self.program.text(&contents(self.file, &block.block)),
            body => self.text(body),
        };
        if closure.inputs.is_empty() {
            let body = self.text(&closure.body).to_owned();
            return self.replace(whole, &body);
        }
        let bindings = closure.inputs.iter().zip(&call.args).map(|(input, value)| {
            let input = self.file.text(input);
            format!("let {input} = {};", self.text(value))
        });
        let bindings: String = bindings.collect();
        self.replace(whole, &format!("{{ {bindings} {body} }}"));
    }

    /// Moves a `?` into the branches: `match a { b => Ok(c), d => e() }?` becomes `match a { b => c, d => e()? }`.
    fn opened_in_branches(&mut self, whole: &Expr, closed: &Expr) {
        let Some(values) = values_of_branches(closed) else {
            return;
        };
        let opening = self.file.place(whole).after(&self.file.place(closed));
        let suffix = self.program.text(&opening);
        let mut change = self.program.change();
        let mut is_any = false;
        for value in values {
            let text = match inside_of(value, &SUCCESS) {
                Some(inner) => {
                    is_any = true;
                    self.text(inner).to_owned()
                }
                None => format!("{}{suffix}", as_receiver(self.text(value))),
            };
            change.replace(&self.file.place(value), &text);
        }
        if is_any {
            change.delete(&opening);
            self.found.extend(change.finish());
        }
    }

    /// Takes a value out of the variant in which it was just put: `Ok(e).unwrap()` becomes `e`, also at the end of a block.
    fn opened(&mut self, whole: &Expr, closed: &Expr) {
        let Some(inner) = in_success(closed) else {
            return self.opened_in_branches(whole, closed);
        };
        let (place, inner) = (self.file.place(closed), self.file.place(inner));
        let text = match closed {
            Expr::Block(block) => {
                let last = block.block.stmts.last().map(|last| self.file.place(last));
                let Some(last) = last else { return };
                let before = self.program.text(&place.before(&last));
                // `()` at the end of a block needs not be said.
                let value = self.program.text(&inner);
                let value = if value == "()" { "" } else { value };
                format!("{before}{value}{}", self.program.text(&place.after(&last)))
            }
            _ => self.program.text(&inner).to_owned(),
        };
        self.replace(whole, &text);
    }

    /// Makes a loop of a method call: `c.for_each(|a| b)` becomes `for a in c { b }`.
    fn for_each(&mut self, whole: &Expr, call: &ExprMethodCall) {
        let closure = call.args.first().and_then(closure);
        if let Some(closure) = closure.filter(|_| call.method == "for_each")
            && let Some(input) = closure.inputs.first()
        {
            let input = match input {
                Pat::Type(typed) => &*typed.pat,
                input => input,
            };
            let (input, all) = (self.file.text(input), self.text(&call.receiver));
            let body = match &*closure.body {
                Expr::Block(block) => self.file.text(&block.block).to_owned(),
                body => format!("{{ {} }}", self.text(body)),
            };
            self.replace(whole, &format!("for {input} in {all} {body}"));
        }
    }

    /// Puts `e` in place of `loop { break e }`.
    fn broken_loop(&mut self, whole: &Expr, body: &Block) {
        if let [Stmt::Expr(Expr::Break(leaving), _)] = body.stmts.as_slice()
            && let Some(value) = &leaving.expr
        {
            let value = self.text(value).to_owned();
            self.replace(whole, &value);
        }
    }

    /// Puts `{ a; loop {} }` in place of the `a.b().c()` that a closure returns: the closure captures the same.
    fn body_of_closure(&mut self, body: &Expr) {
        let value = match body {
            Expr::Block(block) => match block.block.stmts.as_slice() {
                [Stmt::Expr(value, None)] => value,
                _ => return,
            },
            _ => body,
        };
        if let Some(first @ Expr::Path(_)) = links(value).last() {
            let text = format!("{{ {}; loop {{}} }}", self.text(first));
            self.replace(body, &text);
        }
    }

    /// Puts `e.unwrap()` in place of `match e { Some(x) => x, None => .. }`.
    fn passed_on(&mut self, whole: &Expr, matching: &ExprMatch) {
        let is_passed_on = |arm: &syn::Arm| {
            let body = self.text(&arm.body);
            let Pat::TupleStruct(pattern) = &arm.pat else {
                return false;
            };
            let is_sure = SUCCESS.iter().any(|name| pattern.path.is_ident(name));
            let Some(Pat::Ident(name)) = pattern.elems.first() else {
                return false;
            };
            is_sure && name.ident == body
        };
        if matching.arms.iter().any(is_passed_on) {
            let value = as_receiver(self.text(&matching.expr));
            self.replace(whole, &format!("{value}.unwrap()"));
        }
    }

    /// Puts `a` and `a.z()` in place of the chain `a.b().c().d().z()`, which is too long to be hoisted at once.
    fn chain(&mut self, whole: &Expr, last: &ExprMethodCall) {
        let links = links(whole);
        let Some(first) = links.last().filter(|_| links.len() > MOST_HOISTED) else {
            return;
        };
        let mut change = self.program.change();
        change.replace_expr(&self.file.place(&*last.receiver), self.text(first));
        let first = self.text(first).to_owned();
        self.found.extend(change.finish());
        self.replace(whole, &first);
    }
}

/// The most links of a chain of calls that hoisting takes apart quickly enough; a longer chain is cut down here too.
const MOST_HOISTED: usize = 3;

/// Returns the receivers of a chain of calls, fields and the like, from its end to its beginning.
fn links(chain: &Expr) -> Vec<&Expr> {
    std::iter::successors(receiver(chain), |link| receiver(link)).collect()
}

fn receiver(link: &Expr) -> Option<&Expr> {
    match link {
        Expr::MethodCall(call) => Some(&call.receiver),
        Expr::Field(field) => Some(&field.base),
        Expr::Try(tried) => Some(&tried.expr),
        Expr::Await(awaited) => Some(&awaited.base),
        _ => None,
    }
}

fn closure(called: &Expr) -> Option<&ExprClosure> {
    match called {
        Expr::Closure(closure) => Some(closure),
        Expr::Paren(inner) => closure(&inner.expr),
        _ => None,
    }
}
