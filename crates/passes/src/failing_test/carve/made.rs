//! Values that are made of parts: lists, tuples and structs.

use super::interpreter::{Interpreter, member};
use super::literal::last_name;
use super::values::{Evaluated, Made, MadeForm, Slot, Stop, UNLIKE, Value};
use syn::{Expr, Member};

impl<'p> Interpreter<'_, 'p> {
    /// A list: a literal, or its parts if the code under test takes part in one of them.
    pub(super) fn list(&mut self, values: Vec<Value>, begin: &str) -> Evaluated {
        if values.iter().all(|value| self.is_clean(value)) {
            let texts = self.texts_of(values)?.0;
            return Ok(Value::Known(format!("{begin}[{}]", texts.join(", "))));
        }
        let Value::Made(made) = self.made(begin.to_owned(), values)? else {
            return Err(UNLIKE);
        };
        let form = MadeForm::Listed;
        Ok(Value::Made(Made { form, ..made }))
    }

    /// A list as `vec!` makes it.
    pub(super) fn vector(&mut self, values: Vec<Value>) -> Evaluated {
        self.list(values, "vec!")
    }

    /// A tuple or a value with fields in parentheses.
    pub(super) fn made(&mut self, path: String, values: Vec<Value>) -> Evaluated {
        let mut fields = Vec::new();
        for (idx, value) in values.into_iter().enumerate() {
            let slot = self.bound_part(&idx.to_string(), None, value)?;
            fields.push((idx.to_string(), slot));
        }
        Ok(Value::Made(Made {
            path,
            fields,
            form: MadeForm::Numbered,
        }))
    }

    /// The place of a value that becomes a part of another, which may have a type for it. It is evaluated now.
    pub(super) fn bound_part(
        &mut self,
        name: &str,
        ty: Option<&String>,
        value: Value,
    ) -> Result<Slot, Stop> {
        let value = match value {
            Value::Expression { text, is_clean } => {
                let ty = ty.map_or_else(String::new, |ty| self.annotation(ty, &text));
                self.let_variable(name, &ty, &text, is_clean)?
            }
            // A copy of what is behind a reference has no part in that any more.
            Value::Variable { text, is_clean } if text.starts_with('*') => {
                self.let_variable(name, "", &text, is_clean)?
            }
            other => self.copied(other),
        };
        Ok(self.slot_of_type(name, ty, value))
    }

    pub(super) fn structure(&mut self, one: &'p syn::ExprStruct) -> Evaluated {
        let path = self.path_text(&one.path, self.text(&one.path));
        if !self.own.all.contains(last_name(&path)) {
            return self.kept_structure(one, &path);
        }
        let parts: Vec<&'p Expr> = one.fields.iter().map(|field| &field.expr).collect();
        let values = self.all(&parts)?;
        let own = self.own;
        let types = own.fields.get(last_name(&path));
        let mut fields = Vec::new();
        for (field, value) in one.fields.iter().zip(values) {
            let name = member(&field.member);
            let mut types = types.into_iter().flatten();
            let ty = types.find(|(of, ..)| *of == name).map(|(_, ty, _)| ty);
            let slot = self.bound_part(&name, ty, value)?;
            fields.push((name, slot));
        }
        if let Some(rest) = &one.rest {
            let rest = self.eval(rest)?;
            let slot = self.slot("value", rest);
            let slot = self.behind(slot);
            self.take_apart(slot);
            let Value::Made(rest) = self.store[slot].clone() else {
                return Err(Stop::GiveUp(
                    "a struct is filled up from one that is not known",
                ));
            };
            for (name, slot) in rest.fields {
                if !fields.iter().any(|(known, _)| *known == name) {
                    let part = self.store[slot].clone();
                    let part = self.copied(part);
                    let part = self.slot(&name, part);
                    fields.push((name, part));
                }
            }
        }
        let is_named = one
            .fields
            .iter()
            .all(|field| matches!(field.member, Member::Named(_)));
        Ok(Value::Made(Made {
            path,
            fields,
            form: match is_named {
                true => MadeForm::Named,
                false => MadeForm::Numbered,
            },
        }))
    }

    fn kept_structure(&mut self, one: &'p syn::ExprStruct, path: &str) -> Evaluated {
        if one.rest.is_some() {
            return Err(Stop::GiveUp(
                "a struct is filled up from one that is not known",
            ));
        }
        let parts: Vec<&'p Expr> = one.fields.iter().map(|field| &field.expr).collect();
        let values = self.all(&parts)?;
        let is_source = self.is_of_code_under_test(&self.file().place(&one.path));
        let (texts, values_are_clean) = self.texts_of(values)?;
        let is_clean = values_are_clean && !is_source;
        let fields = one.fields.iter().zip(texts);
        let fields = fields.map(|(field, text)| format!("{}: {text}", member(&field.member)));
        let text = format!("{path} {{ {} }}", fields.collect::<Vec<_>>().join(", "));
        Ok(Value::Expression { text, is_clean })
    }
}
