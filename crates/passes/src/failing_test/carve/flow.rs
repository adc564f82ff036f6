//! Blocks, branches and loops: they become what ran of them.

use super::interpreter::{Branches, Evaluated, Interpreter, Stop, Value};
use super::line::{Scope, Statement};
use super::trace::Event;
use crate::failing_test::run_values::BoundNames;
use crate::program::Place;
use std::collections::HashMap;
use syn::visit::Visit;
use syn::{
    Block, Expr, ExprForLoop, ExprIf, ExprLoop, ExprMatch, ExprWhile, Item, Local, Pat, Stmt,
};

/// The largest number of rounds of a loop that are written one after the other.
const MOST_ROUNDS: usize = 100;

/// The stop at a loop that is too long to be written out.
const TOO_LONG: Stop = Stop::GiveUp("a loop has more than 100 rounds");

/// The stop where code cannot have a probe.
const UNTRACED: Stop = Stop::GiveUp("the trace does not tell which way the test went");

impl<'t, 'p> Interpreter<'t, 'p> {
    pub(super) fn block(&mut self, block: &'p Block) -> Evaluated {
        self.in_scope(|inner| inner.statements(block))
    }

    /// Does some work in a scope of its own: the variables that it declares are gone afterwards.
    fn in_scope<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
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
                Stmt::Expr(expression, semicolon) => {
                    let value = self.eval(expression)?;
                    match semicolon {
                        None => last = value,
                        Some(_) => self.statement(expression, value)?,
                    }
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
        self.emit(Statement {
            text,
            declares: None,
            is_clean: false,
            scope: None,
        })
    }

