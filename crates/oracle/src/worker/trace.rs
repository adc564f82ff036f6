//! Holds all that a compiler run leaves behind, so that two compilers can be compared.

use crate::system::process::Ending;
use camino::Utf8PathBuf;

/// The trace of a compiler run: all that it leaves behind, in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(crate) ending: Ending,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) written: Vec<(Utf8PathBuf, Vec<u8>)>,
}
