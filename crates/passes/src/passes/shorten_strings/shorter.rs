//! Shortens strings by fields, and then by the characters of a field, where the empty string will not do: from halves
//! over quarters to single ones. A field is what ends at white space, a comma or the like. Escapes, and what a format
//! string has between braces, are not cut. Literals of the same text become shorter together.
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

/// The most units of a string that loses halves and single units, but no quarters.
const FEW: usize = 6;
/// The most characters or fields of a string that are deleted one by one; a longer string loses several at once first.
const MOST_SINGLE: usize = 64;

/// The separators that end a field of a string.
const FIELD_ENDS: [&str; 8] = [" ", ",", ";", "|", "\t", "\\t", "\n", "\\n"];

/// Returns the shorter forms of a string's literal: without large runs of its fields and each single one, then
/// without halves of a field, and without each single character.
fn shorter(text: &str) -> Vec<String> {
    let (Some(literal), Some(fields)) = (Literal::of(text), Literal::of_fields(text)) else {
        return Vec::new();
    };
    let of_fields = match fields.units.len() {
        1 => Vec::new(),
        _ => fields.without_fields(),
    };
    let mut runs = fields.runs_within(&literal);
    runs.extend(fine_runs(literal.units.len(), MOST_SINGLE));
    // Two lines that become one are no shorter for a reader.
    runs.retain(|run| !literal.joins_lines(run));
    each_once(of_fields.into_iter().chain(literal.without_each(runs)))
}

/// Returns the large runs of units that are left out: the second half and the first, and then each quarter.
fn coarse_runs(n_units: usize) -> Vec<Range<usize>> {
    let half = n_units / 2;
    let quarters = if n_units > FEW { 4 } else { 0 };
    let mut runs = vec![half..n_units, 0..half];
    runs.extend(parts(n_units, quarters));
    runs.retain(|run| n_units > 1 && !run.is_empty());
    runs
}

/// Divides units into runs of one unit each, or into `most_single` runs if there are more units than that.
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

/// Returns the separator at the end of a text that ends a field, such as a comma.
fn end_of_field(text: &str) -> Option<&'static str> {
    FIELD_ENDS.into_iter().find(|end| text.ends_with(end))
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

/// The literal of a string, divided into the units that may be deleted.
pub(in crate::passes) struct Literal<'t> {
    /// The text of the literal up to the first quotation mark.
    before: &'t str,
    /// The pieces of the string, each of which may be deleted without the others.
    units: Vec<&'t str>,
    /// The text of the literal from the last quotation mark on.
    after: &'t str,
}

impl<'t> Literal<'t> {
    /// Reads a literal that is to lose escapes, arguments of format strings, and characters.
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

    /// Reads a literal that is to lose whole lines.
    pub(in crate::passes) fn of_lines(text: &'t str) -> Option<Self> {
        Self::of_runs(text, |unit| matches!(unit, "\n" | "\\n"))
    }

    /// Reads a literal that is to lose whole fields.
    fn of_fields(text: &'t str) -> Option<Self> {
        Self::of_runs(text, |unit| FIELD_ENDS.contains(&unit))
    }

    /// Reads a literal whose units end where `ends` says so.
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

    /// Returns the shorter forms of the literal: both halves, and the literal without each of its quarters and units,
    /// or of as many parts as it may have units.
    pub(in crate::passes) fn shorter(&self, most_single: usize) -> Vec<String> {
        let n_units = self.units.len();
        let runs = [coarse_runs(n_units), fine_runs(n_units, most_single)].concat();
        each_once(self.without_each(runs))
    }

    /// Returns the halves and quarters of each unit of this literal, as runs of the units of `finer`, which is the
    /// same literal in smaller units.
    fn runs_within(&self, finer: &Literal<'_>) -> Vec<Range<usize>> {
        let mut runs = Vec::new();
        let mut start = 0;
        for unit in self.units.iter().take(MOST_SINGLE) {
            let mut end = start;
            let mut left = unit.len();
            while left > 0 && end < finer.units.len() {
                left = left.saturating_sub(finer.units[end].len());
                end += 1;
            }
            let within = coarse_runs(end - start).into_iter();
            runs.extend(within.map(|run| start + run.start..start + run.end));
            start = end;
        }
        runs
    }

