//! The baseline: which compiler call crashes, and how.
//!
//! The call is found (`package` asks cargo, `file` is rustc alone), replayed in a tree of its own
//! until it is clear whether it is stable (`replay`), simplified (`simplify`), and made as cheap as
//! it still crashes (`ladder`). Where it need not be stable, `rate` finds out how often it fails.

mod bounds;
mod cargo_home;
mod checks;
mod commands;
mod companions;
mod config_secrets;
mod endless;
mod environment;
mod file;
mod ladder;
mod macros;
mod outside;
mod package;
mod rate;
mod reading;
mod replay;
mod simplify;
mod testing;
mod units;
mod variables;

use crate::cancel::Cancel;
use crate::check::Check;
use crate::error::OracleError;
use crate::flaky::{Flaky, Repeat};
use crate::goal::{Demands, Goal};
use crate::pattern::Patterns;
use crate::plan::{ErrorFormat, Limits, Plan, memory_for};
use crate::private::Private;
use crate::property::Property;
use crate::sandbox::{SandboxMode, missing};
use crate::target::{Input, Surroundings};
use crate::toolchain::{Compiler, Other, Toolchain};
use crate::unit::Unit;
use crate::worker::{Shown, Worker};
use crate::{files, process};
use camino::{Utf8Path, Utf8PathBuf};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use variables::Variables;

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

/// What is told while the baseline is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note<'a> {
    /// A step has begun; a phrase for people, such as "running `cargo check`".
    Doing(&'a str),
    /// What cargo says of its progress, such as "Compiling serde v1.0.2", as it says it.
    Cargo(&'a str),
}

/// How the baseline is looked for and what counts as the same crash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineOptions {
    /// What is looked for.
    pub goal: Goal,
    /// What must hold besides.
    pub demands: Demands,
    /// The user's variables that programs may see besides those that all do.
    pub env: Vec<String>,
    /// What candidates may read of the user's files besides: absolute paths.
    pub reads: Vec<Utf8PathBuf>,
    /// For the compiler call that crashes; cargo itself may take its time.
    pub limits: Limits,
    /// Accept a failure that is not stable, and ask each candidate up to so many times; once refuses
    /// it.
    pub repeat: Repeat,
    /// Of these runs, so many must show the failure; at least 1.
    pub at_least: u32,
    /// How much of a sandbox what is started has.
    pub sandbox: SandboxMode,
    /// Candidates may have errors that the baseline does not have.
    pub allow_errors: bool,
    /// The line and column of the crash in rustc's own source may differ.
    pub ignore_location: bool,
}

impl BaselineOptions {
    /// How often a call is repeated before it is known how often it fails.
    fn first_repeat(&self) -> u32 {
        self.repeat.at_first(self.at_least)
    }
}

/// The crash, and the compiler call that shows it.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// The call, as simple as it still crashes.
    pub plan: Plan,
    /// The user's directory of which the plan's tree is a copy.
    pub origin: Utf8PathBuf,
    /// What must stay true.
    pub property: Property,
    /// Wall time of the slowest run of the call as it was found.
    pub duration: Duration,
    /// How many of [`Baseline::runs`] showed the crash.
    pub crashed: u32,
    /// Runs of the call as it was found.
    pub runs: u32,
    /// How often it fails and how often candidates are run, where some runs may pass.
    pub flaky: Option<Flaky>,
    /// What the compiler prints for people, with the full query stack, for the call as it was found.
    pub shown: Shown,
    /// Runs of compiler and cargo that were made.
    pub other_runs: u64,
    /// The crates that the call links, directly or not, as far as it is known how they were
    /// compiled; those that depend on others first.
    pub units: Vec<Unit>,
    /// The `cfg`s that hold in the call, as in [`Unit::configuration`].
    pub configuration: Vec<String>,
    /// The names of variables of the user's that decide the result, besides those that
    /// [`is_variable_of_tools`] knows; absent where it may be any.
    pub variables: Option<BTreeSet<String>>,
    /// What the user should know of how the failure was found, a sentence each.
    pub remarks: Vec<String>,
    /// The crash shows while procedural macros run, and it is not known whether it is theirs.
    pub may_be_of_macro: bool,
}

