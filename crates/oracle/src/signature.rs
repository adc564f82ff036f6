//! The signature of a crash, or of another failure: what must stay the same for a candidate to show
//! the same bug.
//!
//! See docs/decisions/signatures.md.

mod groups;
mod message;
mod shape;
mod values;

pub(crate) use message::normalise;
pub(crate) use shape::shape;
pub(crate) use values::{LEFT, compared};

use serde::{Deserialize, Serialize};
use std::fmt;

/// The signature of a failure: the parts that must stay the same for a crash to count as the same bug.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// The way in which the compiler, or the program, ended.
    pub kind: CrashKind,
    /// The source file of the failure: in the compiler, its path from `compiler/` or `library/` on. None for a failure
    /// in the program's own source.
    pub file: Option<String>,
    /// The line and the column of the failure in its file.
    pub position: Option<(u32, u32)>,
    /// The message, with what depends on the program or the run replaced. Of a program's failure
    /// several lines, with all values.
    pub message: String,
    /// The name of the innermost query, such as `layout_of`.
    pub query: Option<String>,
    /// The signal that ended the compiler after it had said what happened; `None` where it exited, and of kinds that
    /// say so themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// The frames of a stack overflow that follow one another again and again, sorted: symbols, or places in the
    /// compiler's libraries. Empty where the compiler did not print them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<String>,
}

/// The kind of a failure: how the compiler or the program ended, or another property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrashKind {
    /// An ordinary panic: `unwrap`, index out of bounds, `assert!`.
    Panic,
    /// A bug that the compiler reports by `bug!` or `span_bug!`.
    Bug,
    /// A delayed bug that no error followed.
    DelayedBug,
    /// The compiler overflowed its stack.
    StackOverflow,
    /// An error of LLVM: `LLVM ERROR: ..`.
    LlvmError,
    /// Any other signal, by number.
    Signal(i32),
    /// A program's assertion of the standard library failed; the message has the values.
    Assertion,
    /// Any other panic of a program.
    ProgramPanic,
    /// `main` or a test returned `Err`.
    ErrorReturned,
    /// A test that should panic did not, or with another message.
    NoPanic,
    /// A program aborted: SIGABRT.
    Abort,
    /// A program ended with this status, and not because of a panic or an error that it returned. The message is that of
    /// the one panic that it has caught, if it has.
    ExitStatus(i32),
    /// The compiler or the program does not end.
    Hang,
    /// A diagnostic of the compiler.
    Diagnostic,
    /// The compiler needs too much memory.
    Memory,
    /// The compiler needs too much time.
    Slow,
    /// A program that was compiled in two ways behaves in two ways.
    DifferentOutput,
    /// A script of the user's finds the program interesting.
    Script,
    /// In a variant of the code under test a test has another outcome than the original.
    OtherOutcome,
}

impl CrashKind {
    /// Whether a test fails so by what it expects: a failed assertion, another panic, or an error that it returns.
    #[must_use]
    pub const fn is_of_test(self) -> bool {
        matches!(
            self,
            Self::Assertion | Self::ErrorReturned | Self::ProgramPanic
        )
    }
}

impl Signature {
    /// Makes the signature of a failure of which only the kind and the message are known.
    #[must_use]
    pub fn of_kind(kind: CrashKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            file: None,
            position: None,
            message: message.into(),
            query: None,
            signal: None,
            cycle: Vec::new(),
        }
    }

    /// Whether the failure is one of the compiler, and not of a compiled program.
    #[must_use]
    pub fn is_of_compiler(&self) -> bool {
        use CrashKind::{Bug, DelayedBug, LlvmError, Panic, StackOverflow};
        matches!(
            self.kind,
            Panic | Bug | DelayedBug | StackOverflow | LlvmError
        )
    }

    /// Returns the failure's name in messages: a "crash" where the compiler or a program crashed, else a "failure".
    #[must_use]
    pub fn noun(&self) -> &'static str {
        let is_crash = self.is_of_compiler() || matches!(self.kind, CrashKind::Signal(_));
        if is_crash { "crash" } else { "failure" }
    }

    /// Whether `other` is the same bug. Stack overflows are if they share a frame of those that follow one another
    /// again and again, as far as both are known; for the rest everything counts, line and column only unless
    /// `ignore_location`.
    #[must_use]
    pub fn is_same_bug(&self, other: &Self, ignore_location: bool) -> bool {
        if self.kind == CrashKind::StackOverflow {
            return other.kind == CrashKind::StackOverflow && self.has_cycle_of(other);
        }
        self.kind == other.kind
            && self.file == other.file
            && (ignore_location || self.position == other.position)
            && self.message == other.message
            && self.query == other.query
            && self.signal == other.signal
    }

    fn has_cycle_of(&self, other: &Self) -> bool {
        let is_known = !self.cycle.is_empty() && !other.cycle.is_empty();
        !is_known || self.cycle.iter().any(|frame| other.cycle.contains(frame))
    }
}

