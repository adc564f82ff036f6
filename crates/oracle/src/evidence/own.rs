//! The part of a test's failure that is compared, where the code under test stays as it is: a panic of the test's own has
//! no place that lasts, one of the code under test has.

use crate::evidence::program::{Harness, Ran, failures, has_difference, is_not_of_std};
use crate::signature::Signature;
use crate::system::process::Outcome;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The files and functions that are the test's own, and the parts of a failure that count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Own {
    /// The files of the test, as the compiler calls them.
    pub files: BTreeSet<Utf8PathBuf>,
    /// Functions of the code under test that assert something for their callers, as by name `assert_equal`: one that panics
    /// says nothing against itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asserting: Vec<FunctionLines>,
    /// Whether all files but the standard library's count as the test's own: where the code under test becomes a part of
    /// its text, a place in it does not last either.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_all: bool,
    /// Whether the values of a failure count. Where the expected value is computed from the same input as the other
    /// one, they do not, nor where the code under test panics.
    pub compares_values: bool,
}

/// The file and the lines of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionLines {
    /// The function's file, from the root of its package.
    pub file: Utf8PathBuf,
    /// The function's first and last line, counted from 1.
    pub lines: (u32, u32),
}

impl Own {
    /// Returns whether a failure says what the test expects: its place is in the test's own text, in a function that asserts for it,
    /// or nowhere, or it has printed what was expected. Elsewhere it says that the code under test is wrong, whatever the test does.
    #[must_use]
    pub fn says_expectation(&self, failure: &Signature) -> bool {
        if has_difference(&failure.message) {
            return true;
        }
        let Some(file) = failure.file.as_deref() else {
            return true;
        };
        let line = failure.position.map(|(line, _)| line);
        let is_in = |one: &FunctionLines| {
            let (first, last) = one.lines;
            Utf8Path::new(file).ends_with(&one.file)
                && line.is_some_and(|line| (first..=last).contains(&line))
        };
        self.files.contains(Utf8Path::new(file)) || self.asserting.iter().any(is_in)
    }

    /// Returns the failure of a run in `tree`, as far as it is compared.
    pub(crate) fn failure(
        &self,
        ran: &Outcome,
        tree: &str,
        harness: &Harness,
    ) -> Option<Signature> {
        let is_own = |path: &str| match self.is_all {
            true => is_not_of_std(path),
            false => self.files.contains(Utf8Path::new(path)),
        };
        let ran = Ran {
            outcome: ran,
            dir: tree,
            own: &is_own,
        };
        let failure = failures(&ran, harness).into_iter().next()?;
        Some(self.compared(failure))
    }

    fn compared(&self, failure: Signature) -> Signature {
        match self.compares_values {
            true => failure,
            false => failure.without_values(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::CrashKind;

    #[test]
    fn a_function_that_asserts_says_what_is_expected() {
        let own = Own {
            files: ["tests/t.rs".into()].into(),
            asserting: vec![FunctionLines {
                file: "src/lib.rs".into(),
                lines: (7, 9),
            }],
            ..Own::default()
        };
        for (file, line, expected) in [
            ("tests/t.rs", 3, true),
            ("src/lib.rs", 7, true),
            ("/home/user/shop/src/lib.rs", 9, true),
            ("src/lib.rs", 10, false),
            ("src/prices.rs", 8, false),
        ] {
            let failure = Signature {
                file: Some(file.to_owned()),
                position: Some((line, 5)),
                ..Signature::of_kind(CrashKind::ProgramPanic, "m")
            };
            assert_eq!(own.says_expectation(&failure), expected, "{file}:{line}");
        }
        let printed = Signature {
            file: Some("src/prices.rs".to_owned()),
            position: Some((8, 5)),
            ..Signature::of_kind(CrashKind::ProgramPanic, "m\nprinted: -1\n+2")
        };
        assert!(own.says_expectation(&printed));
        let nowhere = Signature::of_kind(CrashKind::ErrorReturned, "m");
        assert!(own.says_expectation(&nowhere));
    }
}
