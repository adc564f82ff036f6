//! Changes the calls of methods that leave their impl.

use super::super::functions::{Call, Function};
use super::Freeing;
use crate::program::Place;

impl<'p> Freeing<'_, 'p> {
    /// Adds the edits of all method calls (`x.f()`) of the functions that leave the impl. What is inside of another
    /// is done first, since it becomes a part of the other's text.
    pub(super) fn calls(&mut self) -> Option<()> {
        let families = self.families.iter();
        let calls =
            families.flat_map(|family| family.calls.iter().map(|call| (family.first(), call)));
        let mut all: Vec<(&Function<'p>, &Call<'p>)> = calls.collect();
        all.retain(|(_, call)| call.receiver.is_some());
        all.sort_by_key(|(_, call)| call.whole.range.len());
        for (function, call) in all {
            self.by_method(function, call)?;
        }
        Some(())
    }

    /// Changes a method call: `x.f(` becomes `f(&x, `.
    fn by_method(&mut self, function: &Function<'p>, call: &Call<'p>) -> Option<()> {
        if call.turbofish().next().is_some() {
            return None;
        }
        let receiver = call.receiver?;
        let text = self.change.text(&call.at.place(receiver));
        let passed = self
            .functions
            .passed(call.at, receiver, text, function.receiver()?)?;
        let name = call.at.text(call.name);
        let Place { file, range: whole } = &call.whole;
        let (end, text) = match call.arguments.first() {
            Some(first) => (
                call.at.place(first).range.start,
                format!("{name}({passed}, "),
            ),
            None => (whole.end, format!("{name}({passed})")),
        };
        self.change
            .replace(&Place::new(*file, whole.start..end), &text);
        Some(())
    }
}