impl Signature {
    /// Returns the failure of a program with its values masked; other failures stay as they are.
    pub(crate) fn without_values(&self) -> Self {
        use CrashKind::{Assertion, ErrorReturned, ExitStatus, NoPanic, ProgramPanic};
        match self.kind {
            Assertion | ErrorReturned | ExitStatus(_) | NoPanic | ProgramPanic => Self {
                message: values::without_values(&self.message),
                ..self.clone()
            },
            _ => self.clone(),
        }
    }

    /// Returns the two values that a failed `assert_eq!` has compared.
    #[must_use]
    pub fn compared(&self) -> Option<[&str; 2]> {
        compared(&self.message).filter(|_| self.kind == CrashKind::Assertion)
    }

    /// Returns the failure of an `assert_eq!` as if it had compared these values; `None` of other failures.
    #[must_use]
    pub fn comparing(&self, values: [&str; 2]) -> Option<Self> {
        self.compared()?;
        Some(Self {
            message: values::comparing(&self.message, values)?,
            ..self.clone()
        })
    }

    /// Returns the failure of an `assert_eq!` without the user's words; `None` of other failures, and where there are
    /// none.
    #[must_use]
    pub fn without_words(&self) -> Option<Self> {
        self.compared()?;
        Some(Self {
            message: values::without_words(&self.message)?,
            ..self.clone()
        })
    }

    /// Whether `other` is a panic that a user's own test harness has caught, so that the run ended with the status in this
    /// failure.
    #[must_use]
    pub fn is_caught(&self, other: &Self) -> bool {
        let is_panic = matches!(other.kind, CrashKind::Assertion | CrashKind::ProgramPanic);
        let is_there = (&self.file, self.position) == (&other.file, other.position);
        is_panic && is_there && self.has_caught_panic() && self.message == other.message
    }

    /// Whether a harness of the user's own has caught a panic, and ended with a status.
    #[must_use]
    pub fn has_caught_panic(&self) -> bool {
        matches!(self.kind, CrashKind::ExitStatus(_)) && !self.message.is_empty()
    }

    /// Whether a run shows this failure. Of several delayed bugs the first counts: a report should be about
    /// the bug that was looked for. A diagnostic may be among others.
    pub(crate) fn is_shown_by(&self, failures: &[Self], ignore_location: bool) -> bool {
        let n_counting = match self.kind {
            CrashKind::Diagnostic => failures.len(),
            _ => failures.len().min(1),
        };
        let mut counting = failures[..n_counting].iter();
        counting.any(|failure| self.is_same_bug(failure, ignore_location))
    }
}

