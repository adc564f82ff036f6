//! What of a failing run is compared where the code under test stays as it is: a panic of the test's own has no
//! place that lasts, one of the code under test has.

use crate::observed::program::{Harness, Ran, failures, is_not_of_std};
use crate::signature::Signature;
use crate::system::process::Outcome;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What is the test's own, and how much of a failure counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Own {
    /// The files of the test, as the compiler calls them.
    pub files: BTreeSet<Utf8PathBuf>,
    /// Whether all but the standard library is the test's own: where the code under test becomes a part of its text,
    /// a place in it does not last either.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_all: bool,
    /// Whether the values of a failure count. Where the expected value is computed from the same input as the other
    /// one, they do not, nor where the code under test panics.
    pub compares_values: bool,
}

impl Own {
    /// How a run in `tree` fails, as far as it is compared.
    pub(crate) fn failure(
        &self,
        ran: &Outcome,
        tree: &str,
        harness: &Harness,
    ) -> Option<Signature> {
        let is_own = |path: &str| match self.is_all {
            true => is_not_of_std(path),
            false => self.files.contains(camino::Utf8Path::new(path)),
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
