//! Code that stays as it is written, with the variables of the straight line in place of its own.

use super::changes::is_reading;
use super::interpreter::Interpreter;
use super::line::is_variable;
use super::literal::{edited, is_name, list_elements, operand};
use super::values::{Evaluated, Slot, Stop, UNLIKE, Value};
use crate::precedence::Role;
use crate::program::Place;
use crate::visit::{self, At, Node, Walk};
use reduce_model::takes_expressions;
use reduce_syntax::TokenCursor;
use std::ops::Range;
use syn::{Expr, Lit, Macro, UnOp};

/// The largest number of tokens of a list that is written in code that stays.
const LONGEST_LIST: usize = 16;

impl<'p> Interpreter<'_, 'p> {
    /// An expression that stays as it is written.
    pub(super) fn kept(&mut self, expression: &'p Expr) -> Evaluated {
        if self.frames.len() > 1 && super::flow::leaves(expression) {
            return Err(Stop::GiveUp(
                "code that leaves its function stays as it is written",
            ));
        }
        let whole = self.file().place(expression);
        self.kept_within(expression, &whole)
    }

    /// An expression that stays as it is written, where what is bound in the code around it stays too.
    fn kept_within(&mut self, expression: &'p Expr, around: &Place) -> Evaluated {
        let file = self.file();
        let whole = file.place(expression);
        let (found, changed, n_named) = self.free(expression, around);
        let mut is_clean = !self.taint.is_in(&whole);
        if !is_clean {
            is_clean = n_named == 0 && !self.is_of_code_under_test(&whole);
        }
        let mut slots = Vec::new();
        for expression in changed {
            if let Some(slot) = self.slot_of(expression) {
                let slot = self.behind(slot);
                if !matches!(self.store[slot], Value::Closure(_) | Value::Waiting(_)) {
                    self.place_text(slot)?;
                    slots.push(slot);
                }
            }
        }
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        for one in found {
            let (range, text, are_clean) = self.free_text(one)?;
            is_clean &= are_clean;
            edits.push((range, text));
        }
        if !is_clean {
            slots.into_iter().for_each(|slot| self.taints(slot));
        }
        edits.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let text = edited(file.text(expression), whole.range.start, &edits);
        let text = self.with_types(&text);
        Ok(Value::Expression { text, is_clean })
    }

    /// The variables from outside of the code around an expression that it names, those that it may change, and how many
    /// functions of the test it names.
    fn free(
        &mut self,
        expression: &'p Expr,
        around: &Place,
    ) -> (Vec<Free<'p>>, Vec<&'p Expr>, usize) {
        let file = self.file();
        let (mut found, mut changed, mut n_named) = (Vec::new(), Vec::new(), 0);
        let mut nodes: Vec<(Node<'p>, Place)> = Vec::new();
        visit::each_in(
            self.program,
            At::of_file(file),
            Node::Expr(expression),
            |at, node| {
                match node {
                    Node::Expr(one) => nodes.push((node, at.place(one))),
                    Node::Lit(one) => nodes.push((node, at.place(one))),
                    Node::Path(one) => nodes.push((node, at.place(one))),
                    _ => {}
                }
                Walk::Inside
            },
        );
        let mut done: Option<Place> = None;
        for (node, place) in nodes {
            if done.as_ref().is_some_and(|done| place.is_within(done)) {
                continue;
            }
            match node {
                Node::Expr(one) => {
                    match one {
                        Expr::Assign(one) => changed.push(&*one.left),
                        Expr::Binary(one) if crate::precedence::is_assignment(&one.op) => {
                            changed.push(&*one.left);
                        }
                        Expr::Reference(one) if one.mutability.is_some() => {
                            changed.push(&*one.expr);
                        }
                        Expr::MethodCall(one) => {
                            let name = one.method.to_string();
                            n_named += usize::from(self.own.functions.contains(&name));
                            if !is_reading(&name) {
                                changed.push(&*one.receiver);
                            }
                        }
                        Expr::Macro(one) => found.extend(self.free_in_macro(&one.mac, around)),
                        _ => {}
                    }
                    if let Some(name) = variable_of(one)
                        && !self.is_bound_within(name, around)
                        && self.slot_of(one).is_some()
                    {
                        found.push(Free::Variable(one, place.clone()));
                        done = Some(place);
                    }
                }
                Node::Lit(Lit::Str(_)) => found.push(Free::Text(place)),
                Node::Path(path) => {
                    if let Some(last) = path.segments.last() {
                        let name = last.ident.to_string();
                        n_named += usize::from(self.own.functions.contains(&name));
                    }
                    if path
                        .segments
                        .first()
                        .is_some_and(|first| first.ident == "Self")
                    {
                        found.push(Free::SelfType(place));
                    }
                }
                _ => {}
            }
        }
        changed
            .retain(|one| !variable_of(one).is_some_and(|name| self.is_bound_within(name, around)));
        (found, changed, n_named)
    }

    /// The variables from outside in the arguments of a macro that only it understands.
    fn free_in_macro(&self, call: &Macro, around: &Place) -> Vec<Free<'p>> {
        let name = call.path.segments.last().map(|last| last.ident.to_string());
        if name.is_none_or(|name| takes_expressions(&name)) {
            return Vec::new();
        }
        let whole = self.file().place(call);
        let text = self.file().text_at(&whole);
        let cursor = TokenCursor::new(text);
        let words: Vec<&str> = cursor.words().collect();
        // A colon comes after the name of a field.
        let may_be_one = |idx: &usize| is_variable(&words, *idx) && !cursor.is(idx + 1, ":");
        let names = cursor.indices().filter(may_be_one).map(|idx| {
            let range = cursor.range(idx);
            let range = whole.range.start + range.start..whole.range.start + range.end;
            (cursor.word(idx).to_owned(), Place::new(whole.file, range))
        });
        let names = names.filter(|(name, place)| {
            let defined = self.program.mentions().definition(place.start());
            let is_inner = defined.is_some_and(|defined| defined.is_in(around));
            !is_inner && self.variable(name).is_some()
        });
        names
            .map(|(name, place)| Free::InMacro(name, place))
            .collect()
    }

    /// Whether a name is bound in the code that names it.
    fn is_bound_within(&self, name: &syn::Ident, whole: &Place) -> bool {
        let at = self.file().position(name);
        let defined = self.program.mentions().definition(at);
        defined.is_some_and(|defined| defined.is_in(whole))
    }

    /// The text in place of something from outside.
    fn free_text(&mut self, free: Free<'p>) -> Result<(Range<usize>, String, bool), Stop> {
        match free {
            Free::Variable(expression, place) => {
                let slot = self.slot_of(expression).ok_or(UNLIKE)?;
                let context = self.program.expression_context(&place);
                let is_part = matches!(context.role, Role::Receiver | Role::Indexed | Role::Callee);
                let (text, is_clean) = self.variable_text(slot, is_part)?;
                let text = match context.role {
                    Role::Shorthand => format!("{}: {text}", self.text(expression)),
                    Role::Unknown => text,
                    _ if is_part => operand(&text),
                    _ => context.fitted(self.text(expression), &text),
                };
                Ok((place.range, text, is_clean))
            }
            Free::InMacro(name, place) => {
                let slot = self.variable(&name).ok_or(UNLIKE)?;
                if !matches!(self.store[slot], Value::Known(_) | Value::Reference { .. }) {
                    self.place_text(slot)?;
                }
                let (text, is_clean) = self.text_of(self.store[slot].clone())?;
                Ok((place.range, text, is_clean))
            }
            Free::SelfType(place) => {
                let context = &self.frames[self.frames.len() - 1].context;
                let name = context.self_type.clone().ok_or(UNLIKE)?;
                let range = place.range.start..place.range.start + "Self".len();
                Ok((range, name, true))
            }
            Free::Text(place) => {
                let text = self.file().text_at(&place).to_owned();
                let (text, is_clean) = self.printing(&text)?;
                Ok((place.range, text, is_clean))
            }
        }
    }

    fn variable_text(&mut self, slot: Slot, is_part: bool) -> Result<(String, bool), Stop> {
        let behind = self.behind(slot);
        let is_variable = match &self.store[behind] {
            Value::Made(_) => true,
            // It may stand there more than once.
            Value::Known(text) => is_part && is_long_list(text),
            _ => false,
        };
        if is_variable {
            self.place_text(behind)?;
        }
        let value = match is_part {
            true => self.store[behind].clone(),
            false => self.store[slot].clone(),
        };
        self.text_of(value)
    }

    /// A text that prints variables, with the names that they have in the straight line.
    fn printing(&mut self, text: &str) -> Result<(String, bool), Stop> {
        let (mut result, mut is_clean) = (String::new(), true);
        let mut parts = text.split('{');
        result.push_str(parts.next().unwrap_or_default());
        for part in parts {
            result.push('{');
            let end = part.find([':', '}']).unwrap_or(0);
            let name = &part[..end];
            match self.variable(name).filter(|_| is_name(name)) {
                Some(slot) if self.plain_text(slot).is_some() && &part[end..=end] == "}" => {
                    result.pop();
                    result.push_str(&self.plain_text(slot).unwrap_or_default());
                    result.push_str(&part[end + 1..]);
                }
                Some(slot) => {
                    let text = self.place_text(slot)?;
                    let behind = self.behind(slot);
                    is_clean &= self.is_clean(&self.store[behind]);
                    if text.contains('.') {
                        return Err(Stop::GiveUp("a text prints a part of a value by its name"));
                    }
                    result.push_str(&text);
                    result.push_str(&part[end..]);
                }
                None => result.push_str(part),
            }
        }
        Ok((result, is_clean))
    }

    /// The text that a known value is printed as, if it needs no escapes.
    fn plain_text(&self, slot: Slot) -> Option<String> {
        let Value::Known(literal) = &self.store[self.behind(slot)] else {
            return None;
        };
        let owned = literal.strip_suffix(".to_string()").unwrap_or(literal);
        let text = owned
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        match text {
            Some(text) => (!text.contains(['{', '}', '\\'])).then(|| text.to_owned()),
            None => super::literal::number(literal).map(|(number, _)| number.to_string()),
        }
    }

    /// A closure with the variables that it sees from where it is written.
    pub(super) fn closure_text(&mut self, number: usize) -> Result<(String, bool), Stop> {
        let captured = self.closures[number].clone();
        let whole = captured.context.file.place(captured.closure);
        self.frames
            .push(super::interpreter::Frame::new(captured.context, &[]));
        let result = self.kept_closure(captured.closure, &whole);
        self.frames.pop();
        result
    }

    fn kept_closure(
        &mut self,
        closure: &'p syn::ExprClosure,
        whole: &Place,
    ) -> Result<(String, bool), Stop> {
        let body = self.kept_within(&closure.body, whole)?;
        let (text, is_clean) = self.text_of(body)?;
        let file = self.file();
        let body = file.place(&*closure.body);
        let head = file.text_at(&Place::new(whole.file, whole.range.start..body.range.start));
        Ok((format!("{head}{text}"), is_clean))
    }
}

/// Something in an expression that comes from outside of it.
enum Free<'p> {
    Variable(&'p Expr, Place),
    /// A variable of this name in the arguments of a macro.
    InMacro(String, Place),
    /// A path that begins with `Self`.
    SelfType(Place),
    /// A text, which may print variables.
    Text(Place),
}

/// Whether a literal is a list that is too long to be written in code that stays.
fn is_long_list(literal: &str) -> bool {
    TokenCursor::new(literal).len() > LONGEST_LIST && list_elements(literal).is_some()
}

/// The variable that an expression is, or is a part of.
fn variable_of(expression: &Expr) -> Option<&syn::Ident> {
    match expression {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        Expr::Field(one) => variable_of(&one.base),
        Expr::Unary(one) if matches!(one.op, UnOp::Deref(_)) => variable_of(&one.expr),
        _ => None,
    }
}
