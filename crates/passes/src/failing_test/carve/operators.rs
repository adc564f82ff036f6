//! Operators that make a value of others.

use super::interpreter::Interpreter;
use super::literal::{behind_reference, operand};
use super::values::{Evaluated, Value};
use syn::{Expr, UnOp};

impl<'p> Interpreter<'_, 'p> {
    pub(super) fn reference(&mut self, one: &'p syn::ExprReference) -> Evaluated {
        let is_mut = one.mutability.is_some();
        if let Some(to) = self.slot_of(&one.expr) {
            return Ok(Value::Reference { to, is_mut });
        }
        match self.eval(&one.expr)? {
            Value::Expression { text, is_clean } => {
                let word = if is_mut { "&mut " } else { "&" };
                let text = format!("{word}{}", operand(&text));
                Ok(Value::Expression { text, is_clean })
            }
            value => {
                let to = self.slot("value", value);
                Ok(Value::Reference { to, is_mut })
            }
        }
    }

    pub(super) fn unary(&mut self, one: &'p syn::ExprUnary) -> Evaluated {
        let value = self.eval(&one.expr)?;
        if matches!(one.op, UnOp::Deref(_)) {
            match value {
                Value::Reference { to, .. } => return Ok(self.store[to].clone()),
                Value::Known(text) if !text.starts_with('"') => {
                    let text = behind_reference(&text).unwrap_or(&text).to_owned();
                    return Ok(Value::Known(text));
                }
                _ => {}
            }
        }
        let (text, is_clean) = self.text_of(value)?;
        let text = format!("{}{}", self.text(&one.op), operand(&text));
        match (&*one.expr, is_clean) {
            (Expr::Lit(_), true) => Ok(Value::Known(text)),
            _ => Ok(Value::Expression { text, is_clean }),
        }
    }

    pub(super) fn binary(&mut self, one: &'p syn::ExprBinary) -> Evaluated {
        if crate::precedence::is_assignment(&one.op) {
            let value = self.eval(&one.right)?;
            self.compound(one, value)?;
            return Ok(Value::Unit);
        }
        let (left, right) = match one.op {
            // The other side may not be evaluated.
            syn::BinOp::And(_) | syn::BinOp::Or(_) => {
                let left = self.eval(&one.left)?;
                let is_left_enough = matches!(one.op, syn::BinOp::Or(_)).to_string();
                match &left {
                    Value::Known(text) if *text == is_left_enough => return Ok(left),
                    Value::Known(_) => return self.eval(&one.right),
                    _ => {}
                }
                (left, self.kept(&one.right)?)
            }
            _ => {
                let mut both = self.all(&[&one.left, &one.right])?;
                let right = both.pop().unwrap_or(Value::Unit);
                (both.pop().unwrap_or(Value::Unit), right)
            }
        };
        let (left, right) = (self.text_of(left)?, self.text_of(right)?);
        let operator = self.text(&one.op);
        let text = format!("{} {operator} {}", operand(&left.0), operand(&right.0));
        let is_clean = left.1 && right.1;
        Ok(Value::Expression { text, is_clean })
    }
}
