//! Lists and maps of the standard library that the test fills and empties.

use super::interpreter::Interpreter;
use super::values::{Made, MadeForm, Slot, Stop, Value};

impl Interpreter<'_, '_> {
    pub(super) fn changed_collection(
        &mut self,
        name: &str,
        slot: Slot,
        mut made: Made,
        arguments: &[Value],
    ) -> Result<Option<Value>, Stop> {
        let mut given = arguments.to_vec();
        let gone = match (made.form, name, given.len()) {
            (MadeForm::Listed, "push" | "push_back", 1) => {
                let at = made.fields.len();
                self.put(&mut made, at, given.remove(0))?;
                None
            }
            (MadeForm::Listed, "push_front", 1) => {
                self.put(&mut made, 0, given.remove(0))?;
                None
            }
            (MadeForm::Listed, "extend", 1) => {
                let Some(elements) = self.elements(&given[0]) else {
                    return Ok(None);
                };
                for element in elements {
                    // A list of copies takes references too.
                    if matches!(element, Value::Reference { .. }) {
                        return Ok(None);
                    }
                    let at = made.fields.len();
                    self.put(&mut made, at, element)?;
                }
                None
            }
            (MadeForm::Listed, "pop" | "pop_back", 0) => Some(made.fields.pop()),
            (MadeForm::Listed, "pop_front", 0) => Some(match made.fields.is_empty() {
                true => None,
                false => Some(made.fields.remove(0)),
            }),
            (MadeForm::Listed | MadeForm::Keyed, "clear", 0) => {
                made.fields.clear();
                None
            }
            (MadeForm::Keyed, "insert", 2) => {
                let value = given.pop().unwrap_or(Value::Unit);
                let Some(key) = self.key(&given[0]) else {
                    return Ok(None);
                };
                let value = self.bound_part("value", None, value)?;
                let known = made.slot(&key);
                let old = known.map(|known| self.store[known].clone());
                match known {
                    Some(known) => self.store[known] = self.store[value].clone(),
                    None => made.fields.push((key.clone(), value)),
                }
                old.map(|old| Some((key, self.slot("value", old))))
                    .or(Some(None))
            }
            (MadeForm::Keyed, "remove", 1) => {
                let Some(key) = self.key(&given[0]) else {
                    return Ok(None);
                };
                let found = made.slot(&key);
                let nth = made
                    .fields
                    .iter()
                    .position(|(_, slot)| Some(*slot) == found);
                Some(nth.map(|nth| made.fields.remove(nth)))
            }
            (MadeForm::Listed, "insert", 2) | (MadeForm::Listed, "remove", 1)
                if made.path == "vec!" =>
            {
                let nth = self
                    .key(&given[0])
                    .and_then(|text| text.parse::<usize>().ok());
                let Some(nth) = nth.filter(|nth| *nth <= made.fields.len()) else {
                    return Ok(None);
                };
                match name {
                    "insert" => {
                        self.put(&mut made, nth, given.remove(1))?;
                        None
                    }
                    // What is removed from a list is no option.
                    _ if nth < made.fields.len() => {
                        let (_, part) = made.fields.remove(nth);
                        self.numbered(&mut made);
                        self.store[slot] = Value::Made(made);
                        return Ok(Some(self.store[part].clone()));
                    }
                    _ => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        self.numbered(&mut made);
        self.store[slot] = Value::Made(made);
        Ok(Some(match gone {
            None => Value::Unit,
            Some(part) => {
                let value = part.map(|(_, part)| self.store[part].clone());
                self.option(value)
            }
        }))
    }

    fn put(&mut self, made: &mut Made, at: usize, value: Value) -> Result<(), Stop> {
        let slot = self.bound_part("value", None, value)?;
        made.fields.insert(at, (String::new(), slot));
        Ok(())
    }

    /// Gives the elements of a list their numbers.
    fn numbered(&self, made: &mut Made) {
        if made.form == MadeForm::Listed {
            for (nth, (name, _)) in made.fields.iter_mut().enumerate() {
                *name = nth.to_string();
            }
        }
    }
}
