//! The report of a failing test: an issue for the tracker of the library that it tests.

use super::{Report, block, span};
use crate::figures::{CodeUnderTest, Function, Guess, LineChange, SuspiciousLine, VariableValue};
use std::fmt::{Result, Write};

/// The largest number of functions that ran and that a report names.
const MOST_FUNCTIONS: usize = 10;
/// The largest number of suspicious lines that are named.
const MOST_LINES: usize = 5;
/// The largest number of changes of each suspicious line that are named.
const MOST_CHANGES: usize = 2;
/// The largest number of values of variables that are told.
const MOST_VALUES: usize = 20;
/// The sentence of a report about an assertion that compares less than the original one.
const NARROWED: &str = "Its assertion compares a part of what the original test compares: where this part differs, the \
                        whole differs too.";

/// The names of a test and its package.
#[derive(Debug, Clone)]
pub(crate) struct TestTitle {
    /// The test as its harness names it, or its target.
    pub(crate) test: String,
    /// The package that the test belongs to.
    pub(crate) package: String,
    /// The package's version.
    pub(crate) version: String,
}

impl Report<'_> {
    /// Writes the beginning of a failing test's report, down to the section that says where to look
    /// for the bug.
    pub(super) fn test(&self, title: &TestTitle, out: &mut String) -> Result {
        let TestTitle {
            test,
            package,
            version,
        } = title;
        let (test, package) = (span(test), span(&format!("{package} {version}")));
        writeln!(out, "# The test {test} of {package} fails\n")?;
        writeln!(
            out,
            "{}\n",
            span(&self.public(&self.summary.behaviour.failure))
        )?;
        writeln!(out, "### Test\n")?;
        self.reduced(out)?;
        let code = self.summary.delivered.code_under_test.as_ref();
        if code.is_some_and(|code| code.narrowed) {
            writeln!(out, "{NARROWED}\n")?;
        }
        self.how_to_reproduce(out)?;
        self.commands(out)?;
        values_on_the_way(
            &self.summary.delivered.variables,
            self.reduced.files().count() > 1,
            out,
        )?;
        match code {
            Some(code) => code_under_test(code, self.summary.counts.expects_anew, out),
            None => Ok(()),
        }
    }
}

/// Writes the values of the test's variables after its statements.
fn values_on_the_way(values: &[VariableValue], has_files: bool, out: &mut String) -> Result {
    if values.is_empty() {
        return Ok(());
    }
    writeln!(out, "### Values on the way\n")?;
    for one in values.iter().take(MOST_VALUES) {
        let place = match has_files {
            true => format!("{}, line {}", span(one.file.as_str()), one.line),
            false => format!("line {}", one.line),
        };
        let shown: Vec<String> = one.values.iter().map(|value| span(value)).collect();
        let more = if one.is_cut { ", .." } else { "" };
        let shown = shown.join(", then ");
        writeln!(
            out,
            "- after {place}: {} is {shown}{more}",
            span(&one.variable)
        )?;
    }
    writeln!(out, "{}", and_more(values.len(), MOST_VALUES))
}

/// Writes what is known of the code under test.
fn code_under_test(code: &CodeUnderTest, expects_anew: bool, out: &mut String) -> Result {
    if code.warning.is_none() && code.mutants == 0 {
        // A good version has said what is right, and no mutant was asked.
        return Ok(());
    }
    writeln!(out, "### Where to look\n")?;
    if let Some(warning) = &code.warning {
        writeln!(out, "It is not known: {}.\n", span(warning))?;
    }
    functions(&code.functions, out)?;
    if let Some(function) = &code.located_in {
        let function = span(function);
        writeln!(
            out,
            "The bug is probably in {function}: only there does a change make the test pass and break none of the other tests that were run.\n"
        )?;
    }
    lines(code, out)?;
    if let Some(guess) = &code.guess {
        self::guess(guess, code.other_tests, out)?;
    }
    figures(code, expects_anew, out)
}

