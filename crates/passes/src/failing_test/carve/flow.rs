//! Blocks and branches: they become what ran of them.

use super::interpreter::{Branches, Interpreter};
use super::line::{Scope, Statement};
use super::results::closed;
use super::trace::Event;
use super::values::{Evaluated, Stop, Value};
use crate::failing_test::run_values::BoundNames;
use crate::program::Place;
use std::collections::HashMap;
use syn::visit::Visit;
use syn::{Block, Expr, ExprIf, ExprMatch, Item, Local, Pat, Stmt};

/// The stop where code cannot have a probe.
pub(super) const UNTRACED: Stop = Stop::GiveUp("the trace does not tell which way the test went");

impl<'t, 'p> Interpreter<'t, 'p> {
    pub(super) fn block(&mut self, block: &'p Block) -> Evaluated {
        self.in_scope(|inner| inner.statements(block))
    }

    /// Does some work in a scope of its own: the variables that it declares are gone afterwards.
    pub(super) fn in_scope<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        self.line.bound(Scope::Begins);
        self.frame().context.scopes.push(HashMap::new());
        let result = work(self);
        self.frame().context.scopes.pop();
        self.line.bound(Scope::Ends);
        result
    }

    fn statements(&mut self, block: &'p Block) -> Evaluated {
        let mut last = Value::Unit;
        for statement in &block.stmts {
            // What looks like a block has no semicolon in the middle.
            self.done_with(std::mem::replace(&mut last, Value::Unit))?;
            match statement {
                Stmt::Local(local) => self.local(local)?,
                Stmt::Item(item) => self.item(item)?,
                Stmt::Expr(expression, None) => last = self.eval(expression)?,
                Stmt::Expr(expression, Some(_)) => {
                    let n_before = self.line.statements.len();
                    let value = self.eval(expression)?;
                    let value = self.given_copy(expression, value, n_before)?;
                    self.statement(expression, value)?;
                }
                Stmt::Macro(call) => {
                    let value = self.macro_call(&call.mac, None)?;
                    match call.semi_token {
                        None => last = value,
                        Some(_) => self.done_with(value)?,
                    }
                }
            }
        }
        Ok(last)
    }

    /// A function that is called for what it does, such as `sleep`, does something beside the variables of the test.
    fn statement(&mut self, expression: &Expr, value: Value) -> Result<(), Stop> {
        match value {
            Value::Expression { text, is_clean } => {
                self.emit_effect(&text, is_clean && !is_of_function(expression))
            }
            _ => Ok(()),
        }
    }

    /// Evaluates a value that nothing takes: it may do something.
    pub(super) fn done_with(&mut self, value: Value) -> Result<(), Stop> {
        match value {
            Value::Expression { text, is_clean } => self.emit_effect(&text, is_clean),
            _ => Ok(()),
        }
    }

    fn item(&mut self, item: &'p Item) -> Result<(), Stop> {
        let place = self.file().place(item);
        if !self.items.insert(place) {
            return Ok(());
        }
        let text = self.text(item).to_owned();
        self.emit(Statement::new(text, false))
    }

    fn local(&mut self, local: &'p Local) -> Result<(), Stop> {
        let Some(init) = &local.init else {
            for name in BoundNames::in_pattern(&local.pat) {
                let slot = self.slot(&name, Value::Unit);
                self.declare(&name, slot);
            }
            return Ok(());
        };
        if self.waits(&local.pat, &init.expr)? {
            return Ok(());
        }
        let is_place = self.slot_of(&init.expr).is_some();
        let value = match (self.eval(&init.expr), &local.pat) {
            (Err(Stop::Fails { text, is_clean }), Pat::Type(typed)) => {
                let ty = self.with_types(self.text(&*typed.ty));
                let text = closed(&format!("{text}?"), &ty);
                let text = text.trim_end_matches('?').to_owned();
                return Err(Stop::Fails { text, is_clean });
            }
            (value, _) => value?,
        };
        match (&local.pat, &value) {
            // A copy may be changed while the other is not.
            (Pat::Ident(name), Value::Variable { text, is_clean })
                if is_place || (name.mutability.is_some() && !self.line.is_mutable(text)) =>
            {
                let (text, is_clean) = (text.clone(), *is_clean);
                self.bind(&local.pat, Value::Expression { text, is_clean })
            }
            // A function that was walked through has no more use for its variable.
            (Pat::Ident(name), Value::Variable { .. }) if name.by_ref.is_none() => {
                let name = name.ident.to_string();
                let slot = self.slot(&name, value);
                self.declare(&name, slot);
                Ok(())
            }
            _ => self.bind(&local.pat, value),
        }
    }

    // Branches.

    fn site_of_branch(&self, place: &Place) -> Option<usize> {
        self.sites.branches.get(place).copied()
    }

    pub(super) fn branch(&mut self, one: &'p ExprIf, whole: &'p Expr) -> Evaluated {
        let mark = self.mark();
        match self.in_scope(|inner| inner.branch_that_ran(one, whole))? {
            Some(value) => Ok(value),
            None => {
                self.back_to(mark);
                self.kept(whole)
            }
        }
    }

    /// Evaluates the branch of an `if` that ran; `None` if the whole stays as it is written.
    fn branch_that_ran(&mut self, one: &'p ExprIf, whole: &'p Expr) -> Result<Option<Value>, Stop> {
        let then = self.file().inside(one.then_branch.brace_token.span);
        let otherwise = match &one.else_branch {
            None => Some(self.file().place(one)),
            Some((_, other)) => match &**other {
                Expr::Block(other) => Some(self.file().inside(other.block.brace_token.span)),
                _ => None,
            },
        };
        let (is_clean, is_taken, bound) = match &*one.cond {
            Expr::Let(condition) => {
                let value = self.eval(&condition.expr)?;
                let is_taken = self.is_taken(&then, otherwise.as_ref())?;
                let is_clean = self.is_clean(&value);
                (is_clean, is_taken, Some((&*condition.pat, value)))
            }
            condition => {
                let value = self.eval(condition)?;
                let known = match &value {
                    Value::Known(text) => Some(text == "true"),
                    _ => self.observed.as_deref().map(|text| text == "true"),
                };
                let is_taken = match known {
                    Some(known) => {
                        self.pass_branch(&then, otherwise.as_ref());
                        known
                    }
                    None => self.is_taken(&then, otherwise.as_ref())?,
                };
                let is_clean = self.is_clean(&value);
                // A comparison of values of the code under test does nothing by itself.
                let does_nothing = matches!(&value, Value::Expression { text, .. } if !is_clean && !text.contains('('));
                if self.assumes() || !does_nothing {
                    self.has_decided(value, is_taken)?;
                }
                (is_clean, is_taken, None)
            }
        };
        if !is_clean && self.stays(whole)? {
            return Ok(None);
        }
        let value = match (is_taken, bound) {
            (true, bound) => {
                if let Some((pattern, value)) = bound {
                    self.bind(pattern, value)?;
                }
                self.block(&one.then_branch)?
            }
            (false, bound) => {
                if let Some((pattern, value)) = bound {
                    self.has_not_matched(pattern, value)?;
                }
                match &one.else_branch {
                    Some((_, other)) => self.eval(other)?,
                    None => Value::Unit,
                }
            }
        };
        Ok(Some(value))
    }

    /// Whether a branch that depends on the code under test stays as it is written. One that leaves the function cannot.
    pub(super) fn stays(&mut self, whole: &Expr) -> Result<bool, Stop> {
        let may_stay = !leaves(whole) || self.frames.len() == 1;
        match self.form.branches {
            Branches::Resolved | Branches::Assumed => {
                self.n_resolved += 1;
                let place = self.file().place(whole);
                for one in &mut self.met {
                    one.decides |= one.place.is_within(&place);
                }
                Ok(false)
            }
            Branches::Ending => Ok(may_stay),
            Branches::Kept if may_stay => Ok(true),
            Branches::Kept => Err(Stop::Unresolved),
        }
    }

    /// Moves on behind the mark of a branch, if that comes next.
    fn pass_branch(&mut self, then: &Place, otherwise: Option<&Place>) {
        let both = [Some(then), otherwise].into_iter().flatten();
        let sites: Vec<usize> = both.filter_map(|one| self.site_of_branch(one)).collect();
        let frame = self.frame();
        let next = frame.events[..frame.limit].get(frame.cursor);
        if matches!(next, Some(Event::Noted(noted, ..)) if sites.contains(noted)) {
            frame.cursor += 1;
        }
    }

    /// Whether the first of two branches was taken.
    fn is_taken(&mut self, then: &Place, otherwise: Option<&Place>) -> Result<bool, Stop> {
        let then = self.site_of_branch(then).ok_or(UNTRACED)?;
        let otherwise = otherwise.and_then(|place| self.site_of_branch(place));
        let sites: Vec<usize> = [then].into_iter().chain(otherwise).collect();
        match self.next_of(&sites) {
            Some(0) => Ok(true),
            Some(_) => Ok(false),
            None if otherwise.is_none() => Ok(false),
            None => Err(Stop::End),
        }
    }

    pub(super) fn matched(&mut self, one: &'p ExprMatch, whole: &'p Expr) -> Evaluated {
        let mark = self.mark();
        let value = self.eval(&one.expr)?;
        if !self.is_clean(&value) && self.stays(whole)? {
            self.back_to(mark);
            return self.kept(whole);
        }
        let file = self.file();
        let sites: Option<Vec<usize>> = one
            .arms
            .iter()
            .map(|arm| self.site_of_branch(&file.place(&*arm.body)))
            .collect();
        let nth = self.next_of(&sites.ok_or(UNTRACED)?).ok_or(Stop::End)?;
        let value = self.has_passed_arms(one, nth, value)?;
        let arm = &one.arms[nth];
        self.in_scope(|inner| {
            inner.bind(&arm.pat, value)?;
            inner.eval(&arm.body)
        })
    }

    // The way back.

    /// The state of the walk, to come back to.
    pub(super) fn mark(&mut self) -> Mark {
        Mark {
            store: self.store.clone(),
            names: self.names.len(),
            line: self.line.clone(),
            cursor: self.frame().cursor,
            limit: self.frame().limit,
            n_scopes: self.frame().context.scopes.len(),
            n_calls: self.n_calls,
            shared: self.shared.clone(),
        }
    }

    pub(super) fn back_to(&mut self, mark: Mark) {
        self.store = mark.store;
        self.names.truncate(mark.names);
        self.types.retain(|slot, _| *slot < mark.names);
        self.line = mark.line;
        let frame = self.frame();
        frame.cursor = mark.cursor;
        frame.limit = mark.limit;
        frame.context.scopes.truncate(mark.n_scopes);
        self.n_calls = mark.n_calls;
        self.shared = mark.shared;
        // The code that stays as it is written is made of the same.
        let n_left = self.line.statements.len();
        for one in &mut self.met {
            one.since = n_left.min(one.since);
        }
    }

    /// Does some work; where the straight line cannot be written of an expression, it stays as it is written.
    pub(super) fn or_kept(
        &mut self,
        whole: &'p Expr,
        work: impl FnOnce(&mut Self) -> Evaluated,
    ) -> Evaluated {
        let mark = self.mark();
        match work(self) {
            Err(Stop::GiveUp(_)) => {
                self.back_to(mark);
                self.kept(whole)
            }
            other => other,
        }
    }
}

/// A state of the walk.
#[derive(Clone)]
pub(super) struct Mark {
    store: Vec<Value>,
    names: usize,
    line: super::line::Line,
    cursor: usize,
    limit: usize,
    n_scopes: usize,
    n_calls: usize,
    shared: HashMap<(String, String), String>,
}

/// Whether an expression may leave the function that it is in.
pub(super) fn leaves(expression: &Expr) -> bool {
    let mut jumps = Leaving(false);
    jumps.visit_expr(expression);
    jumps.0
}

/// Whether code may leave the function that it is in.
struct Leaving(bool);

impl<'a> Visit<'a> for Leaving {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Return(_) | Expr::Try(_) => self.0 = true,
            Expr::Closure(_) => {}
            other => syn::visit::visit_expr(self, other),
        }
    }

    fn visit_item(&mut self, _: &'a Item) {}
}

/// Whether an expression is the call of a function, or of methods on what it returns.
fn is_of_function(expression: &Expr) -> bool {
    match expression {
        Expr::Call(_) => true,
        Expr::MethodCall(one) => is_of_function(&one.receiver),
        Expr::Try(one) => is_of_function(&one.expr),
        _ => false,
    }
}
