//! The compiler call for an auxiliary crate, whose text is edited together with that of the crashing crate.

use camino::Utf8PathBuf;

/// The directory below the tree to which auxiliary crates are compiled.
pub(crate) const COMPILED: &str = ".auxiliary";

/// The compiler call for an auxiliary crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AuxiliaryCall {
    pub(crate) file: Utf8PathBuf,
    /// The path below the tree to which the crate is compiled.
    pub(crate) compiled: Utf8PathBuf,
    pub(crate) args: Vec<String>,
    /// The files of other auxiliary crates that an auxiliary crate links.
    pub(crate) links: Vec<Utf8PathBuf>,
}
