//! The description of a crash that was kept: the file `captured.json` in its directory.
//!
//! Paths in arguments and variables are those of the user's directories, as the call was made. Copies of the files lie
//! below `sources` in the same layout as below [`Captured::base`]; files from elsewhere lie in [`ELSEWHERE`] there.

use crate::compiler::args;
use crate::error::OracleError;
use crate::signature::Signature;
use crate::system::files;
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the form of `captured.json`.
pub(crate) const VERSION: u32 = 1;
/// The name of the directory, below `sources`, with copies of files from outside of the crash's base directory:
/// `.elsewhere/ABSOLUTE/PATH`.
pub const ELSEWHERE: &str = ".elsewhere";

/// The name of the directory with the dependencies' files as they were when the crashing crate was compiled before.
pub(crate) const LINKED_BEFORE: &str = "linked-before";

const DESCRIPTION: &str = "captured.json";

/// A crash that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captured {
    /// The version of the format of `captured.json`.
    pub version: u32,
    /// The digest that tells the crash from others: by crate, signature, and the tokens of the sources.
    pub key: String,
    /// The time of the crash, in seconds since 1970.
    pub time: u64,
    /// The crate, as rustc knows it.
    pub crate_name: String,
    /// The crashing package, where cargo has said.
    pub package: Option<String>,
    /// The version of the package, where cargo has said.
    pub package_version: Option<String>,
    /// The signature of what the compiler printed.
    pub signature: Signature,
    /// The compiler that crashed.
    pub compiler: CapturedCompiler,
    /// The directory of which `sources` is a partial copy: that in which cargo was run, mostly the workspace.
    pub base: Utf8PathBuf,
    /// The call that crashed.
    pub call: CapturedCall,
    /// Whether the call used the state of an earlier one (`-C incremental`).
    pub is_incremental: bool,
    /// Whether `incremental` has a copy of the compiler's directory as it was before the call.
    pub has_incremental_directory: bool,
    /// The last good call of the same crate with the same incremental directory. The copies of its files are in
    /// `before`. `None` where none was seen.
    pub before: Option<CapturedCall>,
    /// The crates that the call links, directly or not.
    pub dependencies: Vec<CapturedDependency>,
    /// The size of the crash's files, in bytes.
    pub bytes: u64,
}

/// The compiler of a kept crash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedCompiler {
    /// The program that takes the arguments, absolute where it was found: rustc, or clippy's driver.
    pub path: Utf8PathBuf,
    /// The output of `-vV`.
    pub verbose_version: String,
    /// The user's compiler wrappers, each called with the next one, or the compiler, as its first argument.
    pub wrappers: Vec<String>,
}

impl CapturedCompiler {
    /// Whether the compiler is clippy's driver.
    #[must_use]
    pub fn is_clippy(&self) -> bool {
        self.path.file_stem() == Some("clippy-driver")
    }
}

/// A call of the compiler with what it read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedCall {
    /// The arguments as cargo gave them.
    pub args: Vec<String>,
    /// The variables that cargo and build scripts have set for the call, and those that the sources name. None that is secret by its
    /// name is among them.
    pub env: BTreeMap<String, String>,
    /// The directory of the call, absolute.
    pub cwd: Utf8PathBuf,
    /// The files of the crate, sorted.
    pub files: Vec<CapturedFile>,
}

/// A file that was copied with a kept crash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CapturedFile {
    /// The file's original path, absolute.
    pub path: Utf8PathBuf,
    /// The blake3 digest of the file's content, in hexadecimal.
    pub digest: String,
}

/// A compiled crate that the call links, directly or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedDependency {
    /// The file's place when the crash was kept, absolute.
    pub path: Utf8PathBuf,
    /// The call that made the dependency, where the wrapper has seen that. Copies of its files are in `linked`.
    pub call: Option<CapturedCall>,
    /// The call that had made the dependency when the crate that crashed was compiled before, where that was another one. Copies of its
    /// files are in `linked-before`.
    #[serde(default)]
    pub before: Option<CapturedCall>,
}

impl CapturedDependency {
    /// Returns the file's name in the directory `dependencies`.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.path.file_name().unwrap_or_default()
    }
}

impl Captured {
    /// Reads the description in the directory of a kept crash.
    ///
    /// # Errors
    /// Where it is not there, or was written by a newer version of this program.
    pub fn read(directory: &Utf8Path) -> Result<Self, OracleError> {
        let path = directory.join(DESCRIPTION);
        let text = files::read(&path)?;
        let format = |source: Box<dyn std::error::Error + Send + Sync>| OracleError::Format {
            what: format!("the kept crash `{path}`"),
            source,
        };
        let captured: Self =
            serde_json::from_str(&text).map_err(|error| format(Box::new(error)))?;
        match captured.version {
            VERSION => Ok(captured),
            version => Err(format(
                format!("its version is {version}, and this program knows {VERSION}").into(),
            )),
        }
    }

    /// Returns the path of the description in the directory of a kept crash.
    pub(super) fn path_in(directory: &Utf8Path) -> Utf8PathBuf {
        directory.join(DESCRIPTION)
    }

    /// Writes the description into the directory of the crash.
    pub(crate) fn write(&self, directory: &Utf8Path) -> Result<(), OracleError> {
        let text =
            serde_json::to_string_pretty(self).expect("strings and numbers have a JSON form");
        files::write(&directory.join(DESCRIPTION), &text)
    }

    /// Returns the file with the crate's root, absolute: it tells crates of one name apart.
    fn root(&self) -> Option<Utf8PathBuf> {
        let root = args::root(&self.call.args)?;
        Some(normal(&self.call.cwd.join(root)))
    }

    /// Returns whether another description is of the same crash, perhaps with other sources: the same crate, with the same signature.
    #[must_use]
    pub fn is_same_crash(&self, other: &Self) -> bool {
        self.crate_name == other.crate_name
            && self.root() == other.root()
            && self.signature.is_same_bug(&other.signature, false)
    }

    /// Returns the place of a file's copy, below `sources` or `before`.
    #[must_use]
    pub fn inner(&self, path: &Utf8Path) -> Utf8PathBuf {
        inner(&self.base, path)
    }
}

/// Returns the place of a file's copy, below `sources` or `before`: its path from `base` on, or else below `.elsewhere`.
pub(crate) fn inner(base: &Utf8Path, path: &Utf8Path) -> Utf8PathBuf {
    match path.strip_prefix(base) {
        Ok(inner) => inner.to_owned(),
        Err(_) => Utf8Path::new(ELSEWHERE).join(path.as_str().trim_start_matches('/')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_from_elsewhere_lies_apart_with_its_whole_path() {
        let base = Utf8Path::new("/ws");
        assert_eq!(inner(base, Utf8Path::new("/ws/src/a.rs")), "src/a.rs");
        assert_eq!(
            inner(base, Utf8Path::new("/ws2/a.rs")),
            ".elsewhere/ws2/a.rs"
        );
    }
}
