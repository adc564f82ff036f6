//! The signature of a crash: what must stay the same for a candidate to show the same bug.

mod groups;
mod message;

pub(crate) use message::normalise;

use serde::{Deserialize, Serialize};
use std::fmt;

/// What must stay the same for a crash to count as the same bug.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// How the compiler ended.
    pub kind: CrashKind,
    /// Where in the compiler: path from `compiler/` or `library/` on.
    pub file: Option<String>,
    /// Line and column in that file.
    pub position: Option<(u32, u32)>,
    /// The message, with what depends on the program or the run replaced.
    pub message: String,
    /// The name of the innermost query, such as `layout_of`.
    pub query: Option<String>,
}

/// How the compiler ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrashKind {
    /// An ordinary panic: `unwrap`, index out of bounds, `assert!`.
    Panic,
    /// `bug!` or `span_bug!`.
    Bug,
    /// A delayed bug that no error followed.
    DelayedBug,
    /// The compiler overflowed its stack.
    StackOverflow,
    /// `LLVM ERROR: ..`.
    LlvmError,
    /// Any other signal, by number.
    Signal(i32),
}

impl Signature {
    /// A crash of which nothing is known but its kind and what was said.
    pub(crate) fn of_kind(kind: CrashKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            file: None,
            position: None,
            message: message.into(),
            query: None,
        }
    }

    /// Whether `other` is the same bug. A stack overflow says nothing but that it is one; for the
    /// rest everything counts, line and column only unless `ignore_location`.
    #[must_use]
    pub fn is_same_bug(&self, other: &Self, ignore_location: bool) -> bool {
        if self.kind == CrashKind::StackOverflow {
            return other.kind == CrashKind::StackOverflow;
        }
        self.kind == other.kind
            && self.file == other.file
            && (ignore_location || self.position == other.position)
            && self.message == other.message
            && self.query == other.query
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
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        match &self.query {
            Some(query) => write!(f, " [query: {query}]"),
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
    fn stack_overflows_are_all_alike() {
        let one = Signature::of_kind(CrashKind::StackOverflow, "a");
        let other = Signature::of_kind(CrashKind::StackOverflow, "b");
        assert!(one.is_same_bug(&other, false));
        assert!(!one.is_same_bug(&Signature::of_kind(CrashKind::Signal(11), "a"), false));
    }
}
