//! The fidelity of the result of a failing test to the cause of the failure. An assertion that fails
//! can be had in many ways that have nothing to do with the bug, so the failure alone does not say
//! that the cause is still there.

use serde::{Deserialize, Serialize};

/// The part of a failing test's program that is reduced, and whether the cause of its failure has to
/// stay. Other failures than tests have the default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fidelity {
    /// The test alone is reduced, and the code under test stays as it is.
    #[default]
    Test,
    /// `--whole`: the code under test is reduced too, but keeps the cause of the failure.
    Whole,
    /// `--free`: everything is reduced by whatever keeps the failure, and the cause may be lost.
    Free,
}

impl Fidelity {
    /// All fidelities, the default first.
    pub const ALL: [Self; 3] = [Self::Test, Self::Whole, Self::Free];

    /// Returns the name of the fidelity's flag; absent for the default.
    #[must_use]
    pub fn flag(self) -> Option<&'static str> {
        match self {
            Self::Test => None,
            Self::Whole => Some("whole"),
            Self::Free => Some("free"),
        }
    }

    /// Whether the result may fail for another cause than the original.
    #[must_use]
    pub fn may_lose_cause(self) -> bool {
        self == Self::Free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{json, to_value};

    #[test]
    fn the_name_in_json_is_that_of_the_flag() {
        for fidelity in Fidelity::ALL {
            let name = fidelity.flag().unwrap_or("test");
            assert_eq!(to_value(fidelity).unwrap(), json!(name));
        }
    }
}
