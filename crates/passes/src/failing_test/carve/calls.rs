//! Calls: those of the test's own functions and closures are walked through; others stay.

use super::interpreter::{
    Branches, Context, Evaluated, Frame, Interpreter, Made, Slot, Stop, Value,
};
use super::literal::{last_name, operand};
use super::sites::{Function, name_of_type};
use super::trace::Call;
use reduce_syntax::MacroArguments;
use std::collections::HashMap;
use syn::{Expr, ExprCall, ExprMethodCall, ExprTry, FnArg, Macro, ReceiverKind, ReturnType};

/// The methods of the standard library that leave alone what they are called on.
const READING: &str = "len is_empty iter get contains contains_key to_string clone as_str as_ref \
    is_some is_none is_ok is_err first last starts_with ends_with chars bytes lines split \
    split_whitespace trim keys values enumerate rev map filter copied cloned to_owned to_vec \
    as_slice as_bytes abs min max pow checked_add checked_sub checked_mul checked_div \
    saturating_add saturating_sub wrapping_add wrapping_sub saturating_add_signed splitn \
    split_inclusive split_once trim_end trim_start find rfind char_indices parse eq ne cmp \
    partial_cmp is_char_boundary is_alphanumeric is_ascii_digit is_alphabetic to_uppercase \
    to_lowercase repeat windows chunks join concat position any all sum count zip";

/// The ends of expressions whose type says what they do.
const OPEN: [&str; 5] = [
    ".collect()",
    ".into()",
    ".sum()",
    ".parse().unwrap()",
    "default()",
];

/// Whether a method of this name leaves alone what it is called on.
pub(super) fn is_reading(name: &str) -> bool {
    READING.split_whitespace().any(|known| known == name)
}

impl<'t, 'p> Interpreter<'t, 'p> {
    pub(super) fn call(&mut self, call: &'p ExprCall, whole: &'p Expr) -> Evaluated {
        let arguments: Vec<&'p Expr> = call.args.iter().collect();
        let whole_place = self.file().place(whole);
        if let Some(slot) = self.slot_of(&call.func) {
            let slot = self.behind(slot);
            if let Value::Closure(number) = self.store[slot] {
                let values = self.all(&arguments)?;
                return self.call_closure(number, values, whole);
            }
        }
        let Expr::Path(path) = &*call.func else {
            return self.kept(whole);
        };
        let text = self.path_text(&path.path, self.text(path));
        let name = last_name(text.split("::<").next().unwrap_or(&text)).to_owned();
        if self.own.constructors.contains(&name) || matches!(&*text, "Some" | "Ok" | "Err") {
            let values = self.all(&arguments)?;
            return self.made(text, values);
        }
        let values = self.all(&arguments)?;
        if self.own.functions.contains(&name) {
            let sites = self.sites;
            let is_meant = |site: usize| sites.is_function(site, &name);
            if let Some(called) = self.next_call(&whole_place, is_meant) {
                let mark = self.mark();
                return match self.walk_through(called, None, values.clone()) {
                    Err(Stop::Unresolved) => {
                        self.back_to(mark);
                        let texts = self.argument_texts(values, false)?.0;
                        let text = format!("{text}({})", texts.join(", "));
                        let is_clean = false;
                        self.ended(called, Value::Expression { text, is_clean })
                    }
                    other => other,
                };
            }
        }
        if name == "default"
            && values.is_empty()
            && let Some(made) = self.default_of(&text)?
        {
            return Ok(made);
        }
        let (texts, are_clean) = self.argument_texts(values, true)?;
        let is_source = self.is_of_code_under_test(&self.file().place(path));
        let text = format!("{text}({})", texts.join(", "));
        self.n_calls += usize::from(is_source);
        let is_clean = are_clean && !is_source;
        Ok(Value::Expression { text, is_clean })
    }

    /// The default of a struct of the test, which is that of each of its fields.
    fn default_of(&mut self, path: &str) -> Result<Option<Value>, Stop> {
        let own = self.own;
        let name = path.rsplit("::").nth(1).unwrap_or_default().trim();
        let fields = own.fields.get(name);
        let Some(fields) = fields.filter(|all| all.iter().any(|(.., is_source)| *is_source)) else {
            return Ok(None);
        };
        let mut slots = Vec::new();
        for (field, ty, is_source) in fields {
            let ty = format!(": {ty}");
            let value = self.let_variable(field, &ty, "Default::default()", !is_source)?;
            slots.push((field.clone(), self.slot(field, value)));
        }
        Ok(Some(Value::Made(Made {
            path: name.to_owned(),
            fields: slots,
            is_named: true,
        })))
    }

    /// The texts of arguments. What is passed to be changed has something of the code under test in it afterwards, if that is
    /// what is called.
    fn argument_texts(
        &mut self,
        values: Vec<Value>,
        is_clean: bool,
    ) -> Result<(Vec<String>, bool), Stop> {
        let changed: Vec<Slot> = values
            .iter()
            .filter_map(|value| match value {
                Value::Reference { to, is_mut: true } => Some(*to),
                _ => None,
            })
            .collect();
        let (texts, values_are_clean) = self.texts_of(values)?;
        let are_clean = is_clean && values_are_clean;
        if !are_clean {
            changed.into_iter().for_each(|slot| self.taints(slot));
        }
        Ok((texts, are_clean))
    }

