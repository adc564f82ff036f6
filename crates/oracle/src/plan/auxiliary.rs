//! The compiler call for a crate whose text is edited beside that of the crashing crate.

use camino::Utf8PathBuf;

/// Where auxiliary crates are compiled to, below the tree.
pub(crate) const COMPILED: &str = ".auxiliary";

/// The compiler call for an auxiliary crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AuxiliaryCall {
    pub(crate) file: Utf8PathBuf,
    /// Where it is compiled to, below the tree.
    pub(crate) compiled: Utf8PathBuf,
    pub(crate) args: Vec<String>,
    /// The files of other auxiliary crates that it links.
    pub(crate) links: Vec<Utf8PathBuf>,
}
