//! Companions: other compiler calls that a candidate must pass beside the one in which it fails. With
//! `--regression` another toolchain, with which it does not fail; with `--good` another version of what it
//! links; with `--valid-with` other flags, with which it compiles.
//!
//! How its call comes out of a plan is said in `companion_call`.

use crate::compiler::toolchain::Compiler;
use crate::compiler::unit::Unit;
use crate::demands::Demand;
use crate::system::budget::TimeSpent;
use camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What people call a version of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionName {
    /// The version itself.
    pub name: String,
    /// The next one, with which the program fails, where that is known.
    pub broken_by: Option<String>,
}

impl VersionName {
    /// A version of which nothing else is known.
    pub(crate) fn of(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            broken_by: None,
        }
    }
}

/// The names that are set for the two versions of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TwoVersions<'n> {
    /// For the one that another version is to be.
    pub before: &'n str,
    /// For the one that fails.
    pub after: &'n str,
}

/// The crate itself in another version, which lies below the plan's tree and reads the tests that are edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCrate {
    /// The arguments with which it is compiled, as in [`crate::CompilerCall`].
    pub args: Vec<String>,
    /// The environment of its compiler, as there.
    pub env: BTreeMap<String, String>,
    /// The directory of its call, relative to the tree.
    pub cwd: Utf8PathBuf,
    /// Its root, relative to the tree.
    pub root: Utf8PathBuf,
    /// All files that it reads, relative to the tree.
    pub files: BTreeSet<Utf8PathBuf>,
}

/// Another call that a candidate must pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Companion {
    /// Another compiler than the plan's.
    pub toolchain: Option<Compiler>,
    /// What people call the version of the program from which it takes what it links, where that is another
    /// than the plan's.
    pub version: Option<VersionName>,
    /// What it compiles in place of the plan's crate, where the code under test is in that.
    pub own_crate: Option<OwnCrate>,
    /// Variables that have other values there, of those that the plan has.
    pub env: BTreeMap<String, String>,
    /// What its call has at its end.
    pub flags: Vec<String>,
    /// Names that the plan's call sets by `--cfg`, and its own does not.
    pub unset: Vec<String>,
    /// The crates that its version is linked with there, as in [`crate::Baseline::units`], where it is another
    /// version.
    pub units: Arc<[Unit]>,
    /// What was made there of the plan's compiled dependencies: from there to here, both without
    /// their extensions, as metadata and library of a crate differ in nothing else.
    pub replaced: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    /// What its call must show.
    pub demand: Demand,
    /// Its call has none of the `-Z` flags of the plan: its compiler does not know them.
    pub is_stable: bool,
    /// Its call is made before the plan's own, as it takes much less time.
    pub is_cheaper: bool,
    /// The time that its own call has used; absent until that is known.
    pub usual: Option<TimeSpent>,
}