    fn call_closure(&mut self, number: usize, values: Vec<Value>, whole: &'p Expr) -> Evaluated {
        let captured = self.closures[number].clone();
        let place = captured.context.file.place(captured.closure);
        let site = self.sites.closures.get(&place).copied();
        let whole_place = self.file().place(whole);
        let called = self.next_call(&whole_place, |entered| Some(entered) == site);
        let Some(called) = called.filter(|_| !self.is_too_deep()) else {
            return Err(Stop::GiveUp);
        };
        let mut context = captured.context;
        context.scopes.push(HashMap::new());
        self.frames.push(Frame::new(context, &called.events));
        let result = self.closure_body(captured.closure, values);
        self.frames.pop();
        self.returned(result, called)
    }

    fn closure_body(&mut self, closure: &'p syn::ExprClosure, values: Vec<Value>) -> Evaluated {
        for (input, value) in closure.inputs.iter().zip(values) {
            self.bind(input, value)?;
        }
        self.eval(&closure.body)
    }

    pub(super) fn walk_through(
        &mut self,
        called: &'t Call,
        receiver: Option<Value>,
        values: Vec<Value>,
    ) -> Evaluated {
        let Function {
            file,
            signature,
            block,
            home,
        } = *self.sites.functions.get(&called.site).ok_or(Stop::GiveUp)?;
        if self.is_too_deep() {
            return Err(Stop::GiveUp);
        }
        let context = Context {
            file,
            scopes: vec![HashMap::new()],
            self_type: home.and_then(name_of_type),
        };
        self.frames.push(Frame::new(context, &called.events));
        let mut values = receiver.into_iter().chain(values);
        let mut result = Ok(Value::Unit);
        for input in &signature.inputs {
            let value = values.next().unwrap_or(Value::Unit);
            let bound = match input {
                FnArg::Receiver(_) => self.bind_self(value),
                FnArg::Typed(typed) => self.bind(&typed.pat, value),
            };
            if let Err(stop) = bound {
                result = Err(stop);
                break;
            }
        }
        if result.is_ok() {
            result = self.block(block);
        }
        self.frames.pop();
        let value = self.returned(result, called)?;
        match (value, &signature.output) {
            (Value::Expression { text, is_clean }, ReturnType::Type(_, ty))
                if signature.generics.type_params().next().is_none() =>
            {
                let ty = self.annotation(file.text(ty), &text);
                let name = signature.ident.to_string();
                self.let_variable(&name, &ty, &text, is_clean)
            }
            (value, _) => Ok(value),
        }
    }

    /// The type of a variable, where the text of its value does not say it.
    pub(super) fn annotation(&self, ty: &str, text: &str) -> String {
        let is_open = OPEN.iter().any(|end| text.ends_with(end));
        let is_nameable = !ty.contains("impl ") && !ty.contains("Self") && !ty.contains('\'');
        match (is_open || self.form.is_typed) && is_nameable {
            true => format!(": {ty}"),
            false => String::new(),
        }
    }

    fn bind_self(&mut self, value: Value) -> Result<(), Stop> {
        let value = match value {
            Value::Expression { text, is_clean } => {
                self.let_variable("this", "", &text, is_clean)?
            }
            other => self.copied(other),
        };
        let slot = self.slot("this", value);
        self.declare("self", slot);
        Ok(())
    }

