//! Finds the jumps in a loop that leave or continue it.

use crate::program::Program;
use crate::visit::{self, Node};
use reduce_syntax::TokenCursor;
use std::collections::HashSet;
use syn::visit::Visit;
use syn::{Block, Expr, Item, Label, Lifetime, Macro, Stmt};

/// The macros of a program that may leave or continue a loop around their call.
pub(crate) struct Jumps {
    macros: HashSet<String>,
}

impl Jumps {
    pub(crate) fn of(program: &Program) -> Self {
        let names = visit::collect(program, |_, node| match node {
            Node::Item(Item::Macro(one)) if names_jump(&one.mac) => {
                one.ident.as_ref().map(ToString::to_string)
            }
            _ => None,
        });
        Self {
            macros: names.into_iter().collect(),
        }
    }

    /// Whether something in the body of a loop leaves or continues that loop, or may do so.
    pub(crate) fn leave(&self, label: Option<&Label>, body: &Block) -> bool {
        self.of_loop(label, body).is_none_or(|all| !all.is_empty())
    }

    /// Whether a statement leaves or continues a loop around it, or may do so, unless it names that by a label.
    pub(crate) fn are_in(&self, statement: &Stmt) -> bool {
        let jumps = self.found(None, |walk| walk.visit_stmt(statement));
        jumps.is_none_or(|all| !all.is_empty())
    }

    /// Returns the jumps that leave or continue a loop in its body; `None` if a macro may do so.
    pub(crate) fn of_loop<'b>(
        &self,
        label: Option<&Label>,
        body: &'b Block,
    ) -> Option<Vec<&'b Expr>> {
        self.found(label, |walk| walk.visit_block(body))
    }

    fn found<'b>(
        &self,
        label: Option<&Label>,
        visit: impl FnOnce(&mut Body<'_, 'b>),
    ) -> Option<Vec<&'b Expr>> {
        let mut walk = Body {
            jumps: self,
            label,
            is_nested: false,
            found: Vec::new(),
            is_hidden: false,
        };
        visit(&mut walk);
        (!walk.is_hidden).then_some(walk.found)
    }
}

struct Body<'j, 'b> {
    jumps: &'j Jumps,
    label: Option<&'j Label>,
    /// Whether the visited code is in a loop inside of the loop, whose own jumps have no label.
    is_nested: bool,
    found: Vec<&'b Expr>,
    /// Whether a macro in the loop's body may leave or continue the loop.
    is_hidden: bool,
}

impl<'b> Body<'_, 'b> {
    fn jump(&mut self, jump: &'b Expr, label: Option<&Lifetime>) {
        let is_of_loop = match (label, self.label) {
            (None, _) => !self.is_nested,
            (Some(label), own) => own.is_some_and(|own| own.name.ident == label.ident),
        };
        self.found.extend(is_of_loop.then_some(jump));
    }

    fn nested(&mut self, inside: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_nested, true);
        inside(self);
        self.is_nested = outer;
    }
}

impl<'b> Visit<'b> for Body<'_, 'b> {
    fn visit_expr(&mut self, expression: &'b Expr) {
        match expression {
            Expr::Break(one) => self.jump(expression, one.label.as_ref()),
            Expr::Continue(one) => self.jump(expression, one.label.as_ref()),
            Expr::Closure(_) | Expr::Async(_) => return,
            Expr::Loop(one) => return self.nested(|inside| inside.visit_block(&one.body)),
            Expr::While(one) => {
                self.visit_expr(&one.cond);
                return self.nested(|inside| inside.visit_block(&one.body));
            }
            Expr::ForLoop(one) => {
                self.visit_expr(&one.expr);
                return self.nested(|inside| inside.visit_block(&one.body));
            }
            _ => {}
        }
        syn::visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'b Macro) {
        let name = call.path.segments.last();
        let is_jump = name.is_some_and(|name| self.jumps.macros.contains(&name.ident.to_string()));
        self.is_hidden |= is_jump || names_jump(call);
    }

    fn visit_item(&mut self, _: &'b Item) {}
}

fn names_jump(call: &Macro) -> bool {
    let text = call.tokens.to_string();
    let cursor = TokenCursor::new(&text);
    let mut all = cursor.indices();
    all.any(|idx| matches!(cursor.word(idx), "break" | "continue"))
}
