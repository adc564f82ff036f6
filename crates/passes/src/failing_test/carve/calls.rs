//! Calls: those of the test's own functions and closures are walked through; others stay.

use super::expressions::with_types;
use super::interpreter::{Context, Frame, Interpreter};
use super::literal::last_name;
use super::results::{before_its_error, closed, propagated};
use super::sites::{Function, name_of_type, type_parameters};
use super::steps::Element;
use super::trace::Call;
use super::values::{Evaluated, Made, MadeForm, Slot, Stop, UNLIKE, Value};
use reduce_syntax::{is_number_type, names};
use std::collections::HashMap;
use syn::{Expr, ExprCall, ExprPath, FnArg, ReturnType};

/// The ends of expressions whose type says what they do.
const OPEN: [&str; 7] = [
    "vec![]",
    "::from([])",
    ".collect()",
    ".into()",
    ".sum()",
    ".parse().unwrap()",
    "default()",
];

impl<'t, 'p> Interpreter<'t, 'p> {
    pub(super) fn call(&mut self, call: &'p ExprCall, whole: &'p Expr) -> Evaluated {
        let arguments: Vec<&'p Expr> = call.args.iter().collect();
        if let Some(slot) = self.slot_of(&call.func) {
            let values = self.all(&arguments)?;
            let slot = self.behind(slot);
            if let Value::Closure(number) = self.store[slot] {
                let values = values.into_iter().map(Element::One).collect();
                return self.call_closure(number, values, whole);
            }
            return self.call_of_variable(slot, values, whole);
        }
        let Expr::Path(path) = &*call.func else {
            return self.kept(whole);
        };
        let values = self.all(&arguments)?;
        self.call_of_path(path, values, whole)
    }

    /// The call of a function that a variable has.
    pub(super) fn call_of_variable(
        &mut self,
        slot: Slot,
        values: Vec<Value>,
        whole: &'p Expr,
    ) -> Evaluated {
        let text = self.place_text(slot)?;
        let is_source = !self.is_clean(&self.store[slot]);
        let text = match text.contains(['.', '[', '*']) {
            true => format!("({text})"),
            false => text,
        };
        self.call_of_function(text, is_source, values, whole)
    }

    /// The call of a function that a path means.
    pub(super) fn call_of_path(
        &mut self,
        path: &'p ExprPath,
        values: Vec<Value>,
        whole: &'p Expr,
    ) -> Evaluated {
        let text = self.path_text(&path.path, self.text(path));
        let is_source = self.is_of_code_under_test(&self.file().place(path));
        self.call_of_function(text, is_source, values, whole)
    }

