//! Programs that are almost the result of a crash, and do not crash.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// A program that is one edit away from the result, and does not fail as the result does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearestProgram {
    /// The differences from the result, in the order of the text: one change, or two that belong
    /// together.
    pub changes: Vec<TextChange>,
    /// The first error that the compiler reports instead; `None` where the program compiles.
    pub error: Option<PlainError>,
}

/// A change at one place of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextChange {
    /// The file of the result that is changed.
    pub file: Utf8PathBuf,
    /// The line on which the change begins, from 1.
    pub line: u64,
    /// The column on which the change begins, in characters from 1.
    pub column: u64,
    /// The text that the result has at this place.
    pub before: String,
    /// The text that the nearest program has instead; empty where it has none.
    pub after: String,
}

/// An error of the compiler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlainError {
    /// The error's code, if it has one.
    pub code: Option<String>,
    /// The first line of the compiler's message.
    pub message: String,
}
