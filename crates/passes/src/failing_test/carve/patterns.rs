//! Patterns: they bind the parts of a value, or stay where the value is one of the code under test.

use super::interpreter::{Interpreter, member};
use super::line::Statement;
use super::literal::{Shape, behind_reference, edited, last_name, list_elements, operand, shape};
use super::results::{before_its_error, closed};
use super::values::{Stop, UNLIKE, Value};
use crate::failing_test::run_values::BoundNames;
use reduce_syntax::TokenCursor;
use syn::{Pat, PatIdent};

impl<'p> Interpreter<'_, 'p> {
    /// Binds the names of a pattern that matches a value.
    pub(super) fn bind(&mut self, pattern: &'p Pat, value: Value) -> Result<(), Stop> {
        self.bind_typed(pattern, "", value)
    }

    /// Binds the names of a pattern; if the value is not evaluated yet, its variable has this type.
    pub(super) fn bind_typed(
        &mut self,
        pattern: &'p Pat,
        ty: &str,
        value: Value,
    ) -> Result<(), Stop> {
        match pattern {
            Pat::Ident(name) if !is_constant(name) => self.bind_name(name, ty, value),
            Pat::Ident(_) | Pat::Lit(_) | Pat::Path(_) | Pat::Range(_) => {
                self.has_matched(pattern, value)
            }
            Pat::Type(typed) => {
                let names_source = self.is_of_code_under_test(&self.file().place(&*typed.ty));
                let value = match value {
                    Value::Expression { text, is_clean } => Value::Expression {
                        text,
                        is_clean: is_clean && !names_source,
                    },
                    other => other,
                };
                let ty = self.with_types(self.text(&*typed.ty));
                self.bind_typed(&typed.pat, &ty, value)
            }
            Pat::Paren(one) => self.bind_typed(&one.pat, ty, value),
            // The arm was taken.
            Pat::Guard(one) => {
                self.bind_typed(&one.pat, ty, value)?;
                self.has_guarded(one)
            }
            Pat::Wild(_) => self.done_with(value),
            Pat::Reference(one) => self.bind_behind(one, value),
            Pat::Tuple(one) => {
                let patterns: Vec<&'p Pat> = one.elems.iter().collect();
                self.bind_numbered(pattern, &patterns, value)
            }
            Pat::TupleStruct(one) => {
                let patterns: Vec<&'p Pat> = one.elems.iter().collect();
                self.bind_numbered(pattern, &patterns, value)
            }
            Pat::Struct(one) => {
                let named = one.fields.iter();
                let named = named.map(|field| (member(&field.member), &*field.pat));
                self.bind_parts(pattern, named.collect(), value)
            }
            Pat::Slice(one) if !one.elems.iter().any(|one| matches!(one, Pat::Rest(_))) => {
                self.bind_list(pattern, one.elems.iter().collect(), value)
            }
            _ => self.bind_text(pattern, value),
        }
    }

    fn bind_name(&mut self, name: &PatIdent, ty: &str, value: Value) -> Result<(), Stop> {
        let text = name.ident.to_string();
        let value = match value {
            Value::Expression {
                text: value,
                is_clean,
            } => {
                let value = match !ty.is_empty() && self.is_nameable(ty) {
                    true => closed(&value, ty),
                    false => value,
                };
                let ty = match (ty, self.frames.len()) {
                    ("", _) => String::new(),
                    (ty, 1) if !value.contains("::<") => format!(": {ty}"),
                    (ty, _) => self.annotation(ty, &value),
                };
                self.let_variable(&text, &ty, &value, is_clean)?
            }
            // A copy may be changed while the other is not.
            Value::Variable {
                text: value,
                is_clean,
            } if name.mutability.is_some() => self.let_variable(&text, "", &value, is_clean)?,
            other if name.by_ref.is_some() => {
                let to = self.slot(&text, other);
                let is_mut = name.mutability.is_some();
                Value::Reference { to, is_mut }
            }
            other => self.copied(other),
        };
        let slot = self.slot(&text, value);
        self.declare(&text, slot);
        Ok(())
    }

    fn bind_behind(&mut self, one: &'p syn::PatReference, value: Value) -> Result<(), Stop> {
        match value {
            Value::Reference { to, .. } => {
                let inner = self.store[to].clone();
                self.bind(&one.pat, inner)
            }
            Value::Known(text) => {
                let text = behind_reference(&text).unwrap_or(&text).to_owned();
                self.bind(&one.pat, Value::Known(text))
            }
            Value::Expression { text, is_clean } => {
                let text = format!("*{}", operand(&text));
                self.bind(&one.pat, Value::Expression { text, is_clean })
            }
            Value::Variable { text, is_clean } => {
                let text = format!("*{text}");
                self.bind(&one.pat, Value::Expression { text, is_clean })
            }
            other => self.bind(&one.pat, other),
        }
    }

    fn bind_numbered(
        &mut self,
        pattern: &'p Pat,
        patterns: &[&'p Pat],
        value: Value,
    ) -> Result<(), Stop> {
        if patterns.iter().any(|one| matches!(one, Pat::Rest(_))) {
            return self.bind_text(pattern, value);
        }
        let numbered = patterns.iter().enumerate();
        let parts = numbered.map(|(idx, part)| (idx.to_string(), *part));
        self.bind_parts(pattern, parts.collect(), value)
    }

    fn bind_list(
        &mut self,
        pattern: &'p Pat,
        patterns: Vec<&'p Pat>,
        value: Value,
    ) -> Result<(), Stop> {
        match &value {
            Value::Known(text) => {
                let parts = list_elements(text).ok_or(UNLIKE)?;
                for (part, literal) in patterns.into_iter().zip(parts) {
                    self.bind(part, Value::Known(literal))?;
                }
                Ok(())
            }
            _ => self.bind_text(pattern, value),
        }
    }

    /// Binds the parts of a value that can be taken apart.
    fn bind_parts(
        &mut self,
        pattern: &'p Pat,
        parts: Vec<(String, &'p Pat)>,
        value: Value,
    ) -> Result<(), Stop> {
        let (slot, is_mut) = match value {
            Value::Reference { to, is_mut } => (self.behind(to), Some(is_mut)),
            Value::Known(text) => {
                let (inner, is_behind) = match shape(&text) {
                    Shape::Reference(inner) => (inner, true),
                    _ => (text, false),
                };
                let slot = self.slot("value", Value::Known(inner));
                (slot, is_behind.then_some(false))
            }
            other => (self.slot("value", other), None),
        };
        self.take_apart(slot);
        let Value::Made(made) = self.store[slot].clone() else {
            let value = match is_mut {
                Some(is_mut) => Value::Reference { to: slot, is_mut },
                None => self.store[slot].clone(),
            };
            return self.bind_text(pattern, value);
        };
        for (name, part) in parts {
            let inner = made.slot(&name).ok_or(UNLIKE)?;
            let value = match (is_mut, &self.store[inner]) {
                (Some(_), Value::Reference { .. }) | (None, _) => self.store[inner].clone(),
                (Some(is_mut), _) => Value::Reference { to: inner, is_mut },
            };
            self.bind(part, value)?;
        }
        Ok(())
    }

    /// Lets a pattern stay that takes a value of the code under test apart. It matched where the test ran.
    fn bind_text(&mut self, pattern: &'p Pat, value: Value) -> Result<(), Stop> {
        let names = BoundNames::in_pattern(pattern);
        if names.is_empty() {
            return self.has_matched(pattern, value);
        }
        let is_expression = matches!(value, Value::Expression { .. });
        let (text, is_clean) = self.text_of(value)?;
        if let Pat::TupleStruct(one) = pattern
            && let Some(inner) = one.elems.first().filter(|_| one.elems.len() == 1)
            && is_expression
            && !self.assumes()
        {
            let name = self.text(&one.path);
            let method = match last_name(name) {
                "Some" | "Ok" => "unwrap",
                "Err" => "unwrap_err",
                _ => "",
            };
            if !method.is_empty() {
                let text = match method {
                    "unwrap" => format!("{}.unwrap()", before_its_error(&operand(&text))),
                    _ => format!("{}.{method}()", operand(&text)),
                };
                return self.bind(inner, Value::Expression { text, is_clean });
            }
        }
        let (mut written, mut declared) = (self.text(pattern).to_owned(), Vec::new());
        for name in names {
            let fresh = self.line.fresh(&name);
            written = renamed(&written, &name, &fresh);
            declared.push((name, fresh));
        }
        let (otherwise, ends_well_if) = match is_irrefutable(pattern) {
            true => (String::new(), None),
            false => (
                format!(" else {}", self.otherwise()?),
                self.assumes().then(|| self.is_no_match(pattern, &text)),
            ),
        };
        let text = match !otherwise.is_empty() && text.ends_with('}') {
            true => format!("({text})"),
            false => text,
        };
        let is_clean_alone = is_clean && declared.len() == 1;
        self.emit(Statement {
            // Of several names none stands for the statement.
            declares: match declared.as_slice() {
                [(_, fresh)] => Some(fresh.clone()),
                _ => None,
            },
            ends_well_if,
            ..Statement::new(
                format!("let {written} = {text}{otherwise};"),
                is_clean_alone,
            )
        })?;
        for (name, text) in declared {
            let slot = self.slot(&name, Value::Variable { text, is_clean });
            self.declare(&name, slot);
        }
        Ok(())
    }
}

/// Whether a pattern without parts means a constant or a variant.
fn is_constant(name: &PatIdent) -> bool {
    let text = name.ident.to_string();
    name.by_ref.is_none()
        && name.subpat.is_none()
        && text.starts_with(|first: char| first.is_uppercase())
}

/// Whether a pattern matches all values, by its form.
pub(super) fn is_irrefutable(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(name) => !is_constant(name),
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Tuple(one) => one.elems.iter().all(is_irrefutable),
        Pat::Reference(one) => is_irrefutable(&one.pat),
        _ => false,
    }
}

