//! Changes of values: assignments to what is known, or to a variable of the straight line, and the methods that change nothing.

use super::interpreter::Interpreter;
use super::literal::is_name;
use super::values::{Stop, Value};
use syn::Expr;

/// The methods of the standard library that leave alone what they are called on.
const READING: &str = "len is_empty iter get contains contains_key to_string clone as_str as_ref \
    is_some is_none is_ok is_err first last starts_with ends_with chars bytes lines split \
    split_whitespace trim keys values enumerate rev map filter copied cloned to_owned to_vec \
    as_slice as_bytes abs min max pow checked_add checked_sub checked_mul checked_div \
    saturating_add saturating_sub wrapping_add wrapping_sub saturating_add_signed splitn \
    split_inclusive split_once trim_end trim_start find rfind char_indices parse eq ne cmp \
    partial_cmp is_char_boundary is_alphanumeric is_ascii_digit is_alphabetic to_uppercase \
    to_lowercase repeat windows chunks join concat position any all sum count zip";

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
            // A function of the test may give back what it was given.
            if right == text {
                return Ok(());
            }
            // A name that a pattern has bound cannot be changed.
            if is_name(&text) && !self.line.is_mutable(&text) {
                self.store[slot] = self.let_variable(&text, "", &right, is_clean)?;
                return Ok(());
            }
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

/// Whether a method of this name leaves alone what it is called on.
pub(super) fn is_reading(name: &str) -> bool {
    READING.split_whitespace().any(|known| known == name)
}
