//! A kept crash as two versions of a program: the sources of the last good call, and those that crashed. It is what a
//! reduction of an incremental crash needs: compile `before` into an empty incremental directory, then `after` with
//! the same directory, and the second call crashes.

use super::description::{Captured, CapturedCall};
use crate::error::OracleError;
use crate::signature::Signature;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// Two versions of a crate, and what both link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapturedPair {
    /// The version that compiles.
    pub before: CapturedVersion,
    /// The version that crashes the compiler.
    pub after: CapturedVersion,
    /// Where both were compiled. Paths in arguments and variables begin with it; a copy of a file lies in
    /// [`CapturedVersion::sources`] in the same place as below it, or as [`Captured::inner`] says.
    pub base: Utf8PathBuf,
    /// A directory of the kept crash that has all compiled dependencies, by the names of their files. They are those
    /// of the crashing call: what a dependency was in the good call is not known.
    pub dependencies: Utf8PathBuf,
    /// The compiler's incremental directory as it was after `before`, if it was kept: the sessions of one crate,
    /// `CRATE-HASH/s-..`. Only the same compiler can read it.
    pub incremental: Option<Utf8PathBuf>,
    /// The crash.
    pub signature: Signature,
    /// All that is known besides.
    pub description: Captured,
}

/// One of the two versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapturedVersion {
    /// A directory of the kept crash that has the copies of its files. Do not write to it.
    pub sources: Utf8PathBuf,
    /// The arguments as cargo gave them, with `-C incremental`, `--out-dir` and `--emit`; flags may differ between the
    /// two versions.
    pub args: Vec<String>,
    /// The variables of the call.
    pub env: BTreeMap<String, String>,
    /// The directory of the call, absolute: where it was in the user's build.
    pub cwd: Utf8PathBuf,
    /// Its files, absolute, where they were.
    pub files: Vec<Utf8PathBuf>,
}

impl CapturedVersion {
    fn of(call: &CapturedCall, sources: Utf8PathBuf) -> Self {
        Self {
            sources,
            args: call.args.clone(),
            env: call.env.clone(),
            cwd: call.cwd.clone(),
            files: call.files.iter().map(|file| file.path.clone()).collect(),
        }
    }
}

impl CapturedPair {
    /// The two versions of the crash that was kept in this directory. `None` where it has only one: its call was not
    /// incremental, or no good call was seen before.
    ///
    /// # Errors
    /// Where the directory has no kept crash, or one of a newer version of this program.
    pub fn read(directory: &Utf8Path) -> Result<Option<Self>, OracleError> {
        let captured = Captured::read(directory)?;
        let Some(before) = &captured.before else {
            return Ok(None);
        };
        let incremental = directory.join("incremental");
        Ok(Some(Self {
            before: CapturedVersion::of(before, directory.join("before")),
            after: CapturedVersion::of(&captured.call, directory.join("sources")),
            base: captured.base.clone(),
            dependencies: directory.join("dependencies"),
            incremental: captured.has_incremental_directory.then_some(incremental),
            signature: captured.signature.clone(),
            description: captured,
        }))
    }
}
