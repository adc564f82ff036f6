//! Evaluates expressions.

use super::interpreter::{Captured, Interpreter, member};
use super::line::Statement;
use super::literal::{edited, last_name, operand};
use super::results::{closed, written_type};
use super::trace::Note;
use super::values::{Evaluated, Stop, UNLIKE, Value};
use crate::precedence::Role;
use crate::program::Place;
use reduce_syntax::tokens;
use std::collections::HashMap;
use syn::Expr;

impl<'p> Interpreter<'_, 'p> {
    /// Evaluates an expression: a literal, where it is clean and the trace has one.
    pub(super) fn eval(&mut self, expression: &'p Expr) -> Evaluated {
        let n_before = self.line.statements.len();
        let value = self.eval_inner(expression)?;
        let place = self.file().place(expression);
        // A block has the value of its last expression.
        if !matches!(expression, Expr::Block(_) | Expr::Paren(_)) {
            self.observed = None;
        }
        let value = self.with_own_type(&place, value);
        let Some(site) = self.sites.values.get(&place).copied() else {
            return Ok(value);
        };
        let literal = match self.next_note(site) {
            Some(Note::Literal(literal)) => literal,
            // A value that the code under test has a part in is its own, and so is one that it did not come back from.
            Some(Note::OfType(ty)) if self.is_foreign(&ty) => return Ok(value.tainted()),
            Some(Note::Copied(shown, ty)) if self.is_foreign(&ty) => {
                return self.shared(expression, value.tainted(), (shown, ty), n_before);
            }
            None if self.ends_before(site) => return Ok(value.tainted()),
            Some(_) | None => return Ok(value),
        };
        self.observed = Some(literal.clone());
        // Of a literal nothing can be asserted.
        if !self.is_clean(&value) {
            self.meets(self.noted_at, place, |inner| {
                Ok(inner.text_of(value.clone())?.0)
            })?;
        }
        let is_given = self.is_given(&literal) && self.is_call_alone(expression);
        if !is_given && !self.is_in_message && !self.is_clean(&value) {
            return Ok(value);
        }
        match &value {
            Value::Variable { .. } | Value::Unit => Ok(Value::Known(literal)),
            Value::Expression { text, is_clean } => {
                let changes = self.may_change(expression, text);
                if changes || self.line.has_written(n_before) {
                    let (text, is_clean) = (text.clone(), *is_clean);
                    self.emit_effect(&text, is_clean)?;
                }
                Ok(Value::Known(literal))
            }
            _ => Ok(value),
        }
    }

    /// The value of a call that stands as a statement, of which the trace tells if it can be copied.
    pub(super) fn given_copy(
        &mut self,
        call: &'p Expr,
        value: Value,
        n_before: usize,
    ) -> Evaluated {
        let site = self.sites.copies.get(&self.file().place(call)).copied();
        match site.and_then(|site| self.next_note(site)) {
            Some(Note::Copied(shown, ty)) if self.is_foreign(&ty) => {
                self.shared(call, value.tainted(), (shown, ty), n_before)
            }
            _ => Ok(value),
        }
    }

    /// The variable with a value of the code under test, which can be copied and shows the same as this one: a key that is looked up
    /// is the one that was given before. What is compared stays as it is computed, and so does what differs where the test passes.
    fn shared(
        &mut self,
        expression: &'p Expr,
        value: Value,
        shows: (String, String),
        n_before: usize,
    ) -> Evaluated {
        let Value::Expression { text, .. } = &value else {
            return Ok(value);
        };
        let role = self
            .program
            .expression_context(&self.file().place(expression))
            .role;
        let is_compared = self.is_in_assertion || matches!(role, Role::Left(_) | Role::Right(_));
        let differs = self
            .differing
            .is_some_and(|times| times.contains(&self.noted_at));
        // `Ok(())` says nothing by which it would be known again.
        let is_key = shows.0.contains(|one: char| one.is_ascii_digit());
        if !self.form.is_shared || !text.contains('(') || !is_key || is_compared || differs {
            return Ok(value);
        }
        let text = text.clone();
        let Some(known) = self.shared.get(&shows).cloned() else {
            let name = self.line.fresh("value");
            self.emit(Statement {
                declares: Some(name.clone()),
                ..Statement::new(format!("let {name} = {text};"), false)
            })?;
            self.shared.insert(shows, name.clone());
            return Ok(Value::Variable {
                text: name,
                is_clean: false,
            });
        };
        if self.may_change(expression, &text) || self.line.has_written(n_before) {
            self.emit_effect(&text, false)?;
        }
        Ok(Value::Variable {
            text: known,
            is_clean: false,
        })
    }

    /// An expression whose type is known by its surroundings only, with its type in it.
    fn with_own_type(&mut self, place: &Place, value: Value) -> Value {
        let site = self.sites.types.get(place).copied();
        match (value, site) {
            (Value::Expression { text, is_clean }, Some(site)) => {
                let Some(ty) = self.next_literal(site) else {
                    return Value::Expression { text, is_clean };
                };
                let is_clean = is_clean && !self.is_foreign(&ty);
                let text = written_type(&ty).map_or_else(|| text.clone(), |ty| closed(&text, &ty));
                Value::Expression { text, is_clean }
            }
            (value, _) => value,
        }
    }

    /// Whether an expression is a call that may go with what leads to it: none of a method of a variable, which stays as long as
    /// others call methods of that. What it gives had better go on with what it was asked for.
    fn is_call_alone(&mut self, expression: &Expr) -> bool {
        match expression {
            Expr::Call(_) | Expr::Macro(_) => true,
            Expr::MethodCall(call) => self.slot_of(&call.receiver).is_none(),
            Expr::Try(one) => self.is_call_alone(&one.expr),
            Expr::Await(one) => self.is_call_alone(&one.base),
            _ => false,
        }
    }

    /// Whether an expression may change a variable.
    fn may_change(&self, expression: &Expr, text: &str) -> bool {
        let changes = match expression {
            Expr::MethodCall(call) => !super::changes::is_reading(&call.method.to_string()),
            Expr::Macro(call) => self.text(&call.mac.path).starts_with("write"),
            _ => false,
        };
        changes || text.contains("&mut ")
    }

    fn eval_inner(&mut self, expression: &'p Expr) -> Evaluated {
        if let Some(slot) = self.slot_of(expression) {
            return Ok(self.store[slot].clone());
        }
        match expression {
            Expr::Lit(one) => Ok(Value::Known(self.text(one).to_owned())),
            Expr::Paren(one) => self.eval(&one.expr),
            Expr::Group(one) => self.eval(&one.expr),
            Expr::Path(_) => self.path(expression),
            Expr::Reference(one) => self.reference(one),
            Expr::Unary(one) => self.unary(one),
            Expr::Binary(one) => self.binary(one),
            Expr::Assign(one) => {
                let value = self.eval(&one.right)?;
                self.assign(&one.left, value)?;
                Ok(Value::Unit)
            }
            Expr::Field(one) => {
                let base = self.eval(&one.base)?;
                let name = member(&one.member);
                let slot = self.slot("value", base);
                let behind = self.behind(slot);
                if let Some(part) = self.field(behind, &name) {
                    return Ok(self.store[part].clone());
                }
                let (text, is_clean) = self.text_of(self.store[behind].clone())?;
                let text = format!("{}.{name}", operand(&text));
                Ok(Value::Expression { text, is_clean })
            }
            Expr::Index(one) => {
                let [base, index] = self
                    .all(&[&one.expr, &one.index])?
                    .try_into()
                    .map_err(|_| UNLIKE)?;
                if let Value::Known(index) = &index {
                    let slot = match self.slot_of(&one.expr) {
                        Some(slot) => slot,
                        None => self.slot("value", base.clone()),
                    };
                    if let Some(element) = self.element(slot, index) {
                        return Ok(self.store[element].clone());
                    }
                    if let Some(part) = self.part_of_list(slot, index) {
                        return Ok(part);
                    }
                }
                let base = self.receiver_text(&one.expr, base)?;
                let index = self.text_of(index)?;
                let text = format!("{}[{}]", operand(&base.0), index.0);
                let is_clean = base.1 && index.1;
                Ok(Value::Expression { text, is_clean })
            }
            Expr::Cast(one) => {
                let value = self.eval(&one.expr)?;
                let (text, is_clean) = self.text_of(value)?;
                let ty = self.with_types(self.text(&one.ty));
                let text = format!("{} as {ty}", operand(&text));
                Ok(Value::Expression { text, is_clean })
            }
            Expr::Range(one) => {
                let ends: Vec<&'p Expr> = [&one.start, &one.end]
                    .into_iter()
                    .filter_map(|end| end.as_deref())
                    .collect();
                let mut values = self.all(&ends)?.into_iter();
                let (mut text, mut is_clean) = (String::new(), true);
                if one.start.is_some() {
                    let start = self.text_of(values.next().unwrap_or(Value::Unit))?;
                    text.push_str(&operand(&start.0));
                    is_clean &= start.1;
                }
                text.push_str(self.text(&one.limits));
                if one.end.is_some() {
                    let end = self.text_of(values.next().unwrap_or(Value::Unit))?;
                    text.push_str(&operand(&end.0));
                    is_clean &= end.1;
                }
                Ok(match is_clean {
                    true => Value::Known(text),
                    false => Value::Expression { text, is_clean },
                })
            }
            Expr::Tuple(one) => {
                let parts: Vec<&'p Expr> = one.elems.iter().collect();
                if parts.is_empty() {
                    return Ok(Value::Unit);
                }
                let values = self.all(&parts)?;
                self.made(String::new(), values)
            }
            Expr::Array(one) => {
                let parts: Vec<&'p Expr> = one.elems.iter().collect();
                let values = self.all(&parts)?;
                self.list(values, "")
            }
            Expr::Struct(one) => self.structure(one),
            Expr::Closure(one) => {
                let context = self.frame().context.clone();
                self.closures.push(Captured {
                    closure: one,
                    context,
                });
                Ok(Value::Closure(self.closures.len() - 1))
            }
            Expr::Call(one) => self.call(one, expression),
            Expr::MethodCall(one) => self.method_call(one, expression),
            Expr::Await(one) => match &*one.base {
                Expr::Call(call) => self.call(call, expression),
                Expr::MethodCall(call) => self.method_call(call, expression),
                base => {
                    let value = self.eval(base)?;
                    let (text, is_clean) = self.text_of(value)?;
                    let text = format!("{}.await", operand(&text));
                    Ok(Value::Expression { text, is_clean })
                }
            },
            Expr::Macro(one) => self.macro_call(&one.mac, Some(expression)),
            Expr::Try(one) => self.tried(one, expression),
            Expr::Block(one) if one.label.is_none() => self.block(&one.block),
            Expr::If(one) => self.or_kept(expression, |inner| inner.branch(one, expression)),
            Expr::Match(one) => self.or_kept(expression, |inner| inner.matched(one, expression)),
            Expr::ForLoop(one) => {
                let result = self.or_kept(expression, |inner| inner.for_loop(one, expression));
                if result.is_ok() {
                    self.after_loop(&one.body);
                }
                result
            }
            Expr::While(one) => {
                let result = self.or_kept(expression, |inner| inner.while_loop(one, expression));
                if result.is_ok() {
                    self.after_loop(&one.body);
                }
                result
            }
            Expr::Loop(one) => {
                let result = self.or_kept(expression, |inner| inner.endless_loop(one, expression));
                if result.is_ok() {
                    self.after_loop(&one.body);
                }
                result
            }
            Expr::Return(one) => {
                let value = match &one.expr {
                    Some(value) => self.eval(value)?,
                    None => Value::Unit,
                };
                Err(Stop::Return(value))
            }
            Expr::Break(one) if one.label.is_none() && one.expr.is_none() => Err(Stop::Break),
            Expr::Continue(one) if one.label.is_none() => Err(Stop::Continue),
            _ => self.kept(expression),
        }
    }

    /// Evaluates expressions one after the other. If one of them writes statements, what comes before it is evaluated
    /// before these.
    pub(super) fn all(&mut self, expressions: &[&'p Expr]) -> Result<Vec<Value>, Stop> {
        let mut values: Vec<Value> = Vec::new();
        for one in expressions {
            let before = self.line.statements.len();
            match self.eval(one) {
                Ok(value) => {
                    self.evaluated_before(before, &mut values)?;
                    values.push(value);
                }
                Err(stop) => return Err(self.stopped_after(stop, before, values)),
            }
        }
        Ok(values)
    }

    /// The stop at an expression before which these were evaluated, though nothing takes them: they are statements before
    /// those from the one with this number on.
    fn stopped_after(&mut self, stop: Stop, before: usize, values: Vec<Value>) -> Stop {
        if matches!(stop, Stop::GiveUp(_) | Stop::Unresolved) {
            return stop;
        }
        let written = self.line.statements.split_off(before);
        let done = values
            .into_iter()
            .try_for_each(|value| self.done_with(value));
        self.line.statements.extend(written);
        done.err().unwrap_or(stop)
    }

    /// Evaluates values before the statements from the one with this number on, if there are any.
    pub(super) fn evaluated_before<'v>(
        &mut self,
        before: usize,
        values: impl IntoIterator<Item = &'v mut Value>,
    ) -> Result<(), Stop> {
        if !self.line.has_written(before) {
            return Ok(());
        }
        let written = self.line.statements.split_off(before);
        for earlier in values {
            if let Value::Expression { text, is_clean } = earlier {
                let (text, is_clean) = (text.clone(), *is_clean);
                *earlier = self.let_variable("value", "", &text, is_clean)?;
            }
        }
        self.line.statements.extend(written);
        Ok(())
    }

    fn path(&mut self, expression: &'p Expr) -> Evaluated {
        let Expr::Path(path) = expression else {
            return Err(UNLIKE);
        };
        let text = self.path_text(&path.path, self.text(path));
        let name = last_name(&text).to_owned();
        if self.own.units.contains(&name) || name == "None" {
            return Ok(Value::Known(text));
        }
        let is_clean = !self.is_of_code_under_test(&self.file().place(path));
        Ok(match name.starts_with(char::is_lowercase) {
            // A function needs no variable.
            true => Value::Variable { text, is_clean },
            false => Value::Expression { text, is_clean },
        })
    }

    /// The text of a path, without `Self`.
    pub(super) fn path_text(&self, path: &syn::Path, text: &str) -> String {
        let self_type = &self.frames[self.frames.len() - 1].context.self_type;
        let text = match (path.segments.first(), self_type) {
            (Some(first), Some(name)) if first.ident == "Self" => text.replacen("Self", name, 1),
            _ => text.to_owned(),
        };
        self.with_types(&text)
    }

    /// A text with the types that the parameters of the function stand for.
    pub(super) fn with_types(&self, text: &str) -> String {
        with_types(&self.frames[self.frames.len() - 1].context.types, text)
    }

    pub(super) fn is_of_code_under_test(&self, place: &Place) -> bool {
        let mut within = self.sources.range(place.start()..place.end());
        within.next().is_some()
    }
}

/// A text with these types in place of the parameters of a function.
pub(super) fn with_types(types: &HashMap<String, String>, text: &str) -> String {
    if types.is_empty() {
        return text.to_owned();
    }
    let edits = tokens(text).into_iter().filter_map(|token| {
        let range = token.range();
        let ty = types.get(&text[range.clone()])?;
        let is_generic = ty.contains(['<', '&', '[', '(']);
        let is_path = text[range.end..].trim_start().starts_with("::");
        Some(match is_generic && is_path {
            true => (range, format!("<{ty}>")),
            false => (range, ty.clone()),
        })
    });
    edited(text, 0, &edits.collect::<Vec<_>>())
}
