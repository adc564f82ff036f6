//! Strings become shorter by halves, quarters, single fields and single characters, where the empty one will
//! not do. A field is what ends at white space, a comma or the like. Escapes, and what a format string has between braces, are
//! not cut. Literals of the same text become shorter together.
//!
//! This is a pass of its own, as a parser that refuses a text may not have read the rest of it.

use super::super::literals::replacements;
use crate::pass::{Rewriter, Work};
use std::ops::Range;
use syn::Lit;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(|program| replacements(program, simpler)));

fn simpler(literal: &Lit, text: &str) -> Vec<String> {
    match literal {
        Lit::Str(_) | Lit::ByteStr(_) | Lit::CStr(_) => shorter(text),
        _ => Vec::new(),
    }
}

/// The number of units beyond which a string loses quarters too.
const FEW: usize = 6;
/// The number of characters or fields beyond which a string does not lose single ones before it is shorter.
const MOST_SINGLE: usize = 16;

/// The shorter forms of a string's literal: both halves, and the literal without each of its quarters, fields and characters.
fn shorter(text: &str) -> Vec<String> {
    let (Some(literal), Some(fields)) = (Literal::of(text), Literal::of_fields(text)) else {
        return Vec::new();
    };
    let n_units = literal.units.len();
    let n_fields = Some(fields.units.len()).filter(|n_fields| *n_fields <= MOST_SINGLE);
    let coarse = literal.without_each(coarse_runs(n_units));
    let of_fields = fields.without_each(fine_runs(n_fields.unwrap_or(0), MOST_SINGLE));
    let fine = literal.without_each(fine_runs(n_units, MOST_SINGLE));
    each_once(coarse.chain(of_fields).chain(fine))
}

/// The large runs of units that are left out: the second half and the first, and then each quarter.
fn coarse_runs(n_units: usize) -> Vec<Range<usize>> {
    let half = n_units / 2;
    let quarters = if n_units > FEW { 4 } else { 0 };
    let mut runs = vec![half..n_units, 0..half];
    runs.extend(parts(n_units, quarters));
    runs.retain(|run| n_units > 1 && !run.is_empty());
    runs
}

/// The runs of single units if there are at most `most_single`, or else of as many parts.
fn fine_runs(n_units: usize, most_single: usize) -> Vec<Range<usize>> {
    let n_parts = if n_units > 1 {
        n_units.min(most_single)
    } else {
        0
    };
    parts(n_units, n_parts).collect()
}

/// Divides units into parts of about the same size.
fn parts(n_units: usize, n_parts: usize) -> impl Iterator<Item = Range<usize>> {
    let bound = move |part: usize| part * n_units / n_parts;
    (0..n_parts).map(move |part| bound(part)..bound(part + 1))
}

fn each_once(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// The literal of a string.
pub(in crate::passes) struct Literal<'t> {
    /// The text up to the first quotation mark.
    before: &'t str,
    /// The pieces of the string that may go without the rest.
    units: Vec<&'t str>,
    /// The text from the last quotation mark.
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

    /// A literal that loses whole lines.
    pub(in crate::passes) fn of_lines(text: &'t str) -> Option<Self> {
        Self::of_runs(text, |unit| matches!(unit, "\n" | "\\n"))
    }

    /// Reads a literal that is to lose whole fields.
    fn of_fields(text: &'t str) -> Option<Self> {
        let ends = [" ", ",", ";", "|", "\t", "\\t", "\n", "\\n"];
        Self::of_runs(text, |unit| ends.contains(&unit))
    }

    /// Reads a literal that is to lose runs of units up to those that end one.
    fn of_runs(text: &'t str, ends: impl Fn(&str) -> bool) -> Option<Self> {
        let of_units = Self::of(text)?;
        let mut contents = text.get(of_units.before.len()..text.len() - of_units.after.len())?;
        let mut runs = Vec::new();
        let mut len = 0;
        for unit in of_units.units {
            len += unit.len();
            if ends(unit) {
                let (run, rest) = contents.split_at(len);
                runs.push(run);
                (contents, len) = (rest, 0);
            }
        }
        runs.extend(Some(contents).filter(|rest| !rest.is_empty()));
        Some(Self {
            units: runs,
            ..of_units
        })
    }

    /// The shorter forms of the literal: both halves, and the literal without each of its quarters and units, or of as many
    /// parts as it may have units.
    pub(in crate::passes) fn shorter(&self, most_single: usize) -> Vec<String> {
        let n_units = self.units.len();
        let runs = [coarse_runs(n_units), fine_runs(n_units, most_single)].concat();
        each_once(self.without_each(runs))
    }

    fn without_each(&self, runs: Vec<Range<usize>>) -> impl Iterator<Item = String> {
        runs.into_iter().map(|run| self.without(&run))
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
    use super::super::super::testing::{self, check, check_has, check_not_applicable};
    use super::WORK;

    #[track_caller]
    fn check_literal(literal: &str, expected: &[&str]) {
        testing::check_literal(&WORK, literal, expected);
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
                "\"bcdefgh\"",
                "\"acdefgh\"",
                "\"abdefgh\"",
                "\"abcefgh\"",
                "\"abcdfgh\"",
                "\"abcdegh\"",
                "\"abcdefh\"",
                "\"abcdefg\"",
            ],
        );
        check_literal("\"abc\"", &["\"a\"", "\"bc\"", "\"ac\"", "\"ab\""]);
        check_literal("b\"ab\"", &["b\"a\"", "b\"b\""]);
        check_literal("r#\"\"a\"#", &["r#\"\"\"#", "r#\"a\"#"]);
    }

    #[test]
    fn a_long_string_loses_a_sixteenth() {
        let contents: String = ('a'..='z').chain('A'..='N').collect();
        let literal = format!("\"{contents}\"");
        let shorter = super::shorter(&literal);
        assert_eq!(shorter.len(), 2 + 4 + 16);
        let least = shorter.iter().map(|one| literal.len() - one.len()).min();
        assert_eq!(least, Some(2));
    }

    #[test]
    fn a_string_loses_fields() {
        let shorter = super::shorter("\"ab c,d\"");
        for fields in ["\"c,d\"", "\"ab d\"", "\"ab c,\""] {
            assert!(shorter.contains(&fields.to_owned()), "{shorter:?}");
        }
    }

    #[test]
    fn escapes_and_what_is_formatted_are_not_cut() {
        check_literal("\"\\n\\u{1f}\"", &["\"\\n\"", "\"\\u{1f}\""]);
        check_literal("\"\\x41{:?}\"", &["\"\\x41\"", "\"{:?}\""]);
        check_literal("\"{{}\"", &["\"{{\"", "\"}\""]);
        check_literal("\"{ }\"", &["\"{\"", "\" }\"", "\"{}\"", "\"{ \"", "\"}\""]);
    }

    #[test]
    fn what_has_the_same_text_becomes_shorter_together_and_alone() {
        check(
            &WORK,
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
            &WORK,
            "#[doc = \"abc\"] fn f() { g(\"\", \"a\", 64, 'a', b\"\", r\"\"); }",
        );
    }

    #[test]
    fn equal_strings_are_cut_together() {
        check_has(
            &WORK,
            "fn f() { g(\"abcd\"); h(\"abcd\"); }",
            "fn f() { g(\"cd\"); h(\"cd\"); }",
        );
    }
}