fn functions(functions: &[Function], out: &mut String) -> Result {
    if functions.is_empty() {
        return Ok(());
    }
    writeln!(out, "Of the code under test, this ran:\n")?;
    for one in functions.iter().take(MOST_FUNCTIONS) {
        let Function {
            name,
            file,
            first_line,
            last_line,
            ..
        } = one;
        let place = match first_line == last_line {
            true => format!("{file}:{first_line}"),
            false => format!("{file}:{first_line}-{last_line}"),
        };
        writeln!(out, "- {} ({})", span(name), span(&place))?;
    }
    writeln!(out, "{}", and_more(functions.len(), MOST_FUNCTIONS))
}

/// Returns "and so many more" as the last element of a list that was cut; empty if nothing was left
/// out.
fn and_more(n_all: usize, n_told: usize) -> String {
    match n_all.saturating_sub(n_told) {
        0 => String::new(),
        left => format!("- and {left} more\n"),
    }
}

fn lines(code: &CodeUnderTest, out: &mut String) -> Result {
    if code.lines.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "Changes of these lines change the outcome, the most suspicious line first:\n"
    )?;
    for line in code.lines.iter().take(MOST_LINES) {
        let SuspiciousLine {
            file,
            line,
            changes,
            ..
        } = line;
        let place = span(&format!("{file}:{line}"));
        let told = changes.iter().take(MOST_CHANGES);
        let told: Vec<String> = told.map(|one| change(one, code.other_tests)).collect();
        writeln!(out, "- {place}: {}", told.join("; "))?;
    }
    writeln!(out, "{}", and_more(code.lines.len(), MOST_LINES))
}

/// Describes a change of a line, and what comes of it.
fn change(change: &LineChange, n_others: u64) -> String {
    let LineChange {
        original,
        mutated,
        failure,
        breaks,
    } = change;
    let change = match (original.as_str(), mutated.as_str()) {
        ("", mutated) => format!("with {} added", span(mutated)),
        (original, "") => format!("without {}", span(original)),
        (original, mutated) => format!("with {} for {}", span(mutated), span(original)),
    };
    let outcome = match failure {
        None => "it passes".to_owned(),
        Some(failure) => match values(failure) {
            long if long.chars().count() > LONGEST_VALUES => {
                "it fails with other values".to_owned()
            }
            values => format!("it fails with {}", span(values)),
        },
    };
    let others = match (breaks, n_others) {
        (None, _) | (_, 0) => String::new(),
        (Some(0), n_others) if failure.is_none() => format!(", and so {}", all_others(n_others)),
        (Some(0), 1) => ", and the other test of the package that was run passes".to_owned(),
        (Some(0), n_others) => {
            format!(", and all {n_others} other tests of the package that were run pass")
        }
        (Some(_), 1) => ", and the other test of the package that was run fails".to_owned(),
        (Some(breaks), n_others) => {
            let fail = match breaks {
                1 => "fails",
                _ => "fail",
            };
            format!(
                ", and {breaks} of the {n_others} other tests of the package that were run {fail}"
            )
        }
    };
    format!("{change} {outcome}{others}")
}

/// Says that all other tests of the package that were run pass too, after the word "so".
fn all_others(n_others: u64) -> String {
    match n_others {
        1 => "does the other test of the package that was run".to_owned(),
        n_others => format!("do all {n_others} other tests of the package that were run"),
    }
}

/// The length in characters above which a report does not have the values of a failure.
const LONGEST_VALUES: usize = 120;

/// Returns the values in a failure, without the words that all assertions of a kind have.
fn values(failure: &str) -> &str {
    let start = failure.find("left: ").unwrap_or(0);
    &failure[start..]
}

fn guess(guess: &Guess, n_others: u64, out: &mut String) -> Result {
    let others = match n_others {
        0 => String::new(),
        n_others => format!(", and so {}", all_others(n_others)),
    };
    let both = match guess.result_passes {
        true => "both the original test and the one above pass",
        false => "the original test passes",
    };
    writeln!(
        out,
        "A guess: with this change {both}{others}. It was found by trying small changes, and nobody has looked at it.\n"
    )?;
    out.write_str(&block("diff", &guess.diff))
}

