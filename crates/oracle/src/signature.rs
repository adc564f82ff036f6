//! The signature of a crash: what must stay the same for a candidate to show the same bug.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What must stay the same for a crash to count as the same bug.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message)
    }
}
