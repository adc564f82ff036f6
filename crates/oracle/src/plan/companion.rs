//! Companions: other compiler calls that a candidate must pass beside the one in which it fails. With
//! `--regression` another toolchain, with which it does not fail; with `--good` another version of what it
//! links; with `--valid-with` other flags, with which it compiles.
//!
//! The module `companion_call` derives a companion's call from a plan.

use crate::compiler::toolchain::Compiler;
use crate::compiler::unit::Unit;
use crate::demands::Demand;
use crate::system::budget::TimeSpent;
use camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The name of a version of a program, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionName {
    /// The version itself.
    pub name: String,
    /// The version that follows it, with which the program fails, where that is known.
    pub broken_by: Option<String>,
}

impl VersionName {
    /// Makes the name of a version of which nothing else is known.
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
    /// The name for the other version, which a companion compiles.
    pub before: &'n str,
    /// The name for the version that fails.
    pub after: &'n str,
}

/// The crashing crate in another version, which lies below the plan's tree and reads the tests that are edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCrate {
    /// The compiler arguments of the other version, as in [`crate::CompilerCall`].
    pub args: Vec<String>,
    /// The environment of the other version's compiler call, as in `CompilerCall`.
    pub env: BTreeMap<String, String>,
    /// The directory of the other version's compiler call, relative to the tree.
    pub cwd: Utf8PathBuf,
    /// The crate root of the other version, relative to the tree.
    pub root: Utf8PathBuf,
    /// All files that the other version reads, relative to the tree.
    pub files: BTreeSet<Utf8PathBuf>,
}

/// Another call that a candidate must pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Companion {
    /// The companion's compiler, where that is another than the plan's.
    pub toolchain: Option<Compiler>,
    /// The name of the version of the program from which the companion takes what it links, where that is
    /// another than the plan's.
    pub version: Option<VersionName>,
    /// The crate that the companion compiles in place of the plan's, where the code under test is in that.
    pub own_crate: Option<OwnCrate>,
    /// Environment variables of the plan that have other values in the companion's call.
    pub env: BTreeMap<String, String>,
    /// The flags at the end of the companion's call.
    pub flags: Vec<String>,
    /// Names that the plan's call sets by `--cfg`, and the companion's call does not.
    pub unset: Vec<String>,
    /// The crates that the companion's version of the program is linked with, as in [`crate::Baseline::units`], where it is
    /// another version.
    pub units: Arc<[Unit]>,
    /// The companion's own builds of the plan's compiled dependencies, by the paths of the plan's; both without
    /// their extensions, as metadata and library of a crate differ in nothing else.
    pub replaced: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    /// The result that the companion's call must show.
    pub demand: Demand,
    /// Whether the companion's call has none of the `-Z` flags of the plan, as its compiler does not know
    /// them.
    pub is_stable: bool,
    /// Whether the companion's call is made before the plan's own, as it takes much less time.
    pub is_cheaper: bool,
    /// The time that the companion's call has used; absent until that is known.
    pub usual: Option<TimeSpent>,
}
