//! What a program reads while it is compiled, in the place where it reads it: variables and files.
//!
//! `env!`, `include_str!` and their like are found among the tokens, so also in other macros' calls
//! and definitions. For `include!` the place decides how a file is read, so only where it is syntax.

mod calls;
mod documentation;
mod included;
mod literal;
mod positions;
mod reader;

pub(crate) use calls::included_names;

use calls::{Call, Calls, Name};
use camino::Utf8Path;
use documentation::documentation_at;
use included::{expression_of, items_of};
use literal::{byte_literal, string_literal};
use positions::{Form, Position, Positions, positions_of_code, positions_of_file};
use reader::Reader;
use reduce_syntax::{Edit, EditSet, SourceTree};
use std::ops::Range;
use std::sync::Arc;

/// What `env!` and `include!` read.
pub trait Readable {
    /// An environment variable of the compiler, if it is set and text.
    fn variable(&self, name: &str) -> Option<String>;

    /// A file's bytes, if it can be read. `.` and `..` in its path are resolved by name.
    fn file(&self, path: &Utf8Path) -> Option<Vec<u8>>;
}

/// A file's text with what it reads in place of `env!`, `option_env!`, `include!`, `include_str!`,
/// `include_bytes!`, and `concat!` around them. Documentation that a macro makes goes.
///
/// `path` is the file's own path: relative ones are meant from its directory. What cannot be read, is
/// larger than a mebibyte, or would include itself stays; so does a text that does not parse.
#[must_use]
pub fn embedded(text: &str, path: &Utf8Path, readable: &dyn Readable) -> String {
    embed(text, path, Part::File, &mut Reader::new(readable, path))
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    File,
    /// An expression, or statements.
    Code,
}

fn embed(text: &str, path: &Utf8Path, part: Part, reader: &mut Reader<'_>) -> String {
    let positions = match part {
        Part::File => positions_of_file(text),
        Part::Code => positions_of_code(text),
    };
    let Some(positions) = positions else {
        return text.to_owned();
    };
    let calls = &Calls::new(text);
    let mut embedder = Embedder {
        calls,
        positions,
        path,
        reader,
    };
    let sources = SourceTree::single(path.to_owned(), Arc::from(text));
    let mut edits = EditSet::new();
    for (range, by) in embedder.replacements() {
        edits.add(Edit::replace(sources.root(), &range, &by));
    }
    edits.apply(&sources).text(sources.root()).to_owned()
}

/// A text in which calls are replaced.
struct Embedder<'e, 'r> {
    calls: &'e Calls<'e>,
    positions: Positions,
    path: &'e Utf8Path,
    reader: &'e mut Reader<'r>,
}

impl Embedder<'_, '_> {
    /// What is replaced by what, in order. What is inside of a replaced range is not looked at.
    fn replacements(&mut self) -> Vec<(Range<usize>, String)> {
        let mut found: Vec<(Range<usize>, String)> = Vec::new();
        let mut done = 0;
        for idx in self.calls.indices() {
            let gone = documentation_at(self.calls, idx);
            found.extend(gone.into_iter().map(|range| (range, String::new())));
            let call = self.calls.call_at(idx);
            if let Some(call) = call.filter(|call| done <= call.range.start) {
                found.extend(self.replacement(&call));
            }
            done = found.last().map_or(0, |(range, _)| range.end.max(done));
        }
        found
    }

    fn replacement(&mut self, call: &Call) -> Option<(Range<usize>, String)> {
        let by = match call.name {
            Name::Include => return self.included(call),
            Name::Concat => string_literal(&self.calls.joined(call, self.reader, self.path)?),
            Name::Env | Name::OptionEnv => self.variable(call)?,
            Name::IncludeStr => string_literal(&String::from_utf8(self.file(call)?).ok()?),
            Name::IncludeBytes => byte_literal(&self.file(call)?),
            Name::Stringify => return None,
        };
        Some((call.range.clone(), by))
    }

    fn variable(&mut self, call: &Call) -> Option<String> {
        let name = self.calls.argument(call, self.reader, self.path)?;
        let value = self.reader.variable(&name);
        let literal = value.as_deref().map(string_literal);
        if call.name == Name::Env {
            return literal;
        }
        let none = || "None::<&'static str>".to_owned();
        Some(literal.map_or_else(none, |literal| format!("Some({literal})")))
    }

    fn file(&mut self, call: &Call) -> Option<Vec<u8>> {
        let relative = self.calls.argument(call, self.reader, self.path)?;
        self.reader.bytes(&Reader::resolved(self.path, &relative))
    }

    fn included(&mut self, call: &Call) -> Option<(Range<usize>, String)> {
        let position = self.positions.get(&call.range.start)?;
        let relative = self.calls.argument(call, self.reader, self.path)?;
        let file = Reader::resolved(self.path, &relative);
        let calls = self.calls;
        self.reader.inside(&file, |reader| match position {
            Position::Items { whole, conditions } => {
                let condition = |range: &Range<usize>| format!("{} ", calls.text_of(range));
                let prefix: String = conditions.iter().map(condition).collect();
                Some((whole.clone(), items_of(&file, &prefix, reader)?))
            }
            Position::Expression { needs_semicolon } => {
                let (text, form) = expression_of(&file, reader)?;
                let end = if *needs_semicolon { ";" } else { "" };
                let by = in_brackets(text, form, calls, call);
                Some((call.range.clone(), format!("{by}{end}")))
            }
        })
    }
}

/// An expression in brackets where an operator or keyword beside it could take a part of it.
fn in_brackets(text: String, form: Form, calls: &Calls<'_>, call: &Call) -> String {
    let before = call.whole.start.checked_sub(1);
    let before = before.map_or("", |idx| calls.word(idx));
    let after = calls.word(call.whole.end);
    let begins = ["", "=", "(", "[", "{", "}", ",", ";", ":", "=>"].contains(&before);
    let ends = ["", ")", "]", "}", ",", ";"].contains(&after);
    if form == Form::Closed || (begins && ends) {
        return text;
    }
    format!("({text})")
}

#[cfg(test)]
mod tests;
