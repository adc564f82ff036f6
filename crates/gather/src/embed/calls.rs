//! Finds the calls of `env!`, `include!`, `concat!` and the like among a text's tokens, and evaluates their arguments.
//!
//! Tokens are enough for that, and they are all there is inside other macros' calls and definitions.

use super::files::EmbeddedFiles;
use crate::global_paths::begins_global_path;
use camino::Utf8Path;
use reduce_syntax::{SpanGuard, TokenCursor};
use std::ops::Range;
use syn::Lit;

/// The deepest nesting of calls in each other's arguments that is evaluated.
const DEEPEST: usize = 16;

/// A macro that reads a variable or a file (`env!`, `include!`, ..), or `concat!`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Env,
    OptionEnv,
    Include,
    IncludeStr,
    IncludeBytes,
    Concat,
    Stringify,
}

impl Name {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "env" => Self::Env,
            "option_env" => Self::OptionEnv,
            "include" => Self::Include,
            "include_str" => Self::IncludeStr,
            "include_bytes" => Self::IncludeBytes,
            "concat" => Self::Concat,
            "stringify" => Self::Stringify,
            _ => return None,
        })
    }

    fn reads(self) -> bool {
        !matches!(self, Self::Concat | Self::Stringify)
    }

    fn reads_file(self) -> bool {
        matches!(self, Self::Include | Self::IncludeStr | Self::IncludeBytes)
    }
}

/// `name!(..)` with the path before the name.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) name: Name,
    /// The bytes of the call.
    pub(super) range: Range<usize>,
    /// The tokens of the call, with the path and the closing bracket.
    pub(super) whole: Range<usize>,
    /// The tokens of the arguments.
    arguments: Range<usize>,
}

/// The tokens of a text, among which calls are found.
pub(super) struct Calls<'t> {
    pub(super) cursor: TokenCursor<'t>,
    /// The macros such as `env!` whose names the text defines anew, so that calls of them mean something else.
    shadowed: Vec<Name>,
}

/// Returns the names of the files that calls such as `include!` read, as far as they are string literals: the last literal of
/// each call.
pub(crate) fn included_names(text: &str) -> Vec<String> {
    let calls = Calls::new(text);
    let reading = calls.cursor.indices().filter_map(|idx| calls.call_at(idx));
    let last_string = |call: Call| {
        let mut literals = call.arguments.rev().filter_map(|idx| calls.literal(idx));
        literals.find_map(|literal| match literal {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        })
    };
    reading
        .filter(|call| call.name.reads_file())
        .filter_map(last_string)
        .collect()
}

impl<'t> Calls<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let cursor = TokenCursor::new(text);
        let is_own = |&idx: &usize| cursor.are(idx, &["macro_rules", "!"]);
        let own = cursor.indices().filter(is_own);
        let shadowed = own.filter_map(|idx| Name::of(cursor.word(idx + 2)));
        Self {
            shadowed: shadowed.collect(),
            cursor,
        }
    }

    /// Returns the call of `env!`, `include!` or the like whose name is the token at `idx`.
    pub(super) fn call_at(&self, idx: usize) -> Option<Call> {
        let name = Name::of(self.cursor.word(idx))?;
        if self.shadowed.contains(&name) || !self.cursor.is(idx + 1, "!") {
            return None;
        }
        let closing = self.cursor.closing(idx + 2)?;
        let whole = self.start_of_path(idx)?..closing + 1;
        Some(Call {
            name,
            range: self.cursor.bytes_of(&whole),
            whole,
            arguments: idx + 3..closing,
        })
    }

    /// Finds the first token of `std::name`, `::core::name` or just `name`. `None` in another path.
    fn start_of_path(&self, name: usize) -> Option<usize> {
        match self.cursor.before(name, 1) {
            "$" => None,
            "::" => self.start_of_crate(name.checked_sub(2)?),
            _ => Some(name),
        }
    }

    /// Finds the first token of a path that begins with the name `krate`, if that is a crate of the standard library.
    fn start_of_crate(&self, krate: usize) -> Option<usize> {
        let is_std = matches!(self.cursor.word(krate), "std" | "core");
        match self.cursor.before(krate, 1) {
            _ if !is_std => None,
            "$" => None,
            "::" => Some(krate - 1).filter(|&at| begins_global_path(&self.cursor, at)),
            _ => Some(krate),
        }
    }

    fn first_argument(&self, call: &Call) -> Option<Range<usize>> {
        let arguments = call.arguments.clone();
        self.cursor
            .split_values_by_commas(arguments)
            .into_iter()
            .next()
    }

    /// Returns the text that the first argument of a call stands for, if that can be evaluated. (The second one of `env!` is a
    /// message.)
    pub(super) fn argument(
        &self,
        call: &Call,
        files: &mut EmbeddedFiles<'_>,
        path: &Utf8Path,
    ) -> Option<String> {
        let first = self.first_argument(call)?;
        Evaluation {
            calls: self,
            files,
            path,
        }
        .value(&first, 0)
    }

    /// Returns the text that a `concat!` makes, if a variable or a file is read in its arguments.
    pub(super) fn joined(
        &self,
        call: &Call,
        files: &mut EmbeddedFiles<'_>,
        path: &Utf8Path,
    ) -> Option<String> {
        let joined = Evaluation {
            calls: self,
            files,
            path,
        }
        .joined(call, 0)?;
        let reads = |idx| self.call_at(idx).is_some_and(|call| call.name.reads());
        call.arguments.clone().any(reads).then_some(joined)
    }

    fn literal(&self, idx: usize) -> Option<Lit> {
        let word = self.cursor.word(idx);
        let is_literal = self.cursor.kind(idx)?.is_literal();
        let _positions = SpanGuard::new();
        (is_literal || matches!(word, "true" | "false")).then(|| syn::parse_str(word).ok())?
    }
}

