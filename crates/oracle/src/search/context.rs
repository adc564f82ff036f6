//! The context of a search for a failure, the same for all of its steps: the user's options, the toolchain, and what was noted
//! so far.
//!
//! - `options`: the options of a search for a failure, whatever its kind.
//! - `environment`: the variables that compilers, cargo and programs see. `variables`: those of the user's that decide
//!   the result.
//! - `reading`: the files and variables that a compiler reads.
//! - `configuration`: the configuration files of tools. `cargo_home`, `config_secrets`: a `CARGO_HOME` for
//!   commands, and cargo's configuration without tokens.
//! - `endless`: runs that do not end while the failure is looked for.
//! - `nothing`: the cost of an empty program by the same call.

pub(crate) mod cargo_home;
pub(crate) mod config_secrets;
pub(crate) mod configuration;
pub(crate) mod empty_program;
mod endless;
pub(crate) mod environment;
mod options;
pub(crate) mod reading;
pub(crate) mod variables;

pub use options::{BaselineOptions, OtherProgram};

use crate::check::crash::Crash;
use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::{Compiler, Other, Toolchain};
use crate::error::OracleError;
use crate::plain_tests::PlainTests;
use crate::plan::{Access, CompilerCall, ErrorFormat, Inputs, Plan, RunPolicy, memory_for};
use crate::search::failure_info::{CallTime, FailureInfo};
use crate::system::private::Private;
use crate::system::process::{Bounds, Invocation, Outcome, run};
use crate::text::pattern::Patterns;
use crate::worker::Worker;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Everything that is the same for all steps of the search.
pub(crate) struct BaselineContext<'a> {
    pub(crate) user: &'a Surroundings,
    /// The scratch directory of [`BaselineSite`], without symbolic links: processes see their directory without.
    pub(crate) scratch: Utf8PathBuf,
    pub(crate) builds: Utf8PathBuf,
    pub(crate) capture_program: &'a Utf8Path,
    pub(crate) plain_tests: &'a dyn PlainTests,
    pub(crate) options: &'a BaselineOptions,
    /// The kind of failure that is looked for.
    pub(crate) wanted: FailureInfo,
    pub(crate) toolchain: Toolchain,
    /// The directory of cargo-reduce's own that stands in for the user's directory, if there is one.
    pub(crate) stand_in: Option<&'a StandIn>,
    /// The user's places that stay closed to candidates.
    pub(crate) private: Private,
    /// The packages and targets that the user has selected, as arguments.
    pub(crate) selected: Vec<String>,
    pub(crate) note: &'a (dyn Fn(&str) + Sync),
    /// The function that is told each line of progress that cargo prints.
    pub(crate) cargo_says: &'a dyn Fn(&str),
    pub(crate) cancel: &'a Cancel,
    /// The number of runs of compiler and cargo that this search has made until now.
    pub(crate) runs: Cell<u64>,
    /// The user's directory of which the plan's tree is a copy; known once something was copied.
    pub(crate) origin: OnceCell<Utf8PathBuf>,
    pub(crate) variables: Variables,
    /// The remarks for the user about how the failure was found, a sentence each.
    pub(crate) remarks: RefCell<Vec<String>>,
}

/// A directory of ours that stands for one of the user's, with other contents.
#[derive(Debug)]
pub(crate) struct StandIn {
    /// The key that tells the contents of the directory from other contents, and that is the same in each run.
    pub(crate) key: String,
    /// A place of the user's above which cargo looks for configuration; `None` where cargo finds that anyway.
    pub(crate) of: Option<Utf8PathBuf>,
    /// The directory below which cargo compiles, in a directory for each key.
    pub(crate) builds: Utf8PathBuf,
}

