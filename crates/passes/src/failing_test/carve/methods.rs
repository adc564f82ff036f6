//! Calls of methods: those of the test's own are walked through, and those of the standard library are known for what is taken apart.

use super::calls::awaited;
use super::changes::is_reading;
use super::interpreter::Interpreter;
use super::literal::operand;
use super::results::before_its_error;
use super::trace::{Call, Note};
use super::values::{Evaluated, Slot, Stop, Value};
use syn::{Expr, ExprMethodCall, FnArg, ReceiverKind};

/// The methods of lists and texts that give what borrows from these.
const BORROWING: [&str; 14] = [
    "iter",
    "as_slice",
    "as_str",
    "as_bytes",
    "as_ref",
    "bytes",
    "chars",
    "char_indices",
    "chunks",
    "lines",
    "split",
    "split_whitespace",
    "trim",
    "windows",
];

impl<'p> Interpreter<'_, 'p> {
    pub(super) fn method_call(&mut self, call: &'p ExprMethodCall, whole: &'p Expr) -> Evaluated {
        let name = call.method.to_string();
        let whole_place = self.file().place(whole);
        let slot = self.slot_of(&call.receiver);
        if let Some(value) = self.entry(call)? {
            return Ok(value);
        }
        if let Some(value) = self.chained(call, whole)? {
            return Ok(value);
        }
        let mut parts: Vec<&'p Expr> = Vec::new();
        match slot {
            Some(slot) => self.notice_receiver(&call.receiver, slot)?,
            None => parts.push(&call.receiver),
        }
        parts.extend(call.args.iter());
        let mut values = self.all(&parts)?.into_iter();
        let receiver = match slot {
            Some(slot) => Value::Reference {
                to: self.behind(slot),
                is_mut: true,
            },
            None => values.next().unwrap_or(Value::Unit),
        };
        let values: Vec<Value> = values.collect();
        if self.own.functions.contains(&name) {
            let sites = self.sites;
            let is_meant = |site: usize| sites.is_function(site, &name);
            if let Some(called) = self.next_call(&whole_place, is_meant) {
                let mark = self.mark();
                let own = self.own_receiver(called, receiver.clone());
                return match self.walk_through(called, Some(own), values.clone()) {
                    Err(Stop::Unresolved | Stop::GiveUp(_)) => {
                        self.back_to(mark);
                        let receiver = match receiver {
                            Value::Reference { to, .. } => {
                                let text = self.place_text(to)?;
                                self.taints(to);
                                text
                            }
                            other => operand(&self.text_of(other)?.0),
                        };
                        let texts = self.argument_texts(values, false)?.0;
                        let text = format!("{receiver}.{name}({})", texts.join(", "));
                        let text = awaited(text, whole);
                        let is_clean = false;
                        self.ended(called, Value::Expression { text, is_clean })
                    }
                    other => other,
                };
            }
        }
        if let Some(value) = self.sorted(&name, &receiver, &values)? {
            return Ok(value);
        }
        if let Some(value) = self.of_made(&name, &receiver, &values) {
            return Ok(value);
        }
        if let Some(value) = self.mapped(&name, &receiver, &values, whole)? {
            return Ok(value);
        }
        let through = slot.map(|slot| self.store[slot].clone());
        let method = match (&*name, through) {
            ("into_iter", Some(Value::Reference { is_mut: true, .. })) => "iter_mut",
            ("into_iter", Some(Value::Reference { .. })) => "iter",
            (name, _) => name,
        };
        if !self.is_of_code_under_test(&self.file().place(&call.method))
            && let Some(value) = self.of_collection(method, &receiver, &values)?
        {
            return Ok(value);
        }
        match self.outer_method(call, (slot, receiver), values)? {
            Value::Expression { text, is_clean } => {
                let text = awaited(text, whole);
                Ok(Value::Expression { text, is_clean })
            }
            other => Ok(other),
        }
    }

    /// Notices what the trace tells of a field on which a method is called.
    fn notice_receiver(&mut self, field: &Expr, slot: Slot) -> Result<(), Stop> {
        let site = self.sites.receivers.get(&self.file().place(field));
        match site.copied().and_then(|site| self.next_note(site)) {
            Some(Note::Literal(_)) => {
                let place = self.file().place(field);
                self.meets(self.noted_at, place, |inner| {
                    let value = inner.store[slot].clone();
                    Ok(inner.text_of(value)?.0)
                })
            }
            Some(Note::OfType(ty) | Note::Copied(_, ty)) if self.is_foreign(&ty) => {
                if let Value::Variable { text, .. } = &self.store[self.behind(slot)] {
                    self.line.say_type(text, &ty);
                }
                Ok(())
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The receiver as the function takes it.
    fn own_receiver(&mut self, called: &Call, receiver: Value) -> Value {
        let function = self.sites.functions.get(&called.site);
        let takes_reference = function.is_some_and(|function| {
            matches!(
                function.signature.inputs.first(),
                Some(FnArg::Receiver(receiver)) if matches!(receiver.kind, ReceiverKind::Reference(..))
            )
        });
        match (takes_reference, receiver) {
            (false, Value::Reference { to, .. }) => self.store[to].clone(),
            (true, receiver @ Value::Reference { .. }) => receiver,
            (true, value) => {
                let to = self.slot("this", value);
                Value::Reference { to, is_mut: true }
            }
            (false, value) => value,
        }
    }

    fn outer_method(
        &mut self,
        call: &'p ExprMethodCall,
        (slot, receiver): (Option<Slot>, Value),
        values: Vec<Value>,
    ) -> Evaluated {
        let name = call.method.to_string();
        let receiver = match slot {
            Some(slot) => self.receiver_of(slot, &name)?,
            None => self.text_of(receiver)?,
        };
        let at = self.file().place(&call.method);
        let is_source = self.is_of_code_under_test(&at);
        let (texts, is_clean) = self.argument_texts(values, receiver.1 && !is_source)?;
        if let Some(slot) = slot
            && !is_clean
            && !is_reading(&name)
        {
            self.taints(slot);
        }
        self.n_calls += usize::from(!receiver.1 || is_source);
        let turbofish = call.turbofish.as_ref().map_or("", |one| self.text(one));
        let turbofish = self.with_types(turbofish);
        let receiver = operand(&receiver.0);
        let text = match &*name {
            "unwrap" | "expect" => format!("{}.unwrap()", before_its_error(&receiver)),
            _ => format!("{receiver}.{name}{turbofish}({})", texts.join(", ")),
        };
        Ok(Value::Expression { text, is_clean })
    }

    /// The text of a variable on which a method is called.
    fn receiver_of(&mut self, slot: Slot, method: &str) -> Result<(String, bool), Stop> {
        let behind = self.behind(slot);
        let is_written = match self.store[behind] {
            Value::Known(_) | Value::Closure(_) => is_reading(method),
            Value::Waiting(_) => true,
            _ => false,
        };
        if !is_written {
            self.place_text(slot)?;
        }
        let (text, is_clean) = self.text_of(self.store[behind].clone())?;
        // What is made in a statement is gone at the end of it, and what borrows from it may be used later.
        if is_written && BORROWING.contains(&method) && makes_value(&text) {
            let name = self.names[behind].clone();
            let variable = self.let_variable(&name, "", &text, is_clean)?;
            return self.text_of(variable);
        }
        Ok((text, is_clean))
    }

    /// The text of a value of which a part is taken.
    pub(super) fn receiver_text(
        &mut self,
        expression: &'p Expr,
        value: Value,
    ) -> Result<(String, bool), Stop> {
        match self.slot_of(expression) {
            Some(slot) => {
                let behind = self.behind(slot);
                if !matches!(self.store[behind], Value::Known(_)) {
                    self.place_text(slot)?;
                }
                self.text_of(self.store[behind].clone())
            }
            None => self.text_of(value),
        }
    }
}

/// Whether a literal of a value is an expression that makes it where it is executed, and not a constant.
fn makes_value(literal: &str) -> bool {
    literal.contains("vec![") || literal.contains(".to_string()") || literal.contains("::from(")
}
