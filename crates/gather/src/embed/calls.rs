//! Calls of the macros that read, found among a text's tokens, and what their arguments mean.
//!
//! Tokens are enough for that, and they are all there is inside other macros' calls and definitions.

use super::reader::Reader;
use camino::Utf8Path;
use reduce_syntax::{Token, tokens};
use std::ops::Range;
use syn::Lit;

/// Calls nest as deep as this at most, which nobody reaches who means it.
const DEEPEST: usize = 16;

/// A macro that reads, or that makes one literal of several.
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
    /// In bytes.
    pub(super) range: Range<usize>,
    /// In tokens, with the path and the closing bracket.
    pub(super) whole: Range<usize>,
    /// In tokens.
    arguments: Range<usize>,
}

/// The tokens of a text, with their brackets matched.
pub(super) struct Calls<'t> {
    text: &'t str,
    all: Vec<Token>,
    /// For each opening bracket the closing one.
    closing: Vec<Option<usize>>,
    /// Macros of the text's own that are named like the compiler's.
    shadowed: Vec<Name>,
}

/// The last string literals in calls that read a file: what the files are called.
pub(crate) fn included_names(text: &str) -> Vec<String> {
    let calls = Calls::new(text);
    let reading = calls.indices().filter_map(|idx| calls.call_at(idx));
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
        let all = tokens(text);
        let closing = closing_brackets(text, &all);
        let mut calls = Self {
            text,
            all,
            closing,
            shadowed: Vec::new(),
        };
        let is_own = |&idx: &usize| calls.is(idx, "macro_rules") && calls.is(idx + 1, "!");
        let own = calls.indices().filter(is_own);
        calls.shadowed = own
            .filter_map(|idx| Name::of(calls.word(idx + 2)))
            .collect();
        calls
    }

    pub(super) fn indices(&self) -> Range<usize> {
        0..self.all.len()
    }

    /// A token's text, empty beyond the last one.
    pub(super) fn word(&self, idx: usize) -> &'t str {
        let token = self.all.get(idx);
        token.map_or("", |token| &self.text[token.range()])
    }

    pub(super) fn is(&self, idx: usize, expected: &str) -> bool {
        self.word(idx) == expected
    }

    /// The closing bracket of the opening one at `idx`.
    pub(super) fn closing(&self, idx: usize) -> Option<usize> {
        *self.closing.get(idx)?
    }

    pub(super) fn text_of(&self, bytes: &Range<usize>) -> &'t str {
        self.text.get(bytes.clone()).unwrap_or_default()
    }

    /// The bytes of some tokens, of which there is at least one.
    pub(super) fn bytes(&self, tokens: &Range<usize>) -> Range<usize> {
        let end = tokens.end.saturating_sub(1);
        let of = |idx: usize| self.all.get(idx).map_or(0..0, |token| token.range());
        of(tokens.start).start..of(end).end
    }

    /// The call whose name is the token at `idx`.
    pub(super) fn call_at(&self, idx: usize) -> Option<Call> {
        let name = Name::of(self.word(idx))?;
        if self.shadowed.contains(&name) || !self.is(idx + 1, "!") {
            return None;
        }
        let closing = self.closing(idx + 2)?;
        let whole = self.start_of_path(idx)?..closing + 1;
        Some(Call {
            name,
            range: self.bytes(&whole),
            whole,
            arguments: idx + 3..closing,
        })
    }

    /// Where `std::name`, `::core::name` or just `name` begins. `None` in another path.
    fn start_of_path(&self, name: usize) -> Option<usize> {
        let before = |idx: usize| idx.checked_sub(1).map_or("", |idx| self.word(idx));
        if before(name) == "$" {
            return None;
        }
        if before(name) != "::" {
            return Some(name);
        }
        let krate = name.checked_sub(2)?;
        if !["std", "core"].contains(&self.word(krate)) || before(krate) == "$" {
            return None;
        }
        if before(krate) != "::" {
            return Some(krate);
        }
        let start = krate - 1;
        let is_path_part =
            |word: &str| word.ends_with(|c| c == '>' || reduce_syntax::is_name_part(c));
        (!is_path_part(before(start))).then_some(start)
    }

    /// The tokens between commas, without the nothing after the last one.
    pub(super) fn split(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let (mut start, mut idx) = (range.start, range.start);
        while idx < range.end {
            if self.is(idx, ",") {
                parts.push(start..idx);
                start = idx + 1;
            }
            idx = self.closing(idx).unwrap_or(idx) + 1;
        }
        if start < range.end {
            parts.push(start..range.end);
        }
        parts
    }

    /// What the first argument of a call means, if it is text that is known here. (The second one of
    /// `env!` is a message.)
    pub(super) fn argument(
        &self,
        call: &Call,
        reader: &mut Reader<'_>,
        path: &Utf8Path,
    ) -> Option<String> {
        let first = self.split(&call.arguments).into_iter().next()?;
        Evaluation {
            calls: self,
            reader,
            path,
        }
        .value(&first, 0)
    }

    /// What a `concat!` means, if something in it is read.
    pub(super) fn joined(
        &self,
        call: &Call,
        reader: &mut Reader<'_>,
        path: &Utf8Path,
    ) -> Option<String> {
        let joined = Evaluation {
            calls: self,
            reader,
            path,
        }
        .joined(call, 0)?;
        let reads = |idx| self.call_at(idx).is_some_and(|call| call.name.reads());
        call.arguments.clone().any(reads).then_some(joined)
    }

    fn literal(&self, idx: usize) -> Option<Lit> {
        let word = self.word(idx);
        let is_literal = |c: char| matches!(c, '"' | '\'' | 'r' | 't' | 'f') || c.is_ascii_digit();
        if !word.starts_with(is_literal) {
            return None;
        }
        syn::parse_str(word).ok()
    }
}