impl BaselineContext<'_> {
    /// Makes a worker for the original program, in a directory that the next worker for it takes over.
    pub(crate) fn worker(&self, plan: &Plan) -> Result<Worker, OracleError> {
        Worker::new(self.scratch.join("replay"), plan, &BTreeSet::new())
    }

    /// Returns the context of a search with another toolchain, which counts its own runs.
    pub(crate) fn of_other<'s>(&'s self, other: &'s Other) -> BaselineContext<'s> {
        self.with(&other.user, other.toolchain.clone())
    }

    fn with<'s>(&'s self, user: &'s Surroundings, toolchain: Toolchain) -> BaselineContext<'s> {
        BaselineContext {
            user,
            scratch: self.scratch.clone(),
            builds: self.builds.clone(),
            capture_program: self.capture_program,
            plain_tests: self.plain_tests,
            options: self.options,
            wanted: self.wanted.clone(),
            toolchain,
            stand_in: self.stand_in,
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

    /// Returns the context of a search in another version of the program, as if the user stood there, which counts
    /// its own runs.
    pub(crate) fn of_version<'s>(
        &'s self,
        user: &'s Surroundings,
        scratch: Utf8PathBuf,
        stand_in: Option<&'s StandIn>,
    ) -> BaselineContext<'s> {
        let builds = stand_in.map_or(&self.builds, |stand_in| &stand_in.builds);
        BaselineContext {
            scratch,
            builds: builds.clone(),
            stand_in,
            ..self.with(user, self.toolchain.clone())
        }
    }

    /// Makes a plan with nothing but a compiler, a tree and the user's options that hold for every plan: a crash that
    /// is looked for by a call without arguments.
    pub(crate) fn bare_plan(&self, compiler: Compiler, tree: Utf8PathBuf) -> Plan {
        let options = self.options;
        Plan {
            call: CompilerCall {
                compiler,
                args: Vec::new(),
                env: BTreeMap::new(),
                cwd: Utf8PathBuf::new(),
                root: Utf8PathBuf::new(),
                crate_name: String::new(),
                edition: String::new(),
                error_format: ErrorFormat::Json,
            },
            inputs: Inputs {
                tree,
                files: BTreeSet::new(),
                texts: BTreeMap::new(),
                edited_root: None,
                auxiliaries: Vec::new(),
                programs: BTreeMap::new(),
                contents: BTreeMap::new(),
                dependencies: BTreeMap::new(),
                stamps: BTreeMap::new(),
            },
            access: Access {
                sandbox: options.sandbox,
                reads: vec![self.builds.clone(), self.scratch.clone()],
                user_reads: options.reads.clone(),
                private: self.private.clone(),
            },
            run_policy: RunPolicy {
                check: Crash::check(),
                limits: options.limits,
                repeat: options.first_repeat(),
                at_least: options.at_least.max(1),
                cheapest_call: None,
                companions: Vec::new(),
            },
        }
    }

    /// Returns the directory of the copy of the user's program. Cargo finds configuration in the directory above it, in which
    /// copies of other versions are not.
    pub(crate) fn snapshot(&self) -> Utf8PathBuf {
        self.scratch.join("copy/snapshot")
    }

    /// Notes of which directory the plan's tree is a copy.
    pub(crate) fn note_origin(&self, origin: &Utf8Path) {
        // There is one plan, and one tree.
        let _ = self.origin.set(origin.to_owned());
    }

    /// Adds a remark for the user about how the failure is looked for, unless it was added before.
    pub(crate) fn remark(&self, remark: &str) {
        let mut remarks = self.remarks.borrow_mut();
        if !remarks.iter().any(|known| known == remark) {
            remarks.push(remark.to_owned());
        }
    }

    pub(crate) fn count(&self, runs: u64) {
        self.runs.set(self.runs.get() + runs);
    }

    /// Returns the time for which cargo waits for a single compiler call before our wrapper stops it.
    pub(crate) fn longest_call(&self) -> Option<Duration> {
        match self.wanted.call_time {
            CallTime::Any => None,
            CallTime::AtMost(time) => Some(time),
            CallTime::AsTheUserSays => self.options.limits.deadline,
        }
    }

    /// Returns the limits of time, memory and output for a run of cargo. Where the compiler takes all the memory that
    /// there is, it gets as much as in a query.
    pub(crate) fn bounds_of_cargo(&self) -> Bounds {
        Bounds {
            memory_bytes: self.wanted.compiler_bytes.map(memory_for),
            deadline: Some(self.longest_build()),
            ..self.free_bounds()
        }
    }

    /// Returns the words for the wanted failure in messages, with the patterns that must, or must not, be printed
    /// besides.
    pub(crate) fn wanted_with_patterns(&self) -> String {
        let Patterns { and, not } = &self.options.demands.patterns;
        let with = and.iter().map(|pattern| format!(" with `{pattern}`"));
        let without = not.iter().map(|pattern| format!(" without `{pattern}`"));
        let patterns: Vec<String> = with.chain(without).collect();
        format!("{}{}", self.wanted.words, patterns.join(" and"))
    }

    /// Makes the call of the plan's compiler with these arguments in `dir`, as the user would start it.
    pub(crate) fn invocation<'a>(
        &self,
        plan: &'a Plan,
        args: &'a [String],
        dir: &'a Utf8Path,
    ) -> Invocation<'a> {
        Invocation {
            program: &plan.call.compiler.path,
            args,
            env: &plan.call.env,
            dir,
            bounds: self.free_bounds(),
            confinement: None,
        }
    }

    /// Runs a compiler on the user's own program, outside of the sandbox, as cargo does.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub(crate) fn compile(
        &self,
        program: &Utf8Path,
        (args, env): (&[String], &BTreeMap<String, String>),
        dir: &Utf8Path,
    ) -> Result<Outcome, OracleError> {
        let invocation = Invocation {
            program,
            args,
            env,
            dir,
            bounds: self.bounds_of_cargo(),
            confinement: None,
        };
        self.count(1);
        run(&invocation, self.cancel)
    }

    /// Returns the limits for a command that the user would start: only its time and its output are bounded.
    pub(crate) fn free_bounds(&self) -> Bounds {
        Bounds::of_time(self.longest_run(), self.options.limits.output_bytes)
    }
}

/// The variables of the user that were seen while the baseline was looked for.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    /// The variables that sources name, whether the user has them or not.
    pub(crate) named: RefCell<BTreeSet<String>>,
    /// Whether any of the user's variables may have been read, and not only those that sources name.
    pub(crate) may_be_any: Cell<bool>,
}

impl Variables {
    pub(crate) fn note_named(&self, names: &[String]) {
        self.named.borrow_mut().extend(names.iter().cloned());
    }

    pub(crate) fn note_any(&self) {
        self.may_be_any.set(true);
    }
}
