//! The command that a server runs.

use crate::inputs::Inputs;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// A command that a server runs, with its files below a root directory. Where the root is, is not known beforehand:
/// [`Command::ROOT`] stands for it in the program, the arguments and the environment. No argument can have that character
/// otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// The path of the program that is run.
    pub program: String,
    /// The arguments of the program.
    pub args: Vec<String>,
    /// All variables of the program's environment.
    pub env: BTreeMap<String, String>,
    /// The directory in which the program runs, relative to the root.
    pub dir: Utf8PathBuf,
    /// The files that the command reads.
    pub inputs: Inputs,
    /// The files that the command may make, relative to the root. They stay on the server.
    pub outputs: Vec<Utf8PathBuf>,
    /// Small files that the command may make, relative to the root, whose contents the server returns.
    pub wanted: Vec<Utf8PathBuf>,
    /// The path that the command's root must have, as the program was made for that place. `None` where it does not matter.
    pub place: Option<String>,
    /// The resources that the command may use.
    pub limits: Limits,
    /// The choice between a known result of the same command and a new run.
    pub caching: Caching,
    /// Files of this machine that are not sent, as the worker has the same ones: their contents tell apart results that
    /// would otherwise have the same name.
    pub identified_by: Vec<Utf8PathBuf>,
}

/// The resources that a command may use. Each process is bounded on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The command's wall time, from its start.
    pub wall: Duration,
    /// The command's CPU time, which is rounded up to seconds.
    pub cpu: Option<Duration>,
    /// The address space of each of the command's processes, in bytes.
    pub memory_bytes: Option<u64>,
    /// The size of each file that the command writes, in bytes.
    pub file_bytes: Option<u64>,
    /// The number of files, sockets and the like that each of its processes has open.
    pub open_files: Option<u64>,
    /// The size of the command's standard output and of its standard error, each in bytes.
    pub output_bytes: u64,
}

/// The choice between a result that is known already and a new run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caching {
    /// A result in the server's cache is used, and the result of this run goes there.
    Cached,
    /// The command is run in any case, as each run may end in another way.
    Anew,
}

impl Command {
    /// The character that stands for the path of the command's root in its program, arguments and environment.
    pub const ROOT: char = '\0';
}