impl fmt::Display for CrashKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panic => write!(f, "panic"),
            Self::Bug => write!(f, "bug"),
            Self::DelayedBug => write!(f, "delayed bug"),
            Self::StackOverflow => write!(f, "stack overflow"),
            Self::LlvmError => write!(f, "LLVM error"),
            Self::Signal(number) => write!(f, "signal {number}"),
            Self::Assertion => write!(f, "failed assertion"),
            Self::ProgramPanic => write!(f, "panic of the program"),
            Self::ErrorReturned => write!(f, "returned error"),
            Self::NoPanic => write!(f, "missing panic"),
            Self::Abort => write!(f, "abort"),
            Self::ExitStatus(status) => write!(f, "exit status {status}"),
            Self::Hang => write!(f, "does not end"),
            Self::Diagnostic => write!(f, "diagnostic"),
            Self::Memory => write!(f, "too much memory"),
            Self::Slow => write!(f, "too slow"),
            Self::DifferentOutput => write!(f, "different output"),
            Self::Script => write!(f, "script"),
            Self::OtherOutcome => write!(f, "another outcome in a variant of the code under test"),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if let Some(file) = &self.file {
            write!(f, " at {file}")?;
        }
        if let (Some(_), Some((line, column))) = (&self.file, self.position) {
            write!(f, ":{line}:{column}")?;
        }
        let lines = self.message.lines().map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        if !lines.is_empty() {
            write!(f, ": {}", lines.join("; "))?;
        }
        if let Some(query) = &self.query {
            write!(f, " [query: {query}]")?;
        }
        match self.signal {
            Some(signal) => write!(f, " [signal: {signal}]"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panic_at(line: u32) -> Signature {
        Signature {
            kind: CrashKind::Panic,
            file: Some("compiler/rustc_x/src/y.rs".to_owned()),
            position: Some((line, 2)),
            message: "no entry found".to_owned(),
            query: Some("typeck".to_owned()),
            signal: None,
            cycle: Vec::new(),
        }
    }

    #[test]
    fn a_signature_reads_as_one_line() {
        let expected = "panic at compiler/rustc_x/src/y.rs:1:2: no entry found [query: typeck]";
        assert_eq!(panic_at(1).to_string(), expected);
        assert_eq!(
            Signature::of_kind(CrashKind::Signal(6), "").to_string(),
            "signal 6"
        );
    }

    #[test]
    fn a_panic_that_a_harness_has_caught_is_told_by_its_message() {
        let panic = Signature::of_kind(CrashKind::Assertion, "m");
        let caught = |message: &str| Signature::of_kind(CrashKind::ExitStatus(1), message);
        assert!(caught("m").is_caught(&panic));
        assert!(!caught("n").is_caught(&panic));
        assert!(!caught("m").is_caught(&caught("m")));
        assert!(!caught("").has_caught_panic());
        assert!(!panic.is_caught(&panic));
    }

    #[test]
    fn a_message_of_several_lines_reads_as_one() {
        let message = "assertion `left == right` failed\n  left: 10\n right: 64";
        assert_eq!(
            Signature::of_kind(CrashKind::Assertion, message).to_string(),
            "failed assertion: assertion `left == right` failed; left: 10; right: 64"
        );
        let silent = Signature::of_kind(CrashKind::Hang, "\n");
        assert_eq!(silent.to_string(), "does not end");
    }

    #[test]
    fn a_kind_reads_and_is_stored_in_words() {
        let table = [
            (CrashKind::Panic, "panic", r#""panic""#),
            (CrashKind::Signal(11), "signal 11", r#"{"signal":11}"#),
            (
                CrashKind::ProgramPanic,
                "panic of the program",
                r#""program-panic""#,
            ),
            (
                CrashKind::ErrorReturned,
                "returned error",
                r#""error-returned""#,
            ),
            (CrashKind::NoPanic, "missing panic", r#""no-panic""#),
            (CrashKind::Abort, "abort", r#""abort""#),
            (
                CrashKind::ExitStatus(3),
                "exit status 3",
                r#"{"exit-status":3}"#,
            ),
            (
                CrashKind::DifferentOutput,
                "different output",
                r#""different-output""#,
            ),
        ];
        for (kind, words, stored) in table {
            assert_eq!(kind.to_string(), words);
            assert_eq!(serde_json::to_string(&kind).unwrap(), stored);
            assert_eq!(serde_json::from_str::<CrashKind>(stored).unwrap(), kind);
        }
    }

    #[test]
    fn line_and_column_count_unless_they_are_ignored() {
        assert!(panic_at(1).is_same_bug(&panic_at(1), false));
        assert!(!panic_at(1).is_same_bug(&panic_at(3), false));
        assert!(panic_at(1).is_same_bug(&panic_at(3), true));
    }

    #[test]
    fn another_query_or_message_is_another_bug() {
        let other_query = Signature {
            query: None,
            ..panic_at(1)
        };
        let other_message = Signature {
            message: "no".to_owned(),
            ..panic_at(1)
        };
        assert!(!panic_at(1).is_same_bug(&other_query, true));
        assert!(!panic_at(1).is_same_bug(&other_message, true));
    }

    #[test]
    fn a_crash_that_ends_in_an_abort_is_another_one() {
        let aborted = Signature {
            signal: Some(6),
            ..panic_at(1)
        };
        assert!(!panic_at(1).is_same_bug(&aborted, true));
        assert!(aborted.is_same_bug(&aborted, false));
        assert!(aborted.to_string().ends_with("[query: typeck] [signal: 6]"));
        let stored = serde_json::to_string(&panic_at(1)).unwrap();
        assert!(!stored.contains("signal"), "{stored}");
        assert_eq!(
            serde_json::from_str::<Signature>(&stored).unwrap(),
            panic_at(1)
        );
    }

    #[test]
    fn stack_overflows_that_are_known_to_go_round_elsewhere_differ() {
        let of = |frames: &[&str]| Signature {
            cycle: frames.iter().map(|&frame| frame.to_owned()).collect(),
            ..Signature::of_kind(CrashKind::StackOverflow, "")
        };
        assert!(of(&["a", "b"]).is_same_bug(&of(&["b", "c"]), false));
        assert!(!of(&["a", "b"]).is_same_bug(&of(&["c"]), true));
        assert!(of(&["a"]).is_same_bug(&of(&[]), false));
    }

    #[test]
    fn stack_overflows_are_alike_where_nothing_else_is_known() {
        let one = Signature::of_kind(CrashKind::StackOverflow, "a");
        let other = Signature::of_kind(CrashKind::StackOverflow, "b");
        assert!(one.is_same_bug(&other, false));
        assert!(!one.is_same_bug(&Signature::of_kind(CrashKind::Signal(11), "a"), false));
    }
}
