//! The values that a failed `assert_eq!` has compared, as they were printed.

use super::panics::Panics;
use crate::evidence::diagnostics::split_location;
use crate::signature::compared;
use crate::system::process::{Ending, Outcome};
use crate::text::escape::without_colours;

/// A comparison that has failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The file of the assertion, as the compiler names it.
    pub path: String,
    /// The line of the comparison, from 1.
    pub line: u32,
    /// The column at which the assertion begins, in characters from 1.
    pub column: u32,
    /// The first argument's value.
    pub left: String,
    /// The second argument's value.
    pub right: String,
}

impl Comparison {
    /// Returns the comparison by which a thread of a run has failed, if it has failed so.
    pub(crate) fn of_run(outcome: &Outcome, thread: &str) -> Option<Self> {
        if outcome.ending == Ending::Exited(0) {
            return None;
        }
        let text = without_colours(&outcome.stderr);
        let panics = Panics::in_text(&text, thread);
        let panic = panics.decisive()?;
        let (path, line, column) = split_location(panic.location)?;
        let [left, right] = compared(&panic.message)?;
        Some(Self {
            path: path.to_owned(),
            line,
            column,
            left: left.to_owned(),
            right: right.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::scripted::ended;

    fn compared(stderr: &str, ending: Ending) -> Option<Comparison> {
        let stderr = stderr.to_owned();
        let outcome = Outcome {
            stderr,
            ..ended(ending)
        };
        Comparison::of_run(&outcome, "a::b")
    }

    const FAILURE: &str = "\nthread 'a::b' (7) panicked at tests/ways.rs:37:5:\n\
        assertion `left == right` failed: the sum\n  left: 80\n right: [1, 2]\n\
        note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";

    #[test]
    fn both_values_and_the_place_are_read() {
        let expected = Comparison {
            path: "tests/ways.rs".to_owned(),
            line: 37,
            column: 5,
            left: "80".to_owned(),
            right: "[1, 2]".to_owned(),
        };
        assert_eq!(compared(FAILURE, Ending::Exited(101)), Some(expected));
    }

    #[test]
    fn other_failures_compare_nothing() {
        let failed = Ending::Exited(101);
        assert_eq!(compared(FAILURE, Ending::Exited(0)), None);
        assert_eq!(compared("", failed), None);
        assert_eq!(compared(&FAILURE.replace("==", "!="), failed), None);
        let other = FAILURE.replace("  left: 80", "  left: a\n right: b");
        assert_eq!(compared(&other, failed), None);
    }
}
