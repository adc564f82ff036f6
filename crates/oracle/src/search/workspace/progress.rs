//! Passes on the lines of progress that cargo prints, one by one while it works: a large workspace compiles for
//! minutes.

use crate::error::OracleError;
use crate::search::context::BaselineContext;
use crate::system::process::{Invocation, Outcome, run_until};
use crate::system::snapshot::Snapshot;
use crate::text::escape::without_colours;
use crate::text::paths::relocate;

/// The number of columns at whose right end cargo writes its verbs, such as `Compiling`.
const WIDTH: usize = 12;
/// The verbs, such as `Compiling`, with which cargo's lines about work that takes time begin.
const VERBS: [&str; 13] = [
    "Adding",
    "Blocking",
    "Building",
    "Checking",
    "Compiling",
    "Documenting",
    "Downloaded",
    "Downloading",
    "Locking",
    "Running",
    "Unpacking",
    "Updating",
    "Vendoring",
];

/// Runs cargo to its end, and passes its lines of progress on while it runs.
///
/// # Errors
/// Where it cannot be started.
pub(super) fn run_shown(
    invocation: &Invocation<'_>,
    snapshot: &Snapshot,
    context: &BaselineContext<'_>,
) -> Result<Outcome, OracleError> {
    run_until(invocation, context.cancel, &mut |line| {
        if let Some(said) = progress(line) {
            // The user knows the original, not the copy.
            (context.cargo_says)(&relocate(&said, &snapshot.tree, snapshot.base.as_str()));
        }
        false
    })
}

/// Returns a line of cargo's progress without its indentation;
fn progress(line: &str) -> Option<String> {
    let line = without_colours(line);
    let text = line.trim_start_matches(' ');
    let (verb, _) = text.split_once(' ')?;
    let indent = line.len() - text.len();
    (VERBS.contains(&verb) && indent + verb.len() == WIDTH).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::progress;

    #[test]
    fn only_progress_is_handed_on() {
        let table = [
            ("   Compiling serde v1.0.2", Some("Compiling serde v1.0.2")),
            (
                "    Checking a v0.1.0 (/a b)",
                Some("Checking a v0.1.0 (/a b)"),
            ),
            (
                "    Blocking waiting for file lock on build directory",
                Some("Blocking waiting for file lock on build directory"),
            ),
            (
                "\u{1b}[1m\u{1b}[32m   Compiling\u{1b}[0m serde v1.0.2",
                Some("Compiling serde v1.0.2"),
            ),
            ("    Finished `dev` profile in 1s", None),
            ("Compiling is what I do", None),
            ("     Compiling a v1 (quoted by a compiler)", None),
            ("error: could not compile `a`", None),
            ("  Compiling", None),
            ("", None),
        ];
        for (line, expected) in table {
            assert_eq!(progress(line).as_deref(), expected, "{line}");
        }
    }
}
