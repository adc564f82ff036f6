//! The section about the nearest programs that do not fail, which points to the cause.

use super::of_tool::success;
use super::{Report, span};
use crate::figures::{NearestProgram, PlainError, TextChange};
use reduce_oracle::Tool;
use reduce_syntax::{SourceTree, count_tokens};
use std::fmt::Write;

/// The longest text that is quoted as a whole, in characters.
const LONGEST_QUOTE: usize = 60;

impl Report<'_> {
    /// Writes the section about the nearest programs that do not fail, if some were found.
    pub(super) fn nearest(&self, out: &mut String) -> std::fmt::Result {
        let summary = self.summary;
        if summary.behaviour.nearest.is_empty() {
            return Ok(());
        }
        let title = match summary.behaviour.signature.noun() {
            "crash" => "Nearest programs that do not crash",
            _ => "Nearest programs without this error",
        };
        writeln!(out, "### {title}\n")?;
        for program in &summary.behaviour.nearest {
            let known = (
                self.tool,
                self.reduced,
                summary.behaviour.remaining_errors.as_slice(),
            );
            let line = sentence(program, known);
            writeln!(out, "- {}", self.public(&self.renamed(line)))?;
        }
        writeln!(out)
    }
}

/// Says what is different in a program, and what the compiler reports then.
fn sentence(
    program: &NearestProgram,
    (tool, reduced, errors_before): (Tool, &SourceTree, &[String]),
) -> String {
    let mut words: Vec<String> = Vec::new();
    for change in &program.changes {
        let said = said(change, reduced);
        let is_first = words.is_empty();
        words.push(if is_first { capitalised(&said) } else { said });
    }
    let outcome = outcome(tool, program.error.as_ref(), errors_before);
    format!("{} {outcome}", words.join(" and "))
}

fn said(change: &TextChange, reduced: &SourceTree) -> String {
    let place = place(change, reduced);
    match (change.before.as_str(), change.after.as_str()) {
        (before, "") => format!("without {} {place}", quoted(before)),
        ("", after) => format!("with {} added {place}", quoted(after)),
        (before, after) => {
            let (before, after) = (quoted(before), quoted(after));
            format!("with {after} in place of {before} {place}")
        }
    }
}

/// Names the place of a change: its line, with the column where the text stands in it more than once, and the file
/// where there are several.
fn place(change: &TextChange, reduced: &SourceTree) -> String {
    let file = reduced.find(&change.file).unwrap_or(reduced.root());
    let above = usize::try_from(change.line).map_or(0, |line| line.saturating_sub(1));
    let line = reduced.text(file).lines().nth(above).unwrap_or_default();
    let is_ambiguous = line.matches(change.before.as_str()).nth(1).is_some();
    let mut place = format!("in line {}", change.line);
    if is_ambiguous {
        place += &format!(", column {},", change.column);
    }
    if reduced.files().count() > 1 {
        place += &format!(" of {}", span(change.file.as_str()));
    }
    place
}

fn outcome(tool: Tool, error: Option<&PlainError>, errors_before: &[String]) -> String {
    let Some(PlainError { code, message }) = error else {
        return success(tool).to_owned();
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

/// Quotes code on one line, and the beginning of long code.
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
            column: 5,
            before: before.to_owned(),
            after: after.to_owned(),
        }
    }

    /// Makes a program of one file, with this as its third line.
    fn program(line: &str) -> SourceTree {
        SourceTree::single("src/a.rs".into(), format!("1\n2\n{line}\n").into())
    }

    fn error(code: Option<&str>) -> Option<PlainError> {
        let code = code.map(str::to_owned);
        let message = "the trait bound is not satisfied".to_owned();
        Some(PlainError { code, message })
    }

    #[track_caller]
    fn check(changes: Vec<TextChange>, error: Option<PlainError>, expected: &str) {
        let program = NearestProgram { changes, error };
        assert_eq!(
            sentence(&program, (Tool::Rustc, &self::program(""), &[])),
            expected
        );
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
    fn another_tool_does_something_else_than_to_compile() {
        let program = NearestProgram {
            changes: vec![change(";", "")],
            error: None,
        };
        let said = |tool| sentence(&program, (tool, &self::program(""), &[]));
        let expected = "Without `;` in line 3 rustfmt formats it.";
        assert_eq!(said(Tool::Rustfmt), expected);
        assert!(said(Tool::Clippy).ends_with("clippy checks it."));
    }

    #[test]
    fn where_the_result_has_errors_they_are_left() {
        let changes = vec![change("a", "b")];
        let program = NearestProgram {
            changes,
            error: error(Some("E0308")),
        };
        assert_eq!(
            sentence(
                &program,
                (Tool::Rustc, &self::program(""), &["E0308".to_owned()])
            ),
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
        let sentence = sentence(&program, (Tool::Rustc, &self::program(&code), &[]));
        let begin = "Without `fn f() { call();";
        assert!(sentence.starts_with(begin), "{sentence}");
        let end = "call(); ..` (86 tokens) in line 3 it compiles.";
        assert!(sentence.ends_with(end), "{sentence}");
    }

    #[test]
    fn a_text_that_stands_twice_in_a_line_is_told_with_its_column() {
        let told = |line| said(&change("C", ""), &program(line));
        assert_eq!(told("fn f(C) {}"), "without `C` in line 3");
        assert_eq!(told("fn f(C, C) {}"), "without `C` in line 3, column 5,");
        let files = ["lib.rs", "src/a.rs"].map(|path| (path.into(), "".into()));
        let several = SourceTree::from_files("lib.rs".into(), files).expect("the root is there");
        let expected = "without `C` in line 3 of `src/a.rs`";
        assert_eq!(said(&change("C", ""), &several), expected);
    }
}
