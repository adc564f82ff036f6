//! The parts of a plan: how the compiler is called, on which files, what its processes may read, and how often
//! and with which bounds a candidate is asked about.

use super::Sources;
use super::cheapest_call::CheapestCall;
use super::limits::Limits;
use crate::check::AnyCheck;
use crate::compiler::toolchain::Compiler;
use crate::plan::auxiliary::AuxiliaryCall;
use crate::plan::companion::Companion;
use crate::plan::programs::Programs;
use crate::system::private::Private;
use crate::system::sandbox::SandboxMode;
use crate::system::stamp::Stamp;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A 256-bit digest.
pub(crate) type Digest = [u8; 32];

/// The call of the compiler that is made for each candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct CompilerCall {
    /// The compiler.
    pub compiler: Compiler,
    /// The compiler's arguments, without those that say where output goes and how diagnostics look.
    pub args: Vec<String>,
    /// The compiler's whole environment, `PATH` included.
    pub env: BTreeMap<String, String>,
    /// The directory of the call, relative to the tree; empty for the tree itself.
    pub cwd: Utf8PathBuf,
    /// The crate root, relative to the tree.
    pub root: Utf8PathBuf,
    /// The crate's name, as given to rustc or derived from the root.
    pub crate_name: String,
    /// The edition, such as `2021`.
    pub edition: String,
    /// The format in which diagnostics are asked for.
    pub error_format: ErrorFormat,
}

/// The form in which the compiler prints its diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorFormat {
    /// `--error-format=json`: the safest to read.
    Json,
    /// rustc's default.
    Human,
}

/// The files that the call reads, and what they contain.
#[derive(Debug, Clone, PartialEq)]
pub struct Inputs {
    /// The directory of cargo-reduce with a copy of the program as it was. Paths below it in arguments and environment are
    /// replaced by those of the worker's own tree.
    pub tree: Utf8PathBuf,
    /// All files below the tree that the compiler reads, relative to it.
    pub files: BTreeSet<Utf8PathBuf>,
    /// The files that have another text than in the tree.
    pub(crate) texts: Sources,
    /// The root of what is edited, relative to the tree, where that is a part of the crate; `None` where all
    /// of it is, and the crate root is the root.
    pub edited_root: Option<Utf8PathBuf>,
    /// The auxiliary crates that are compiled before, from edited text, in this order.
    pub(crate) auxiliaries: Vec<AuxiliaryCall>,
    /// The programs that a test may start, by their paths beside it.
    pub(crate) programs: Programs,
    /// The digests of the files that the call reads.
    pub(crate) contents: BTreeMap<Utf8PathBuf, Digest>,
    /// Digests of all that the program may be linked with, and of the programs beside it.
    pub(crate) dependencies: BTreeMap<Utf8PathBuf, Digest>,
    /// The stamps by which the files are seen to be written to since their digests were taken. No verdict
    /// depends on them.
    pub(crate) stamps: BTreeMap<Utf8PathBuf, Stamp>,
}

/// The paths that the plan's processes may read besides the toolchain and the worker's own tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    /// The mode of the sandbox for all that is started.
    pub sandbox: SandboxMode,
    /// The paths that we open to the processes.
    pub(crate) reads: Vec<Utf8PathBuf>,
    /// The paths that the user has opened to the processes (`--read`): absolute.
    pub(crate) user_reads: Vec<Utf8PathBuf>,
    /// The user's places that stay closed to the processes.
    pub(crate) private: Private,
}

/// The check of a candidate, its limits and repetitions, and the other calls that belong to it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPolicy {
    /// The check by which a candidate is seen to fail.
    pub(crate) check: AnyCheck,
    /// The limits of a query; the usual time is there once the baseline is known.
    pub limits: Limits,
    /// The number of times that a candidate that does not fail is asked; 1 for a stable failure.
    pub repeat: u32,
    /// The number of a candidate's runs in which it must fail.
    pub at_least: u32,
    /// A cheaper call that shows the crash too. It is made first, and the plan's own only for those
    /// candidates that crash in it.
    pub cheapest_call: Option<CheapestCall>,
    /// Other calls that a candidate must pass.
    pub companions: Vec<Companion>,
}
