//! The deciders of candidates: the checks from the cheapest to the compiler, of which the first
//! sufficient one decides.

use serde::{Deserialize, Serialize};

/// The check that decided a candidate, the cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decider {
    /// The candidate is not smaller than the best so far.
    Size,
    /// The candidate's tokens had a known verdict.
    Cache,
    /// A changed file does not parse.
    Syntax,
    /// A name is certainly unresolved, or a call has certainly a wrong number of arguments.
    Names,
    /// The candidate is not interesting in a joint compilation with others.
    Joint,
    /// The compiler was stopped at an error that the baseline did not have.
    NewError,
    /// The compiler ran to its end.
    End,
    /// The compiler was stopped at its deadline.
    Deadline,
}

impl Decider {
    /// Returns the name of the check for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Size => "not smaller",
            Self::Cache => "known verdict",
            Self::Syntax => "does not parse",
            Self::Names => "names and arguments",
            Self::Joint => "compiled with others",
            Self::NewError => "stopped at a new error",
            Self::End => "compiled to the end",
            Self::Deadline => "stopped at the deadline",
        }
    }

    /// Whether the compiler has decided, about this candidate alone or about several together.
    pub(crate) fn is_of_compiler(self) -> bool {
        self == Self::Joint || self.asks_compiler()
    }

    /// Whether the compiler was asked about this candidate alone.
    pub(crate) fn asks_compiler(self) -> bool {
        matches!(self, Self::NewError | Self::End | Self::Deadline)
    }
}
