//! The compiler call for a crate whose text is edited beside that of the crashing crate.

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
    /// The files of other auxiliary crates that it links.
    pub(crate) links: Vec<Utf8PathBuf>,
}
