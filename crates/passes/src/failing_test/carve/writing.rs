//! Writes statements and values of the straight line.

use super::interpreter::{Evaluated, Interpreter, Made, Slot, Stop, Value};
use super::line::Statement;
use super::literal::{Shape, operand, shape};

/// The largest number of statements of a straight line.
const MOST_STATEMENTS: usize = 600;

impl<'p> Interpreter<'_, 'p> {
    pub(super) fn emit(&mut self, statement: Statement) -> Result<(), Stop> {
        self.line.statements.push(statement);
        match self.line.statements.len() > MOST_STATEMENTS {
            true => Err(Stop::GiveUp),
            false => Ok(()),
        }
    }

    pub(super) fn emit_effect(&mut self, text: &str, is_clean: bool) -> Result<(), Stop> {
        self.emit(Statement {
            text: format!("{text};"),
            declares: None,
            is_clean,
        })
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
            text: format!("let mut {name}{ty} = {text};"),
            declares: Some(name.clone()),
            is_clean,
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
        let name = self.names[slot].clone();
        let variable = self.let_variable(&name, "", &text, is_clean)?;
        let Value::Variable { text, .. } = &variable else {
            return Err(Stop::GiveUp);
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
            let text = format!("{whole}.{name}");
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
            let root = text.split('.').next().unwrap_or_default().to_owned();
            for statement in &mut self.line.statements {
                if statement.declares.as_deref() == Some(&root) {
                    statement.is_clean = false;
                }
            }
            for value in &mut self.store {
                if let Value::Variable { text, is_clean } = value
                    && text.split('.').next() == Some(&root)
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
                    Value::Known(text) if text.starts_with(['"', '&']) => text,
                    inner => format!("&{}", operand_or_struct(&self.text_of(inner)?.0)),
                }
            }
            Value::Closure(number) => return self.closure_text(number),
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

    fn made_text(&mut self, made: &Made) -> Result<String, Stop> {
        let mut parts = Vec::new();
        for (name, slot) in &made.fields {
            let text = self.text_of(self.store[*slot].clone())?.0;
            parts.push(match made.is_named {
                true if *name == text => text,
                true => format!("{name}: {text}"),
                false => text,
            });
        }
        let parts = match (made.path.is_empty(), parts.as_slice()) {
            (true, [one]) => format!("{one},"),
            _ => parts.join(", "),
        };
        Ok(match made.is_named {
            true => format!("{} {{ {parts} }}", made.path),
            false => format!("{}({parts})", made.path),
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