    fn local(&mut self, local: &'p Local) -> Result<(), Stop> {
        let Some(init) = &local.init else {
            for name in BoundNames::in_pattern(&local.pat) {
                let slot = self.slot(&name, Value::Unit);
                self.declare(&name, slot);
            }
            return Ok(());
        };
        let is_place = self.slot_of(&init.expr).is_some();
        let value = self.eval(&init.expr)?;
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
                    Some(known) => known,
                    None => self.is_taken(&then, otherwise.as_ref())?,
                };
                if let Value::Expression { text, is_clean } = &value
                    && (*is_clean || text.contains('('))
                {
                    self.emit_effect(text, *is_clean)?;
                }
                (self.is_clean(&value), is_taken, None)
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
                if let Some((_, value)) = bound {
                    self.done_with(value)?;
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
    fn stays(&self, whole: &Expr) -> Result<bool, Stop> {
        let may_stay = !leaves(whole) || self.frames.len() == 1;
        match self.form.branches {
            Branches::Resolved => Ok(false),
            Branches::Ending => Ok(may_stay),
            Branches::Kept if may_stay => Ok(true),
            Branches::Kept => Err(Stop::Unresolved),
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
        let arm = &one.arms[nth];
        self.in_scope(|inner| {
            inner.bind(&arm.pat, value)?;
            inner.eval(&arm.body)
        })
    }

    // Loops.

    pub(super) fn for_loop(&mut self, one: &'p ExprForLoop, whole: &'p Expr) -> Evaluated {
        let mark = self.mark();
        let Some(number) = self.number_of_loop(&one.body) else {
            return self.kept(whole);
        };
        let wanted = std::mem::replace(&mut self.wants_elements, true);
        let value = self.eval(&one.expr);
        self.wants_elements = wanted;
        let value = value?;
        let elements = self.elements(&value);
        if !self.is_clean(&value) && elements.is_none() {
            self.back_to(mark);
            return self.kept(whole);
        }
        let rounds = self.rounds(number);
        if rounds.len() > MOST_ROUNDS {
            return Err(TOO_LONG);
        }
        for (nth, (start, end)) in rounds.into_iter().enumerate() {
            let limit = self.enter_round(start, end);
            let element = elements.as_ref().and_then(|parts| parts.get(nth).cloned());
            let result = self.in_scope(|inner| {
                inner.bind_round(one, number, element)?;
                inner.block(&one.body)
            });
            if self.leave_round(limit, end, result)? {
                break;
            }
        }
        Ok(Value::Unit)
    }

    /// Binds what a round is given: as the trace has it, else as the list has it that the loop goes through.
    fn bind_round(
        &mut self,
        one: &'p ExprForLoop,
        number: usize,
        element: Option<Value>,
    ) -> Result<(), Stop> {
        let sites = self.sites;
        let bound = sites.bound.get(&number).ok_or(UNTRACED)?;
        let mut known = Vec::new();
        for (name, site) in bound {
            known.push((name, self.next_note(*site).flatten()));
        }
        let is_taken_apart = element.as_ref().is_some_and(|element| {
            let is_changed = matches!(element, Value::Reference { is_mut: true, .. });
            is_changed || !self.is_clean(element)
        });
        if !is_taken_apart && known.iter().all(|(_, literal)| literal.is_some()) {
            for (name, literal) in known {
                let slot = self.slot(name, Value::Known(literal.unwrap_or_default()));
                self.declare(name, slot);
            }
            return Ok(());
        }
        let element = element.ok_or(Stop::GiveUp("a loop binds a value that has no literal"))?;
        self.bind(&one.pat, element)
    }

    pub(super) fn while_loop(&mut self, one: &'p ExprWhile, whole: &'p Expr) -> Evaluated {
        let Some(number) = self.number_of_loop(&one.body) else {
            return self.kept(whole);
        };
        let mark = self.mark();
        let rounds = self.rounds(number);
        if rounds.len() > MOST_ROUNDS {
            return Err(TOO_LONG);
        }
        for (start, end) in rounds {
            let round = self.in_scope(|inner| {
                // The condition is evaluated before the round begins.
                let value = inner.eval(looked_at(&one.cond))?;
                let is_clean = inner.is_clean(&value);
                match &*one.cond {
                    Expr::Let(condition) => inner.bind(&condition.pat, value)?,
                    _ => inner.done_with(value)?,
                }
                if !is_clean && inner.stays(whole)? {
                    return Ok(None);
                }
                let limit = inner.enter_round(start, end);
                Ok(Some((limit, inner.block(&one.body))))
            })?;
            let Some((limit, result)) = round else {
                self.back_to(mark);
                return self.kept(whole);
            };
            if self.leave_round(limit, end, result)? {
                return Ok(Value::Unit);
            }
        }
        // It is asked once more, with another answer.
        let asked = self.eval(looked_at(&one.cond))?;
        self.done_with(asked)?;
        Ok(Value::Unit)
    }

    pub(super) fn endless_loop(&mut self, one: &'p ExprLoop, whole: &'p Expr) -> Evaluated {
        let Some(number) = self.number_of_loop(&one.body) else {
            return self.kept(whole);
        };
        let rounds = self.rounds(number);
        if rounds.len() > MOST_ROUNDS {
            return Err(TOO_LONG);
        }
        for (start, end) in rounds {
            let limit = self.enter_round(start, end);
            let result = self.block(&one.body);
            if self.leave_round(limit, end, result)? {
                break;
            }
        }
        Ok(Value::Unit)
    }

    fn number_of_loop(&self, body: &Block) -> Option<usize> {
        let contents = self.file().inside(body.brace_token.span);
        self.sites.loops.get(&contents).copied()
    }

    /// The rounds of a loop, each with its first event and the one behind its last.
    fn rounds(&mut self, number: usize) -> Vec<(usize, usize)> {
        let frame = self.frame();
        let mut starts = Vec::new();
        let mut end = frame.limit;
        for idx in frame.cursor..frame.limit {
            match &frame.events[idx] {
                Event::Round(one) if *one == number => starts.push(idx + 1),
                Event::Ended(one) if *one == number => {
                    end = idx;
                    break;
                }
                _ => {}
            }
        }
        let ends = starts.iter().skip(1).map(|start| start - 1).chain([end]);
        starts
            .iter()
            .copied()
            .zip(ends.collect::<Vec<_>>())
            .collect()
    }

    /// Goes on behind a loop, whether it was walked through or not.
    pub(super) fn after_loop(&mut self, body: &Block) {
        let Some(number) = self.number_of_loop(body) else {
            return;
        };
        let frame = self.frame();
        let mut events = frame.events[frame.cursor..frame.limit].iter();
        if let Some(nth) = events.position(|event| *event == Event::Ended(number)) {
            frame.cursor += nth + 1;
        }
    }

    fn enter_round(&mut self, start: usize, end: usize) -> usize {
        let frame = self.frame();
        frame.cursor = frame.cursor.max(start);
        std::mem::replace(&mut frame.limit, end)
    }

    /// Returns whether the loop was left.
    fn leave_round(&mut self, limit: usize, end: usize, result: Evaluated) -> Result<bool, Stop> {
        self.frame().limit = limit;
        let result = result.and_then(|value| self.done_with(value));
        let frame = self.frame();
        match result {
            Ok(()) | Err(Stop::Continue) => {
                // What follows in the round belongs to the next time its condition is asked.
                frame.cursor = frame.cursor.min(end);
                Ok(false)
            }
            Err(Stop::Break) => Ok(true),
            Err(stop) => Err(stop),
        }
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
        }
    }

    pub(super) fn back_to(&mut self, mark: Mark) {
        self.store = mark.store;
        self.names.truncate(mark.names);
        self.line = mark.line;
        let frame = self.frame();
        frame.cursor = mark.cursor;
        frame.limit = mark.limit;
        frame.context.scopes.truncate(mark.n_scopes);
        self.n_calls = mark.n_calls;
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
pub(super) struct Mark {
    store: Vec<Value>,
    names: usize,
    line: super::line::Line,
    cursor: usize,
    limit: usize,
    n_scopes: usize,
    n_calls: usize,
}

/// The value that a condition looks at.
fn looked_at(condition: &Expr) -> &Expr {
    match condition {
        Expr::Let(one) => &one.expr,
        other => other,
    }
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