    /// Whether a run is a line break alone, with something behind it.
    fn joins_lines(&self, run: &Range<usize>) -> bool {
        run.end < self.units.len() && matches!(self.units[run.clone()], ["\n" | "\\n"])
    }

    fn without_each(&self, runs: Vec<Range<usize>>) -> impl Iterator<Item = String> {
        runs.into_iter().map(|run| self.without(&run))
    }

    fn without(&self, run: &Range<usize>) -> String {
        let (first, last) = (&self.units[..run.start], &self.units[run.end..]);
        let contents = first.iter().chain(last).copied().collect::<String>();
        self.with_contents(&contents)
    }

    /// Returns the forms of a literal of fields that [`Literal::shorter`] gives; with the last field goes what
    /// separates it from the one before.
    fn without_fields(&self) -> Vec<String> {
        let is_open = self
            .units
            .last()
            .is_some_and(|last| end_of_field(last).is_none());
        let n_units = self.units.len();
        let runs = [coarse_runs(n_units), fine_runs(n_units, MOST_SINGLE)].concat();
        let forms = runs.iter().map(|run| {
            let before = self.units[..run.start].concat();
            let separator = end_of_field(&before).filter(|end| before.len() > end.len());
            match separator.filter(|_| is_open && run.end == n_units) {
                Some(end) => self.with_contents(&before[..before.len() - end.len()]),
                None => self.without(run),
            }
        });
        each_once(forms)
    }

    fn with_contents(&self, contents: &str) -> String {
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

/// Returns the number of bytes of the first escape, argument of a format string, or character.
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
    fn each_character_of_a_long_string_may_go() {
        let contents: String = ('a'..='z').chain('A'..='N').collect();
        let shorter = super::shorter(&format!("\"{contents}\""));
        assert_eq!(shorter.len(), 2 + 4 + 40);
        for gone in contents.chars() {
            let without = format!("\"{}\"", contents.replace(gone, ""));
            assert!(shorter.contains(&without), "{gone}");
        }
    }

    #[test]
    fn of_a_string_that_is_longer_still_parts_go() {
        let contents: String = ('\u{4e00}'..'\u{4e96}').collect();
        assert_eq!(contents.chars().count(), 150);
        let shorter = super::shorter(&format!("\"{contents}\""));
        assert_eq!(shorter.len(), 2 + 4 + 64);
    }

    #[test]
    fn each_field_of_a_long_string_may_go_before_parts_of_one() {
        let fields: Vec<String> = (10..40).map(|field| format!("k{field}={field},")).collect();
        let shorter = super::shorter(&format!("\"{}\"", fields.concat()));
        let without = |gone: &str| format!("\"{}\"", fields.concat().replacen(gone, "", 1));
        let place = |gone: &str| shorter.iter().position(|one| *one == without(gone));
        let last_field = fields.iter().map(|field| place(field).unwrap()).max();
        assert!(last_field < place("k10"));
    }

    #[test]
    fn lines_are_not_joined() {
        let shorter = super::shorter("\"a\\nbc\\n\"");
        assert!(!shorter.contains(&"\"abc\\n\"".to_owned()), "{shorter:?}");
        assert!(shorter.contains(&"\"a\\nbc\"".to_owned()), "{shorter:?}");
    }

    #[test]
    fn a_string_loses_fields() {
        let shorter = super::shorter("\"ab c,d\"");
        for fields in ["\"c,d\"", "\"ab d\"", "\"ab c\"", "\"ab c,\""] {
            assert!(shorter.contains(&fields.to_owned()), "{shorter:?}");
        }
    }

    #[test]
    fn escapes_and_what_is_formatted_are_not_cut() {
        check_literal("\"\\n\\u{1f}\"", &["\"\\n\"", "\"\\u{1f}\""]);
        check_literal("\"\\x41{:?}\"", &["\"\\x41\"", "\"{:?}\""]);
        check_literal("\"{{}\"", &["\"{{\"", "\"}\""]);
        check_literal("\"{ }\"", &["\" }\"", "\"{ \"", "\"{\"", "\"{}\"", "\"}\""]);
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
