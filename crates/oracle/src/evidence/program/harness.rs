//! The results that libtest prints to stdout. Tests print there too, in between and without line breaks, so a
//! result is what libtest prints last, and lists count before single lines.

use crate::text::escape::without_colours;
use std::collections::{BTreeMap, BTreeSet};

/// The line after which libtest prints the names or the output of tests that failed.
const FAILURES: &str = "failures:";
/// The notes of libtest for a test that should have panicked.
const NO_PANIC: [&str; 3] = [
    "note: test did not panic as expected",
    "note: panic did not contain expected string",
    "note: expected panic with string value",
];

/// The counts of a line `test result: ..`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
}

/// Returns the names of the tests that `--list` prints, in their order.
pub(crate) fn tests_listed(stdout: &str) -> Vec<String> {
    let plain = without_colours(stdout);
    let names = plain.lines().filter_map(|line| line.strip_suffix(": test"));
    names.map(str::to_owned).collect()
}

/// Returns the tests of which a run says how they ended: `test NAME ... ok`.
pub(crate) fn ended_tests(stdout: &str) -> BTreeSet<String> {
    let plain = without_colours(stdout);
    let lines = plain.lines().filter_map(test_line);
    let ended = lines.filter(|(_, end)| !end.trim().is_empty());
    ended.map(|(name, _)| name.to_owned()).collect()
}

/// Returns the tests of which a run says that they passed, where what they print is captured.
pub(crate) fn passed_tests(stdout: &str) -> BTreeSet<String> {
    let plain = without_colours(stdout);
    let lines = plain.lines().filter_map(test_line);
    let passed = lines.filter(|(_, end)| *end == "ok");
    passed.map(|(name, _)| name.to_owned()).collect()
}

/// Returns the tests that failed in a run of all, in the order of their names' first lines. A test in which the
/// process died is one of them if it was the only one that ran then.
pub(crate) fn failed_tests(stdout: &str) -> Vec<String> {
    let plain = without_colours(stdout);
    let lines: Vec<&str> = plain.lines().collect();
    let mut names = vec![];
    let mut rest = 0;
    for (at, line) in lines.iter().enumerate() {
        if *line == FAILURES {
            names.extend(list_at(&lines, at + 1));
        }
        if Counts::of(line).is_some() {
            rest = at + 1;
        }
    }
    // Without a result, what came so far is all there is.
    names.extend(failed_lines(lines.get(rest..).unwrap_or_default()));
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    names.into_iter().map(str::to_owned).collect()
}

/// Whether libtest's own result is that a test failed.
pub(super) fn has_failed(stdout: &str) -> bool {
    last_counts(stdout).is_some_and(|counts| counts.failed > 0)
}

/// Returns libtest's note why a test that should have panicked has failed, without the place.
pub(super) fn no_panic_note(stdout: &str, test: &str) -> Option<String> {
    let section = captured(stdout, test)?;
    let lines: Vec<&str> = section.lines().collect();
    let is_note = |line: &&str| NO_PANIC.iter().any(|note| line.starts_with(note));
    let note = lines.get(lines.iter().rposition(is_note)?..)?;
    let text: Vec<&str> = note.iter().map(|line| line.trim()).collect();
    let text = text.join("\n");
    // Newer versions say where the test is.
    match text.starts_with(NO_PANIC[0]) {
        true => Some("test did not panic as expected".to_owned()),
        false => Some(text.trim().strip_prefix("note: ")?.to_owned()),
    }
}

/// Returns the output of a test that libtest repeats after all tests: with `--nocapture` its own notes only.
pub(super) fn captured(stdout: &str, test: &str) -> Option<String> {
    let lines: Vec<&str> = stdout.lines().collect();
    let title = format!("---- {test} stdout ----");
    let start = lines.iter().rposition(|line| *line == title)? + 1;
    let section = lines.get(start..)?;
    let is_title = |line: &str| line.starts_with("---- ") && line.ends_with(" stdout ----");
    let ends = |line: &&str| *line == FAILURES || is_title(line);
    let end = section.iter().position(ends).unwrap_or(section.len());
    Some(section.get(..end)?.join("\n"))
}

/// Reads the messages that a harness of the user's own repeats of the tests that failed, by their names: it prints
/// `failures:` and for each of them `---- NAME ----` and what it says of it, as libtest does.
pub(super) fn told(output: &str) -> BTreeMap<&str, String> {
    let lines: Vec<&str> = output.lines().collect();
    let begins = |at: &usize| {
        let mut after = lines[at + 1..].iter().skip_while(|line| line.is_empty());
        lines[*at] == FAILURES && after.next().is_some_and(|line| title(line).is_some())
    };
    let mut told: BTreeMap<&str, String> = BTreeMap::new();
    let mut name = None;
    let from = (0..lines.len())
        .rfind(begins)
        .map_or(lines.len(), |at| at + 1);
    let is_over = |line: &str| line == FAILURES || line.starts_with("test result: ");
    for line in lines[from..].iter().take_while(|line| !is_over(line)) {
        name = title(line).or(name);
        if let Some(name) = name.filter(|_| title(line).is_none()) {
            *told.entry(name).or_default() += &format!("{line}\n");
        }
    }
    told
}

/// Returns the name in `---- NAME ----` or `---- NAME stdout ----`.
fn title(line: &str) -> Option<&str> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
    let name = name.strip_suffix(" stdout").unwrap_or(name);
    (!name.is_empty()).then_some(name)
}

fn last_counts(stdout: &str) -> Option<Counts> {
    stdout.lines().rev().find_map(Counts::of)
}

