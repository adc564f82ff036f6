//! Writes statements and values of the straight line.

use super::interpreter::Interpreter;
use super::line::Statement;
use super::literal::{Shape, key_of, operand, shape};
use super::values::{Evaluated, Made, MadeForm, Slot, Stop, UNLIKE, Value};

/// The largest number of statements of a straight line.
const MOST_STATEMENTS: usize = 600;

impl<'p> Interpreter<'_, 'p> {
    pub(super) fn emit(&mut self, statement: Statement) -> Result<(), Stop> {
        self.line.statements.push(statement);
        let all = self.line.statements.iter();
        match all.filter(|one| one.scope.is_none()).count() > MOST_STATEMENTS {
            true => Err(Stop::GiveUp(
                "the straight line has more than 600 statements",
            )),
            false => Ok(()),
        }
    }

    pub(super) fn emit_effect(&mut self, text: &str, is_clean: bool) -> Result<(), Stop> {
        self.emit(Statement::new(format!("{text};"), is_clean))
    }

    /// Declares a variable of the straight line. Returns it as a value.
    pub(super) fn let_variable(
        &mut self,
        name: &str,
        ty: &str,
        text: &str,
        is_clean: bool,
    ) -> Evaluated {
        let name = self.line.fresh(name);
        self.emit(Statement {
            declares: Some(name.clone()),
            ..Statement::new(format!("let mut {name}{ty} = {text};"), is_clean)
        })?;
        let text = name;
        Ok(Value::Variable { text, is_clean })
    }

    /// Makes a variable of the straight line of what is at a place, so that it can be changed there.
    pub(super) fn place_text(&mut self, slot: Slot) -> Result<String, Stop> {
        let slot = self.behind(slot);
        if let Value::Variable { text, .. } = &self.store[slot] {
            return Ok(text.clone());
        }
        let value = self.store[slot].clone();
        let is_clean = self.is_clean(&value);
        let text = self.text_of(value.clone())?.0;
        // A reference to a list may be one to another of another length later.
        let text = match is_clean && text.starts_with("&[") && text.ends_with(']') {
            true => format!("{text}[..]"),
            false => text,
        };
        let name = self.names[slot].clone();
        let ty = self.types.get(&slot);
        let ty = ty.map_or_else(String::new, |ty| self.annotation(ty, &text));
        let variable = self.let_variable(&name, &ty, &text, is_clean)?;
        let Value::Variable { text, .. } = &variable else {
            return Err(UNLIKE);
        };
        let text = text.clone();
        if let Value::Made(made) = value {
            self.parts_of_variable(&made, &text, is_clean);
        }
        self.store[slot] = variable;
        Ok(text)
    }

    fn parts_of_variable(&mut self, made: &Made, whole: &str, is_clean: bool) {
        for (name, slot) in &made.fields {
            let text = match made.form {
                MadeForm::Numbered | MadeForm::Named => format!("{whole}.{name}"),
                MadeForm::Listed | MadeForm::Iterated => format!("{whole}[{name}]"),
                MadeForm::Keyed => format!("{whole}.get_mut({}).unwrap()", referred(&key_of(name))),
            };
            if let Value::Made(inner) = self.store[*slot].clone() {
                self.parts_of_variable(&inner, &text, is_clean);
            }
            self.store[*slot] = Value::Variable { text, is_clean };
        }
    }

    /// A variable of the straight line has something of the code under test in it now.
    pub(super) fn taints(&mut self, slot: Slot) {
        let slot = self.behind(slot);
        if let Value::Variable { is_clean, text } = &mut self.store[slot] {
            *is_clean = false;
            let root = root_of(text).to_owned();
            for statement in &mut self.line.statements {
                if statement.declares.as_deref() == Some(&root) {
                    statement.is_clean = false;
                }
            }
            for value in &mut self.store {
                if let Value::Variable { text, is_clean } = value
                    && root_of(text) == root
                {
                    *is_clean = false;
                }
            }
        }
    }

    /// The text of a value in the straight line, and whether it is clean.
    pub(super) fn text_of(&mut self, value: Value) -> Result<(String, bool), Stop> {
        let is_clean = self.is_clean(&value);
        let text = match value {
            Value::Known(text) | Value::Variable { text, .. } | Value::Expression { text, .. } => {
                text
            }
            Value::Unit => "()".to_owned(),
            Value::Reference { to, is_mut: true } => format!("&mut {}", self.place_text(to)?),
            Value::Reference { to, is_mut: false } => {
                let inner = self.store[self.behind(to)].clone();
                match inner {
                    // A slice or text is behind a reference wherever it is.
                    Value::Known(text) if text.starts_with(['"', '&']) => {
                        let text = text.strip_suffix(".to_string()").unwrap_or(&text);
                        text.to_owned()
                    }
                    inner => format!("&{}", operand_or_struct(&self.text_of(inner)?.0)),
                }
            }
            Value::Closure(number) => return self.closure_text(number),
            Value::Waiting(number) => return self.waiting_text(number),
            Value::Made(made) => self.made_text(&made)?,
        };
        Ok((text, is_clean))
    }

    /// The texts of values, and whether all of them are clean.
    pub(super) fn texts_of(&mut self, values: Vec<Value>) -> Result<(Vec<String>, bool), Stop> {
        let (mut texts, mut are_clean) = (Vec::new(), true);
        for value in values {
            let (text, is_clean) = self.text_of(value)?;
            are_clean &= is_clean;
            texts.push(text);
        }
        Ok((texts, are_clean))
    }

    pub(super) fn made_text(&mut self, made: &Made) -> Result<String, Stop> {
        let mut parts = Vec::new();
        for (name, slot) in &made.fields {
            let text = self.text_of(self.store[*slot].clone())?.0;
            parts.push(match made.form {
                MadeForm::Named if *name == text => text,
                MadeForm::Named => format!("{name}: {text}"),
                MadeForm::Keyed => format!("({}, {text})", name),
                _ => text,
            });
        }
        let all = parts.join(", ");
        let path = &made.path;
        Ok(match made.form {
            MadeForm::Named => format!("{path} {{ {all} }}"),
            MadeForm::Numbered if path.is_empty() && parts.len() == 1 => format!("({all},)"),
            MadeForm::Numbered => format!("{path}({all})"),
            MadeForm::Listed if path.ends_with("VecDeque") => format!("{path}::from([{all}])"),
            MadeForm::Listed => format!("{path}[{all}]"),
            MadeForm::Iterated if !path.is_empty() => path.clone(),
            MadeForm::Iterated => format!("[{all}].into_iter()"),
            MadeForm::Keyed => format!("{path}::from([{all}])"),
        })
    }
}

/// The text of a value behind `&`, which may be a struct.
fn operand_or_struct(text: &str) -> String {
    match matches!(shape(text), Shape::Fields(..)) {
        true => text.to_owned(),
        false => operand(text),
    }
}

/// The variable that a place is, or is a part of.
fn root_of(place: &str) -> &str {
    let place = place.trim_start_matches(['*', '(']);
    place.split(['.', '[', ')']).next().unwrap_or(place)
}

/// A key as it is looked for.
fn referred(key: &str) -> String {
    match key.starts_with('"') {
        true => key.to_owned(),
        false => format!("&{key}"),
    }
}
