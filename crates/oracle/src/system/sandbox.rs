//! Limits the rights of the programs that we start.
//!
//! A candidate is a program that nobody has read, and so is a procedural macro that a compiler runs.
//! A [`Confinement`] holds for one child and all that it starts, and cannot be taken off. There is one for Linux
//! (`linux`). On other systems there is none (`portable`): what only compiles goes without it and says so, and what runs
//! candidates is refused unless the user says that there is to be no sandbox.
//!
//! See docs/decisions/sandbox-and-processes.md.

mod places;

#[cfg(linux_parts)]
mod linux;
#[cfg(not(linux_parts))]
mod portable;

#[cfg(linux_parts)]
pub use linux::missing;
#[cfg(linux_parts)]
pub(crate) use linux::{Allowance, Confinement, Role};
pub(crate) use places::Places;
#[cfg(not(linux_parts))]
pub(crate) use portable::Confinement;
#[cfg(not(linux_parts))]
pub use portable::missing;

use serde::{Deserialize, Serialize};

/// The parts of the sandbox that programs must be run with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxMode {
    /// All parts of the sandbox are required, and a program does not even get a network of its own.
    Strict,
    /// Access to files and system calls is confined; the other parts of the sandbox are used where the system allows
    /// them.
    #[default]
    Default,
    /// Programs are run without a sandbox.
    Off,
}
