//! Puts what a program reads while it is compiled, by `env!`, `include!` and the like, in place of these macro calls.
//!
//! `env!`, `include_str!` and their like are found among the tokens, so also in other macros' calls
//! and definitions. For `include!` the place decides how a file is read, so only where it is syntax.

mod calls;
mod documentation;
mod files;
mod included;
mod literal;
mod positions;

pub(crate) use calls::included_names;

use crate::rewriting::with_replaced;
use calls::{Call, Calls, Name};
use camino::Utf8Path;
use documentation::documentation_at;
use files::EmbeddedFiles;
use included::{expression_of, items_of};
pub(crate) use literal::{byte_literal, string_literal};
use positions::{Form, Position, Positions, positions_of_code, positions_of_file};
use std::ops::Range;

/// The variables and files that `env!` and `include!` read.
pub trait Readable {
    /// Returns an environment variable of the compiler, if it is set and is valid text.
    fn variable(&self, name: &str) -> Option<String>;

    /// Returns a file's bytes, if the file can be read. `.` and `..` in its path are resolved by name.
    fn file(&self, path: &Utf8Path) -> Option<Vec<u8>>;
}

/// Replaces calls of `env!`, `option_env!`, `include!`, `include_str!`, `include_bytes!`, and `concat!` around them, by what they
/// read. Documentation that a macro makes goes.
///
/// `path` is the file's own path: relative ones are meant from its directory. What cannot be read, is
/// larger than a mebibyte (code: 16 mebibytes), or would include itself stays; so does a text that does not parse.
#[must_use]
pub fn embedded(text: &str, path: &Utf8Path, readable: &dyn Readable) -> String {
    embed(
        text,
        path,
        Part::File,
        &mut EmbeddedFiles::new(readable, path),
    )
}

/// The syntax of a text in which `env!(..)`, `include!(..)` and the like are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    File,
    /// The text is an expression, or statements.
    Code,
}

fn embed(text: &str, path: &Utf8Path, part: Part, files: &mut EmbeddedFiles<'_>) -> String {
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
        files,
    };
    with_replaced(text, embedder.replacements())
}

/// A text in which calls of `env!`, `include!` and the like are replaced by what they read.
struct Embedder<'e, 'r> {
    calls: &'e Calls<'e>,
    positions: Positions,
    path: &'e Utf8Path,
    files: &'e mut EmbeddedFiles<'r>,
}

impl Embedder<'_, '_> {
    /// Returns the ranges of the macro calls to replace, each with the text for it, in order. What is inside of a replaced range
    /// is not looked at.
    fn replacements(&mut self) -> Vec<(Range<usize>, String)> {
        let mut found: Vec<(Range<usize>, String)> = Vec::new();
        let mut done = 0;
        for idx in self.calls.cursor.indices() {
            let gone = documentation_at(&self.calls.cursor, idx);
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
            Name::Concat => string_literal(&self.calls.joined(call, self.files, self.path)?),
            Name::Env | Name::OptionEnv => self.variable(call)?,
            Name::IncludeStr => string_literal(&String::from_utf8(self.file(call)?).ok()?),
            Name::IncludeBytes => byte_literal(&self.file(call)?),
            Name::Stringify => return None,
        };
        Some((call.range.clone(), by))
    }

    fn variable(&mut self, call: &Call) -> Option<String> {
        let name = self.calls.argument(call, self.files, self.path)?;
        let value = self.files.variable(&name);
        let literal = value.as_deref().map(string_literal);
        if call.name == Name::Env {
            return literal;
        }
        let none = || "None::<&'static str>".to_owned();
        Some(literal.map_or_else(none, |literal| format!("Some({literal})")))
    }

    fn file(&mut self, call: &Call) -> Option<Vec<u8>> {
        let relative = self.calls.argument(call, self.files, self.path)?;
        self.files
            .bytes(&EmbeddedFiles::resolved(self.path, &relative))
    }

    fn included(&mut self, call: &Call) -> Option<(Range<usize>, String)> {
        let position = self.positions.get(&call.range.start)?;
        let relative = self.calls.argument(call, self.files, self.path)?;
        let file = EmbeddedFiles::resolved(self.path, &relative);
        let calls = self.calls;
        self.files.inside(&file, |files| match position {
            Position::Items { whole, conditions } => {
                let condition =
                    |range: &Range<usize>| format!("{} ", &calls.cursor.text()[range.clone()]);
                let prefix: String = conditions.iter().map(condition).collect();
                Some((whole.clone(), items_of(&file, &prefix, files)?))
            }
            Position::Expression { needs_semicolon } => {
                let (text, form) = expression_of(&file, files)?;
                let end = if *needs_semicolon { ";" } else { "" };
                let by = in_brackets(text, form, calls, call);
                Some((call.range.clone(), format!("{by}{end}")))
            }
        })
    }
}

/// Puts an expression in parentheses where a neighbouring operator or keyword could take a part of it.
fn in_brackets(text: String, form: Form, calls: &Calls<'_>, call: &Call) -> String {
    let before = calls.cursor.before(call.whole.start, 1);
    let after = calls.cursor.word(call.whole.end);
    let begins = ["", "=", "(", "[", "{", "}", ",", ";", ":", "=>"].contains(&before);
    let ends = ["", ")", "]", "}", ",", ";"].contains(&after);
    if form == Form::Closed || (begins && ends) {
        return text;
    }
    format!("({text})")
}

#[cfg(test)]
mod tests;
