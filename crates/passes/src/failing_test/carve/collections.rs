//! Lists and maps of the standard library, as the test's own code uses them: their elements are values by themselves.

use super::interpreter::Interpreter;
use super::literal::{behind_reference, key_of, last_name, list_elements};
use super::values::{Made, MadeForm, Slot, Stop, Value};
use syn::{Expr, ExprMethodCall};

/// The largest list of which the elements are looked at one by one.
const MOST_ELEMENTS: usize = 400;

impl<'p> Interpreter<'_, 'p> {
    /// The collection that a constructor of the standard library makes, which is empty.
    pub(super) fn empty_collection(path: &str) -> Option<Value> {
        let (ty, function) = path.rsplit_once("::")?;
        let ty = ty.split("::<").next()?.split('<').next()?;
        let name = ty.rsplit("::").next()?.trim();
        let (path, form) = match name {
            "Vec" => ("vec!", MadeForm::Listed),
            "VecDeque" => ("std::collections::VecDeque", MadeForm::Listed),
            "HashMap" => ("std::collections::HashMap", MadeForm::Keyed),
            "BTreeMap" => ("std::collections::BTreeMap", MadeForm::Keyed),
            _ => return None,
        };
        matches!(function, "new" | "default" | "with_capacity").then(|| {
            Value::Made(Made {
                path: path.to_owned(),
                fields: Vec::new(),
                form,
            })
        })
    }

    /// The place of the collection that a method is called on, if its elements are known.
    fn collection(&mut self, receiver: &Value) -> Option<(Slot, Made, Option<bool>)> {
        let (slot, is_mut) = match receiver {
            Value::Reference { to, is_mut } => (self.behind(*to), Some(*is_mut)),
            value => (self.slot("value", value.clone()), None),
        };
        if let Value::Known(text) = &self.store[slot]
            && let Some(referent) = behind_reference(text)
        {
            let to = self.slot("value", Value::Known(referent.to_owned()));
            return self.collection(&Value::Reference { to, is_mut: false });
        }
        if let Value::Known(text) = &self.store[slot] {
            let is_collection = match text.split_once("::from(") {
                Some((path, _)) => path.ends_with("Map"),
                None => list_elements(text).is_some(),
            };
            if !is_collection {
                return None;
            }
            self.take_apart(slot);
        }
        match &self.store[slot] {
            Value::Made(made) if made.fields.len() <= MOST_ELEMENTS => {
                let is_collection = !matches!(made.form, MadeForm::Numbered | MadeForm::Named);
                is_collection.then(|| (slot, made.clone(), is_mut))
            }
            _ => None,
        }
    }

    /// The value of a method that the standard library has for a collection; nothing where the call stays as it is.
    pub(super) fn of_collection(
        &mut self,
        name: &str,
        receiver: &Value,
        arguments: &[Value],
    ) -> Result<Option<Value>, Stop> {
        const CHANGING: [&str; 10] = [
            "extend",
            "push",
            "push_back",
            "push_front",
            "pop",
            "pop_back",
            "pop_front",
            "insert",
            "remove",
            "clear",
        ];
        const LOOKING: [&str; 22] = [
            "keys",
            "values",
            "values_mut",
            "first_key_value",
            "last_key_value",
            "get",
            "get_mut",
            "first",
            "last",
            "front",
            "back",
            "first_mut",
            "last_mut",
            "iter",
            "iter_mut",
            "into_iter",
            "enumerate",
            "rev",
            "zip",
            "contains_key",
            "copied",
            "cloned",
        ];
        let is_changing = CHANGING.contains(&name);
        if !is_changing && !LOOKING.contains(&name) {
            return Ok(None);
        }
        let gives_one = matches!(
            name,
            "get"
                | "get_mut"
                | "first"
                | "last"
                | "front"
                | "back"
                | "first_mut"
                | "last_mut"
                | "first_key_value"
                | "last_key_value"
        );
        if !is_changing && !gives_one && name != "contains_key" && !self.wants_elements {
            return Ok(None);
        }
        let Some((slot, made, is_mut)) = self.collection(receiver) else {
            return Ok(None);
        };
        if is_changing {
            return match is_mut {
                Some(_) => self.changed_collection(name, slot, made, arguments),
                None => Ok(None),
            };
        }
        match made.form {
            MadeForm::Keyed if arguments.is_empty() => self.entries_of(name, &made, is_mut),
            MadeForm::Keyed => Ok(self.looked_up(name, &made, arguments)),
            _ => self.looked_at_list(name, &made, arguments),
        }
    }

    /// An option of the standard library with this value, or without one.
    pub(super) fn option(&mut self, value: Option<Value>) -> Value {
        let Some(value) = value else {
            return Value::Known("None".to_owned());
        };
        let slot = self.slot("value", value);
        Value::Made(Made {
            path: "Some".to_owned(),
            fields: vec![("0".to_owned(), slot)],
            form: MadeForm::Numbered,
        })
    }

    /// A key or index, as a literal.
    pub(super) fn key(&self, value: &Value) -> Option<String> {
        match value {
            Value::Known(text) => Some(text.clone()),
            Value::Reference { to, .. } => self.key(&self.store[*to]),
            _ => None,
        }
    }

    fn looked_up(&mut self, name: &str, made: &Made, arguments: &[Value]) -> Option<Value> {
        let key = self.key(arguments.first()?)?;
        let found = made.slot(&key);
        match name {
            "get" | "get_mut" => Some(self.referred(found, name == "get_mut")),
            "contains_key" => Some(Value::Known(found.is_some().to_string())),
            _ => None,
        }
    }

    /// The value of a method that goes through the entries of a map; nothing where their order is not known.
    fn entries_of(
        &mut self,
        name: &str,
        made: &Made,
        is_mut: Option<bool>,
    ) -> Result<Option<Value>, Stop> {
        let Some(fields) = in_order(made) else {
            return Ok(None);
        };
        let is_mut = match name {
            "into_iter" => is_mut,
            _ => Some(matches!(name, "iter_mut" | "values_mut")),
        };
        let parts = match name {
            "keys" => {
                let keys = fields.into_iter().map(|(key, _)| format!("&{key}"));
                keys.map(Value::Known).collect()
            }
            "values" | "values_mut" => {
                let values = fields.into_iter();
                let is_mut = name == "values_mut";
                values
                    .map(|(_, to)| Value::Reference { to, is_mut })
                    .collect()
            }
            _ => self.pairs(fields, is_mut)?,
        };
        let mut ends = parts.iter();
        let end = match name {
            "first_key_value" => Some(ends.next()),
            "last_key_value" => Some(ends.next_back()),
            _ => None,
        };
        if let Some(found) = end {
            let found = found.cloned();
            return Ok(Some(self.option(found)));
        }
        let path = self.path_if_clean(name, made, &[])?;
        Ok(Some(self.all_of(path, parts)))
    }

    /// The entries of a map as pairs, of references if it is not taken itself.
    fn pairs(
        &mut self,
        fields: Vec<(String, Slot)>,
        is_mut: Option<bool>,
    ) -> Result<Vec<Value>, Stop> {
        let pairs = fields.into_iter().map(|(key, to)| {
            let pair = match is_mut {
                Some(is_mut) => vec![
                    Value::Known(format!("&{key}")),
                    Value::Reference { to, is_mut },
                ],
                None => vec![Value::Known(key), self.store[to].clone()],
            };
            self.made(String::new(), pair)
        });
        pairs.collect()
    }

    /// The call of a method of a list or map as it is written, if nothing of the code under test is in that; else nothing.
    fn path_if_clean(
        &mut self,
        name: &str,
        made: &Made,
        arguments: &[Value],
    ) -> Result<String, Stop> {
        let is_clean = self.is_clean(&Value::Made(made.clone()));
        if !is_clean || !arguments.iter().all(|one| self.is_clean(one)) {
            return Ok(String::new());
        }
        let text = self.made_text(made)?;
        let texts = self.texts_of(arguments.to_vec())?.0;
        Ok(format!("{text}.{name}({})", texts.join(", ")))
    }

    /// An iterator that has these values yet to give, which may be written as `path`.
    fn all_of(&mut self, path: String, values: Vec<Value>) -> Value {
        let fields = values.into_iter().enumerate();
        let fields = fields.map(|(nth, value)| (nth.to_string(), self.slot("value", value)));
        Value::Made(Made {
            path,
            fields: fields.collect(),
            form: MadeForm::Iterated,
        })
    }

    fn referred(&mut self, found: Option<Slot>, is_mut: bool) -> Value {
        self.option(found.map(|to| Value::Reference { to, is_mut }))
    }

    fn looked_at_list(
        &mut self,
        name: &str,
        made: &Made,
        arguments: &[Value],
    ) -> Result<Option<Value>, Stop> {
        let path = self.path_if_clean(name, made, arguments)?;
        let slots: Vec<Slot> = made.fields.iter().map(|(_, slot)| *slot).collect();
        let end = slots.len().wrapping_sub(1);
        let is_iterated = made.form == MadeForm::Iterated;
        let elements = |inner: &mut Self| -> Vec<Value> {
            let values = slots.iter();
            values.map(|slot| inner.store[*slot].clone()).collect()
        };
        let references = |is_mut: bool| -> Vec<Value> {
            let values = slots.iter();
            values
                .map(|slot| Value::Reference { to: *slot, is_mut })
                .collect()
        };
        let given = match (name, is_iterated) {
            ("get" | "get_mut", false) => {
                let nth = arguments.first().and_then(|one| self.key(one));
                let nth = nth.map(|text| key_of(&text));
                let Some(nth) = nth.and_then(|text| text.parse::<usize>().ok()) else {
                    return Ok(None);
                };
                let found = slots.get(nth).copied();
                return Ok(Some(self.referred(found, name == "get_mut")));
            }
            ("first" | "front" | "first_mut", false) => {
                let found = slots.first().copied();
                return Ok(Some(self.referred(found, name == "first_mut")));
            }
            ("last" | "back" | "last_mut", false) => {
                let found = slots.get(end).copied();
                return Ok(Some(self.referred(found, name == "last_mut")));
            }
            ("iter" | "iter_mut", false) => references(name == "iter_mut"),
            ("into_iter", _) => elements(self),
            ("copied" | "cloned", true) => {
                let values = elements(self).into_iter();
                let values = values.map(|value| match value {
                    Value::Reference { to, .. } => self.store[to].clone(),
                    Value::Known(text) => {
                        let text = behind_reference(&text).unwrap_or(&text).to_owned();
                        Value::Known(text)
                    }
                    other => other,
                });
                values.collect()
            }
            ("rev", true) => elements(self).into_iter().rev().collect(),
            ("enumerate", true) => {
                let mut found = Vec::new();
                for (nth, value) in elements(self).into_iter().enumerate() {
                    let number = Value::Known(format!("{nth}_usize"));
                    found.push(self.made(String::new(), vec![number, value])?);
                }
                found
            }
            ("zip", true) => {
                let others = match arguments.first().and_then(|other| self.collection(other)) {
                    Some((_, others, is_mut)) => {
                        let others = others.fields.into_iter().map(|(_, slot)| slot);
                        let others = others.map(|to| match is_mut {
                            Some(is_mut) => Value::Reference { to, is_mut },
                            None => self.store[to].clone(),
                        });
                        others.collect::<Vec<_>>()
                    }
                    None => return Ok(None),
                };
                let mut found = Vec::new();
                for (one, other) in elements(self).into_iter().zip(others) {
                    found.push(self.made(String::new(), vec![one, other])?);
                }
                found
            }
            _ => return Ok(None),
        };
        Ok(Some(self.all_of(path, given)))
    }

    /// The value of `map.entry(key).or_insert(value)` and the like.
    pub(super) fn entry(&mut self, call: &'p ExprMethodCall) -> Result<Option<Value>, Stop> {
        let name = call.method.to_string();
        let Expr::MethodCall(entry) = &*call.receiver else {
            return Ok(None);
        };
        let is_entry = entry.method == "entry" && entry.args.len() == 1;
        if !is_entry || !matches!(&*name, "or_insert" | "or_insert_with" | "or_default") {
            return Ok(None);
        }
        let Some(slot) = self.slot_of(&entry.receiver) else {
            return Ok(None);
        };
        let to = self.behind(slot);
        let map = self.collection(&Value::Reference { to, is_mut: true });
        let Some((slot, mut made, _)) = map.filter(|(_, made, _)| made.form == MadeForm::Keyed)
        else {
            return Ok(None);
        };
        let mark = self.mark();
        let key = self.eval(&entry.args[0])?;
        let Some(key) = self.key(&key) else {
            self.back_to(mark);
            return Ok(None);
        };
        let known = made.slot(&key);
        let value = match (known, &*name, call.args.first()) {
            (Some(_), "or_insert_with" | "or_default", _) => None,
            (_, "or_insert", Some(value)) => Some(self.eval(value)?),
            (None, "or_insert_with", Some(Expr::Path(path))) => {
                Self::empty_collection(self.text(path))
            }
            _ => None,
        };
        let to = match (known, value) {
            (Some(known), _) => known,
            (None, Some(value)) => {
                let part = self.bound_part("value", None, value)?;
                made.fields.push((key, part));
                self.store[slot] = Value::Made(made);
                part
            }
            (None, None) => {
                self.back_to(mark);
                return Ok(None);
            }
        };
        Ok(Some(Value::Reference { to, is_mut: true }))
    }

    /// The elements that a loop over a value goes through; nothing where they are not known.
    pub(super) fn elements(&mut self, value: &Value) -> Option<Vec<Value>> {
        let (_, made, is_mut) = self.collection(value)?;
        if made.form == MadeForm::Keyed {
            return self.pairs(in_order(&made)?, is_mut).ok();
        }
        let slots = made.fields.into_iter().map(|(_, slot)| slot);
        let values = slots.map(|to| match (made.form, is_mut) {
            (MadeForm::Listed, Some(is_mut)) => Value::Reference { to, is_mut },
            _ => self.store[to].clone(),
        });
        Some(values.collect())
    }
}

/// The entries of a map in the order in which it gives them; nothing where that is not known.
fn in_order(made: &Made) -> Option<Vec<(String, Slot)>> {
    let mut fields = made.fields.clone();
    if fields.len() < 2 {
        return Some(fields);
    }
    let keys = fields.iter().map(|(key, _)| order_of(key));
    let keys: Vec<Order> = keys.collect::<Option<_>>()?;
    let are_texts = |one: &Order| matches!(one, Order::Text(_));
    let is_one_type = keys
        .windows(2)
        .all(|pair| are_texts(&pair[0]) == are_texts(&pair[1]));
    if last_name(&made.path) != "BTreeMap" || !is_one_type {
        return None;
    }
    fields.sort_by_cached_key(|(key, _)| order_of(key));
    Some(fields)
}

/// The literal of a key, as it is compared with others.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Number(i128),
    Text(String),
}

fn order_of(key: &str) -> Option<Order> {
    let key = key_of(key);
    let text = key
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    match text {
        Some(text) => (!text.contains('\\')).then(|| Order::Text(text.to_owned())),
        None => key.parse().ok().map(Order::Number),
    }
}