    /// The call of the function with this text, which may be one of the code under test.
    fn call_of_function(
        &mut self,
        text: String,
        is_source: bool,
        values: Vec<Value>,
        whole: &'p Expr,
    ) -> Evaluated {
        let whole_place = self.file().place(whole);
        let name = last_name(text.split("::<").next().unwrap_or(&text)).to_owned();
        if self.own.constructors.contains(&name) || matches!(&*text, "Some" | "Ok" | "Err") {
            return self.made(text, values);
        }
        if self.own.functions.contains(&name) {
            let sites = self.sites;
            let is_meant = |site: usize| sites.is_function(site, &name);
            if let Some(called) = self.next_call(&whole_place, is_meant) {
                let mark = self.mark();
                return match self.walk_through(called, None, values.clone()) {
                    Err(Stop::Unresolved | Stop::GiveUp(_)) => {
                        self.back_to(mark);
                        let texts = self.argument_texts(values, false)?.0;
                        let text = awaited(format!("{text}({})", texts.join(", ")), whole);
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
        if !is_source && let Some(empty) = Self::empty_collection(&text) {
            return Ok(empty);
        }
        let (texts, are_clean) = self.argument_texts(values, true)?;
        let text = awaited(format!("{text}({})", texts.join(", ")), whole);
        self.n_calls += usize::from(is_source);
        let is_clean = are_clean && !is_source;
        Ok(Value::Expression { text, is_clean })
    }

    /// The default of a struct of the test, which is that of each of its fields.
    fn default_of(&mut self, path: &str) -> Result<Option<Value>, Stop> {
        let own = self.own;
        let name = path.rsplit("::").nth(1).unwrap_or_default().trim();
        let Some(fields) = own.fields.get(name) else {
            return Ok(None);
        };
        let mut slots = Vec::new();
        for (field, ty, is_source) in fields {
            let known = match is_source {
                true => None,
                false => Self::default_of_type(ty),
            };
            let value = match known {
                Some(known) => known,
                None => {
                    let ty = format!(": {ty}");
                    self.let_variable(field, &ty, "Default::default()", !is_source)?
                }
            };
            let slot = self.slot_of_type(field, Some(ty), value);
            slots.push((field.clone(), slot));
        }
        Ok(Some(Value::Made(Made {
            path: name.to_owned(),
            fields: slots,
            form: MadeForm::Named,
        })))
    }

    /// The default of a type of the standard library that is known.
    fn default_of_type(ty: &str) -> Option<Value> {
        let head = ty.split('<').next().unwrap_or(ty).trim();
        match head {
            "bool" => Some(Value::Known("false".to_owned())),
            "String" => Some(Value::Known("\"\".to_string()".to_owned())),
            "f32" | "f64" => Some(Value::Known(format!("0.0_{head}"))),
            "Option" => Some(Value::Known("None".to_owned())),
            head if is_number_type(head) => Some(Value::Known(format!("0_{head}"))),
            head => Self::empty_collection(&format!("{head}::new")),
        }
    }

    /// The texts of arguments. What is passed to be changed has something of the code under test in it afterwards, if that is
    /// what is called.
    pub(super) fn argument_texts(
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

    /// The site of a closure, by its number.
    pub(super) fn site_of_closure(&self, number: usize) -> Option<usize> {
        let captured = &self.closures[number];
        let place = captured.context.file.place(captured.closure);
        self.sites.closures.get(&place).copied()
    }

    pub(super) fn call_closure(
        &mut self,
        number: usize,
        values: Vec<Element>,
        whole: &'p Expr,
    ) -> Evaluated {
        let captured = self.closures[number].clone();
        let site = self.site_of_closure(number);
        let whole_place = self.file().place(whole);
        let called = self.next_call(&whole_place, |entered| Some(entered) == site);
        let Some(called) = called.filter(|_| !self.is_too_deep()) else {
            return Err(Stop::GiveUp(
                "a closure was entered in a way that the trace does not tell",
            ));
        };
        let mut context = captured.context;
        context.scopes.push(HashMap::new());
        self.frames.push(Frame::of_call(context, called));
        let result = self.closure_body(captured.closure, called.site, values);
        self.frames.pop();
        self.returned(result, called)
    }

    fn closure_body(
        &mut self,
        closure: &'p syn::ExprClosure,
        site: usize,
        values: Vec<Element>,
    ) -> Evaluated {
        for (input, value) in closure.inputs.iter().zip(values) {
            match value {
                Element::One(value @ (Value::Known(_) | Value::Made(_))) => {
                    self.bind(input, value)?;
                }
                Element::One(value) => self.bind_told(input, site, Some(value))?,
                Element::Untold => self.bind_told(input, site, None)?,
                Element::Many(_) => return Err(UNLIKE),
            }
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
        } = *self
            .sites
            .functions
            .get(&called.site)
            .ok_or(Stop::GiveUp("a function of a macro was entered"))?;
        if self.is_too_deep() {
            return Err(Stop::GiveUp("functions are entered more than 40 deep"));
        }
        let context = Context {
            file,
            scopes: vec![HashMap::new()],
            self_type: home.and_then(name_of_type),
            types: self.sites.types_of(called),
        };
        let types = context.types.clone();
        let text = file.text(block);
        let names_unknown =
            |name: &String| !types.contains_key(name) && names(text).any(|word| word == name);
        if type_parameters(home, signature).iter().any(names_unknown) {
            return Err(Stop::GiveUp(
                "a function names a type that only other code can name",
            ));
        }
        self.frames.push(Frame::of_call(context, called));
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
        if let Err(Stop::Fails { text, is_clean }) = result {
            result = self.failed(&signature.output, file, (&text, is_clean));
        }
        if !called.has_ended
            && let ReturnType::Type(_, ty) = &signature.output
        {
            result = self.ending(result, with_types(&types, file.text(&**ty)));
        }
        let value = self.returned(result, called)?;
        let names_source = match &signature.output {
            ReturnType::Type(_, ty) => self.is_of_code_under_test(&file.place(&**ty)),
            ReturnType::Default => false,
        };
        match (value, &signature.output) {
            (Value::Expression { text, is_clean }, ReturnType::Type(_, ty))
                if signature.generics.type_params().next().is_none() =>
            {
                let ty = &with_types(&types, file.text(ty));
                let is_clean = is_clean && !names_source;
                let text = match self.is_nameable(ty) {
                    true => closed(&text, ty),
                    false => text,
                };
                let ty = match propagated(&text) {
                    Some(_) => String::new(),
                    None => self.annotation(ty, &text),
                };
                if ty.is_empty() {
                    return Ok(Value::Expression { text, is_clean });
                }
                let name = signature.ident.to_string();
                self.let_variable(&name, &ty, &text, is_clean)
            }
            (value, _) => Ok(value),
        }
    }

    /// The type of a variable, where the text of its value does not say it.
    pub(super) fn annotation(&self, ty: &str, text: &str) -> String {
        let is_open = OPEN.iter().any(|end| text.ends_with(end));
        match (is_open || self.form.is_typed) && self.is_nameable(ty) {
            true => format!(": {ty}"),
            false => String::new(),
        }
    }

    /// Whether a type may stand in the straight line.
    pub(super) fn is_nameable(&self, ty: &str) -> bool {
        !ty.contains("impl ") && !ty.contains("Self") && !ty.contains('\'')
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

    /// The value of a function that was walked through.
    fn returned(&mut self, result: Evaluated, called: &Call) -> Evaluated {
        let value = match result {
            Err(Stop::Return(value)) => value,
            Err(Stop::Break | Stop::Continue | Stop::Fails { .. }) => return Err(UNLIKE),
            other => other?,
        };
        self.ended(called, value)
    }

    /// The value of a function of this type in which the run ends, with its type in it.
    fn ending(&self, result: Evaluated, ty: String) -> Evaluated {
        match result.map(Value::tainted) {
            Ok(Value::Expression { text, is_clean }) if self.is_nameable(&ty) => {
                let text = before_its_error(&closed(&text, &ty)).to_owned();
                Ok(Value::Expression { text, is_clean })
            }
            other => other,
        }
    }

    /// The value of a call, unless the run ends in it: then it is evaluated and that was all.
    pub(super) fn ended(&mut self, called: &Call, value: Value) -> Evaluated {
        if called.has_ended {
            return Ok(value);
        }
        self.done_with(value)?;
        Err(Stop::End)
    }
}

/// The text of a call, with `await` where the call is looked at as what its future gives.
pub(super) fn awaited(text: String, whole: &Expr) -> String {
    match whole {
        Expr::Await(_) => format!("{text}.await"),
        _ => text,
    }
}
