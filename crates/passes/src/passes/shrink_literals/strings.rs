//! Shorter strings. Escapes, and what a format string has between braces, are not cut.

use std::ops::Range;

/// A string of more characters loses quarters, and one of fewer single characters.
const FEW: usize = 6;

/// Both halves of a string's literal, and the literal without each of its quarters or characters.
pub(super) fn shorter(text: &str) -> Vec<String> {
    let Some(literal) = Literal::of(text) else {
        return Vec::new();
    };
    let n_units = literal.units.len();
    let mut found: Vec<String> = Vec::new();
    for run in runs(n_units) {
        let shorter = literal.without(&run);
        if !found.contains(&shorter) {
            found.push(shorter);
        }
    }
    found
}

/// What is left out: the second half and the first, then each quarter or each character.
fn runs(n_units: usize) -> Vec<Range<usize>> {
    if n_units < 2 {
        return Vec::new();
    }
    let n_parts = if n_units > FEW { 4 } else { n_units };
    let bound = |part: usize| part * n_units / n_parts;
    let parts = (0..n_parts).map(|part| bound(part)..bound(part + 1));
    let half = n_units / 2;
    [half..n_units, 0..half].into_iter().chain(parts).collect()
}

/// The literal of a string.
struct Literal<'t> {
    /// Up to the first quotation mark.
    before: &'t str,
    /// What may go without the rest.
    units: Vec<&'t str>,
    /// From the last quotation mark.
    after: &'t str,
}

impl<'t> Literal<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let (open, close) = (text.find('"')?, text.rfind('"')?);
        let (before, contents) = (text.get(..=open)?, text.get(open + 1..close)?);
        let is_raw = before.contains('r');
        Some(Self {
            before,
            units: units(contents, is_raw),
            after: text.get(close..)?,
        })
    }

    fn without(&self, run: &Range<usize>) -> String {
        let (first, last) = (&self.units[..run.start], &self.units[run.end..]);
        let contents = first.iter().chain(last).copied().collect::<String>();
        format!("{}{contents}{}", self.before, self.after)
    }
}

fn units(mut contents: &str, is_raw: bool) -> Vec<&str> {
    let mut units = Vec::new();
    while !contents.is_empty() {
        let (unit, rest) = contents.split_at(unit_len(contents, is_raw));
        units.push(unit);
        contents = rest;
    }
    units
}

/// Bytes of the first escape, argument of a format string, or character.
fn unit_len(contents: &str, is_raw: bool) -> usize {
    let len_to = |end: char| contents.find(end).map(|at| at + end.len_utf8());
    let escape = match contents.get(..2) {
        Some("\\u") if !is_raw => len_to('}'),
        Some("\\x") if !is_raw => Some(4),
        Some("\\\n") if !is_raw => contents.get(2..).map(|rest| {
            let next = rest.find(|c: char| !c.is_whitespace());
            next.map_or(contents.len(), |next| next + 2)
        }),
        Some(escape) if !is_raw && escape.starts_with('\\') => Some(2),
        Some("{{" | "}}") => Some(2),
        Some(argument) if argument.starts_with('{') => len_to('}').filter(|&len| {
            let mut inside = contents[1..len - 1].chars();
            inside.all(|c| c.is_alphanumeric() || "_:?#<>^.$*+-".contains(c))
        }),
        _ => None,
    };
    let is_within = |len: &usize| contents.is_char_boundary(*len);
    let first = contents.chars().next().map_or(0, char::len_utf8);
    escape.filter(is_within).unwrap_or(first)
}
