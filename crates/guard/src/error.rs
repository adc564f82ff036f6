//! The errors of the guard: those of the oracle that it asks, and a package that cannot be mutated.

use reduce_oracle::OracleError;
use std::collections::BTreeSet;

/// The reason why no guard can be made.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// Our own surroundings have failed, or the user has stopped the reduction.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// A package that `--mutate` names is not among those that can be mutated.
    #[error(transparent)]
    NotMutable(#[from] NotMutable),
}

/// The error of a package in `--mutate` that cannot be mutated.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NotMutable {
    pub(crate) message: String,
    /// The packages that can be mutated in its place, as `NAME@VERSION`.
    pub(crate) usable: BTreeSet<String>,
}

impl NotMutable {
    /// Returns a hint that tells the user which packages can be mutated.
    #[must_use]
    pub fn hint(&self) -> String {
        let names = self.usable.iter().map(|name| format!("`{name}`"));
        let names = names.collect::<Vec<_>>().join(", ");
        match names.is_empty() {
            true => "the test links no package that can be mutated".to_owned(),
            false => format!("the test links {names}"),
        }
    }
}
