//! The methods that end an iterator chain: what they give of its elements.

use super::chains::{STAYS, values};
use super::interpreter::Interpreter;
use super::literal::{key_of, last_name, operand};
use super::steps::{Chain, Element, Function};
use super::values::{Evaluated, Made, MadeForm, Stop, UNLIKE, Value};
use syn::{Expr, ExprMethodCall};

/// The largest number of elements that a chain gives.
const MOST_ELEMENTS: usize = 100;

/// The methods that end a chain. Those of which the result is not known by the elements are called on a list of these.
const ENDS: [&str; 23] = [
    "all",
    "any",
    "collect",
    "count",
    "find",
    "find_map",
    "fold",
    "for_each",
    "last",
    "max",
    "max_by",
    "max_by_key",
    "min",
    "min_by",
    "min_by_key",
    "next",
    "next_back",
    "nth",
    "partition",
    "position",
    "product",
    "sum",
    "unzip",
];

impl<'p> Interpreter<'_, 'p> {
    /// The value of a chain of iterators; nothing where it stays as it is written.
    pub(super) fn chained(
        &mut self,
        call: &'p ExprMethodCall,
        whole: &'p Expr,
    ) -> Result<Option<Value>, Stop> {
        let name = call.method.to_string();
        // A text is looked for in another one, and a number compared with another.
        let is_end = ENDS.contains(&&*name)
            && match (&*name, call.args.last()) {
                ("nth", given) => given.is_some(),
                ("next_back", given) => given.is_none() && self.slot_of(&call.receiver).is_none(),
                ("max" | "min" | "sum" | "count" | "last" | "next" | "collect", given) => {
                    given.is_none()
                }
                (_, given) => !matches!(given, Some(Expr::Lit(_))),
            };
        // What nothing of the code under test can be in is a literal.
        let place = self.file().place(whole);
        if !is_end || !self.is_of_iterators(call) || !self.taint.is_in(&place) {
            return Ok(None);
        }
        let mark = self.mark();
        match self.ended_chain(&name, call, whole) {
            Ok(None) | Err(Stop::GiveUp(_) | Stop::Unresolved) => {
                self.back_to(mark);
                Ok(None)
            }
            other => other,
        }
    }

    /// All elements of a chain. Those that are evaluated first come first.
    fn all_elements(&mut self, chain: &mut Chain<'p>) -> Result<Vec<Element>, Stop> {
        let mut found: Vec<Element> = Vec::new();
        loop {
            let before = self.line.statements.len();
            let next = self.next_element(chain);
            let earlier = found.iter_mut().filter_map(|element| match element {
                Element::One(value) | Element::Many(value) => Some(value),
                Element::Untold => None,
            });
            if let Ok(None) = next {
                return Ok(found);
            }
            self.evaluated_before(before, earlier)?;
            found.extend(next?);
            if found.len() > MOST_ELEMENTS {
                return Err(STAYS);
            }
        }
    }

    fn ended_chain(
        &mut self,
        name: &str,
        call: &'p ExprMethodCall,
        whole: &'p Expr,
    ) -> Result<Option<Value>, Stop> {
        let Some(mut chain) = self.chain(&call.receiver, whole)? else {
            return Ok(None);
        };
        let function = match (name, call.args.len()) {
            ("fold", 2) => Some(&call.args[1]),
            ("for_each" | "any" | "all" | "find" | "find_map", 1) => Some(&call.args[0]),
            ("fold", _) => return Ok(None),
            _ => None,
        };
        let start = match name {
            "fold" => self.eval(&call.args[0])?,
            _ => Value::Unit,
        };
        let function = match function {
            Some(function) => Some(self.function(function)?),
            None => None,
        };
        if let Some(function) = function {
            self.is_called(&mut chain, function);
        }
        let has_tainted = chain
            .base
            .iter()
            .flatten()
            .any(|element| !self.is_clean(element));
        if chain.steps.is_empty() && function.is_none() && !has_tainted {
            return Ok(None);
        }
        let value = match (name, function) {
            ("fold", Some(function)) => self.folded(&mut chain, function, start)?,
            ("for_each", Some(function)) => {
                while let Some(element) = self.next_element(&mut chain)? {
                    let value = self.applied(function, vec![element], whole)?;
                    self.done_with(value)?;
                }
                Value::Unit
            }
            ("any" | "all", Some(function)) => {
                self.any_or_all(&mut chain, function, name == "any")?
            }
            ("find" | "find_map", Some(function)) => {
                self.found(&mut chain, function, name == "find")?
            }
            ("next" | "nth", _) => {
                let number = match call.args.first() {
                    Some(number) => self.eval(number)?,
                    None => Value::Known("0".to_owned()),
                };
                self.nth_element(&mut chain, &number)?
            }
            _ => self.of_elements(name, &mut chain, call, whole)?,
        };
        Ok(Some(value))
    }

    /// The element with this number; those before it are done.
    fn nth_element(&mut self, chain: &mut Chain<'p>, number: &Value) -> Evaluated {
        let Value::Known(number) = number else {
            return Err(STAYS);
        };
        let mut left: usize = key_of(number).parse().map_err(|_| STAYS)?;
        loop {
            match self.next_element(chain)? {
                None => return Ok(self.option(None)),
                Some(Element::One(value)) if left == 0 => return Ok(self.option(Some(value))),
                Some(Element::One(value)) => self.done_with(value)?,
                _ => return Err(STAYS),
            }
            left -= 1;
        }
    }

    fn folded(&mut self, chain: &mut Chain<'p>, function: Function<'p>, start: Value) -> Evaluated {
        let mut value = start;
        loop {
            let before = self.line.statements.len();
            let Some(element) = self.next_element(chain)? else {
                return Ok(value);
            };
            self.evaluated_before(before, [&mut value])?;
            value = self.applied(function, vec![Element::One(value), element], chain.whole)?;
        }
    }

    /// The conditions that were evaluated, one after the other.
    fn any_or_all(
        &mut self,
        chain: &mut Chain<'p>,
        function: Function<'p>,
        is_any: bool,
    ) -> Evaluated {
        let mut conditions = Vec::new();
        let mut is_ended = false;
        while !is_ended && let Some(element) = self.next_element(chain)? {
            let before = self.line.statements.len();
            let value = self.applied(function, vec![element], chain.whole)?;
            is_ended = self.truth(&value)? == is_any;
            if !self.is_clean(&value) && !self.form.branches.are_gone() {
                return Err(STAYS);
            }
            self.evaluated_before(before, &mut conditions)?;
            conditions.push(value);
        }
        let is_clean = conditions.iter().all(|one| self.is_clean(one));
        if is_clean {
            return Ok(Value::Known((is_ended == is_any).to_string()));
        }
        let neutral = (!is_any).to_string();
        conditions.retain(|one| !matches!(one, Value::Known(text) if *text == neutral));
        let texts = self.texts_of(conditions)?.0;
        let text = operation(texts, if is_any { " || " } else { " && " });
        Ok(Value::Expression { text, is_clean })
    }

    fn found(
        &mut self,
        chain: &mut Chain<'p>,
        function: Function<'p>,
        is_filter: bool,
    ) -> Evaluated {
        while let Some(element) = self.next_element(chain)? {
            if is_filter {
                let Element::One(whole) = &element else {
                    return Err(STAYS);
                };
                let (whole, is_tainted) = (whole.clone(), !self.is_clean(whole));
                let lent = self.lent(&element);
                let value = self.applied(function, vec![lent], chain.whole)?;
                if self.decided(&value, is_tainted)? {
                    return Ok(self.option(Some(whole)));
                }
            } else {
                let value = self.applied(function, vec![element], chain.whole)?;
                if let Some(inner) = self.in_option(value)? {
                    return Ok(self.option(Some(inner)));
                }
            }
        }
        Ok(self.option(None))
    }

    /// The value of a method that takes all elements.
    fn of_elements(
        &mut self,
        name: &str,
        chain: &mut Chain<'p>,
        call: &'p ExprMethodCall,
        whole: &'p Expr,
    ) -> Evaluated {
        let elements = self.all_elements(chain)?;
        let ty = match name {
            "collect" | "sum" => self.asked_type(call, whole),
            _ => None,
        };
        let head = ty.as_deref().map(|ty| {
            let head = ty.split('<').next().unwrap_or(ty);
            last_name(head).to_owned()
        });
        if elements.iter().any(|one| matches!(one, Element::Many(_))) {
            return match head.as_deref() {
                Some("Vec") => self.extended(elements, ty.as_deref()),
                _ => Err(STAYS),
            };
        }
        let mut values = values(elements)?;
        match (name, head.as_deref()) {
            ("collect", Some("Vec")) => return self.vector(values),
            ("collect", Some("HashMap" | "BTreeMap")) => {
                if let Some(map) = self.keyed(head.as_deref().unwrap_or_default(), &values) {
                    return Ok(map);
                }
            }
            ("collect", Some("Result" | "Option")) => {
                let is_vector = ty.as_deref().is_some_and(|ty| {
                    let inner = ty.split_once('<').map_or("", |(_, inner)| inner);
                    last_name(inner.split('<').next().unwrap_or(inner)) == "Vec"
                });
                let path = match head.as_deref() {
                    Some("Option") => "Some",
                    _ => "Ok",
                };
                if let Some(inner) = self.in_all(&values, path).filter(|_| is_vector) {
                    let list = self.vector(inner)?;
                    return self.made(path.to_owned(), vec![list]);
                }
            }
            ("count", _) => {
                for value in &values {
                    self.done_with(value.clone())?;
                }
                return Ok(Value::Known(format!("{}_usize", values.len())));
            }
            ("last" | "next_back", _) => {
                let last = values.pop();
                for value in values {
                    self.done_with(value)?;
                }
                return Ok(self.option(last));
            }
            // Options and results have no sum of their own.
            ("sum", head) if !values.is_empty() && !matches!(head, Some("Result" | "Option")) => {
                let values = values.into_iter().map(|value| self.behind_value(value));
                let values = values.collect();
                let (texts, is_clean) = self.texts_of(values)?;
                let text = operation(texts, " + ");
                return Ok(Value::Expression { text, is_clean });
            }
            _ => {}
        }
        self.on_list(name, values, call)
    }

    /// A method that is called on a list of the elements.
    fn on_list(&mut self, name: &str, values: Vec<Value>, call: &'p ExprMethodCall) -> Evaluated {
        if values.is_empty() {
            return Err(STAYS);
        }
        let (texts, mut is_clean) = self.texts_of(values)?;
        let arguments: Vec<&'p Expr> = call.args.iter().collect();
        let arguments = self.all(&arguments)?;
        let (arguments, are_clean) = self.texts_of(arguments)?;
        is_clean &= are_clean;
        let turbofish = call.turbofish.as_ref().map_or("", |one| self.text(one));
        let turbofish = self.with_types(turbofish);
        let list = texts.join(", ");
        let arguments = arguments.join(", ");
        let text = format!("[{list}].into_iter().{name}{turbofish}({arguments})");
        Ok(Value::Expression { text, is_clean })
    }

    /// A list to which is added what is in values.
    fn extended(&mut self, elements: Vec<Element>, ty: Option<&str>) -> Evaluated {
        let ty = ty.filter(|ty| !ty.contains('_') && self.is_nameable(ty));
        let ty = ty.map_or(String::new(), |ty| format!(": {ty}"));
        let list = self.let_variable("all", &ty, "Vec::new()", false)?;
        let Value::Variable { text: list, .. } = &list else {
            return Err(UNLIKE);
        };
        for element in elements {
            let (value, method) = match element {
                Element::One(value) => (value, "push"),
                Element::Many(value) => (value, "extend"),
                Element::Untold => return Err(STAYS),
            };
            let text = self.text_of(value)?.0;
            self.emit_effect(&format!("{list}.{method}({text})"), false)?;
        }
        let (text, is_clean) = (list.clone(), false);
        Ok(Value::Variable { text, is_clean })
    }

    /// The type that a call makes.
    fn asked_type(&mut self, call: &ExprMethodCall, whole: &Expr) -> Option<String> {
        if let Some(turbofish) = &call.turbofish {
            let text = self.text(turbofish).trim_start_matches("::");
            let ty = text.trim().strip_prefix('<')?.strip_suffix('>')?;
            return Some(self.with_types(ty.trim()));
        }
        let place = self.file().place(whole);
        let site = self.sites.types.get(&place).copied()?;
        let cursor = self.frame().cursor;
        let ty = self.next_literal(site);
        self.frame().cursor = cursor;
        super::results::written_type(&ty?)
    }

    /// A map of pairs whose keys are known.
    fn keyed(&mut self, name: &str, values: &[Value]) -> Option<Value> {
        let mut made = Made {
            path: format!("std::collections::{name}"),
            fields: Vec::new(),
            form: MadeForm::Keyed,
        };
        for value in values {
            let Value::Made(pair) = value else {
                return None;
            };
            let (key, part) = (pair.slot("0")?, pair.slot("1")?);
            let Value::Known(key) = self.store[self.behind(key)].clone() else {
                return None;
            };
            match made.slot(&key) {
                Some(known) => self.store[known] = self.store[part].clone(),
                None => made.fields.push((key, part)),
            }
        }
        Some(Value::Made(made))
    }

    /// Returns the values in some that are all made by a path, such as `Ok`.
    fn in_all(&self, values: &[Value], path: &str) -> Option<Vec<Value>> {
        let inner = values.iter().map(|value| match value {
            Value::Made(made) if made.path == path => Some(self.store[made.slot("0")?].clone()),
            _ => None,
        });
        inner.collect()
    }
}

/// The text of an operation with these operands; of a single one, itself.
fn operation(operands: Vec<String>, operator: &str) -> String {
    let texts: Vec<String> = match &operands[..] {
        [_] => operands,
        _ => operands.iter().map(|text| operand(text)).collect(),
    };
    texts.join(operator)
}
