//! The assertion of a value that a good version of the code under test gives otherwise.

use super::trace::Time;
use crate::program::Place;
use reduce_syntax::TokenCursor;
use std::collections::BTreeMap;

/// The values that a good version gives otherwise, and where to end the walk.
#[derive(Clone, Copy)]
pub(super) struct Differences<'t> {
    /// The values of the good version, by the time at which the other value was noted.
    pub(super) expected: &'t BTreeMap<Time, String>,
    /// The assertion that is made of a difference, and the time of that; nothing while differences are looked for.
    pub(super) end: Option<(Assertion, Time)>,
}

/// A difference that the walk has met.
#[derive(Debug)]
pub(super) struct Met {
    pub(super) time: Time,
    /// The place of what has another value.
    pub(super) place: Place,
    /// The number of statements that there were.
    pub(super) since: usize,
    /// Whether it decides which way the test goes on.
    pub(super) decides: bool,
}

/// The form of the assertion at the end of a straight line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Assertion {
    /// `assert_eq!(a, b)`
    Equality,
    /// `assert!(a)`, without a message.
    Condition,
}

impl Assertion {
    /// The form of an assertion, by its text.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        let cursor = TokenCursor::new(text);
        let words: Vec<&str> = cursor.words().collect();
        match words.as_slice() {
            ["assert_eq", ..] | ["std", "::", "assert_eq", ..] => Some(Self::Equality),
            ["assert", ..] => {
                let end = cursor.closing(2)?;
                let arguments = cursor.split_values_by_commas(3..end);
                (arguments.len() == 1).then_some(Self::Condition)
            }
            _ => None,
        }
    }

    /// The text of an assertion of this form that something has a value.
    pub(super) fn of(self, computed: &str, value: &str) -> String {
        match (self, value) {
            // A text is equal to the words of it.
            (Self::Equality, _) => {
                let value = value.strip_suffix(".to_string()").unwrap_or(value);
                format!("assert_eq!({computed}, {value})")
            }
            (Self::Condition, "true") => format!("assert!({computed})"),
            (Self::Condition, "false") => format!("assert!(!({computed}))"),
            (Self::Condition, _) => format!("assert!({computed} == {value})"),
        }
    }
}
