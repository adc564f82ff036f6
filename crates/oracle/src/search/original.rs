//! The program as it was found: what cargo has made of it, and how that runs.
//!
//! - `target`: a program or a test target, which is run to see what fails.
//! - `outside`: whether it fails in the sandbox as it does outside.

pub(crate) mod outside;
pub(crate) mod target;

use crate::check::Execution;
use crate::observed::program::Harness;
use crate::plan::Plan;
use crate::search::setting::{Setting, environment};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// A call of cargo's, as a plan.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) plan: Plan,
    /// What it was linked to by cargo, if it was.
    pub(crate) executable: Option<Utf8PathBuf>,
}

/// How the compiled program is run: in the package's directory, as cargo does.
pub(crate) fn execution(
    plan: &Plan,
    args: Vec<String>,
    harness: Harness,
    setting: &Setting<'_>,
) -> Execution {
    let dir = package_dir(&plan.call.env, &plan.inputs.tree.join(&plan.call.cwd));
    let cwd = dir.strip_prefix(&plan.inputs.tree).map(Utf8PathBuf::from);
    let libraries = plan.call.compiler.libraries();
    let named = &setting.options.env;
    Execution {
        args,
        harness,
        env: environment::of_program(
            &plan.call.env,
            &setting.user.vars,
            named,
            libraries.as_str(),
        ),
        cwd: cwd.unwrap_or_default(),
        hangs_after: None,
        may_succeed: false,
        links_dynamically: false,
    }
}

/// The package's own directory.
pub(crate) fn package_dir(env: &BTreeMap<String, String>, cwd: &Utf8Path) -> Utf8PathBuf {
    env.get("CARGO_MANIFEST_DIR")
        .map_or_else(|| cwd.to_owned(), Utf8PathBuf::from)
}
