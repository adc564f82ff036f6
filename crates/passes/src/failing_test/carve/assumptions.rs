//! Assumptions: a straight line in which the test ends well wherever the code under test decides otherwise than in the run.
//!
//! Without its bug the code may go another way through the test, in which nothing fails. A straight line that goes on as the
//! run did would fail there too.

use super::interpreter::{Branches, Interpreter};
use super::line::Statement;
use super::literal::{Shape, is_name, last_name, operand, shape};
use super::patterns::{is_irrefutable, unbound};
use super::results::succeeding;
use super::trace::Call;
use super::values::{Stop, Value};
use crate::program::SyntaxFile;
use syn::{ExprMatch, Ident, Pat, PatGuard, ReturnType, Signature};

/// The stop at a test of which it is not known how it ends well.
const NO_END: Stop = Stop::GiveUp("the test returns a value that only it can make");

impl<'p> Interpreter<'_, 'p> {
    /// Whether the line has assumptions.
    pub(super) fn assumes(&self) -> bool {
        matches!(self.form.branches, Branches::Assumed | Branches::Ending)
    }

    /// Goes on behind a condition, as it was in the run.
    pub(super) fn has_decided(&mut self, condition: Value, is_true: bool) -> Result<(), Stop> {
        if !self.assumes() || self.is_clean(&condition) {
            return self.done_with(condition);
        }
        let text = self.text_of(condition)?.0;
        self.ends_well_if(&match is_true {
            true => format!("!{}", operand(&text)),
            // A struct cannot stand in a condition.
            false if text.contains('{') => operand(&text),
            false => text,
        })
    }

    /// Goes on with a value that a pattern which binds nothing has matched.
    pub(super) fn has_matched(&mut self, pattern: &'p Pat, value: Value) -> Result<(), Stop> {
        if !self.assumes() || self.is_clean(&value) || is_irrefutable(pattern) {
            return self.done_with(value);
        }
        let text = self.text_of(value)?.0;
        self.ends_well_if(&self.is_no_match(pattern, &text))
    }

    /// Goes on with a value that a pattern has not matched.
    pub(super) fn has_not_matched(&mut self, pattern: &'p Pat, value: Value) -> Result<(), Stop> {
        if !self.assumes() || self.is_clean(&value) {
            return self.done_with(value);
        }
        let pattern = unbound(pattern, self.text(pattern));
        let text = self.text_of(value)?.0;
        self.ends_well_if(&format!("matches!({text}, {pattern})"))
    }

    /// Goes on to the arm with this number, where those before it may match as well. Returns the value that is matched.
    pub(super) fn has_passed_arms(
        &mut self,
        one: &'p ExprMatch,
        nth: usize,
        value: Value,
    ) -> Result<Value, Stop> {
        if !self.assumes() || self.is_clean(&value) {
            return Ok(value);
        }
        let taken = &one.arms[nth].pat;
        let earlier = one.arms[..nth].iter().map(|arm| &arm.pat);
        let earlier: Vec<&Pat> = earlier.filter(|one| !are_apart(one, taken)).collect();
        let mut guarded = earlier.iter();
        let are_guarded = guarded.any(|one| matches!(one, Pat::Guard(_)));
        if earlier.is_empty() || are_guarded || matches!(value, Value::Made(_)) {
            self.may_panic_instead |= !earlier.is_empty();
            return Ok(value);
        }
        let earlier = earlier.iter().map(|one| unbound(one, self.text(*one)));
        let earlier = earlier.collect::<Vec<_>>().join(" | ");
        let (text, is_clean) = self.text_of(value)?;
        let value = self.let_variable("value", "", &text, is_clean)?;
        let text = self.text_of(value.clone())?.0;
        self.ends_well_if(&format!("matches!({text}, {earlier})"))?;
        Ok(value)
    }

    /// Goes on behind the guard of an arm that was taken.
    pub(super) fn has_guarded(&mut self, one: &'p PatGuard) -> Result<(), Stop> {
        let is_clean = !self.taint.is_in(&self.file().place(&*one.guard));
        if !self.assumes() || is_clean {
            return Ok(());
        }
        let value = self.eval(&one.guard)?;
        self.has_decided(value, true)
    }

    /// The block for a value that a pattern does not match.
    pub(super) fn otherwise(&self) -> Result<String, Stop> {
        Ok(match self.assumes() {
            true => format!("{{ {}; }}", self.end_well.ok_or(NO_END)?),
            false => "{ panic!() }".to_owned(),
        })
    }

    /// The element that an iterator of the code under test gives next, for this pattern.
    pub(super) fn next_of_iterator(
        &mut self,
        iterator: &str,
        pattern: &Pat,
    ) -> Result<Value, Stop> {
        if !self.assumes() {
            return Ok(Value::Expression {
                text: format!("{iterator}.next().unwrap()"),
                is_clean: false,
            });
        }
        let name = match pattern {
            Pat::Ident(one) => self.line.fresh(&one.ident.to_string()),
            _ => self.line.fresh("element"),
        };
        let otherwise = self.otherwise()?;
        let text = format!("let Some(mut {name}) = {iterator}.next() else {otherwise};");
        self.emit(Statement {
            declares: Some(name.clone()),
            ends_well_if: Some(format!("{iterator}.next().is_none()")),
            ..Statement::new(text, false)
        })?;
        Ok(Value::Variable {
            text: name,
            is_clean: false,
        })
    }

    /// Goes on behind the last element of an iterator.
    pub(super) fn has_no_next(&mut self, iterator: &str) -> Result<(), Stop> {
        match self.assumes() {
            true => self.ends_well_if(&format!("{iterator}.next().is_some()")),
            false => Ok(()),
        }
    }

    fn ends_well_if(&mut self, condition: &str) -> Result<(), Stop> {
        let end = self.otherwise()?;
        self.emit(Statement {
            ends_well_if: Some(condition.to_owned()),
            ..Statement::new(format!("if {condition} {end}"), false)
        })
    }

    /// The condition that a pattern does not match a value with this text.
    pub(super) fn is_no_match(&self, pattern: &Pat, text: &str) -> String {
        let method = match pattern {
            Pat::TupleStruct(one) if one.elems.iter().all(is_irrefutable) => {
                match last_name(self.text(&one.path)) {
                    "Some" => Some("is_none"),
                    "Ok" => Some("is_err"),
                    "Err" => Some("is_ok"),
                    _ => None,
                }
            }
            _ => None,
        };
        match method {
            Some(method) => format!("{}.{method}()", operand(text)),
            None => {
                let pattern = unbound(pattern, self.text(pattern));
                format!("!matches!({text}, {pattern})")
            }
        }
    }
}

