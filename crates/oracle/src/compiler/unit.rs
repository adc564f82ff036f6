//! The crates that a compiler call links, each with the call that compiled it: these are needed to
//! put a dependency's sources where its compiled form was.
//!
//! cargo compiles a dependency once and keeps it, so that a later run shows nothing of how that was
//! done. So `calls` keeps the calls beside what they made; `graph` follows them from crate to crate;
//! `configuration` says which `cfg`s hold in each, and `beside` finds the programs that a test may start.

mod beside;
pub(crate) mod calls;
pub(crate) mod configuration;
mod graph;

use crate::compiler::args::{self, ArgGroup};
use crate::compiler::capture::Record;
use crate::error::OracleError;
use crate::text::path::normal;
pub use beside::units_of_programs;
use camino::{Utf8Path, Utf8PathBuf};
use graph::Linked;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A crate that the crashing call links, directly or not, with the call that compiled it.
///
/// A procedural macro is one too; what it links itself is none, as the compiler only executes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The crate's name as rustc knows it; a crate that links it may call it otherwise.
    pub name: String,
    /// The name of the crate's package; empty where cargo did not say.
    pub package: String,
    /// The version of the crate's package; empty where cargo did not say.
    pub version: String,
    /// The crate's edition, such as `2021`.
    pub edition: String,
    /// Whether the unit is a procedural macro.
    pub is_proc_macro: bool,
    /// Whether the unit brings native code by `-l`, mostly from its build script. A library that only
    /// its source names (`#[link]`) does not count, nor does `links` in its manifest, which pure Rust
    /// crates have too.
    pub links_native: bool,
    /// The file that is linked, absolute. Where the crashing call names it, that is its name;
    /// others may link the same crate by another extension, see [`Unit::is_artifact`].
    pub artifact: Utf8PathBuf,
    /// The arguments of the crate's call, without those for output, without `--extern`, and without
    /// what cargo adds for itself.
    pub args: Vec<String>,
    /// The environment of the crate's call, without what does not matter or is the user's own.
    pub env: BTreeMap<String, String>,
    /// The crate root, absolute, which exists.
    pub root: Utf8PathBuf,
    /// The directory of the crate's call.
    pub cwd: Utf8PathBuf,
    /// The crates on the call's command line, by the name that the source uses, with their artifacts,
    /// absolute; a crate that comes with the compiler has none.
    pub externs: Vec<(String, Option<Utf8PathBuf>)>,
    /// The unit's `cfg`s, each once and in order, as `rustc --print cfg` prints them: `unix`,
    /// `target_os="linux"`, `feature="std"`.
    pub configuration: Vec<String>,
}

impl Unit {
    /// Whether a path names what this unit's call made: metadata and library of the same crate
    /// differ in their extensions only.
    #[must_use]
    pub fn is_artifact(&self, path: &Utf8Path) -> bool {
        graph::key(&self.artifact) == graph::key(path)
    }

    /// Makes a unit; `None` where its root is not there any more.
    fn of(linked: Linked, configuration: Vec<String>) -> Option<Self> {
        let Linked {
            artifact,
            record,
            externs,
        } = linked;
        let root = normal(&record.cwd.join(args::root(&record.args)?));
        let var = |name: &str| record.env.get(name).cloned().unwrap_or_default();
        let (package, version) = (var("CARGO_PKG_NAME"), var("CARGO_PKG_VERSION"));
        root.is_file().then(|| Self {
            name: graph::crate_name(&record),
            package,
            version,
            edition: args::edition(&record.args),
            is_proc_macro: args::is_proc_macro(&record.args),
            links_native: links_native(&record.args),
            artifact,
            args: own_args(&record.args),
            env: record.env,
            root,
            cwd: record.cwd,
            externs,
            configuration,
        })
    }
}

/// Returns the units that a call with these arguments links, those that depend on others first, in an
/// order that depends on nothing but their graph and their names. `call_of` finds the call that made
/// an artifact; `configuration_of` says which `cfg`s hold in a call.
///
/// A unit whose call is not known or whose root is not there is left out; others that link it are
/// not.
pub(crate) fn linked_by(
    args: &[String],
    cwd: &Utf8Path,
    call_of: &dyn Fn(&Utf8Path) -> Option<Record>,
    configuration_of: &mut dyn FnMut(&Record) -> Result<Vec<String>, OracleError>,
) -> Result<Vec<Unit>, OracleError> {
    let linked = graph::linked(graph::externs(args, cwd), call_of);
    let mut units = vec![];
    for linked in graph::dependents_first(linked) {
        let configuration = configuration_of(&linked.record)?;
        units.extend(Unit::of(linked, configuration));
    }
    Ok(units)
}

/// Returns the unit's own arguments: without those for output, without `--extern`, and without what cargo adds for itself.
fn own_args(args: &[String]) -> Vec<String> {
    let args = args::without_output(args);
    let mut dropped = args::cargo_noise(&args);
    let is_extern = |group: &ArgGroup| group.name == "--extern";
    dropped.extend(args::groups(&args).into_iter().filter(is_extern));
    args::without(&args, &dropped)
}

fn links_native(args: &[String]) -> bool {
    args::groups(args).iter().any(|group| group.name == "-l")
}

#[cfg(test)]
mod tests;
