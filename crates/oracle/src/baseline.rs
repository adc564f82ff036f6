//! Finds the compiler call that fails in the user's program, and how it fails.
//!
//! The call is found (`package` asks cargo, `file` is rustc alone, `captured` has one that was kept, `linked_files` compiles what such a file
//! links), replayed in a tree of its own until it is clear whether it is stable (`replay`), simplified
//! (`simplify`, with `quick_linking` of programs), and made as cheap as it still crashes (`ladder`). `recorded` makes a plan of a call, `start` the
//! setting of a search, and `test_package` builds and tests the package again with other files. Where it need not be
//! stable, `rate` finds out how often it fails. `look` runs the compiler of a file once, and prepares no search.

mod captured;
mod cheapest_call;
mod companions;
mod elsewhere;
mod file;
mod file_call;
mod first;
mod good;
mod linked_files;
mod look;
mod macros;
mod other;
mod package;
mod quick_linking;
mod rate;
mod recorded;
mod replay;
mod settled;
mod simplify;
mod start;
mod test_package;
mod units;

pub use look::{Look, Looker};
pub use start::BaselineSite;
pub use test_package::{OneTest, TestPackage, Tested, Testing};

use crate::compiler::target::{Input, Surroundings};
use crate::compiler::toolchain::Toolchain;
use crate::compiler::unit::Unit;
use crate::error::OracleError;
use crate::evidence::property::Property;
use crate::failures::Goal;
use crate::flaky::Flaky;
use crate::plan::Plan;
use crate::search::context::variables;
use crate::search::context::{BaselineContext, BaselineOptions, environment};
use crate::search::workspace::selection;
use crate::system::private::Private;
use crate::worker::Shown;
use camino::Utf8PathBuf;
use package::find_failure as find_in_package;
use reduce_platform::Cancel;
use start::{Told, check_reads, context, with_sandbox};
use std::collections::BTreeSet;
use std::time::Duration;

/// A note about the search for the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note<'a> {
    /// A step has begun; a phrase for people, such as "running `cargo check`".
    Doing(&'a str),
    /// A warning that the user should know before the search goes on; a phrase.
    Warning(&'a str),
    /// A line of cargo's own progress, such as "Compiling serde v1.0.2".
    Cargo(&'a str),
}

/// The crash, and the compiler call that shows it.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// The plan of the compiler call, as simple as it still crashes.
    pub plan: Plan,
    /// The user's directory of which the plan's tree is a copy.
    pub origin: Utf8PathBuf,
    /// The property that must stay true.
    pub property: Property,
    /// Wall time of the slowest run of the call as it was found.
    pub duration: Duration,
    /// The number of [`Baseline::runs`] that showed the crash.
    pub crashed: u32,
    /// The number of runs of the call as it was found.
    pub runs: u32,
    /// The rate of the failure and the number of a candidate's runs, where some runs may pass.
    pub flaky: Option<Flaky>,
    /// The compiler's output for people, with the full query stack, for the call as it was found.
    pub shown: Shown,
    /// The number of runs of compiler and cargo that were made to find the baseline.
    pub other_runs: u64,
    /// The crates that the call links, directly or not, as far as it is known how they were
    /// compiled; those that depend on others first.
    pub units: Vec<Unit>,
    /// The `cfg`s that hold for the crate of the call, as in [`Unit::configuration`].
    pub configuration: Vec<String>,
    /// The names of the user's environment variables that decide the result, besides those that
    /// [`is_variable_of_tools`] knows; absent where it may be any.
    pub variables: Option<BTreeSet<String>>,
    /// The remarks for the user about how the failure was found, a sentence each.
    pub remarks: Vec<String>,
    /// Whether the crash may be a procedural macro's and not the compiler's own: it shows while procedural macros
    /// run.
    pub may_be_of_macro: bool,
    /// The package to test again, where the input is a package.
    pub package: Option<TestPackage>,
}

/// Whether compilers, cargo or all programs may read a variable of this name, whatever is reduced.
#[must_use]
pub fn is_variable_of_tools(name: &str) -> bool {
    environment::is_of_tools(name)
}

/// Finds the compiler call that fails as `goal` says, replays it, and simplifies it. `note` is told what is
/// being done.
///
/// # Errors
/// Every way in which there is no stable crash, see [`OracleError`].
pub fn find_baseline(
    goal: &Goal,
    input: &Input,
    surroundings: &Surroundings,
    site: &BaselineSite<'_>,
    options: &BaselineOptions,
    note: &(dyn Fn(Note<'_>) + Sync),
    cancel: &Cancel,
) -> Result<Baseline, OracleError> {
    let failure = goal.failure();
    let wanted = failure.info();
    let options = &with_sandbox(options, wanted.executes, &|why| note(Note::Warning(why)))?;
    let cargo_says = |line: &str| note(Note::Cargo(line));
    let note = |what: &str| note(Note::Doing(what));
    check_reads(&options.reads, &Private::of(&surroundings.vars))?;
    let selected = match input {
        Input::Package(package) => selection(package),
        Input::File(file) => vec![file.path.to_string()],
        Input::Captured(captured) => vec![captured.directory.to_string()],
    };
    let told = Told {
        note: &note,
        cargo_says: &cargo_says,
    };
    let context = context(
        (wanted, selected),
        (surroundings, Toolchain::find(surroundings, cancel)?),
        site,
        options,
        told,
        cancel,
    )?;
    let (replayed, package) = match input {
        Input::Package(package) => {
            let (replayed, package) = find_in_package(failure.as_ref(), package, &context)?;
            (replayed, Some(package))
        }
        Input::File(file) => (file::find_failure(failure.as_ref(), file, &context)?, None),
        Input::Captured(captured) => (
            captured::find_failure((goal, failure.as_ref()), captured, &context)?,
            None,
        ),
    };
    let replayed = match &options.instead {
        Some(other) => other::find_failure(replayed.plan, other, &context)?,
        None => replayed,
    };
    finish(replayed, package, &context)
}

/// Simplifies the compiler call that was found and replayed, and returns the baseline.
fn finish(
    replayed: replay::Replayed,
    package: Option<TestPackage>,
    context: &BaselineContext<'_>,
) -> Result<Baseline, OracleError> {
    let mut plan = replayed.plan.clone();
    let slowest = replayed.duration;
    plan.run_policy.limits.usual = Some(replayed.spent);
    let rate::Simplified {
        mut plan,
        property,
        flaky,
    } = rate::simplify(&replayed, plan, context)?;
    plan.take_digests()?;
    let (units, configuration) = units::find(&plan, context)?;
    let origin = macros::origin(&plan, &units, context)?;
    Ok(Baseline {
        variables: variables::read_by(&plan, &units, context),
        remarks: context.remarks.take(),
        plan,
        origin: context.origin.get().cloned().unwrap_or_default(),
        property,
        duration: slowest,
        crashed: replayed.crashed,
        runs: replayed.runs,
        flaky,
        shown: replayed.shown,
        other_runs: context.runs.get(),
        units,
        configuration,
        may_be_of_macro: origin == macros::Origin::Unclear,
        package,
    })
}
