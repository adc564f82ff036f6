//! The user's demands on a program besides its failure, such as what it must print.

use crate::text::pattern::Patterns;
use crate::version::Version;
use serde::{Deserialize, Serialize};

/// The user's demands on a program besides its failure, such as what it must print.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demands {
    /// The patterns that a failing run must print, and those that it must not print.
    pub patterns: Patterns,
    /// `--regression`: a toolchain with which the program does not fail.
    pub regression: Option<String>,
    /// `--valid-with`: flags, or `+TOOLCHAIN` with flags, with which the program must compile.
    pub valid_with: Vec<Vec<String>>,
    /// `--same-frames`: the number of functions of the compiler that led to a crash and must be the same, from the
    /// innermost one on; 0 if none is compared.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub same_frames: u32,
    /// `--good`: a version of the linked crates with which the program does not fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good: Option<Version>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The result that a companion's call must show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Demand {
    /// The program compiles without error.
    Compiles,
    /// Nothing fails: the program is run too, and the failure that is looked for is not there.
    Succeeds,
}
