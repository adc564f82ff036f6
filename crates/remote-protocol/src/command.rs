//! The command that a server runs.

use crate::inputs::Inputs;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// A command, which finds its files below a root. It does not know beforehand where that is: [`Command::ROOT`] stands for it
/// in the program, the arguments and the environment. No argument can have that character otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// The program, as a path.
    pub program: String,
    /// The arguments of the program.
    pub args: Vec<String>,
    /// All of its environment.
    pub env: BTreeMap<String, String>,
    /// The directory in which the program is started, relative to the root.
    pub dir: Utf8PathBuf,
    /// The files that it reads.
    pub inputs: Inputs,
    /// The files that it may make, relative to the root. They stay on the server.
    pub outputs: Vec<Utf8PathBuf>,
    /// Small files that it may make, relative to the root, whose contents are asked for.
    pub wanted: Vec<Utf8PathBuf>,
    /// The path at which the command's root must be, as the program was made for that place; `None` if any path will do.
    pub place: Option<String>,
    /// The resources that it may use.
    pub limits: Limits,
    /// The choice between a result of the cache and a new run.
    pub caching: Caching,
    /// Files of this machine that are not inputs, as the worker has the same ones: their contents tell apart results that would
    /// otherwise have the same name.
    pub identified_by: Vec<Utf8PathBuf>,
}

/// The resources that a command may use. Each process is bounded on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time, from when it starts.
    pub wall: Duration,
    /// CPU time, rounded up to seconds.
    pub cpu: Option<Duration>,
    /// Address space.
    pub memory_bytes: Option<u64>,
    /// The largest size of each file that the command writes, in bytes.
    pub file_bytes: Option<u64>,
    /// Files, sockets and the like that are open.
    pub open_files: Option<u64>,
    /// The largest size of each stream that the command prints to, in bytes.
    pub output_bytes: u64,
}

/// The choice between a result that is known already and a new run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caching {
    /// The server may take a kept outcome, and keeps this one for others.
    Cached,
    /// Each run may end in another way.
    Anew,
}

impl Command {
    /// Stands for the directory that the command finds its files below.
    pub const ROOT: char = '\0';
}
