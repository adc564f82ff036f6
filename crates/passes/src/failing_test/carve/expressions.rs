//! Evaluates expressions.

use super::interpreter::{Captured, Evaluated, Interpreter, Stop, Value, member};
use super::literal::{last_name, operand};
use crate::program::Place;
use syn::Expr;

impl<'p> Interpreter<'_, 'p> {
    /// Evaluates an expression: a literal, where it is clean and the trace has one.
    pub(super) fn eval(&mut self, expression: &'p Expr) -> Evaluated {
        let n_before = self.line.statements.len();
        let value = self.eval_inner(expression)?;
        let place = self.file().place(expression);
        self.observed = None;
        let Some(noted) = self
            .sites
            .values
            .get(&place)
            .copied()
            .and_then(|site| self.next_note(site))
        else {
            return Ok(value);
        };
        self.observed.clone_from(&noted);
        match (noted, &value) {
            (Some(literal), Value::Variable { is_clean: true, .. } | Value::Unit) => {
                Ok(Value::Known(literal))
            }
            (
                Some(literal),
                Value::Expression {
                    is_clean: true,
                    text,
                },
            ) => {
                let changes = self.may_change(expression, text);
                if changes || self.line.statements.len() > n_before {
                    let text = text.clone();
                    self.emit_effect(&text, true)?;
                }
                Ok(Value::Known(literal))
            }
            _ => Ok(value),
        }
    }

    /// Whether an expression may change a variable.
    fn may_change(&self, expression: &Expr, text: &str) -> bool {
        let changes = match expression {
            Expr::MethodCall(call) => !super::calls::is_reading(&call.method.to_string()),
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
                    .map_err(|_| Stop::GiveUp)?;
                let base = self.receiver_text(&one.expr, base)?;
                let index = self.text_of(index)?;
                let text = format!("{}[{}]", operand(&base.0), index.0);
                let is_clean = base.1 && index.1;
                Ok(Value::Expression { text, is_clean })
            }
            Expr::Cast(one) => {
                let value = self.eval(&one.expr)?;
                let (text, is_clean) = self.text_of(value)?;
                let text = format!("{} as {}", operand(&text), self.text(&one.ty));
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
            Expr::Macro(one) => self.macro_call(&one.mac, Some(expression)),
            Expr::Try(one) => self.tried(one, expression),
            Expr::Block(one) if one.label.is_none() => self.block(&one.block),
            Expr::If(one) => self.branch(one, expression),
            Expr::Match(one) => self.matched(one, expression),
            Expr::ForLoop(one) => self.for_loop(one, expression),
            Expr::While(one) => self.while_loop(one, expression),
            Expr::Loop(one) => self.endless_loop(one, expression),
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
            let value = self.eval(one)?;
            if self.line.statements.len() > before {
                let written = self.line.statements.split_off(before);
                for earlier in &mut values {
                    if let Value::Expression { text, is_clean } = earlier {
                        let (text, is_clean) = (text.clone(), *is_clean);
                        *earlier = self.let_variable("value", "", &text, is_clean)?;
                    }
                }
                self.line.statements.extend(written);
            }
            values.push(value);
        }
        Ok(values)
    }

    fn path(&mut self, expression: &'p Expr) -> Evaluated {
        let Expr::Path(path) = expression else {
            return Err(Stop::GiveUp);
        };
        let text = self.path_text(&path.path, self.text(path));
        let name = last_name(&text).to_owned();
        if self.own.units.contains(&name) || name == "None" {
            return Ok(Value::Known(text));
        }
        let is_clean = !self.is_of_code_under_test(&self.file().place(path));
        Ok(Value::Expression { text, is_clean })
    }

    /// The text of a path, without `Self`.
    pub(super) fn path_text(&self, path: &syn::Path, text: &str) -> String {
        let self_type = &self.frames[self.frames.len() - 1].context.self_type;
        match (path.segments.first(), self_type) {
            (Some(first), Some(name)) if first.ident == "Self" => text.replacen("Self", name, 1),
            _ => text.to_owned(),
        }
    }

    pub(super) fn is_of_code_under_test(&self, place: &Place) -> bool {
        let mut within = self.sources.range(place.start()..place.end());
        within.next().is_some()
    }
}
