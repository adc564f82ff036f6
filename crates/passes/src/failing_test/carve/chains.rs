//! Iterator chains of the test over elements that are known: they become the calls that their closures made.

use super::interpreter::Interpreter;
use super::literal::{behind_reference, key_of};
use super::steps::{Chain, Element, Function, Step, Waiting};
use super::values::{Evaluated, Stop, UNLIKE, Value};
use crate::precedence::Role;
use crate::program::Place;
use std::collections::VecDeque;
use syn::{Expr, ExprMethodCall, Pat, PatIdent};

/// The stop where a chain stays as it is written.
pub(super) const STAYS: Stop = Stop::GiveUp("an iterator chain does what only the run tells");

/// The methods that make a chain longer and call a function with each element.
const CALLING_STEPS: [&str; 8] = [
    "map",
    "filter",
    "filter_map",
    "flat_map",
    "inspect",
    "take_while",
    "skip_while",
    "map_while",
];

/// The methods that make a chain longer and call nothing.
const PLAIN_STEPS: [&str; 9] = [
    "enumerate",
    "zip",
    "rev",
    "copied",
    "cloned",
    "take",
    "skip",
    "flatten",
    "by_ref",
];

/// The result of a step that calls a function with an element.
enum Called {
    Gives(Element),
    LeavesOut,
    /// The chain has no more elements.
    Ends,
}

