//! There is no sandbox on this system.

use super::{Places, SandboxMode};
use std::io;

const WHY: &str = "cargo-reduce has a sandbox for Linux only";

/// What a child would put on. There is none.
#[derive(Debug, Clone)]
pub(crate) enum Confinement {}

impl Confinement {
    /// `None` if the sandbox is off.
    ///
    /// # Errors
    /// [`io::ErrorKind::Unsupported`] in all other modes.
    pub(crate) fn of_compiler(mode: SandboxMode, _: &Places) -> io::Result<Option<Self>> {
        match mode {
            SandboxMode::Off => Ok(None),
            SandboxMode::Default | SandboxMode::Strict => {
                Err(io::Error::new(io::ErrorKind::Unsupported, WHY))
            }
        }
    }

    /// As [`Confinement::of_compiler`].
    pub(crate) fn of_program(mode: SandboxMode, places: &Places) -> io::Result<Option<Self>> {
        Self::of_compiler(mode, places)
    }
}

/// What is missing here for a mode. Empty where all is there.
#[must_use]
pub fn missing(mode: SandboxMode) -> Vec<String> {
    match mode {
        SandboxMode::Off => vec![],
        SandboxMode::Default | SandboxMode::Strict => vec![WHY.to_owned()],
    }
}
