//! `shorten_strings`: strings become shorter by halves, quarters and single characters, where the empty one will not do.
//! Escapes, and what a format string has between braces, are not cut. Literals of the same text become shorter together.
//!
//! This is a pass of its own, as a parser that refuses a text may not have read the rest of it.

use super::literals::replacements;
use super::{Keeps, Pass, Rewriter, Work};
use std::ops::Range;
use syn::Lit;

pub(super) const PASS: Pass = Pass {
    name: "shorten_strings",
    about: "Makes strings shorter, by halves",
    example: (
        "fn f() { g(\"abcd\"); h(\"abcd\"); }",
        "fn f() { g(\"cd\"); h(\"cd\"); }",
    ),
    keeps: Keeps::Types,
    work: Work::Rewrite(Rewriter(|program| replacements(program, simpler))),
};

fn simpler(literal: &Lit, text: &str) -> Vec<String> {
    match literal {
        Lit::Str(_) | Lit::ByteStr(_) | Lit::CStr(_) => shorter(text),
        _ => Vec::new(),
    }
}

/// A string of more characters loses quarters, and one of fewer single characters.
const FEW: usize = 6;

/// Both halves of a string's literal, and the literal without each of its quarters or characters.
fn shorter(text: &str) -> Vec<String> {
    Literal::of(text).map_or_else(Vec::new, |literal| literal.shorter())
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
pub(super) struct Literal<'t> {
    /// Up to the first quotation mark.
    before: &'t str,
    /// What may go without the rest.
    units: Vec<&'t str>,
    /// From the last quotation mark.
    after: &'t str,
}

impl<'t> Literal<'t> {
    /// A literal that loses escapes, arguments of format strings, and characters.
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

    /// The same literal, which loses whole lines.
    pub(super) fn of_lines(text: &'t str) -> Option<Self> {
        let of_units = Self::of(text)?;
        let mut contents = text.get(of_units.before.len()..text.len() - of_units.after.len())?;
        let mut lines = Vec::new();
        let mut len = 0;
        for unit in of_units.units {
            len += unit.len();
            if matches!(unit, "\n" | "\\n") {
                let (line, rest) = contents.split_at(len);
                lines.push(line);
                (contents, len) = (rest, 0);
            }
        }
        lines.extend(Some(contents).filter(|rest| !rest.is_empty()));
        Some(Self {
            units: lines,
            ..of_units
        })
    }

    /// Both halves, and the literal without each of its quarters or units.
    pub(super) fn shorter(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for run in runs(self.units.len()) {
            let shorter = self.without(&run);
            if !found.contains(&shorter) {
                found.push(shorter);
            }
        }
        found
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

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    /// What a literal becomes.
    #[track_caller]
    fn check_literal(literal: &str, expected: &[&str]) {
        let program = |text: &str| format!("fn f() {{ g({text}); }}");
        let after: Vec<String> = expected.iter().map(|text| program(text)).collect();
        let after: Vec<&str> = after.iter().map(String::as_str).collect();
        check(&PASS, &program(literal), &after);
    }

    #[test]
    fn a_string_becomes_a_part_of_it() {
        check_literal(
            "\"abcdefgh\"",
            &[
                "\"abcd\"",
                "\"efgh\"",
                "\"cdefgh\"",
                "\"abefgh\"",
                "\"abcdgh\"",
                "\"abcdef\"",
            ],
        );
        check_literal("\"abc\"", &["\"a\"", "\"bc\"", "\"ac\"", "\"ab\""]);
        check_literal("b\"ab\"", &["b\"a\"", "b\"b\""]);
        check_literal("r#\"\"a\"#", &["r#\"\"\"#", "r#\"a\"#"]);
    }

    #[test]
    fn escapes_and_what_is_formatted_are_not_cut() {
        check_literal("\"\\n\\u{1f}\"", &["\"\\n\"", "\"\\u{1f}\""]);
        check_literal("\"\\x41{:?}\"", &["\"\\x41\"", "\"{:?}\""]);
        check_literal("\"{{}\"", &["\"{{\"", "\"}\""]);
        check_literal("\"{ }\"", &["\"{\"", "\" }\"", "\"{}\"", "\"{ \""]);
    }

    #[test]
    fn what_has_the_same_text_becomes_shorter_together_and_alone() {
        check(
            &PASS,
            "fn f() { let a = g(\"ab\"); assert_eq!(a, \"ab\"); }",
            &[
                "fn f() { let a = g(\"a\"); assert_eq!(a, \"a\"); }",
                "fn f() { let a = g(\"b\"); assert_eq!(a, \"b\"); }",
                "fn f() { let a = g(\"a\"); assert_eq!(a, \"ab\"); }",
                "fn f() { let a = g(\"ab\"); assert_eq!(a, \"a\"); }",
            ],
        );
    }

    #[test]
    fn the_shortest_and_attributes_are_left_alone() {
        check_not_applicable(
            &PASS,
            "#[doc = \"abc\"] fn f() { g(\"\", \"a\", 64, 'a', b\"\", r\"\"); }",
        );
    }
}