impl Counts {
    /// Reads a line such as `test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 3 filtered out`.
    fn of(line: &str) -> Option<Self> {
        let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
        let mut parts = counts.split("; ");
        let passed = parts.next()?.strip_suffix(" passed")?.parse().ok()?;
        let failed = parts.next()?.strip_suffix(" failed")?.parse().ok()?;
        let is_whole = parts.any(|part| part.ends_with(" ignored"));
        is_whole.then_some(Self { passed, failed })
    }
}

/// Returns the indented names from line `at` on, if a line `test result: ..` with as many failures follows.
fn list_at<'a>(lines: &[&'a str], at: usize) -> Vec<&'a str> {
    let lines = lines.get(at..).unwrap_or_default();
    let names = lines.iter().map_while(|line| line.strip_prefix("    "));
    let names: Vec<&str> = names.collect();
    let mut after = lines.iter().skip(names.len());
    let result = after.find(|line| !line.is_empty());
    let counts = result.and_then(|line| Counts::of(line));
    match counts.is_some_and(|counts| counts.failed == names.len()) {
        true => names,
        false => vec![],
    }
}

/// Returns the tests of lines such as `test NAME ... FAILED`. With one thread a test's output comes between its
/// name and its outcome.
fn failed_lines<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let mut failed = vec![];
    let mut running = None;
    for line in lines {
        if let Some((name, outcome)) = test_line(line) {
            running = Some(name).filter(|_| !is_outcome(outcome));
            failed.extend(Some(name).filter(|_| is_failure(outcome)));
        } else if line.ends_with("FAILED") {
            failed.extend(running.take());
        } else if *line == "ok" {
            running = None;
        }
    }
    failed.extend(running);
    failed
}

fn is_outcome(text: &str) -> bool {
    let others = ["ok", "ignored", "bench:"];
    is_failure(text) || others.iter().any(|outcome| text.starts_with(outcome))
}

/// Whether the text after a test's name, as in `test NAME ... FAILED`, says that the test failed. A reason may follow;
/// output without a line break may come before.
fn is_failure(text: &str) -> bool {
    text.starts_with("FAILED") || text.ends_with("FAILED")
}

/// Splits a line into the name of a test and what follows it.
fn test_line(line: &str) -> Option<(&str, &str)> {
    let (name, outcome) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    Some((name, outcome))
}
#[cfg(test)]
mod tests {
    use super::*;

    const TAIL: &str = "0 ignored; 0 measured; 0 filtered out; finished in 0.00s";

    fn result(passed: usize, failed: usize) -> String {
        let word = if failed > 0 { "FAILED" } else { "ok" };
        format!("\ntest result: {word}. {passed} passed; {failed} failed; {TAIL}\n")
    }

    #[test]
    fn listed_tests_are_the_lines_that_say_test() {
        let table = [
            (
                "a: test\nm::b: test\n\n2 tests, 0 benchmarks\n",
                vec!["a", "m::b"],
            ),
            ("a: test\nb: benchmark\n", vec!["a"]),
            (
                "src/lib.rs - f (line 3): test\n",
                vec!["src/lib.rs - f (line 3)"],
            ),
            ("0 tests, 0 benchmarks\n", vec![]),
            ("", vec![]),
        ];
        for (stdout, expected) in table {
            assert_eq!(tests_listed(stdout), expected);
        }
    }

    #[test]
    fn a_test_has_ended_when_its_line_says_how() {
        let stdout = "running 4 tests\ntest a::b ... ok\ntest c - should panic ... FAILED\n\
                      test d has been running for over 60 seconds\ntest e ... ";
        let ended: Vec<String> = ended_tests(stdout).into_iter().collect();
        assert_eq!(ended, ["a::b", "c"]);
        let passed: Vec<String> = passed_tests(stdout).into_iter().collect();
        assert_eq!(passed, ["a::b"]);
    }

    #[test]
    fn failed_tests_are_those_of_the_lists_or_else_of_the_lines() {
        let list = |names: &str, failed| format!("failures:\n{names}{}", result(1, failed));
        let table = [
            (list("    a\n    m::b\n", 2), vec!["a", "m::b"]),
            // The output comes before the names.
            (
                format!(
                    "test a ... FAILED\n\nfailures:\n\n---- a stdout ----\ntest x ... FAILED\n    y\n\n{}",
                    list("    a\n", 1)
                ),
                vec!["a"],
            ),
            // A list that the result does not confirm.
            (format!("failures:\n    x\n\n{}", list("    a\n", 1)), vec!["a"]),
            (list("    a\n", 2), vec![]),
            // Several runs.
            (
                format!("{}{}test c ... ", list("    a\n", 1), list("    b\n    a\n", 2)),
                vec!["a", "b", "c"],
            ),
            (result(3, 0), vec![]),
            // Runs that were ended.
            (
                "running 3 tests\ntest a ... ok\ntest m::b - should panic ... FAILED\ntest c ... ignored, why\n"
                    .to_owned(),
                vec!["m::b"],
            ),
            (
                "test a ... talk\nokay\nok\ntest b ... talkFAILED\ntest c ... talk\nFAILED\ntest d ... more\n"
                    .to_owned(),
                vec!["b", "c", "d"],
            ),
            (
                "test a \x1b[0m... \x1b[31mFAILED\x1b[0m\n".to_owned(),
                vec!["a"],
            ),
            ("test a ... FAILED (time limit exceeded)\n".to_owned(), vec!["a"]),
            (String::new(), vec![]),
        ];
        for (stdout, expected) in table {
            assert_eq!(failed_tests(&stdout), expected, "{stdout}");
        }
    }
}
