//! The program as it was found: what cargo has made of it, and how that runs.
//!
//! - `naming`: which of the tests in these targets a name means.
//! - `target`: a program or a test target, which is run to see what fails.
//! - `outside`: whether it fails in the sandbox as it does outside.

pub(crate) mod naming;
pub(crate) mod outside;
pub(crate) mod target;

use crate::check::Execution;
use crate::observed::program::Harness;
use crate::offer::Offer;
use crate::plan::Plan;
use crate::search::setting::{Setting, environment};
use crate::test_name::BinaryId;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// A call of cargo's, as a plan.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) plan: Plan,
    /// What it was linked to by cargo, if it was.
    pub(crate) executable: Option<Utf8PathBuf>,
    /// What it compiles, where that is a target of the user's workspace.
    pub(crate) target: Option<CargoTarget>,
}

/// A target of a workspace, as the user selects it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CargoTarget {
    /// As nextest names it.
    pub(crate) id: BinaryId,
    /// The arguments of `cargo reduce` that select it, with those that the user has given besides.
    pub(crate) words: Vec<String>,
    /// The arguments for rustc that the user has given.
    pub(crate) rustc_args: Vec<String>,
}

impl CargoTarget {
    /// A failure in it that is asked for by these arguments.
    pub(crate) fn offer(&self, what: impl Into<String>, asking: &[&str]) -> Offer {
        let mut words = self.words.clone();
        words.extend(asking.iter().map(|word| (*word).to_owned()));
        if !self.rustc_args.is_empty() {
            words.push("--".to_owned());
            words.extend(self.rustc_args.iter().cloned());
        }
        Offer {
            what: what.into(),
            words,
        }
    }
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
