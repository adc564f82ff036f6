//! What `cargo test` says of a test: passed, failed in this way, or not compiled.

use crate::process::Ended;
use std::path::Path;

/// The outcome of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Some test ran, and none failed.
    Passed,
    /// A test failed.
    Failed(Failure),
    /// The compiler or cargo refused it.
    NotCompiled,
    /// No test has the name.
    NotRun,
    /// It took too long.
    Late,
}

/// How a test failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What happened.
    pub kind: FailureKind,
    /// What was said, with the values that were compared.
    pub message: String,
}

/// What happens when a test fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailureKind {
    /// A panic in the test's own file.
    PanicInTest,
    /// A panic in another file.
    PanicIn(String),
    /// The test gave back an error.
    Error,
    /// Nothing panicked though something should.
    NoPanic,
    /// Another one, such as a signal or an exit status.
    Other,
}

/// What of a failure a result has to keep, besides what happens and the words.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// The values that the message has.
    pub values: bool,
    /// The file in which it panics.
    pub file: bool,
    /// The kind of failure: without it, any panic in the test's file is as good.
    pub kind: bool,
}

impl Outcome {
    /// Reads what `cargo test` printed. `file` is the test's, from the root of the workspace.
    pub fn read(ended: &Ended, file: &Path) -> Self {
        let text = format!("{}\n{}", ended.stdout, ended.stderr);
        if ended.is_late {
            Outcome::Late
        } else if ended.is_success {
            match has_run(&ended.stdout) {
                true => Outcome::Passed,
                false => Outcome::NotRun,
            }
        } else if is_compile_error(&text) {
            Outcome::NotCompiled
        } else {
            Outcome::Failed(Failure::read(&text, file))
        }
    }
}

impl Failure {
    fn read(text: &str, file: &Path) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let panic = lines.iter().position(|line| line.contains("panicked at "));
        let error = lines.iter().position(|line| line.starts_with("Error: "));
        if let Some(at) = panic {
            let place = lines[at].split("panicked at ").nth(1).unwrap_or_default();
            let place = place.split(':').next().unwrap_or_default();
            let is_own = file.ends_with(place) || place.starts_with("/tmp/rustdoctest");
            let kind = match is_own || lines[at].contains("rust_out") {
                true => FailureKind::PanicInTest,
                false => FailureKind::PanicIn(place.to_owned()),
            };
            let message = message(&lines[at + 1..]);
            return Failure { kind, message };
        }
        let (kind, message) = match error {
            _ if text.contains("test did not panic as expected") => (FailureKind::NoPanic, ""),
            Some(at) => (FailureKind::Error, lines[at]),
            None => (FailureKind::Other, ""),
        };
        let message = message.to_owned();
        Failure { kind, message }
    }

    /// Whether it is the same failure as the original's, as far as a result has to keep it.
    pub fn is_same(&self, original: &Failure, kept: Kept) -> bool {
        let normal = |failure: &Failure| match kept.values {
            true => without_source(&failure.message),
            false => without_values(&failure.message),
        };
        if !kept.kind && self.kind == FailureKind::PanicInTest {
            return true;
        }
        let are_panics = self.kind.is_panic() && original.kind.is_panic();
        let is_kind = self.kind == original.kind || !kept.file && are_panics;
        is_kind && (normal(self) == normal(original) || self.compares_part_of(original))
    }

    /// Whether an `assert_eq!` compares parts of the values that another one compares.
    fn compares_part_of(&self, original: &Failure) -> bool {
        let values = (compared(&self.message), compared(&original.message));
        let (Some(parts), Some(wholes)) = values else {
            return false;
        };
        let mut both = parts.into_iter().zip(wholes);
        parts[0] != parts[1] && both.all(|(part, whole)| is_part(part, whole))
    }
}

impl FailureKind {
    fn is_panic(&self) -> bool {
        matches!(self, FailureKind::PanicInTest | FailureKind::PanicIn(_))
    }
}

/// Whether a test ran: of libtest, some passed; another harness has no such line.
fn has_run(stdout: &str) -> bool {
    let mut results = stdout
        .lines()
        .filter(|line| line.starts_with("test result: "));
    let is_libtest = stdout.contains("test result: ");
    !is_libtest || results.any(|line| !line.contains(" 0 passed"))
}

