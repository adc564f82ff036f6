//! An offer: a failure that can be reduced, with the command that asks for it.

use crate::text::shell::line_of;
use serde::{Deserialize, Serialize};

/// A failure that was seen, and can be asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The failure in words for people: a test's name, or an error.
    pub what: String,
    /// The arguments of `cargo reduce` that ask for the failure.
    pub words: Vec<String>,
}

impl Offer {
    /// Returns the shell line that asks for this failure.
    #[must_use]
    pub fn command(&self) -> String {
        let start = ["cargo", "reduce"].map(str::to_owned);
        line_of(&[start.as_slice(), &self.words].concat())
    }
}