/// A pattern of this text that matches the same and binds nothing.
pub(super) fn unbound(pattern: &Pat, text: &str) -> String {
    let names = BoundNames::in_pattern(pattern).into_iter();
    let mut text = names.fold(text.to_owned(), |text, name| renamed(&text, &name, "_"));
    for head in ["ref ", "mut "] {
        text = text.replace(&format!("{head}_"), "_");
    }
    text.replace("_ @ ", "")
}

/// A pattern in which a name is another one.
fn renamed(pattern: &str, from: &str, to: &str) -> String {
    if from == to {
        return pattern.to_owned();
    }
    let cursor = TokenCursor::new(pattern);
    let has_braces = cursor.words().any(|word| word == "{");
    let named = cursor.indices().filter(|&idx| cursor.is(idx, from));
    let edits = named.map(|idx| {
        let (before, after) = (cursor.before(idx, 1), cursor.word(idx + 1));
        // A field that is bound by its own name keeps that.
        let is_field = has_braces && matches!(before, "{" | ",") && matches!(after, "}" | ",");
        let text = match after {
            // The name of a field is not what it is bound to.
            ":" => from.to_owned(),
            _ if is_field => format!("{from}: {to}"),
            _ => to.to_owned(),
        };
        (cursor.range(idx), text)
    });
    edited(pattern, 0, &edits.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn names_of_patterns_change_and_those_of_fields_stay() {
        assert_eq!(renamed("(a, Some(b))", "b", "b_2"), "(a, Some(b_2))");
        assert_eq!(renamed("S { a, b: a }", "a", "c"), "S { a: c, b: c }");
        assert_eq!(renamed("S { a: x, .. }", "a", "c"), "S { a: x, .. }");
    }
}