/// Evaluates the arguments of such macros as `include!` in a file.
struct Evaluation<'c, 'r, 'o> {
    calls: &'c Calls<'c>,
    files: &'r mut EmbeddedFiles<'o>,
    path: &'r Utf8Path,
}

impl Evaluation<'_, '_, '_> {
    fn value(&mut self, range: &Range<usize>, depth: usize) -> Option<String> {
        let calls = self.calls;
        if range.len() == 1 {
            return text_of(&calls.literal(range.start)?);
        }
        if range.len() == 2 && calls.cursor.is(range.start, "-") {
            let number = calls.literal(range.start + 1)?;
            let is_number = matches!(number, Lit::Int(_) | Lit::Float(_));
            return is_number.then(|| Some(format!("-{}", text_of(&number)?)))?;
        }
        let mark = range
            .clone()
            .take(5)
            .find(|&idx| calls.cursor.is(idx, "!"))?;
        let call = calls.call_at(mark.checked_sub(1)?)?;
        let is_alone = call.whole == *range && depth < DEEPEST;
        is_alone.then(|| self.value_of(&call, depth + 1))?
    }

    fn value_of(&mut self, call: &Call, depth: usize) -> Option<String> {
        if call.name == Name::Concat {
            return self.joined(call, depth);
        }
        if call.name == Name::Stringify {
            let is_one = call.arguments.len() == 1;
            return is_one.then(|| self.calls.cursor.word(call.arguments.start).to_owned());
        }
        let first = self.calls.first_argument(call)?;
        let argument = self.value(&first, depth)?;
        match call.name {
            Name::Env => self.files.variable(&argument),
            Name::IncludeStr => self
                .files
                .text(&EmbeddedFiles::resolved(self.path, &argument)),
            _ => None,
        }
    }

    fn joined(&mut self, call: &Call, depth: usize) -> Option<String> {
        let arguments = call.arguments.clone();
        let parts = self.calls.cursor.split_values_by_commas(arguments);
        parts.iter().map(|part| self.value(part, depth)).collect()
    }
}

/// Returns the text that `concat!` makes of a literal: `5` of `5`, `a` of `"a"`.
fn text_of(literal: &Lit) -> Option<String> {
    match literal {
        Lit::Str(text) => Some(text.value()),
        Lit::Char(character) => Some(character.value().to_string()),
        Lit::Int(number) => Some(number.base10_digits().to_owned()),
        Lit::Float(number) => Some(number.base10_digits().to_owned()),
        Lit::Bool(truth) => Some(truth.value.to_string()),
        _ => None,
    }
}
