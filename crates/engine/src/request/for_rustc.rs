//! Files that are written beside the result of a crash, for those who work on rustc.

use serde::{Deserialize, Serialize};

/// The files that are written beside the result of a crash.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForRustc {
    /// `--crashes-test`: the number of the issue for which a test of rustc's own is written.
    #[serde(default)]
    pub crashes_test: Option<u32>,
    /// `--bisect-script`: whether a script for cargo-bisect-rustc is written.
    #[serde(default)]
    pub bisect_script: bool,
    /// `--ui-test`: the name of another test of rustc's own, for when the bug is mended.
    #[serde(default)]
    pub ui_test: Option<String>,
}