impl<'p> Interpreter<'_, 'p> {
    /// Whether a method is neither the test's nor that of the code under test.
    pub(super) fn is_of_iterators(&self, call: &ExprMethodCall) -> bool {
        !self.own.functions.contains(&call.method.to_string())
            && !self.is_of_code_under_test(&self.file().place(&call.method))
    }

    /// The chain that an expression is; nothing where it is none, or has elements that are not known.
    pub(super) fn chain(
        &mut self,
        expression: &'p Expr,
        whole: &'p Expr,
    ) -> Result<Option<Chain<'p>>, Stop> {
        let (mut calls, mut base) = (Vec::new(), expression);
        while let Expr::MethodCall(one) = base {
            let name = one.method.to_string();
            let is_step = CALLING_STEPS.contains(&&*name) || PLAIN_STEPS.contains(&&*name);
            if !is_step || !self.is_of_iterators(one) {
                break;
            }
            calls.push(one);
            base = &one.receiver;
        }
        let begun = match self.slot_of(base).map(|slot| &self.store[slot]) {
            Some(Value::Waiting(number)) => Some(Chain {
                whole,
                ..self.waiting[*number].chain.clone()
            }),
            _ => {
                // The steps before the first call give a list of their own.
                let is_calling = |one: &&ExprMethodCall| {
                    let mut names = CALLING_STEPS.iter().chain(&["flatten"]);
                    names.any(|name| one.method == name)
                };
                calls.truncate(calls.iter().rposition(is_calling).map_or(0, |nth| nth + 1));
                let base = calls.last().map_or(expression, |one| &one.receiver);
                self.chain_of(base, whole)?
            }
        };
        let Some(mut chain) = begun else {
            return Ok(None);
        };
        for call in calls.into_iter().rev() {
            let step = self.step(&chain, call)?;
            if let Step::Calls(_, function) | Step::Flat(Some(function), _) = &step {
                self.is_called(&mut chain, *function);
            }
            chain.steps.push(step);
        }
        Ok(Some(chain))
    }

    /// A chain that has no step yet, over what an expression gives.
    fn chain_of(&mut self, base: &'p Expr, whole: &'p Expr) -> Result<Option<Chain<'p>>, Stop> {
        let value = self.with_elements(base)?;
        let elements = self.elements(&value);
        if elements.is_none() && !self.is_clean(&value) {
            return Ok(None);
        }
        Ok(Some(Chain {
            base: elements.map(VecDeque::from),
            steps: Vec::new(),
            whole,
            first: None,
        }))
    }

    /// Whether a value can wait in its variable: it is a chain that calls functions, and the variable is named once, where a
    /// method is called on it or a loop goes through it.
    fn may_wait(&self, name: &PatIdent, value: &Expr) -> bool {
        let Expr::MethodCall(call) = value else {
            return false;
        };
        let file = self.file();
        let at = file.position(&name.ident);
        let mentions = self.program.mentions().of(at).iter();
        let uses: Vec<_> = mentions.filter(|one| **one != at).collect();
        let [only] = uses[..] else {
            return false;
        };
        let end = only.at + name.ident.to_string().len();
        let used = Place::new(only.file, only.at..end);
        let role = self.program.expression_context(&used).role;
        matches!(role, Role::Receiver | Role::BeforeBlock)
            && name.by_ref.is_none()
            && CALLING_STEPS.iter().any(|step| call.method == step)
            && self.is_of_iterators(call)
            && self.taint.is_in(&file.place(value))
    }

    /// Declares a variable with a chain that calls nothing until it is named, if the chain can wait. Returns whether it can.
    pub(super) fn waits(&mut self, pattern: &Pat, written: &'p Expr) -> Result<bool, Stop> {
        let Pat::Ident(name) = pattern else {
            return Ok(false);
        };
        if !self.may_wait(name, written) {
            return Ok(false);
        }
        let mark = self.mark();
        let chain = match self.chain(written, written) {
            Ok(Some(chain)) if chain.calls() => chain,
            Ok(_) | Err(Stop::GiveUp(_)) => {
                self.back_to(mark);
                return Ok(false);
            }
            Err(stop) => return Err(stop),
        };
        // It has a value of its own, which says nothing.
        if let Some(site) = self.sites.values.get(&self.file().place(written)) {
            self.next_note(*site);
        }
        let scopes = self.frame().context.scopes.clone();
        self.waiting.push(Waiting {
            chain,
            written,
            scopes,
        });
        let name = name.ident.to_string();
        let slot = self.slot(&name, Value::Waiting(self.waiting.len() - 1));
        self.declare(&name, slot);
        Ok(true)
    }

    /// A chain that has waited, as it is written, with the variables that it sees from there.
    pub(super) fn waiting_text(&mut self, number: usize) -> Result<(String, bool), Stop> {
        let Waiting {
            written, scopes, ..
        } = &self.waiting[number];
        let (written, scopes) = (*written, scopes.clone());
        let scopes = std::mem::replace(&mut self.frame().context.scopes, scopes);
        let value = self.kept(written);
        self.frame().context.scopes = scopes;
        self.text_of(value?)
    }

    /// Evaluates an expression of which the elements are wanted.
    pub(super) fn with_elements(&mut self, expression: &'p Expr) -> Evaluated {
        let wanted = std::mem::replace(&mut self.wants_elements, true);
        let value = self.eval(expression);
        self.wants_elements = wanted;
        value
    }

    /// Notes that a chain calls a function with its elements.
    pub(super) fn is_called(&self, chain: &mut Chain<'p>, function: Function<'p>) {
        if chain.first.is_none()
            && let Function::Closure(number) = function
        {
            chain.first = self.site_of_closure(number);
        }
    }

    fn step(&mut self, chain: &Chain<'p>, call: &'p ExprMethodCall) -> Result<Step<'p>, Stop> {
        let name = call.method.to_string();
        let calling = CALLING_STEPS.into_iter().find(|known| *known == name);
        match (calling, &*name, call.args.first()) {
            (Some("flat_map"), _, Some(function)) => {
                let function = self.function(function)?;
                Ok(Step::Flat(Some(function), VecDeque::new()))
            }
            (Some(name), _, Some(function)) => Ok(Step::Calls(name, self.function(function)?)),
            (None, "flatten", _) => Ok(Step::Flat(None, VecDeque::new())),
            (None, "enumerate", _) => Ok(Step::Enumerate(0)),
            (None, "copied" | "cloned", _) => Ok(Step::Copied),
            (None, "take" | "skip", Some(number)) if !chain.steps.is_empty() => {
                let value = self.eval(number)?;
                let number = match value {
                    Value::Known(text) => key_of(&text).parse().map_err(|_| STAYS)?,
                    _ => return Err(STAYS),
                };
                Ok(match &*name {
                    "take" => Step::Take(number),
                    _ => Step::Skip(number),
                })
            }
            _ => Err(STAYS),
        }
    }

    /// The function that an expression is.
    pub(super) fn function(&mut self, expression: &'p Expr) -> Result<Function<'p>, Stop> {
        let value = match expression {
            Expr::Path(path) if self.slot_of(expression).is_none() => {
                return Ok(Function::Path(path));
            }
            other => self.eval(other)?,
        };
        self.function_of(value).ok_or(STAYS)
    }

    /// The function that a value is.
    pub(super) fn function_of(&mut self, value: Value) -> Option<Function<'p>> {
        let slot = self.slot("function", value);
        let slot = self.behind(slot);
        match self.store[slot] {
            Value::Closure(number) => Some(Function::Closure(number)),
            Value::Variable { .. } => Some(Function::Variable(slot)),
            _ => None,
        }
    }

    /// The value of a function that is called with elements.
    pub(super) fn applied(
        &mut self,
        function: Function<'p>,
        elements: Vec<Element>,
        whole: &'p Expr,
    ) -> Evaluated {
        let n_before = self.n_resolved;
        let value = self.applied_as_it_ran(function, elements, whole)?;
        // A value that the code under test has decided is no literal, if it may decide otherwise: not before the first difference.
        let is_literal = self.is_clean(&value) && !matches!(value, Value::Unit);
        let is_lost = is_literal && !self.assumes() && self.differences.is_none();
        match is_lost && self.n_resolved > n_before {
            true => Err(STAYS),
            false => Ok(value),
        }
    }

    fn applied_as_it_ran(
        &mut self,
        function: Function<'p>,
        elements: Vec<Element>,
        whole: &'p Expr,
    ) -> Evaluated {
        match function {
            Function::Closure(number) => self.call_closure(number, elements, whole),
            Function::Path(path) => self.call_of_path(path, values(elements)?, whole),
            Function::Variable(slot) => self.call_of_variable(slot, values(elements)?, whole),
        }
    }

    /// The next element of a chain, behind so many of its steps.
    fn pulled(&mut self, chain: &mut Chain<'p>, n_steps: usize) -> Result<Option<Element>, Stop> {
        let Some(nth) = n_steps.checked_sub(1) else {
            return Ok(match &mut chain.base {
                Some(elements) => elements.pop_front().map(Element::One),
                None => {
                    let first = chain.first.ok_or(STAYS)?;
                    let place = self.file().place(chain.whole);
                    self.is_next_call(&place, first).then_some(Element::Untold)
                }
            });
        };
        let whole = chain.whole;
        loop {
            if let Step::Flat(_, left) = &mut chain.steps[nth]
                && let Some(value) = left.pop_front()
            {
                return Ok(Some(Element::One(value)));
            }
            if let Step::Take(0) = chain.steps[nth] {
                return Ok(None);
            }
            let Some(element) = self.pulled(chain, nth)? else {
                return Ok(None);
            };
            if matches!(element, Element::Many(_)) {
                return Err(STAYS);
            }
            match &mut chain.steps[nth] {
                Step::Calls(name, function) => {
                    let (name, function) = (*name, *function);
                    match self.called(name, function, element, whole)? {
                        Called::Gives(element) => {
                            if name == "skip_while" {
                                // From here on it calls nothing.
                                chain.steps[nth] = Step::Skip(0);
                            }
                            return Ok(Some(element));
                        }
                        Called::Ends => return Ok(None),
                        Called::LeavesOut => {}
                    }
                }
                Step::Flat(function, left) => {
                    let value = match (*function, element) {
                        (Some(function), element) => {
                            self.applied(function, vec![element], whole)?
                        }
                        (None, Element::One(value)) => value,
                        (None, _) => return Err(STAYS),
                    };
                    match self.elements(&value) {
                        Some(values) => left.extend(values),
                        None => return Ok(Some(Element::Many(value))),
                    }
                }
                Step::Enumerate(number) => {
                    let text = format!("{number}_usize");
                    *number += 1;
                    let Element::One(value) = element else {
                        return Ok(Some(Element::Untold));
                    };
                    let pair = self.made(String::new(), vec![Value::Known(text), value])?;
                    return Ok(Some(Element::One(pair)));
                }
                Step::Take(left) => {
                    *left -= 1;
                    return Ok(Some(element));
                }
                Step::Skip(0) => return Ok(Some(element)),
                Step::Skip(left) => *left -= 1,
                Step::Copied => {
                    let Element::One(value) = element else {
                        return Ok(Some(Element::Untold));
                    };
                    return Ok(Some(Element::One(self.behind_value(value))));
                }
            }
        }
    }

    /// Calls the function of a step with an element.
    fn called(
        &mut self,
        step: &str,
        function: Function<'p>,
        element: Element,
        whole: &'p Expr,
    ) -> Result<Called, Stop> {
        if matches!(step, "map" | "filter_map" | "map_while") {
            let value = self.applied(function, vec![element], whole)?;
            if step == "map" {
                return Ok(Called::Gives(Element::One(value)));
            }
            return Ok(match self.in_option(value)? {
                Some(inner) => Called::Gives(Element::One(inner)),
                None if step == "filter_map" => Called::LeavesOut,
                None => Called::Ends,
            });
        }
        let is_tainted = matches!(&element, Element::One(value) if !self.is_clean(value));
        let lent = self.lent(&element);
        let value = self.applied(function, vec![lent], whole)?;
        if step == "inspect" {
            self.done_with(value)?;
            return Ok(Called::Gives(element));
        }
        let is_true = self.decided(&value, is_tainted)?;
        Ok(match (step, is_true) {
            ("filter" | "take_while", true) | ("skip_while", false) => Called::Gives(element),
            ("take_while", false) => Called::Ends,
            _ => Called::LeavesOut,
        })
    }

    /// The value behind one that may be a reference.
    pub(super) fn behind_value(&self, value: Value) -> Value {
        match value {
            Value::Reference { to, .. } => self.store[self.behind(to)].clone(),
            Value::Known(text) => Value::Known(behind_reference(&text).unwrap_or(&text).to_owned()),
            other => other,
        }
    }

    /// A reference to an element.
    pub(super) fn lent(&mut self, element: &Element) -> Element {
        match element {
            Element::One(value) => {
                let to = self.slot("value", value.clone());
                Element::One(Value::Reference { to, is_mut: false })
            }
            other => other.clone(),
        }
    }

    /// Returns the value in an option that a function has made.
    pub(super) fn in_option(&mut self, value: Value) -> Result<Option<Value>, Stop> {
        let slot = self.slot("value", value);
        let slot = self.behind(slot);
        self.take_apart(slot);
        match &self.store[slot] {
            Value::Made(made) if made.path == "Some" => {
                let inner = made.slot("0").ok_or(UNLIKE)?;
                Ok(Some(self.store[inner].clone()))
            }
            Value::Known(text) if text == "None" => Ok(None),
            _ => Err(STAYS),
        }
    }

    /// Whether a condition of the chain is true. What the code under test decides is no branch that ran, unless `is_resolved`.
    pub(super) fn decided(&mut self, value: &Value, is_resolved: bool) -> Result<bool, Stop> {
        let is_true = self.truth(value)?;
        if !self.is_clean(value) {
            if !is_resolved || !self.form.branches.are_gone() {
                return Err(STAYS);
            }
            self.has_decided(value.clone(), is_true)?;
        }
        Ok(is_true)
    }

    /// Whether a condition that was evaluated last is true.
    pub(super) fn truth(&self, value: &Value) -> Result<bool, Stop> {
        let text = match value {
            Value::Known(text) => Some(&**text),
            _ => self.observed.as_deref(),
        };
        Ok(text.ok_or(STAYS)? == "true")
    }

    /// The next element that a chain gives.
    pub(super) fn next_element(&mut self, chain: &mut Chain<'p>) -> Result<Option<Element>, Stop> {
        let n_steps = chain.steps.len();
        self.pulled(chain, n_steps)
    }
}

/// The values of elements, each of which has to be a single one.
pub(super) fn values(elements: Vec<Element>) -> Result<Vec<Value>, Stop> {
    let values = elements.into_iter().map(|element| match element {
        Element::One(value) => Ok(value),
        _ => Err(STAYS),
    });
    values.collect()
}
