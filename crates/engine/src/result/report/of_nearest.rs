//! The section about the nearest programs that do not fail, which points to the cause.

use super::{Report, span};
use crate::figures::{NearestProgram, PlainError, TextChange};
use reduce_syntax::count_tokens;
use std::fmt::Write;

/// The longest text that is quoted as a whole, in characters.
const LONGEST_QUOTE: usize = 60;

impl Report<'_> {
    /// The section, if there are such programs.
    pub(super) fn nearest(&self, out: &mut String) -> std::fmt::Result {
        let summary = self.summary;
        if summary.nearest.is_empty() {
            return Ok(());
        }
        let title = match summary.signature.noun() {
            "crash" => "Nearest programs that do not crash",
            _ => "Nearest programs without this error",
        };
        writeln!(out, "### {title}\n")?;
        let is_single = self.reduced.files().count() == 1;
        for program in &summary.nearest {
            let line = sentence(program, is_single, &summary.remaining_errors);
            writeln!(out, "- {}", self.public(&self.renamed(line)))?;
        }
        writeln!(out)
    }
}

/// What is different, and what the compiler says then.
fn sentence(program: &NearestProgram, is_single: bool, errors_before: &[String]) -> String {
    let mut words: Vec<String> = Vec::new();
    for change in &program.changes {
        let said = said(change, is_single);
        let is_first = words.is_empty();
        words.push(if is_first { capitalised(&said) } else { said });
    }
    format!(
        "{} {}",
        words.join(" and "),
        outcome(program.error.as_ref(), errors_before)
    )
}

fn said(change: &TextChange, is_single: bool) -> String {
    let TextChange {
        file,
        line,
        before,
        after,
    } = change;
    let place = match is_single {
        true => format!("in line {line}"),
        false => format!("in line {line} of {}", span(file.as_str())),
    };
    match (before.as_str(), after.as_str()) {
        (before, "") => format!("without {} {place}", quoted(before)),
        ("", after) => format!("with {} added {place}", quoted(after)),
        (before, after) => {
            let (before, after) = (quoted(before), quoted(after));
            format!("with {after} in place of {before} {place}")
        }
    }
}

fn outcome(error: Option<&PlainError>, errors_before: &[String]) -> String {
    let Some(PlainError { code, message }) = error else {
        return "it compiles.".to_owned();
    };
    let instead = match errors_before.is_empty() {
        true => "it is an ordinary error",
        false => "only ordinary errors are left",
    };
    match code {
        Some(code) => format!("{instead}, {code}: {}", span(message)),
        None => format!("{instead}: {}", span(message)),
    }
}

/// Code on one line, and the beginning of long code.
fn quoted(code: &str) -> String {
    let line = Vec::from_iter(code.split_whitespace()).join(" ");
    if line.chars().count() <= LONGEST_QUOTE {
        return span(&line);
    }
    let begin: String = line.chars().take(LONGEST_QUOTE).collect();
    let end = begin.rfind(' ').unwrap_or(begin.len());
    let n_tokens = count_tokens(code);
    format!(
        "{} ({n_tokens} tokens)",
        span(&format!("{} ..", &begin[..end]))
    )
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(before: &str, after: &str) -> TextChange {
        TextChange {
            file: "src/a.rs".into(),
            line: 3,
            before: before.to_owned(),
            after: after.to_owned(),
        }
    }

    fn error(code: Option<&str>) -> Option<PlainError> {
        let code = code.map(str::to_owned);
        let message = "the trait bound is not satisfied".to_owned();
        Some(PlainError { code, message })
    }

    #[track_caller]
    fn check(changes: Vec<TextChange>, error: Option<PlainError>, expected: &str) {
        let program = NearestProgram { changes, error };
        assert_eq!(sentence(&program, true, &[]), expected);
    }

    #[test]
    fn a_change_and_its_outcome_are_a_sentence() {
        check(
            vec![change(": Copy", "")],
            None,
            "Without `: Copy` in line 3 it compiles.",
        );
        check(
            vec![change("self", "&self")],
            error(Some("E0277")),
            "With `&self` in place of `self` in line 3 it is an ordinary error, E0277: `the trait bound is not satisfied`",
        );
        check(
            vec![change("", "&"), change("b", "")],
            error(None),
            "With `&` added in line 3 and without `b` in line 3 it is an ordinary error: `the trait bound is not satisfied`",
        );
    }

    #[test]
    fn where_the_result_has_errors_they_are_left() {
        let changes = vec![change("a", "b")];
        let program = NearestProgram {
            changes,
            error: error(Some("E0308")),
        };
        assert_eq!(
            sentence(&program, true, &["E0308".to_owned()]),
            "With `b` in place of `a` in line 3 only ordinary errors are left, E0308: `the trait bound is not satisfied`"
        );
    }

    #[test]
    fn long_code_is_named_by_its_beginning() {
        let code = format!("fn f() {{\n    {}\n}}", "call(); ".repeat(20));
        let program = NearestProgram {
            changes: vec![change(&code, "")],
            error: None,
        };
        let sentence = sentence(&program, false, &[]);
        let begin = "Without `fn f() { call();";
        assert!(sentence.starts_with(begin), "{sentence}");
        let end = "call(); ..` (86 tokens) in line 3 of `src/a.rs` it compiles.";
        assert!(sentence.ends_with(end), "{sentence}");
    }
}
