//! Assignments: to what is known, or to a variable of the straight line.

use super::interpreter::{Interpreter, Stop, Value};
use syn::Expr;

impl<'p> Interpreter<'_, 'p> {
    pub(super) fn assign(&mut self, left: &'p Expr, value: Value) -> Result<(), Stop> {
        let slot = self.slot_of(left);
        let Some(slot) = slot else {
            let left = self.kept(left)?;
            let (left, right) = (self.text_of(left)?, self.text_of(value)?);
            return self.emit_effect(&format!("{} = {}", left.0, right.0), left.1 && right.1);
        };
        let slot = match left {
            Expr::Unary(_) => self.behind(slot),
            _ => slot,
        };
        if let Value::Variable { text, .. } = self.store[slot].clone() {
            let (right, is_clean) = self.text_of(value)?;
            if !is_clean {
                self.taints(slot);
            }
            let is_clean = self.is_clean(&self.store[slot]);
            return self.emit_effect(&format!("{text} = {right}"), is_clean);
        }
        let value = match value {
            Value::Expression { text, is_clean } => {
                let name = self.names[slot].clone();
                self.let_variable(&name, "", &text, is_clean)?
            }
            other => self.copied(other),
        };
        self.store[slot] = value;
        Ok(())
    }

    pub(super) fn compound(&mut self, one: &'p syn::ExprBinary, value: Value) -> Result<(), Stop> {
        let operator = self.text(&one.op);
        let Some(slot) = self.slot_of(&one.left) else {
            let left = self.kept(&one.left)?;
            let (left, right) = (self.text_of(left)?, self.text_of(value)?);
            let text = format!("{} {operator} {}", left.0, right.0);
            return self.emit_effect(&text, left.1 && right.1);
        };
        let slot = self.behind(slot);
        if let (Value::Known(left), Value::Known(right)) = (&self.store[slot], &value)
            && let Some(sum) = super::arithmetic::computed(left, operator, right)
        {
            self.store[slot] = Value::Known(sum);
            return Ok(());
        }
        let (right, is_clean) = self.text_of(value)?;
        let place = self.place_text(slot)?;
        if !is_clean {
            self.taints(slot);
        }
        let is_clean = self.is_clean(&self.store[slot]);
        self.emit_effect(&format!("{place} {operator} {right}"), is_clean)
    }
}
