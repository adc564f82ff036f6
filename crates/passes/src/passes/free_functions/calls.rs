//! Calls of members that leave their impl.

use super::super::functions::{By, Call, Function, name_place};
use super::Freeing;
use crate::precedence::as_prefixed;
use crate::program::Place;

impl Freeing<'_> {
    /// The edits of all calls. What is inside of another is done first, since it becomes a part of
    /// the other's text.
    pub(super) fn calls(&mut self) -> Option<()> {
        let functions = self.functions;
        let of_family = |family| {
            let function = functions.first(family);
            functions.calls_of(family).map(move |call| (function, call))
        };
        let families = self.families.iter().copied();
        let mut all: Vec<(&Function, &Call)> = families.flat_map(of_family).collect();
        all.sort_by_key(|(_, call)| call.whole.range.len());
        for (function, call) in all {
            match &call.receiver {
                None => self.by_path(call),
                Some(_) => self.by_method(function, call)?,
            }
        }
        Some(())
    }

    /// `S::f` becomes `f`.
    fn by_path(&mut self, call: &Call) {
        let Place { file, range: name } = name_place(self.program, call.callee);
        let path = Place::new(file, call.function.range.start..name.end);
        self.replace(&path, &call.name);
    }

    /// `x.f(` becomes `f(&x, `.
    fn by_method(&mut self, function: &Function, call: &Call) -> Option<()> {
        if !call.turbofish.is_empty() {
            return None;
        }
        let passed = self.passed(function, call)?;
        let Place { file, range: whole } = &call.whole;
        let first = call.arguments.first();
        let (end, text) = match first {
            Some(first) => (first.place.range.start, format!("{}({passed}, ", call.name)),
            None => (whole.end, format!("{}({passed})", call.name)),
        };
        self.replace(&Place::new(*file, whole.start..end), &text);
        Some(())
    }

    fn passed(&self, function: &Function, call: &Call) -> Option<String> {
        let receiver = call.receiver.as_ref()?;
        let Place { file, range } = &receiver.place;
        let text = self.edits.text_within(self.program.sources(), *file, range);
        let reference = match function.receiver.as_ref()?.by {
            By::Value => "",
            By::Other => return None,
            By::Reference | By::MutReference
                if self.functions.is_reference(self.program, &receiver.place) =>
            {
                ""
            }
            By::Reference => "&",
            By::MutReference => "&mut ",
        };
        Some(match reference {
            "" => text,
            _ => format!("{reference}{}", as_prefixed(&text)),
        })
    }
}
