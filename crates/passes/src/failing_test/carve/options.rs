//! Options and results: what is in them, and what leaves a function.

use super::interpreter::{Branches, Interpreter};
use super::literal::operand;
use super::results::{before_its_error, propagated, propagating};
use super::steps::Element;
use super::values::{Evaluated, Made, Stop, UNLIKE, Value};
use crate::program::SyntaxFile;
use syn::{Expr, ExprTry, ReturnType};

impl<'p> Interpreter<'_, 'p> {
    /// The value that is in another one, where its parts are known.
    pub(super) fn of_made(
        &mut self,
        name: &str,
        receiver: &Value,
        arguments: &[Value],
    ) -> Option<Value> {
        let value = match receiver {
            Value::Reference { to, .. } => self.store[*to].clone(),
            other => other.clone(),
        };
        match (name, &value) {
            ("unwrap" | "expect", Value::Made(made)) if matches!(&*made.path, "Some" | "Ok") => {
                Some(self.store[made.slot("0")?].clone())
            }
            ("as_ref" | "as_str" | "borrow", Value::Known(text))
                if text.starts_with('"')
                    && text.trim_end_matches(".to_string()").ends_with('"') =>
            {
                let text = text.trim_end_matches(".to_string()");
                Some(Value::Known(text.to_owned()))
            }
            ("clone" | "to_owned", Value::Made(made)) if arguments.is_empty() => {
                self.cloned("value", Value::Made(made.clone())).ok()
            }
            ("unwrap_or" | "unwrap_or_else" | "unwrap_or_default", Value::Made(made))
                if matches!(&*made.path, "Some" | "Ok") =>
            {
                Some(self.store[made.slot("0")?].clone())
            }
            ("map_err" | "context" | "with_context", Value::Made(made)) if made.path == "Ok" => {
                Some(value)
            }
            ("ok_or" | "ok_or_else" | "context" | "with_context", Value::Made(made))
                if made.path == "Some" =>
            {
                let path = "Ok".to_owned();
                let made = made.clone();
                Some(Value::Made(Made { path, ..made }))
            }
            ("ok", Value::Made(made)) if made.path == "Ok" => {
                let path = "Some".to_owned();
                let made = made.clone();
                Some(Value::Made(Made { path, ..made }))
            }
            ("copied" | "cloned", Value::Made(made)) if made.path == "Some" => {
                let slot = made.slot("0")?;
                let Value::Reference { to, .. } = self.store[slot] else {
                    return None;
                };
                let inner = self.store[to].clone();
                let inner = self.copied(inner);
                Some(self.option(Some(inner)))
            }
            _ => None,
        }
    }

    /// The value of a method that calls a function with what is in an option or result, where that is known.
    pub(super) fn mapped(
        &mut self,
        name: &str,
        receiver: &Value,
        arguments: &[Value],
        whole: &'p Expr,
    ) -> Result<Option<Value>, Stop> {
        let function = match (name, arguments) {
            ("map" | "and_then", [function]) | ("map_or" | "map_or_else", [_, function]) => {
                function
            }
            _ => return Ok(None),
        };
        let slot = self.slot("value", receiver.clone());
        let slot = self.behind(slot);
        self.take_apart(slot);
        let (path, inner) = match &self.store[slot] {
            Value::Known(text) if text == "None" => {
                return Ok(match name {
                    "map_or" => Some(arguments[0].clone()),
                    "map_or_else" => None,
                    _ => Some(self.option(None)),
                });
            }
            Value::Made(made) if matches!(&*made.path, "Some" | "Ok") => {
                (made.path.clone(), made.slot("0").ok_or(UNLIKE)?)
            }
            _ => return Ok(None),
        };
        let Some(function) = self.function_of(function.clone()) else {
            return Ok(None);
        };
        let inner = Element::One(self.store[inner].clone());
        let mark = self.mark();
        match (name, self.applied(function, vec![inner], whole)) {
            (_, Err(Stop::GiveUp(_))) => {
                self.back_to(mark);
                Ok(None)
            }
            ("map", value) => self.made(path, vec![value?]).map(Some),
            (_, value) => value.map(Some),
        }
    }

    /// A clone of a value, with clones of the variables of the line that are its parts.
    fn cloned(&mut self, name: &str, value: Value) -> Evaluated {
        match value {
            Value::Made(mut made) => {
                for (name, slot) in &mut made.fields {
                    let part = self.store[*slot].clone();
                    let part = self.cloned(name, part)?;
                    *slot = self.slot(name, part);
                }
                Ok(Value::Made(made))
            }
            Value::Variable { text, is_clean } => {
                self.let_variable(name, "", &format!("{text}.clone()"), is_clean)
            }
            other => Ok(other),
        }
    }

    /// The value of a function that an error of the code under test has left.
    pub(super) fn failed(
        &mut self,
        output: &ReturnType,
        file: SyntaxFile<'_>,
        (text, is_clean): (&str, bool),
    ) -> Evaluated {
        let ReturnType::Type(_, ty) = output else {
            return Err(Stop::GiveUp("a function is left by an error of another"));
        };
        let ty = file.text(ty);
        match propagating(text, ty) {
            Some(text) if self.is_nameable(ty) => Ok(Value::Expression { text, is_clean }),
            None if ty.contains("Option") => {
                self.emit_effect(text, is_clean)?;
                Ok(self.option(None))
            }
            _ => Err(Stop::GiveUp("a function is left by an error of another")),
        }
    }

    pub(super) fn tried(&mut self, one: &'p ExprTry, whole: &'p Expr) -> Evaluated {
        let value = self.eval(&one.expr)?;
        let slot = self.slot("value", value.clone());
        let behind = self.behind(slot);
        self.take_apart(behind);
        match self.store[behind].clone() {
            Value::Made(made) if matches!(&*made.path, "Some" | "Ok") => {
                let inner = made.slot("0").ok_or(UNLIKE)?;
                Ok(self.store[inner].clone())
            }
            Value::Made(made) if made.path == "Err" => Err(Stop::Return(Value::Made(made))),
            Value::Known(text) if text == "None" => Err(Stop::Return(Value::Known(text))),
            _ => {
                let (text, is_clean) = self.text_of(value)?;
                if let Some(failed) = propagated(&text) {
                    let text = failed.to_owned();
                    return Err(Stop::Fails { text, is_clean });
                }
                let text = operand(&text);
                let is_of_test = self.frames.len() == 1;
                if !is_of_test && self.form.branches == Branches::Kept && !is_clean {
                    return Err(Stop::Unresolved);
                }
                match self.has_gone_on(whole) {
                    // The test's own result is what fails.
                    true if is_of_test => {
                        let text = format!("{text}?");
                        Ok(Value::Expression { text, is_clean })
                    }
                    true => {
                        self.may_panic_instead |= !is_clean;
                        let text = format!("{}.unwrap()", before_its_error(&text));
                        Ok(Value::Expression { text, is_clean })
                    }
                    false => Err(Stop::Fails { text, is_clean }),
                }
            }
        }
    }

    /// Whether the run has gone on after an expression with `?`.
    fn has_gone_on(&mut self, whole: &Expr) -> bool {
        let place = self.file().place(whole);
        let of_value = self.sites.values.get(&place);
        let of_value = of_value.filter(|site| !self.broken.contains(site));
        let site = of_value.or(self.sites.types.get(&place)).copied();
        let cursor = self.frame().cursor;
        let has_gone_on = site.is_none_or(|site| self.next_note(site).is_some());
        self.frame().cursor = cursor;
        has_gone_on
    }
}
