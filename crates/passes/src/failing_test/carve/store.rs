//! The places of the test's variables and of the parts of these.

use super::interpreter::{Interpreter, member};
use super::literal::{Shape, behind_reference, key_of, last_name, list_elements, operand, shape};
use super::values::{Made, MadeForm, Slot, Value};
use syn::{Expr, UnOp};

impl<'p> Interpreter<'_, 'p> {
    pub(super) fn slot(&mut self, name: &str, value: Value) -> Slot {
        self.store.push(value);
        self.names.push(name.to_owned());
        self.store.len() - 1
    }

    /// A place of which the type is known, if there is one.
    pub(super) fn slot_of_type(&mut self, name: &str, ty: Option<&String>, value: Value) -> Slot {
        let slot = self.slot(name, value);
        self.types.extend(ty.map(|ty| (slot, ty.clone())));
        slot
    }

    pub(super) fn declare(&mut self, name: &str, slot: Slot) {
        if let Some(scope) = self.frame().context.scopes.last_mut() {
            scope.insert(name.to_owned(), slot);
        }
    }

    pub(super) fn variable(&self, name: &str) -> Option<Slot> {
        let context = &self.frames[self.frames.len() - 1].context;
        context
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(name).copied())
    }

    /// The place that references lead to in the end.
    pub(super) fn behind(&self, mut slot: Slot) -> Slot {
        while let Value::Reference { to, .. } = self.store[slot] {
            slot = to;
        }
        slot
    }

    /// The place in the store that an expression means.
    pub(super) fn slot_of(&mut self, expression: &Expr) -> Option<Slot> {
        match expression {
            Expr::Path(path) if path.qself.is_none() => {
                self.variable(&path.path.get_ident()?.to_string())
            }
            Expr::Paren(one) => self.slot_of(&one.expr),
            Expr::Unary(one) if matches!(one.op, UnOp::Deref(_)) => {
                let slot = self.slot_of(&one.expr)?;
                if let Value::Variable { text, is_clean } = &self.store[slot] {
                    let (text, is_clean) = (format!("*{text}"), *is_clean);
                    return Some(self.slot("", Value::Variable { text, is_clean }));
                }
                let slot = self.behind(slot);
                // A literal of a reference was observed, and is none of another place.
                let referent = match &self.store[slot] {
                    Value::Known(text) => behind_reference(text).map(str::to_owned),
                    _ => None,
                };
                Some(match referent {
                    Some(text) => self.slot("", Value::Known(text)),
                    None => slot,
                })
            }
            Expr::Field(one) => {
                let base = self.slot_of(&one.base)?;
                let base = self.behind(base);
                self.field(base, &member(&one.member))
            }
            Expr::Index(one) => {
                let base = self.slot_of(&one.expr)?;
                let index = self.known(&one.index)?;
                self.element(base, &index)
            }
            _ => None,
        }
    }

    /// The literal that an expression is, or that a variable has.
    fn known(&mut self, expression: &Expr) -> Option<String> {
        let slot = match expression {
            Expr::Lit(one) => return Some(self.text(one).to_owned()),
            Expr::Reference(one) => return self.known(&one.expr),
            other => self.slot_of(other)?,
        };
        match &self.store[self.behind(slot)] {
            Value::Known(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// The place of an element of a list or map.
    pub(super) fn element(&mut self, base: Slot, index: &str) -> Option<Slot> {
        let base = self.behind(base);
        let is_list =
            matches!(&self.store[base], Value::Known(text) if list_elements(text).is_some());
        if is_list {
            self.take_apart(base);
        }
        match &self.store[base] {
            Value::Made(made) if matches!(made.form, MadeForm::Listed | MadeForm::Keyed) => {
                made.slot(&key_of(index))
            }
            _ => None,
        }
    }

    /// The elements of a list in a range.
    pub(super) fn part_of_list(&self, base: Slot, range: &str) -> Option<Value> {
        let Value::Made(made) = &self.store[self.behind(base)] else {
            return None;
        };
        let (start, end) = range.split_once("..")?;
        let bound = |text: &str, open: usize| match text.trim() {
            "" => Some(open),
            text => key_of(text).parse().ok(),
        };
        let range = bound(start, 0)?..bound(end, made.fields.len())?;
        let is_list = made.form == MadeForm::Listed && matches!(&*made.path, "" | "vec!");
        let parts = made.fields.get(range).filter(|_| is_list)?;
        let slots = parts.iter().map(|(_, slot)| *slot).enumerate();
        let fields = slots.map(|(nth, slot)| (nth.to_string(), slot)).collect();
        Some(Value::Made(Made {
            path: String::new(),
            fields,
            form: MadeForm::Listed,
        }))
    }

    /// The place of a field.
    pub(super) fn field(&mut self, base: Slot, name: &str) -> Option<Slot> {
        self.take_apart(base);
        match self.store[base].clone() {
            Value::Made(made) => made.slot(name),
            Value::Variable { text, is_clean } => {
                let text = format!("{}.{name}", operand(&text));
                Some(self.slot(name, Value::Variable { text, is_clean }))
            }
            _ => None,
        }
    }

    /// Makes parts of a literal.
    pub(super) fn take_apart(&mut self, slot: Slot) {
        if let Value::Known(literal) = &self.store[slot]
            && let Some(made) = self.made_of_literal(&literal.clone())
        {
            self.store[slot] = made;
        }
    }

    fn made_of_literal(&mut self, literal: &str) -> Option<Value> {
        let numbered = |parts: Vec<String>| {
            let numbered = parts.into_iter().enumerate();
            let fields = numbered.map(|(idx, part)| (idx.to_string(), part));
            fields.collect::<Vec<_>>()
        };
        let (path, fields, form) = match shape(literal) {
            Shape::Tuple(path, parts) => match path.strip_suffix("::from") {
                Some(map) => (map.to_owned(), entries(parts.first()?)?, MadeForm::Keyed),
                None => (path, numbered(parts), MadeForm::Numbered),
            },
            Shape::Fields(path, fields) => (path, fields, MadeForm::Named),
            Shape::List(parts) => {
                let path = if literal.starts_with("vec") {
                    "vec!"
                } else {
                    ""
                };
                (path.to_owned(), numbered(parts), MadeForm::Listed)
            }
            _ => return None,
        };
        let is_own = match form {
            MadeForm::Numbered | MadeForm::Named => path.is_empty() || self.is_made(&path),
            _ => true,
        };
        let mut slots = Vec::new();
        for (name, literal) in fields.into_iter().filter(|_| is_own) {
            let slot = self.slot(&name, Value::Known(literal));
            slots.push((name, slot));
        }
        let fields = slots;
        is_own.then_some(Value::Made(Made { path, fields, form }))
    }

    /// Whether a path makes a value of which the parts are known.
    pub(super) fn is_made(&self, path: &str) -> bool {
        let name = last_name(path);
        matches!(name, "Some" | "Ok" | "Err") || self.own.all.contains(name)
    }

    /// A value of its own with the same parts.
    pub(super) fn copied(&mut self, value: Value) -> Value {
        let Value::Made(mut made) = value else {
            return value;
        };
        for (name, slot) in &mut made.fields {
            let part = self.store[*slot].clone();
            let part = self.copied(part);
            let ty = self.types.get(slot).cloned();
            *slot = self.slot_of_type(name, ty.as_ref(), part);
        }
        Value::Made(made)
    }

    pub(super) fn is_clean(&self, value: &Value) -> bool {
        match value {
            Value::Known(_) | Value::Unit => true,
            Value::Made(made) => made
                .fields
                .iter()
                .all(|(_, slot)| self.is_clean(&self.store[*slot])),
            Value::Reference { to, .. } => self.is_clean(&self.store[*to]),
            // Only a chain waits that the code under test has a part in.
            Value::Waiting(_) => false,
            Value::Closure(number) => {
                let place = self.closures[*number]
                    .context
                    .file
                    .place(self.closures[*number].closure);
                !self.taint.is_in(&place)
            }
            Value::Variable { is_clean, .. } | Value::Expression { is_clean, .. } => *is_clean,
        }
    }
}

/// The entries of a map, from the literal of their list.
fn entries(literal: &str) -> Option<Vec<(String, String)>> {
    let pair = |entry: String| match shape(&entry) {
        Shape::Tuple(path, parts) if path.is_empty() => {
            let [key, value]: [String; 2] = parts.try_into().ok()?;
            Some((key, value))
        }
        _ => None,
    };
    list_elements(literal)?.into_iter().map(pair).collect()
}