fn is_compile_error(text: &str) -> bool {
    let signs = [
        "error: could not compile",
        "error: aborting due to",
        "error: failed to parse manifest",
        "Couldn't compile",
    ];
    let is_of_cargo = |line: &str| line.starts_with("error: no test target");
    signs.iter().any(|sign| text.contains(sign)) || text.lines().any(is_of_cargo)
}

/// The lines of a panic's message: they end before a note, an empty line or the next test.
fn message(lines: &[&str]) -> String {
    let is_end =
        |line: &str| line.is_empty() || line.starts_with("note: ") || line.starts_with("---- ");
    let lines = lines.iter().take_while(|line| !is_end(line));
    lines.copied().collect::<Vec<_>>().join("\n")
}

/// `assert!(..)` quotes source, which a reduction may change.
fn without_source(message: &str) -> String {
    let quotes = "assertion failed: ";
    let is_quote = message.starts_with(quotes) && !message.starts_with("assertion failed: `(");
    if is_quote {
        quotes.to_owned()
    } else {
        message.to_owned()
    }
}

/// The two values of an `assert_eq!`.
fn compared(message: &str) -> Option<[&str; 2]> {
    let values = message.strip_prefix("assertion `left == right` failed")?;
    let (_, values) = values.split_once("\n  left: ")?;
    let (left, right) = values.split_once("\n right: ")?;
    Some([left, right])
}

/// Whether a printed value may be a part of another: an element, a field, or a line of a text.
fn is_part(part: &str, whole: &str) -> bool {
    let line = part
        .strip_prefix("Some(\"")
        .and_then(|rest| rest.strip_suffix("\")"));
    whole.contains(part) || line.is_some_and(|line| whole.contains(line))
}

/// What kind of message it is: of assertions that they are one, of a returned error its variant, and of others the first line
/// without numbers.
fn without_values(message: &str) -> String {
    if message.contains("assertion") {
        return "assertion".to_owned();
    }
    if let Some(variant) = message.strip_prefix("Error: ").and_then(variant) {
        return variant.to_owned();
    }
    let first = message.lines().next().unwrap_or_default();
    let mut normal = String::new();
    for character in first.chars() {
        match character.is_ascii_digit() {
            true if normal.ends_with('#') => {}
            true => normal.push('#'),
            false => normal.push(character),
        }
    }
    normal
}