    pub(super) fn method_call(&mut self, call: &'p ExprMethodCall, whole: &'p Expr) -> Evaluated {
        let name = call.method.to_string();
        let whole_place = self.file().place(whole);
        let slot = self.slot_of(&call.receiver);
        let mut parts: Vec<&'p Expr> = Vec::new();
        if slot.is_none() {
            parts.push(&call.receiver);
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
                    Err(Stop::Unresolved) => {
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
                        let is_clean = false;
                        self.ended(called, Value::Expression { text, is_clean })
                    }
                    other => other,
                };
            }
        }
        if let Some(value) = self.of_made(&name, &receiver, &values) {
            return Ok(value);
        }
        self.outer_method(call, (slot, receiver), values)
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

    /// The value that is in another one, where its parts are known.
    fn of_made(&mut self, name: &str, receiver: &Value, arguments: &[Value]) -> Option<Value> {
        let value = match receiver {
            Value::Reference { to, .. } => self.store[*to].clone(),
            other => other.clone(),
        };
        match (name, &value) {
            ("unwrap" | "expect", Value::Made(made)) if matches!(&*made.path, "Some" | "Ok") => {
                Some(self.store[made.slot("0")?].clone())
            }
            ("clone" | "to_owned", Value::Made(made)) if arguments.is_empty() => {
                Some(self.copied(Value::Made(made.clone())))
            }
            _ => None,
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
        let receiver = operand(&receiver.0);
        let text = format!("{receiver}.{name}{turbofish}({})", texts.join(", "));
        Ok(Value::Expression { text, is_clean })
    }

    /// The text of a variable on which a method is called.
    fn receiver_of(&mut self, slot: Slot, method: &str) -> Result<(String, bool), Stop> {
        let behind = self.behind(slot);
        let is_literal = matches!(self.store[behind], Value::Known(_) | Value::Closure(_));
        if !(is_literal && is_reading(method)) {
            self.place_text(slot)?;
        }
        self.text_of(self.store[behind].clone())
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

    pub(super) fn tried(&mut self, one: &'p ExprTry, whole: &'p Expr) -> Evaluated {
        let value = self.eval(&one.expr)?;
        let slot = self.slot("value", value.clone());
        let behind = self.behind(slot);
        self.take_apart(behind);
        match self.store[behind].clone() {
            Value::Made(made) if matches!(&*made.path, "Some" | "Ok") => {
                let inner = made.slot("0").ok_or(Stop::GiveUp)?;
                Ok(self.store[inner].clone())
            }
            Value::Made(made) if made.path == "Err" => Err(Stop::Return(Value::Made(made))),
            Value::Known(text) if text == "None" => Err(Stop::Return(Value::Known(text))),
            _ => {
                let (text, is_clean) = self.text_of(value)?;
                let text = operand(&text);
                // The test's own result is what fails.
                if self.frames.len() == 1 {
                    let text = format!("{text}?");
                    return Ok(Value::Expression { text, is_clean });
                }
                if self.form.branches == Branches::Kept && !is_clean {
                    return Err(Stop::Unresolved);
                }
                let place = self.file().place(whole);
                let site = self.sites.values.get(&place).copied();
                let cursor = self.frame().cursor;
                let has_gone_on = site.is_none_or(|site| self.next_note(site).is_some());
                self.frame().cursor = cursor;
                match has_gone_on {
                    true => {
                        let text = format!("{text}.unwrap()");
                        Ok(Value::Expression { text, is_clean })
                    }
                    false => Err(Stop::Return(Value::Expression { text, is_clean })),
                }
            }
        }
    }

    // Macros.

    /// A macro call; where it is a statement it is no expression.
    pub(super) fn macro_call(&mut self, call: &'p Macro, whole: Option<&'p Expr>) -> Evaluated {
        let name = self.text(&call.path);
        let arguments = match self.program.arguments(self.file(), call) {
            Some(MacroArguments::Expressions(arguments)) => arguments,
            _ => {
                return match whole {
                    Some(whole) => self.kept(whole),
                    None => {
                        let text = self.text(call).to_owned();
                        let is_clean = !self.taint.is_in(&self.file().place(call));
                        Ok(Value::Expression { text, is_clean })
                    }
                };
            }
        };
        let arguments: Vec<&'p Expr> = arguments.iter().collect();
        match name {
            "vec" => {
                let values = self.all(&arguments)?;
                self.vector(values)
            }
            "panic" | "unreachable" | "todo" | "unimplemented" => {
                let (text, _) = self.macro_text(call, &arguments, 0)?;
                self.emit_effect(&text, false)?;
                Err(Stop::End)
            }
            _ => {
                let is_assertion = crate::passes::is_assertion_name(name);
                let n_values = match name {
                    "assert" | "debug_assert" => 1,
                    _ if is_assertion => 2,
                    _ => 0,
                };
                let (text, is_clean) = self.macro_text(call, &arguments, n_values)?;
                if is_assertion {
                    self.emit_effect(&text, is_clean)?;
                    return Ok(Value::Unit);
                }
                Ok(Value::Expression { text, is_clean })
            }
        }
    }

    /// A macro call with the values of its first arguments.
    fn macro_text(
        &mut self,
        call: &'p Macro,
        arguments: &[&'p Expr],
        n_values: usize,
    ) -> Result<(String, bool), Stop> {
        let name = self.text(&call.path);
        let (values, rest) = arguments.split_at(n_values.min(arguments.len()));
        let is_source = self.is_of_code_under_test(&self.file().place(&call.path));
        let values = self.all(values)?;
        let (mut texts, mut is_clean) = self.texts_of(values)?;
        is_clean &= !is_source;
        for one in rest {
            let value = self.kept(one)?;
            let text = self.text_of(value)?;
            is_clean &= text.1;
            texts.push(text.0);
        }
        Ok((format!("{name}!({})", texts.join(", ")), is_clean))
    }

    /// The value of a function that was walked through.
    fn returned(&mut self, result: Evaluated, called: &Call) -> Evaluated {
        let value = match result {
            Err(Stop::Return(value)) => value,
            Err(Stop::Break | Stop::Continue) => return Err(Stop::GiveUp),
            other => other?,
        };
        self.ended(called, value)
    }

    /// The value of a call, unless the run ends in it: then it is evaluated and that was all.
    fn ended(&mut self, called: &Call, value: Value) -> Evaluated {
        if called.has_ended {
            return Ok(value);
        }
        self.done_with(value)?;
        Err(Stop::End)
    }
}
