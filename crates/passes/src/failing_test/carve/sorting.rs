//! Lists that the test sorts by what is known of their elements.

use super::interpreter::{Frame, Interpreter};
use super::literal::number;
use super::values::{Made, MadeForm, Slot, Stop, Value};
use std::collections::HashMap;

impl Interpreter<'_, '_> {
    /// Sorts a list by keys that are known without the run: parts of its elements. Nothing where the call stays as it is.
    pub(super) fn sorted(
        &mut self,
        name: &str,
        receiver: &Value,
        arguments: &[Value],
    ) -> Result<Option<Value>, Stop> {
        let is_sort = matches!(name, "sort_by_key" | "sort_unstable_by_key");
        let (Value::Reference { to, is_mut: true }, [Value::Closure(closure)]) =
            (receiver, arguments)
        else {
            return Ok(None);
        };
        let list = self.behind(*to);
        let made = match &self.store[list] {
            Value::Made(made) if is_sort && made.form == MadeForm::Listed => made.clone(),
            _ => return Ok(None),
        };
        let mark = self.mark();
        let mut keyed = Vec::new();
        for (_, slot) in &made.fields {
            match self.key_by(*closure, *slot) {
                Some(key) => keyed.push((key, *slot)),
                None => {
                    self.back_to(mark);
                    return Ok(None);
                }
            }
        }
        keyed.sort_by_key(|(key, _)| *key);
        let slots = keyed.into_iter().enumerate();
        let fields = slots.map(|(nth, (_, slot))| (nth.to_string(), slot));
        let fields = fields.collect();
        self.store[list] = Value::Made(Made { fields, ..made });
        Ok(Some(Value::Unit))
    }

    /// The number that a closure takes from an element.
    fn key_by(&mut self, closure: usize, element: Slot) -> Option<i128> {
        let captured = self.closures[closure].clone();
        let mut context = captured.context;
        context.scopes.push(HashMap::new());
        self.frames.push(Frame::new(context, &[]));
        let element = Value::Reference {
            to: element,
            is_mut: false,
        };
        let bound = match captured.closure.inputs.first() {
            Some(input) => self.bind(input, element),
            None => Ok(()),
        };
        let key = bound.and_then(|()| self.eval(&captured.closure.body));
        self.frames.pop();
        match key.ok()? {
            Value::Known(text) => Some(number(&text)?.0),
            _ => None,
        }
    }
}
