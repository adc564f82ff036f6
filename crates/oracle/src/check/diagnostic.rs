//! Diagnostics of a compiler that does not crash, as the failure that is looked for.

use super::cost::with_failures;
use super::crash::compiled;
use crate::check::{Bench, Seen};
use crate::error::OracleError;
use crate::evidence::diagnostics::{Report, reports};
use crate::search::context::BaselineOptions;
use crate::signature::{CrashKind, Signature, shape};

/// The difference by which one diagnostic is told from another one of the same code or lint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToldBy {
    /// `--any-message`: diagnostics of one code are not told apart.
    Name,
    /// Diagnostics of one code are told apart by the shapes of their messages.
    Shape,
}

impl ToldBy {
    /// Chooses from the user's options how diagnostics of one code are told apart.
    pub(crate) fn of(options: &BaselineOptions) -> Self {
        match options.any_message {
            true => Self::Name,
            false => Self::Shape,
        }
    }

    /// Returns the name of a diagnostic in signatures: its code or lint, and behind it the shape of its message if that
    /// counts.
    pub(crate) fn name(self, name: &str, message: &str) -> String {
        match self {
            Self::Name => name.to_owned(),
            Self::Shape => format!("{name}: {}", shape(message)),
        }
    }

    /// Returns the word that tells the stored keys of both variants apart.
    pub(crate) fn form(self, name: &'static str) -> &'static str {
        match (self, name) {
            (Self::Name, _) => name,
            (Self::Shape, "lint") => "shape-of-lint",
            (Self::Shape, _) => "shape-of-error",
        }
    }
}

/// Compiles the candidate and looks for diagnostics. `name` is what tells one that is looked for from
/// others like it; `None` for those that are not looked for. A crash comes first.
///
/// # Errors
/// When the compiler cannot be started.
pub(crate) fn diagnosed(
    bench: &mut dyn Bench,
    args: &[String],
    name: &dyn Fn(&Report) -> Option<String>,
) -> Result<Seen, OracleError> {
    let (outcome, seen) = compiled(bench, args)?;
    if !seen.crashes.is_empty() {
        return Ok((outcome, seen));
    }
    let failures = failures(&outcome.stderr, name);
    Ok(with_failures((outcome, seen), failures))
}

/// Returns the diagnostics that are looked for, as far as they were printed, each once.
pub(crate) fn failures(stderr: &str, name: &dyn Fn(&Report) -> Option<String>) -> Vec<Signature> {
    let mut found: Vec<Signature> = vec![];
    for name in reports(stderr).filter_map(|report| name(&report)) {
        let failure = Signature::of_kind(CrashKind::Diagnostic, name);
        if !found.contains(&failure) {
            found.push(failure);
        }
    }
    found
}

/// Returns, for tests, the output of a compiler that reports one diagnostic.
#[cfg(test)]
pub(crate) fn printed(code: &str, level: &str, message: &str) -> String {
    format!(
        r#"{{"$message_type":"diagnostic","message":"{message}","code":{{"code":"{code}","explanation":null}},"level":"{level}","spans":[],"children":[],"rendered":"{level}: {message}\n label here\n"}}"#
    )
}