/// The name that a printed value begins with; `None` where it begins otherwise, as a text does.
fn variant(value: &str) -> Option<&str> {
    let is_in_name = |character: char| character.is_alphanumeric() || "_:".contains(character);
    let end = value.find(|character| !is_in_name(character));
    let name = &value[..end.unwrap_or(value.len())];
    name.starts_with(char::is_alphabetic).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const ALL: Kept = Kept {
        values: true,
        file: true,
        kind: true,
    };
    const WITHOUT_VALUES: Kept = Kept {
        values: false,
        file: true,
        kind: true,
    };

    fn failed(text: &str) -> Failure {
        let ended = Ended {
            is_success: false,
            is_late: false,
            stdout: text.to_owned(),
            stderr: String::new(),
            cpu: Duration::ZERO,
            own: crate::process::OwnUse::default(),
        };
        match Outcome::read(&ended, Path::new("tests/a.rs")) {
            Outcome::Failed(failure) => failure,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_failed_assertion_has_its_values() {
        let text = "---- a stdout ----\n\nthread 'a' (7) panicked at tests/a.rs:3:5:\n\
            assertion `left == right` failed\n  left: 1\n right: 2\nnote: run with\n";
        let failure = failed(text);
        assert_eq!(failure.kind, FailureKind::PanicInTest);
        let message = "assertion `left == right` failed\n  left: 1\n right: 2";
        assert_eq!(failure.message, message);
        let other = failed(&text.replace("right: 2", "right: 3"));
        assert!(!failure.is_same(&other, ALL));
        assert!(failure.is_same(&other, WITHOUT_VALUES));
    }

    #[test]
    fn a_part_of_what_was_compared_is_the_same_failure() {
        let failure = |left: &str, right: &str| {
            failed(&format!(
                "thread 'a' (7) panicked at tests/a.rs:3:5:\nassertion `left == right` failed\n  left: {left}\n right: {right}\n"
            ))
        };
        let original = failure("[(1, \"a\\nb\"), 3]", "[(1, \"a\\nc\"), 4]");
        for (left, right, expected) in [
            ("3", "4", true),
            ("(1, \"a\\nb\")", "(1, \"a\\nc\")", true),
            ("Some(\"b\")", "Some(\"c\")", true),
            ("3", "5", false),
            ("1", "1", false),
        ] {
            let part = failure(left, right);
            assert_eq!(part.is_same(&original, ALL), expected, "{left} {right}");
            assert!(!original.is_same(&part, ALL));
        }
    }

    #[test]
    fn quoted_source_is_no_part_of_a_failure() {
        let text = "thread 'a' (7) panicked at tests/a.rs:3:5:\nassertion failed: a.is_empty()\n";
        let renamed = text.replace("a.is", "b.is");
        assert!(failed(text).is_same(&failed(&renamed), ALL));
    }

    #[test]
    fn a_panic_elsewhere_has_its_file() {
        let text = "thread 'a' (7) panicked at src/lib.rs:9:1:\nindex 3 is out of bounds\n";
        let failure = failed(text);
        assert_eq!(failure.kind, FailureKind::PanicIn("src/lib.rs".to_owned()));
        let other = failed(&text.replace('3', "12"));
        assert!(!failure.is_same(&other, ALL));
        assert!(failure.is_same(&other, WITHOUT_VALUES));
        let moved = failed(&text.replace("src/lib", "tests/a"));
        assert!(!failure.is_same(&moved, ALL));
        let file = false;
        assert!(failure.is_same(&moved, Kept { file, ..ALL }));
    }

    #[test]
    fn a_result_that_asserts_something_else_fails_by_an_assertion() {
        let error = failed("Error: Full\nerror: test failed\n");
        let assertion = "thread 'a' (7) panicked at tests/a.rs:9:1:\nassertion failed: a\n";
        let anew = Kept { kind: false, ..ALL };
        assert!(failed(assertion).is_same(&error, anew));
        assert!(!failed(assertion).is_same(&error, ALL));
        let inside = assertion.replace("tests/a", "src/lib");
        assert!(!failed(&inside).is_same(&error, anew));
    }

    #[test]
    fn errors_and_missing_panics_are_failures() {
        assert_eq!(failed("Error: Empty\n").kind, FailureKind::Error);
        let text = "note: test did not panic as expected at tests/a.rs:3:4\n";
        assert_eq!(failed(text).kind, FailureKind::NoPanic);
    }

    #[test]
    fn a_returned_error_without_its_values_is_a_variant() {
        let original = failed("Error: Exceeded { user: \"a\", missing: 5.7 GiB }\n");
        let is_same = |text: &str, kept| failed(text).is_same(&original, kept);
        let other_values = "Error: Exceeded { user: \"\", missing: 3.0 B }\n";
        assert!(is_same(other_values, WITHOUT_VALUES));
        assert!(!is_same(other_values, ALL));
        assert!(!is_same("Error: Unknown { user: \"a\" }\n", WITHOUT_VALUES));
        let text = failed("Error: \"line 3\"\n");
        assert!(text.is_same(&failed("Error: \"line 12\"\n"), WITHOUT_VALUES));
        assert!(!text.is_same(&failed("Error: \"row 3\"\n"), WITHOUT_VALUES));
    }

    #[test]
    fn a_run_without_tests_is_not_passed() {
        let outcome = |line: &str| {
            let ended = Ended {
                is_success: true,
                is_late: false,
                stdout: line.to_owned(),
                stderr: String::new(),
                cpu: Duration::ZERO,
                own: crate::process::OwnUse::default(),
            };
            Outcome::read(&ended, Path::new("tests/a.rs"))
        };
        assert_eq!(
            outcome("test result: ok. 0 passed; 0 failed"),
            Outcome::NotRun
        );
        assert_eq!(
            outcome("test result: ok. 1 passed; 0 failed"),
            Outcome::Passed
        );
        assert_eq!(outcome("all is well"), Outcome::Passed);
    }
}
