//! The values of a variable where the result runs.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// The values of a variable after a statement of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableValue {
    /// The file of the result.
    pub file: Utf8PathBuf,
    /// The line on which the statement begins, from 1.
    pub line: u64,
    /// The variable's name.
    pub variable: String,
    /// The variable's values as `{:?}` prints them, one for each time that the statement was run:
    /// three at most.
    pub values: Vec<String>,
    /// Whether the statement was run more often than there are values.
    pub is_cut: bool,
}