/// Writes how many changes the tests were run with; `expects_anew` says that the reduced test asserts something else than the original.
fn figures(code: &CodeUnderTest, expects_anew: bool, out: &mut String) -> Result {
    let CodeUnderTest {
        mutants,
        passed,
        run,
        asked,
        refused,
        ..
    } = code;
    if *mutants == 0 {
        return Ok(());
    }
    let those = match asked {
        1 => "the change that tells most".to_owned(),
        asked => format!("each of the {asked} changes that tell most"),
    };
    let outcomes = match expects_anew {
        true => "asserts something else, and was judged by changes with which the original passes and no other test fails: it passes with each of them".to_owned(),
        false => format!(
            "has the same outcome as the original with {those}: it passes, or fails in the same way, perhaps with other values"
        ),
    };
    writeln!(
        out,
        "cargo-reduce has compiled the code under test with {mutants} small changes. The original test executes {passed} of \
         the changed places, and was run with {run} of the changes, one at a time. The test above {outcomes}. Shorter \
         tests that fail in the same way, but have another outcome then, were refused: {refused}.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code() -> CodeUnderTest {
        let function = |name: &str, first_line: u64, last_line: u64| Function {
            package: "shop".to_owned(),
            name: name.to_owned(),
            file: "src/prices.rs".to_owned(),
            first_line,
            last_line,
        };
        let change = |mutated: &str, failure: Option<&str>, breaks| LineChange {
            original: "a > b".to_owned(),
            mutated: mutated.to_owned(),
            failure: failure.map(str::to_owned),
            breaks,
        };
        let line = |line: u64, changes: Vec<LineChange>| SuspiciousLine {
            file: "src/prices.rs".to_owned(),
            line,
            function: "f".to_owned(),
            run: 3,
            changes,
        };
        CodeUnderTest {
            warning: None,
            mutants: 40,
            passed: 21,
            run: 20,
            asked: 6,
            refused: 17,
            runs: 300,
            seconds: 1.5,
            seconds_before: 2.5,
            narrowed: false,
            other_tests: 4,
            located_in: None,
            functions: vec![function("f", 7, 9), function("g", 12, 12)],
            lines: vec![
                line(
                    8,
                    vec![
                        change("a >= b", None, Some(0)),
                        change(
                            "a < b",
                            Some("failed assertion: no; left: 1; right: 2"),
                            None,
                        ),
                    ],
                ),
                line(12, vec![change("", None, Some(3))]),
            ],
            guess: Some(Guess {
                file: "src/prices.rs".to_owned(),
                line: 8,
                diff: "-a > b\n+a >= b\n".to_owned(),
                result_passes: true,
            }),
        }
    }

    fn told(code: &CodeUnderTest) -> String {
        let mut text = String::new();
        code_under_test(code, false, &mut text).expect("writing to a string does not fail");
        text
    }

    #[test]
    fn a_test_that_asserts_something_else_has_not_the_outcomes_of_the_original() {
        let mut text = String::new();
        code_under_test(&code(), true, &mut text).expect("writing to a string does not fail");
        assert!(!text.contains("the same outcome as the original"), "{text}");
        let sentence = "The test above asserts something else, and was judged by changes with which the original passes \
            and no other test fails: it passes with each of them. Shorter";
        assert!(text.contains(sentence), "{text}");
    }

    #[test]
    fn where_a_good_version_was_asked_nothing_is_said_of_mutants() {
        let code = CodeUnderTest {
            narrowed: true,
            ..CodeUnderTest::default()
        };
        assert_eq!(told(&code), "");
    }

    #[test]
    fn the_function_that_the_bug_is_in_is_told_where_it_is_known() {
        let mut code = code();
        assert!(!told(&code).contains("probably"));
        code.located_in = Some("f".to_owned());
        let sentence = "\n\nThe bug is probably in `f`: only there does a change make the test pass and break none of \
            the other tests that were run.\n\n";
        assert!(told(&code).contains(sentence), "{}", told(&code));
    }

    #[test]
    fn what_other_tests_do_under_a_change_that_mends_nothing_is_told() {
        let mut code = code();
        code.lines[0].changes[1].breaks = Some(0);
        let text = "it fails with `left: 1; right: 2`, and all 4 other tests of the package that were run pass\n";
        assert!(told(&code).contains(text), "{}", told(&code));
    }

    #[test]
    fn what_is_known_of_the_code_under_test() {
        let expected = "\
### Where to look

Of the code under test, this ran:

- `f` (`src/prices.rs:7-9`)
- `g` (`src/prices.rs:12`)

Changes of these lines change the outcome, the most suspicious line first:

- `src/prices.rs:8`: with `a >= b` for `a > b` it passes, and so do all 4 other tests of the package that were run; with `a < b` for `a > b` it fails with `left: 1; right: 2`
- `src/prices.rs:12`: without `a > b` it passes, and 3 of the 4 other tests of the package that were run fail

A guess: with this change both the original test and the one above pass, and so do all 4 other tests of the package that were run. It was found by trying small changes, and nobody has looked at it.

```diff
-a > b
+a >= b
```

cargo-reduce has compiled the code under test with 40 small changes. The original test executes 21 of the changed places, and was run with 20 of the changes, one at a time. The test above has the same outcome as the original with each of the 6 changes that tell most: it passes, or fails in the same way, perhaps with other values. Shorter tests that fail in the same way, but have another outcome then, were refused: 17.

";
        assert_eq!(told(&code()), expected);
    }

    #[test]
    fn the_values_of_variables_are_told_by_line() {
        let value = |line: u64, values: &[&str], is_cut| VariableValue {
            file: "tests/a.rs".into(),
            line,
            variable: "x".to_owned(),
            values: values.iter().map(|&one| one.to_owned()).collect(),
            is_cut,
        };
        let values = [value(2, &["1"], false), value(5, &["2", "3"], true)];
        let mut text = String::new();
        values_on_the_way(&values, false, &mut text).expect("writing to a string does not fail");
        let expected = "### Values on the way\n\n- after line 2: `x` is `1`\n\
                        - after line 5: `x` is `2`, then `3`, ..\n\n";
        assert_eq!(text, expected);
        text.clear();
        values_on_the_way(&values[..1], true, &mut text)
            .expect("writing to a string does not fail");
        assert!(
            text.contains("- after `tests/a.rs`, line 2: `x` is `1`\n"),
            "{text}"
        );
    }

    #[test]
    fn one_other_test_is_told_of_in_the_singular() {
        let one = CodeUnderTest {
            other_tests: 1,
            ..code()
        };
        let told = told(&one);
        for text in [
            "it passes, and so does the other test of the package that was run;",
            "it passes, and the other test of the package that was run fails",
            "with this change both the original test and the one above pass, and so does the other test of the package that was run. It",
        ] {
            assert!(told.contains(text), "no `{text}` in\n{told}");
        }
    }

    #[test]
    fn a_guess_says_whether_the_result_passes_with_it() {
        let mut code = code();
        for (result_passes, text) in [
            (true, "both the original test and the one above pass,"),
            (false, "with this change the original test passes,"),
        ] {
            let guess = code.guess.as_mut().expect("there is one");
            guess.result_passes = result_passes;
            assert!(told(&code).contains(text), "{}", told(&code));
        }
    }

    #[test]
    fn no_more_is_told_than_somebody_reads() {
        let mut code = code();
        code.functions = vec![code.functions[0].clone(); 12];
        code.lines = vec![code.lines[1].clone(); 7];
        let text = told(&code);
        assert_eq!(text.matches("- `f`").count(), MOST_FUNCTIONS);
        assert_eq!(text.matches("- `src/prices.rs:12`").count(), MOST_LINES);
        assert_eq!(text.matches("- and 2 more\n").count(), 2);
    }

    #[test]
    fn where_no_mutant_was_asked_the_report_says_why() {
        let code = CodeUnderTest {
            warning: Some("the test may not show the bug".to_owned()),
            ..CodeUnderTest::default()
        };
        let expected = "### Where to look\n\nIt is not known: `the test may not show the bug`.\n\n";
        assert_eq!(told(&code), expected);
    }
}
