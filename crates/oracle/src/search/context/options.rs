//! The options of a search for a failure, whatever its kind.

use crate::demands::Demands;
use crate::error::OracleError;
use crate::flaky::Repeat;
use crate::plan::Limits;
use crate::system::files;
use crate::system::sandbox::SandboxMode;
use crate::system::snapshot::all_files;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The options by which the baseline is looked for, and by which a crash counts as the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineOptions {
    /// The demands that candidates must meet besides the failure.
    pub demands: Demands,
    /// The user's variables that programs may see in addition to those that all programs see.
    pub env: Vec<String>,
    /// The absolute paths of the user's files that candidates may read in addition to the program's own.
    pub reads: Vec<Utf8PathBuf>,
    /// The limits of the compiler call that crashes; cargo itself may take its time.
    pub limits: Limits,
    /// The largest number of times that a candidate is asked, if the failure need not be stable; once demands a stable failure.
    pub repeat: Repeat,
    /// The number of repeated runs that must show the failure; at least 1.
    pub at_least: u32,
    /// The mode of the sandbox for all that is started.
    pub sandbox: SandboxMode,
    /// Whether candidates may have errors that the baseline does not have.
    pub allow_errors: bool,
    /// Whether the line and column of the crash in rustc's own source may differ.
    pub ignore_location: bool,
    /// Whether an error or a warning is known by its code or lint alone, whatever its message says.
    pub any_message: bool,
    /// The program that is reduced in place of the input.
    pub instead: Option<OtherProgram>,
}

/// A program that was made of the input, and that crashes in another way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherProgram {
    /// The program's files, by path relative to the tree.
    pub sources: BTreeMap<Utf8PathBuf, String>,
    /// The arguments that the compiler had, with paths relative to the tree; `None` for those of the input.
    pub arguments: Option<Vec<String>>,
    /// The signature of the crash of this program, as a person would write it.
    pub crash: String,
}

impl OtherProgram {
    /// The name of the file with the signature of the crash, in the directory of a program.
    pub const SIGNATURE: &'static str = "signature.txt";
    /// The name of the file with the arguments of the compiler, a line each, in the directory of a program. The file is absent
    /// where an argument has more than one line.
    pub const ARGUMENTS: &'static str = "arguments.txt";

    /// Reads the program in a directory, whose crash has this signature.
    ///
    /// # Errors
    /// [`OracleError::Io`].
    pub fn read(directory: &Utf8Path, crash: &str) -> Result<Self, OracleError> {
        let mut sources = BTreeMap::new();
        for path in all_files(directory, directory)? {
            let text = files::read(&directory.join(&path))?;
            sources.insert(path, text);
        }
        sources.remove(Utf8Path::new(Self::SIGNATURE));
        let arguments = sources.remove(Utf8Path::new(Self::ARGUMENTS));
        Ok(Self {
            sources,
            arguments: arguments.map(|lines| lines.lines().map(str::to_owned).collect()),
            crash: crash.to_owned(),
        })
    }
}

impl BaselineOptions {
    /// Returns the number of runs that are made of a call before it is known how often it fails.
    pub(crate) fn first_repeat(&self) -> u32 {
        self.repeat.at_first(self.at_least)
    }
}