/// Whether compilers, cargo or all programs may read a variable of the user's, whatever is reduced.
#[must_use]
pub fn is_variable_of_tools(name: &str) -> bool {
    environment::is_of_tools(name)
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
    /// The user's places that stay closed to candidates.
    private: Private,
    /// What the user has selected, as arguments.
    selected: Vec<String>,
    note: &'a (dyn Fn(&str) + Sync),
    /// Told each line of progress that cargo prints.
    cargo_says: &'a dyn Fn(&str),
    cancel: &'a Cancel,
    /// Runs of compiler and cargo so far.
    runs: Cell<u64>,
    /// As in [`Baseline`]; there once something was copied.
    origin: OnceCell<Utf8PathBuf>,
    variables: Variables,
    /// As in [`Baseline`].
    remarks: RefCell<Vec<String>>,
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
    note: &(dyn Fn(Note<'_>) + Sync),
    cancel: &Cancel,
) -> Result<Baseline, OracleError> {
    let cargo_says = |line: &str| note(Note::Cargo(line));
    let note = |what: &str| note(Note::Doing(what));
    let options = &with_sandbox(options, &note)?;
    let private = Private::of(&surroundings.vars);
    check_reads(&options.reads, &private)?;
    let setting = Setting {
        user: surroundings,
        scratch: real_dir(site.scratch)?,
        builds: real_dir(site.builds)?,
        capture_program: site.capture_program,
        options,
        toolchain: Toolchain::find(surroundings, cancel)?,
        private,
        selected: match input {
            Input::Package(package) => package::selection(package),
            Input::File(file) => vec![file.path.to_string()],
        },
        note: &note,
        cargo_says: &cargo_says,
        cancel,
        runs: Cell::new(0),
        origin: OnceCell::new(),
        variables: Variables::default(),
        remarks: RefCell::default(),
    };
    let replayed = match input {
        Input::Package(package) => package::find_failure(package, &setting)?,
        Input::File(file) => file::find_failure(file, &setting)?,
    };
    finish(replayed, &setting)
}

/// Refuses what the user must not open to candidates, and what is not there.
///
/// # Errors
/// [`OracleError::NotReadable`].
fn check_reads(paths: &[Utf8PathBuf], private: &Private) -> Result<(), OracleError> {
    for path in paths {
        let is_missing = (!path.exists()).then_some("there is no such file or directory");
        if let Some(reason) = is_missing.or_else(|| private.refusal(path)) {
            let path = path.clone();
            return Err(OracleError::NotReadable { path, reason });
        }
    }
    Ok(())
}

/// The options with a sandbox that there is. What only compiles does without where it must.
///
/// # Errors
/// [`OracleError::NoSandbox`] where candidates are run, or all of a sandbox is asked for.
fn with_sandbox(
    options: &BaselineOptions,
    note: &dyn Fn(&str),
) -> Result<BaselineOptions, OracleError> {
    let missing = missing(options.sandbox);
    let may_do_without = options.sandbox == SandboxMode::Default && !options.goal.executes();
    match missing.is_empty() {
        true => Ok(options.clone()),
        false if may_do_without => {
            note(&format!("doing without a sandbox: {}", missing.join("; ")));
            Ok(BaselineOptions {
                sandbox: SandboxMode::Off,
                ..options.clone()
            })
        }
        false => Err(OracleError::NoSandbox { missing }),
    }
}

/// Simplifies the call that was found.
fn finish(replayed: replay::Replayed, setting: &Setting<'_>) -> Result<Baseline, OracleError> {
    let mut plan = replayed.plan.clone();
    let slowest = replayed.duration;
    plan.limits.usual = Some(replayed.spent);
    let rate::Simplified {
        mut plan,
        property,
        flaky,
    } = rate::simplify(&replayed, plan, setting)?;
    plan.take_digests()?;
    let (units, configuration) = units::find(&plan, setting)?;
    let origin = macros::origin(&plan, &units, setting)?;
    Ok(Baseline {
        variables: variables::read_by(&plan, &units, setting),
        remarks: setting.remarks.take(),
        plan,
        origin: setting.origin.get().cloned().unwrap_or_default(),
        property,
        duration: slowest,
        crashed: replayed.crashed,
        runs: replayed.runs,
        flaky,
        shown: replayed.shown,
        other_runs: setting.runs.get(),
        units,
        configuration,
        may_be_of_macro: origin == macros::Origin::Unclear,
    })
}

impl BaselineOptions {
    /// What is looked for, for messages.
    fn wanted(&self) -> String {
        let Patterns { and, not } = &self.demands.patterns;
        let with = and.iter().map(|pattern| format!(" with `{pattern}`"));
        let without = not.iter().map(|pattern| format!(" without `{pattern}`"));
        let patterns: Vec<String> = with.chain(without).collect();
        let goal = self.goal.describe();
        format!("{goal}{}", patterns.join(" and"))
    }
}

impl Setting<'_> {
    /// A worker with the program as it is, whose directory the next one takes over.
    fn worker(&self, plan: &Plan) -> Result<Worker, OracleError> {
        Worker::new(self.scratch.join("replay"), plan, &BTreeSet::new())
    }

    /// The same with another toolchain; what it counts is for it alone.
    fn of_other<'s>(&'s self, other: &'s Other) -> Setting<'s> {
        Setting {
            user: &other.user,
            scratch: self.scratch.clone(),
            builds: self.builds.clone(),
            capture_program: self.capture_program,
            options: self.options,
            toolchain: other.toolchain.clone(),
            private: self.private.clone(),
            selected: self.selected.clone(),
            note: self.note,
            cargo_says: self.cargo_says,
            cancel: self.cancel,
            origin: OnceCell::new(),
            variables: Variables::default(),
            remarks: RefCell::default(),
            runs: Cell::new(0),
        }
    }

    /// A plan with nothing but a compiler, a tree and what the user said of all of them: a crash that
    /// is looked for by a call without arguments.
    fn bare_plan(&self, compiler: Compiler, tree: Utf8PathBuf) -> Plan {
        Plan {
            compiler,
            tree,
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: Utf8PathBuf::new(),
            root: Utf8PathBuf::new(),
            files: BTreeSet::new(),
            crate_name: String::new(),
            edition: String::new(),
            error_format: ErrorFormat::Json,
            limits: self.options.limits,
            check: Check::Crash,
            sandbox: self.options.sandbox,
            reads: vec![self.builds.clone(), self.scratch.clone()],
            user_reads: self.options.reads.clone(),
            private: self.private.clone(),
            repeat: self.options.first_repeat(),
            at_least: self.options.at_least.max(1),
            rung: None,
            companions: Vec::new(),
            auxiliaries: Vec::new(),
            contents: BTreeMap::new(),
            dependencies: BTreeMap::new(),
        }
    }

    /// Where the copy of the user's program is.
    fn snapshot(&self) -> Utf8PathBuf {
        self.scratch.join("snapshot")
    }

    /// Notes of which directory the plan's tree is a copy.
    fn note_origin(&self, origin: &Utf8Path) {
        // There is one plan, and one tree.
        let _ = self.origin.set(origin.to_owned());
    }

    /// Notes what the user should know of how the failure is looked for.
    fn remark(&self, remark: &str) {
        self.remarks.borrow_mut().push(remark.to_owned());
    }

    fn count(&self, runs: u64) {
        self.runs.set(self.runs.get() + runs);
    }

    /// How long cargo waits for a compiler that need not end; it is then stopped by our wrapper.
    fn longest_call(&self) -> Option<Duration> {
        match self.options.goal {
            Goal::Hang {
                of_program: false,
                seconds,
                ..
            } => Some(Duration::from_secs(seconds)),
            // The user may say that it is seen early enough.
            Goal::Slow { .. } | Goal::Memory { .. } => self.options.limits.deadline,
            _ => None,
        }
    }

    /// Bounds for cargo. Where the compiler takes all the memory that there is, it gets as much as in a
    /// query.
    fn bounds_of_cargo(&self) -> process::Bounds {
        let memory_bytes = match self.options.goal {
            Goal::Memory { bytes } => Some(memory_for(bytes)),
            _ => None,
        };
        process::Bounds {
            memory_bytes,
            deadline: Some(self.longest_build()),
            ..self.free_bounds()
        }
    }

    /// Bounds for what the user would start: only its time and its output are bounded.
    fn free_bounds(&self) -> process::Bounds {
        process::Bounds {
            deadline: Some(self.longest_run()),
            memory_bytes: None,
            file_bytes: None,
            open_files: None,
            output_bytes: self.options.limits.output_bytes,
            cpu: None,
            own_cpu: None,
            group: None,
            processes: None,
        }
    }
}

fn real_dir(dir: &Utf8Path) -> Result<Utf8PathBuf, OracleError> {
    files::make_dir(dir)?;
    dir.canonicalize_utf8()
        .map_err(OracleError::io("find", dir))
}
