//! Runs the original program, as cargo has built it.
//!
//! - `naming`: the tests in some targets that a name means.
//! - `target`: a program or a test target, which is run to see what fails.
//! - `outside`: the comparison of a program's failure in the sandbox with that outside.
//! - `data_files`: the files that strings of a program name.

pub(crate) mod data_files;
pub(crate) mod naming;
pub(crate) mod outside;
pub(crate) mod target;

use crate::check::Execution;
use crate::error::OracleError;
use crate::evidence::program::Harness;
use crate::offer::Offer;
use crate::plan::Plan;
use crate::search::context::{BaselineContext, environment};
use crate::search::workspace::configuration;
use crate::system::files;
use crate::test_name::BinaryId;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// A compiler call of cargo's, turned into a plan.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) plan: Plan,
    /// The executable to which cargo linked the crate, if it did.
    pub(crate) executable: Option<Utf8PathBuf>,
    /// The target of the user's workspace that the call compiles, if it is one.
    pub(crate) target: Option<CargoTarget>,
}

/// A target of a workspace, as the user selects it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CargoTarget {
    /// The target in the form in which nextest names it.
    pub(crate) id: BinaryId,
    /// The arguments of `cargo reduce` that select the target, with the user's further arguments.
    pub(crate) words: Vec<String>,
    /// The arguments for rustc that the user has given.
    pub(crate) rustc_args: Vec<String>,
}

impl CargoTarget {
    /// Makes the offer to reduce a failure in this target, for which these arguments ask.
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

/// Returns how a compiled test is run: in the package's directory, as cargo does.
pub(crate) fn execution(
    plan: &Plan,
    args: Vec<String>,
    harness: Harness,
    context: &BaselineContext<'_>,
) -> Execution {
    let dir = package_dir(&plan.call.env, &plan.inputs.tree.join(&plan.call.cwd));
    let cwd = dir.strip_prefix(&plan.inputs.tree).map(Utf8PathBuf::from);
    Execution {
        args,
        harness,
        env: environment_of_program(plan, &context.options.env, context),
        cwd: cwd.unwrap_or_default(),
        hangs_after: None,
        may_succeed: false,
        links_dynamically: false,
        link_args: vec![],
        input: None,
    }
}

/// The directory in the plan's tree that stands for the one in which the user stands, where that was not copied.
const STARTED_HERE: &str = "started-here";

/// Returns how a compiled program is run: in the directory in which the user stands, as `cargo run` does.
///
/// # Errors
/// Where the files that the program names cannot be copied.
pub(crate) fn execution_of_program(
    plan: &Plan,
    args: Vec<String>,
    context: &BaselineContext<'_>,
) -> Result<Execution, OracleError> {
    let of_package = execution(plan, args, Harness::None, context);
    let cwd = match directory_of_user(plan, context) {
        Some(cwd) => cwd,
        None if is_of_package(plan) => copied_directory(plan, context)?,
        None => return Ok(of_package),
    };
    Ok(Execution { cwd, ..of_package })
}

/// Copies those files of the user's directory that the program names to a place beside the copy of the package.
fn copied_directory(
    plan: &Plan,
    context: &BaselineContext<'_>,
) -> Result<Utf8PathBuf, OracleError> {
    let (tree, cwd) = (&plan.inputs.tree, &context.user.cwd);
    let sources = plan.inputs.files.iter().map(|path| tree.join(path));
    let copy = tree.join(STARTED_HERE);
    files::make_dir(&copy)?;
    for file in data_files::data_files(sources, cwd, &context.private.hidden_in(cwd)) {
        let inner = file.strip_prefix(cwd).unwrap_or(&file);
        files::copy(&file, &copy.join(inner))?;
    }
    Ok(STARTED_HERE.into())
}

/// Returns the environment of a program or a test that sees these variables of the user's.
pub(crate) fn environment_of_program(
    plan: &Plan,
    named: &[String],
    context: &BaselineContext<'_>,
) -> BTreeMap<String, String> {
    let libraries = plan.call.compiler.libraries();
    let (call, user) = (&plan.call.env, &context.user.vars);
    let mut env = environment::of_program(call, user, named, libraries.as_str());
    if is_of_package(plan) {
        // Without a cargo there is no package.
        let cargo = context.toolchain.cargo(context.user, context.cancel).ok();
        env.extend(cargo.map(|cargo| ("CARGO".to_owned(), cargo.into_string())));
        env.extend(configured(plan, context));
    }
    environment::compare_only(&mut env, &context.options.env);
    env
}

/// Returns the variables of `[env]` in cargo's configuration. That of the compiler call counts: it was made in the plan's tree.
/// There a variable is not that the user has with the same value, or that says how to compile.
fn configured(plan: &Plan, context: &BaselineContext<'_>) -> BTreeMap<String, String> {
    let variables = configuration::of_user(context).variables().into_iter();
    let handed_on = &context.options.env;
    let variables = variables.filter(|(name, _)| {
        let is_hidden = environment::is_secret(name) && !handed_on.contains(name);
        !environment::is_forced(name) && !environment::is_place(name) && !is_hidden
    });
    let values = variables.map(|(name, variable)| {
        let of_call = plan.call.env.get(&name).cloned();
        let users = context.user.vars.get(&name).filter(|_| !variable.force);
        let value = of_call.unwrap_or_else(|| users.cloned().unwrap_or(variable.value));
        (name, value)
    });
    values.collect()
}

fn is_of_package(plan: &Plan) -> bool {
    plan.call.env.contains_key("CARGO_MANIFEST_DIR")
}

/// Returns the directory in which the user stands, relative to the plan's tree; `None` where it was not copied.
fn directory_of_user(plan: &Plan, context: &BaselineContext<'_>) -> Option<Utf8PathBuf> {
    let inner = context.user.cwd.strip_prefix(context.origin.get()?).ok()?;
    plan.inputs
        .tree
        .join(inner)
        .is_dir()
        .then(|| inner.to_owned())
}

/// Returns the package's own directory.
pub(crate) fn package_dir(env: &BTreeMap<String, String>, cwd: &Utf8Path) -> Utf8PathBuf {
    env.get("CARGO_MANIFEST_DIR")
        .map_or_else(|| cwd.to_owned(), Utf8PathBuf::from)
}
