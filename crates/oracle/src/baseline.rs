//! The baseline: which compiler call crashes, and how.
//!
//! The call is found (`package` asks cargo, `file` is rustc alone), replayed in a tree of its own
//! until it is clear whether it is stable (`replay`), simplified (`simplify`), and made as cheap as
//! it still crashes (`ladder`).

mod environment;
mod file;
mod ladder;
mod package;
mod reading;
mod replay;
mod simplify;
mod units;

use crate::cancel::Cancel;
use crate::error::OracleError;
use crate::plan::{Limits, Plan, deadline_for};
use crate::property::Property;
use crate::target::{Input, Surroundings};
use crate::toolchain::Toolchain;
use crate::unit::Unit;
use crate::worker::{Shown, Worker};
use crate::{files, process};
use camino::{Utf8Path, Utf8PathBuf};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Duration;

/// Where the oracle may write, and the program that records compiler calls.
#[derive(Debug, Clone, Copy)]
pub struct BaselineSite<'a> {
    /// A private directory for this run. The snapshot in it must stay as long as the plan is used.
    pub scratch: &'a Utf8Path,
    /// A private directory that is kept across runs: compiled dependencies.
    pub builds: &'a Utf8Path,
    /// An executable that calls [`crate::capture::main`] when it is started as a compiler wrapper.
    pub capture_program: &'a Utf8Path,
}

/// How the baseline is looked for and what counts as the same crash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineOptions {
    /// For the compiler call that crashes; cargo itself may take its time.
    pub limits: Limits,
    /// Accept a crash that is not stable, and ask each candidate up to so many times; 1 refuses it.
    pub repeat: u32,
    /// Candidates may have errors that the baseline does not have.
    pub allow_errors: bool,
    /// The line and column of the crash in rustc's own source may differ.
    pub ignore_location: bool,
}

/// The crash, and the compiler call that shows it.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// The call, as simple as it still crashes.
    pub plan: Plan,
    /// What must stay true.
    pub property: Property,
    /// Wall time of the slowest run of the call as it was found.
    pub duration: Duration,
    /// How many of [`Baseline::runs`] showed the crash.
    pub crashed: u32,
    /// Runs of the call as it was found.
    pub runs: u32,
    /// What the compiler prints for people, with the full query stack, for the call as it was found.
    pub shown: Shown,
    /// Runs of compiler and cargo that were made.
    pub other_runs: u64,
    /// The crates that the call links, directly or not, as far as it is known how they were
    /// compiled; those that depend on others first.
    pub units: Vec<Unit>,
    /// The `cfg`s that hold in the call, as in [`Unit::configuration`].
    pub configuration: Vec<String>,
}

/// Everything that is the same for all steps of the search.
struct Setting<'a> {
    user: &'a Surroundings,
    /// As in [`BaselineSite`], without symbolic links: processes see their directory without.
    scratch: Utf8PathBuf,
    builds: Utf8PathBuf,
    capture_program: &'a Utf8Path,
    options: &'a BaselineOptions,
    toolchain: Toolchain,
    note: &'a dyn Fn(&str),
    cancel: &'a Cancel,
    /// Runs of compiler and cargo so far.
    runs: Cell<u64>,
}

/// Finds the compiler call that crashes, replays it, and simplifies it. `note` is told what is
/// being done.
///
/// # Errors
/// Every way in which there is no stable crash, see [`OracleError`].
pub fn find_baseline(
    input: &Input,
    surroundings: &Surroundings,
    site: &BaselineSite<'_>,
    options: &BaselineOptions,
    note: &dyn Fn(&str),
    cancel: &Cancel,
) -> Result<Baseline, OracleError> {
    let setting = Setting {
        user: surroundings,
        scratch: real_dir(site.scratch)?,
        builds: real_dir(site.builds)?,
        capture_program: site.capture_program,
        options,
        toolchain: Toolchain::find(surroundings, cancel)?,
        note,
        cancel,
        runs: Cell::new(0),
    };
    let plan = match input {
        Input::Package(package) => package::find_call(package, &setting)?,
        Input::File(file) => file::call(file, &setting)?,
    };
    finish(plan, &setting)
}

/// Replays and simplifies the call that was found.
fn finish(plan: Plan, setting: &Setting<'_>) -> Result<Baseline, OracleError> {
    (setting.note)("replaying the compiler call");
    let replayed = replay::replay(plan, setting)?;
    let mut plan = replayed.plan;
    let slowest = replayed.duration;
    plan.limits.may_shrink = plan.limits.deadline.is_none();
    plan.limits.deadline.get_or_insert(deadline_for(slowest));
    (setting.note)("simplifying the compiler call");
    let (plan, property) = simplify::simplify(plan, replayed.property, setting)?;
    let mut plan = ladder::step_down(plan, &property, setting)?;
    plan.take_digests()?;
    let (units, configuration) = units::find(&plan, setting)?;
    Ok(Baseline {
        plan,
        property,
        duration: slowest,
        crashed: replayed.crashed,
        runs: replayed.runs,
        shown: replayed.shown,
        other_runs: setting.runs.get(),
        units,
        configuration,
    })
}

impl Setting<'_> {
    /// A worker with the program as it is, whose directory the next one takes over.
    fn worker(&self, plan: &Plan) -> Result<Worker, OracleError> {
        Worker::new(self.scratch.join("replay"), plan, &BTreeSet::new())
    }

    /// Where the copy of the user's program is.
    fn snapshot(&self) -> Utf8PathBuf {
        self.scratch.join("snapshot")
    }

    fn count(&self, runs: u64) {
        self.runs.set(self.runs.get() + runs);
    }

    /// Bounds for cargo and whatever it starts: only the output is bounded.
    fn free_bounds(&self) -> process::Bounds {
        process::Bounds {
            deadline: None,
            memory_bytes: None,
            file_bytes: None,
            output_bytes: self.options.limits.output_bytes,
            cpu: None,
            processes: None,
        }
    }
}

fn real_dir(dir: &Utf8Path) -> Result<Utf8PathBuf, OracleError> {
    files::make_dir(dir)?;
    dir.canonicalize_utf8()
        .map_err(OracleError::io("find", dir))
}
