//! Where a crash points to in the user's program: the spans of what is reported as the bug, and the
//! names in the query stack. The first slices begin there.

use reduce_model::Seed;
use reduce_oracle::{Harness, Plan, Shown};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// The definitions that a crash names.
pub(crate) fn seeds(shown: &Shown, plan: &Plan, sources: &SourceTree) -> Vec<Seed> {
    let mut found = BTreeSet::new();
    for line in after_crash(&shown.stderr) {
        if let Some((path, line, column)) = span(line).or_else(|| panic_place(line)) {
            let file = sources.find(&plan.call.cwd.join(path));
            found.extend(file.map(|file| Seed::Position(file, line, column)));
        }
    }
    for line in &shown.query_stack {
        found.extend(names(line).map(Seed::Name));
    }
    found.extend(entry(plan).map(Seed::Name));
    found.into_iter().collect()
}

/// The lines from the first that speaks of the bug on; all if there is none.
fn after_crash(stderr: &str) -> impl Iterator<Item = &str> {
    let is_crash = |line: &str| {
        line.starts_with("error: internal compiler error") || line.contains("panicked at")
    };
    let first = stderr.lines().position(is_crash).unwrap_or(0);
    stderr.lines().skip(first)
}

/// `--> PATH:LINE:COLUMN`.
fn span(line: &str) -> Option<(&str, usize, usize)> {
    place(line.trim_start().strip_prefix("--> ")?)
}

/// `PATH:LINE:COLUMN` in its parts.
fn place(text: &str) -> Option<(&str, usize, usize)> {
    let mut parts = text.trim_end().rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some((parts.next()?, line, column))
}

/// `thread 'main' (1) panicked at PATH:LINE:COLUMN:`.
fn panic_place(line: &str) -> Option<(&str, usize, usize)> {
    let (_, at) = line.split_once("panicked at ")?;
    place(at.trim_end_matches(':'))
}

/// Where a program that is run begins.
fn entry(plan: &Plan) -> Option<String> {
    let execution = plan.execution()?;
    Some(match &execution.harness {
        Harness::None => "main".to_owned(),
        Harness::Libtest { test } => test.rsplit("::").next().unwrap_or(test).to_owned(),
    })
}

/// The identifiers in backticks, such as those of `` `a::b::{closure#0}` ``.
fn names(line: &str) -> impl Iterator<Item = String> {
    let quoted = line.split('`').skip(1).step_by(2);
    let words = quoted.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let is_name = |word: &&str| {
        word.starts_with(|first: char| first.is_alphabetic() || first == '_') && *word != "closure"
    };
    words.filter(is_name).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_from_the_right() {
        assert_eq!(span("  --> src/a.rs:12:5"), Some(("src/a.rs", 12, 5)));
        assert_eq!(span("   | x --> y"), None);
    }

    #[test]
    fn names_stand_in_backticks() {
        let line = "#0 [mir_borrowck] borrow-checking `a::Foo::bar::{closure#0}`";
        assert_eq!(names(line).collect::<Vec<_>>(), ["a", "Foo", "bar"]);
    }

    #[test]
    fn spans_before_the_crash_do_not_count() {
        let stderr = "warning: x\n --> a.rs:1:1\nerror: internal compiler error: y\n --> b.rs:2:2";
        let spans: Vec<_> = after_crash(stderr).filter_map(span).collect();
        assert_eq!(spans, [("b.rs", 2, 2)]);
    }
}
