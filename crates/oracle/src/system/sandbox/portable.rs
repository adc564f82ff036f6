//! Stands for the sandbox on systems for which cargo-reduce has none.

use super::{Places, SandboxMode};
use std::io;

const WHY: &str = "cargo-reduce has a sandbox for Linux only";

/// The confinement of a child, of which no value exists on this system.
#[derive(Debug, Clone)]
pub(crate) enum Confinement {}

impl Confinement {
    /// Returns `None` if the sandbox is off, else an error.
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

    /// Makes the confinement of a compiled candidate, as [`Confinement::of_compiler`] does.
    pub(crate) fn of_program(mode: SandboxMode, places: &Places) -> io::Result<Option<Self>> {
        Self::of_compiler(mode, places)
    }

    /// Whether a confined process may be forked to run.
    pub(crate) fn allows_forks(&self) -> bool {
        match *self {}
    }
}

/// Returns what this system lacks for a mode of the sandbox, empty where nothing is missing.
#[must_use]
pub fn missing(mode: SandboxMode) -> Vec<String> {
    match mode {
        SandboxMode::Off => vec![],
        SandboxMode::Default | SandboxMode::Strict => vec![WHY.to_owned()],
    }
}