/// The expression that ends a test well; nothing where that is a panic, or a value of a type that is not known.
pub(super) fn end_well(
    signature: &Signature,
    file: SyntaxFile<'_>,
    call: &Call,
) -> Option<&'static str> {
    let ReturnType::Type(_, ty) = &signature.output else {
        // A test that should panic fails where it comes to its end.
        return (!call.has_ended).then_some("return");
    };
    let given = succeeding(file.text(&**ty))?;
    (given == "()").then_some("return Ok(())")
}

/// Whether two values are different variants, by their texts, so that they are not equal whatever is in them.
pub(super) fn are_other_variants(one: &str, other: &str) -> bool {
    match (variant(one), variant(other)) {
        (Some(one), Some(other)) => one != other,
        _ => false,
    }
}

/// The variant or struct that the text of a value makes.
fn variant(text: &str) -> Option<String> {
    let path = match shape(text) {
        Shape::Reference(inner) => return variant(&inner),
        Shape::Tuple(path, _) | Shape::Fields(path, _) => path,
        Shape::Other(text) => text,
        Shape::List(_) => return None,
    };
    let name = last_name(&path);
    let is_variant = is_name(name) && name.starts_with(char::is_uppercase);
    is_variant.then(|| name.to_owned())
}

/// Whether no value matches both of two patterns, by what they begin with.
fn are_apart(one: &Pat, other: &Pat) -> bool {
    match (head(one), head(other)) {
        (Some(one), Some(other)) => one != other,
        _ => false,
    }
}

/// The variant that a pattern means.
fn head(pattern: &Pat) -> Option<&Ident> {
    let path = match pattern {
        Pat::TupleStruct(one) => &one.path,
        Pat::Struct(one) => &one.path,
        Pat::Path(one) => &one.path,
        Pat::Ident(one) if !is_irrefutable(pattern) => return Some(&one.ident),
        Pat::Guard(one) => return head(&one.pat),
        Pat::Paren(one) => return head(&one.pat),
        Pat::Reference(one) => return head(&one.pat),
        _ => return None,
    };
    path.segments.last().map(|last| &last.ident)
}