/// The evaluation of arguments in a file.
struct Evaluation<'c, 'r, 'o> {
    calls: &'c Calls<'c>,
    reader: &'r mut Reader<'o>,
    path: &'r Utf8Path,
}

impl Evaluation<'_, '_, '_> {
    fn value(&mut self, range: &Range<usize>, depth: usize) -> Option<String> {
        let calls = self.calls;
        if range.len() == 1 {
            return text_of(&calls.literal(range.start)?);
        }
        if range.len() == 2 && calls.is(range.start, "-") {
            let number = calls.literal(range.start + 1)?;
            let is_number = matches!(number, Lit::Int(_) | Lit::Float(_));
            return is_number.then(|| Some(format!("-{}", text_of(&number)?)))?;
        }
        let mark = range.clone().take(5).find(|&idx| calls.is(idx, "!"))?;
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
            return is_one.then(|| self.calls.word(call.arguments.start).to_owned());
        }
        let first = self.calls.split(&call.arguments).into_iter().next()?;
        let argument = self.value(&first, depth)?;
        match call.name {
            Name::Env => self.reader.variable(&argument),
            Name::IncludeStr => self.reader.text(&Reader::resolved(self.path, &argument)),
            _ => None,
        }
    }

    fn joined(&mut self, call: &Call, depth: usize) -> Option<String> {
        let parts = self.calls.split(&call.arguments);
        parts.iter().map(|part| self.value(part, depth)).collect()
    }
}

/// What `concat!` makes of a literal.
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

fn closing_brackets(text: &str, all: &[Token]) -> Vec<Option<usize>> {
    let mut closing = vec![None; all.len()];
    let mut open = Vec::new();
    for (idx, token) in all.iter().enumerate() {
        match &text[token.range()] {
            "(" | "[" | "{" => open.push(idx),
            ")" | "]" | "}" => {
                if let Some(slot) = open.pop().and_then(|start| closing.get_mut(start)) {
                    *slot = Some(idx);
                }
            }
            _ => {}
        }
    }
    closing
}
