//! Macro calls: assertions, panics and lists are known; others stay.

use super::assumptions::are_other_variants;
use super::interpreter::{Branches, Interpreter};
use super::literal::last_name;
use super::values::{Evaluated, Stop, Value};
use reduce_syntax::MacroArguments;
use syn::{Expr, Macro};

impl<'p> Interpreter<'_, 'p> {
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
                let (texts, _) = self.macro_texts(call, &arguments, (0, false))?;
                self.emit_effect(&format!("{name}!({})", texts.join(", ")), false)?;
                Err(Stop::End)
            }
            _ => {
                let is_assertion = crate::passes::is_assertion_name(name);
                let n_values = match name {
                    "assert" | "debug_assert" => 1,
                    _ if is_assertion => 2,
                    _ => 0,
                };
                let end = self.end_of_assertion(call).filter(|_| is_assertion);
                let fails = end.is_some_and(|end| self.find_end(end).is_none());
                let (texts, is_clean) = self.macro_texts(call, &arguments, (n_values, fails))?;
                let text = format!("{name}!({})", texts.join(", "));
                if is_assertion {
                    self.emit_effect(&text, is_clean)?;
                    if end.is_none_or(|end| self.comes_behind(end)) {
                        return Ok(Value::Unit);
                    }
                    let differ =
                        matches!(&*texts, [one, other, ..] if are_other_variants(one, other));
                    self.is_end_decided = is_clean || (name == "assert_eq" && differ);
                    return Err(Stop::End);
                }
                Ok(Value::Expression { text, is_clean })
            }
        }
    }

    /// The site behind an assertion by which the run may end: it does if it does not come there.
    fn end_of_assertion(&mut self, call: &Macro) -> Option<usize> {
        let place = self.file().place(call);
        let site = self.sites.assertions.get(&place).copied();
        site.filter(|site| self.frame().is_last && !self.broken.contains(site))
    }

    /// The arguments of a macro call, with the values of the first ones. Those of the message of an assertion that fails (`fails`) are
    /// literals on a straight way: what it compares shows the bug. A line may end at what `format!` shows.
    fn macro_texts(
        &mut self,
        call: &'p Macro,
        arguments: &[&'p Expr],
        (n_values, fails): (usize, bool),
    ) -> Result<(Vec<String>, bool), Stop> {
        let (values, rest) = arguments.split_at(n_values.min(arguments.len()));
        let is_source = self.is_of_code_under_test(&self.file().place(&call.path));
        let is_within = std::mem::replace(&mut self.is_in_assertion, n_values > 0);
        let values = self.all(values);
        self.is_in_assertion = is_within;
        let values = values?;
        let (mut texts, mut is_clean) = self.texts_of(values)?;
        is_clean &= !is_source;
        let is_said = fails && self.form.branches == Branches::Resolved;
        let is_shown = self.differences.is_some() && last_name(self.text(&call.path)) == "format";
        for (idx, one) in rest.iter().enumerate() {
            let is_value = idx > 0 && !matches!(one, Expr::Assign(_));
            let is_within = std::mem::replace(&mut self.is_in_message, is_said && is_value);
            let value = match is_value && (is_said || is_shown) {
                true => self.eval(one),
                false => self.kept(one),
            };
            self.is_in_message = is_within;
            let value = value?;
            let text = self.text_of(value)?;
            is_clean &= text.1;
            texts.push(text.0);
        }
        Ok((texts, is_clean))
    }
}
