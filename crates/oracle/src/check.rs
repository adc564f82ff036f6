//! Checks, which run a candidate and see whether it fails: each kind of failure has its own, and a plan carries it. The
//! kinds are in `failures`; what several of them share is in the files below this one.
//!
//! - `again`: repeated runs of a program that has shown what it must.
//! - `variants`: a program that is run in variants of the code under test too.
//! - `crash`: a compiler that is called once and crashes.
//! - `diagnostic`: a compiler that reports the wanted error or lint.
//! - `cost`: a compiler that uses too much of something.
//! - `program`: a program that was compiled, and fails when it is run.
//! - `input`: a program that has a standard input.
//! - `command`: the common part of commands that are run in place of a compiler.
//! - `cargo_output`: the failure in the output of a cargo command.
//! - `layouts`: two layouts of the same files, and their difference.
//! - `target_dir`: a target directory that begins as a copy of another one.
//! - `scripted`: a bench for tests, at which nothing is started.

pub(crate) mod again;
pub(crate) mod cargo_output;
pub(crate) mod command;
pub(crate) mod cost;
pub(crate) mod crash;
pub(crate) mod diagnostic;
pub(crate) mod input;
pub(crate) mod layouts;
pub(crate) mod program;
#[cfg(test)]
pub(crate) mod scripted;
pub(crate) mod target_dir;
pub(crate) mod variants;

use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::evidence::program::Harness;
use crate::plan::companion::TwoVersions;
use crate::plan::one_call::FlagsOfOneCall;
use crate::signature::Signature;
use crate::system::process::Outcome;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

/// A check of any kind, which clones of a plan share.
#[derive(Debug, Clone)]
pub(crate) struct AnyCheck(Arc<dyn Check>);

impl AnyCheck {
    pub(crate) fn new(check: impl Check + 'static) -> Self {
        Self(Arc::new(check))
    }
}

impl Deref for AnyCheck {
    type Target = dyn Check;

    fn deref(&self) -> &Self::Target {
        self.0.as_ref()
    }
}

impl PartialEq for AnyCheck {
    fn eq(&self, other: &Self) -> bool {
        self.form() == other.form()
    }
}

/// The result of a run: the last process's outcome with what was printed, and what was seen in it.
pub(crate) type Seen = (Outcome, Observation);

/// A check: runs a candidate, and sees whether it fails.
///
/// Only the first two methods must be written. The others say in what a kind differs from a compiler
/// that is called once and ends by itself.
pub(crate) trait Check: Debug + Send + Sync {
    /// Checks once the candidate that lies at the bench. `args` are those of the compiler call.
    ///
    /// # Errors
    /// When a process cannot be started, or files cannot be written.
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError>;

    /// Returns the whole check as JSON, by which two checks are told apart (see [`form`]). It is a part of the keys under
    /// which verdicts are stored, and must not change.
    fn form(&self) -> String;

    /// Returns the program or command that the check starts besides compilers.
    fn starts(&self) -> Starts<'_> {
        Starts::Nothing
    }

    /// Returns the check with its program or command changed, if it starts one.
    fn adapted(&self, _change: &mut dyn FnMut(Started<'_>)) -> Option<AnyCheck> {
        None
    }

    /// Returns the name of what runs, for people: "still running the compiler".
    fn what_runs(&self) -> &'static str {
        match self.starts() {
            Starts::Command(_) => "the command",
            Starts::Nothing | Starts::Program(_) => "the compiler",
        }
    }

    /// Returns the check that the input itself must pass, if that is another one than for candidates.
    fn for_first_look(&self) -> Option<AnyCheck> {
        self.for_last_look()
    }

    /// Returns the check that the result must pass, if that is another one than for candidates. Between the two a candidate
    /// may be near a bound: a hanging program must run for longer here than in a query, and a slow one may be a little
    /// quicker.
    fn for_last_look(&self) -> Option<AnyCheck> {
        None
    }

    /// Returns the time that a compiler may run.
    fn compiler_time(&self) -> CompilerTime {
        CompilerTime::Usual
    }

    /// Returns the address space of each process, where it is another one than usual.
    fn memory_bytes(&self) -> Option<u64> {
        None
    }

    /// Returns a flag that all builds have because of the failure that is looked for.
    fn added_flag(&self) -> Option<&'static str> {
        None
    }

    /// Returns the flags that the second of two builds has in addition to those of the first.
    fn second_flags(&self) -> &[String] {
        &[]
    }

    /// Returns the command by which a person has a file checked, where that is not a call of the compiler. `is_in_place`
    /// says that the file lies in the program as it was.
    fn typed(&self, _file: &str, _is_in_place: bool) -> Option<String> {
        None
    }

    /// Returns the level that lints are capped to, where that can be.
    fn lint_cap(&self) -> &'static str {
        "allow"
    }

    /// Whether a compiler may stop before it has done all that the call asks for.
    fn may_stop_early(&self) -> bool {
        false
    }

    /// Whether the failure is a compiler's crash. Only then may it depend on how diagnostics are printed.
    fn is_crash(&self) -> bool {
        false
    }

    /// Whether the failure is a hang, which shows when the deadline passes.
    fn is_hang(&self) -> bool {
        false
    }

    /// Whether the failure is the compiler's use of time or memory: a fork of a warm compiler uses other amounts.
    fn is_measured(&self) -> bool {
        false
    }

    /// Whether the compiled program is kept after a run, so that another run of the candidate needs no other build.
    fn keeps_program(&self) -> bool {
        false
    }

    /// Whether one run of the compiled program may show the failure by luck.
    fn depends_on_luck(&self) -> bool {
        false
    }

    /// Whether two builds of a candidate are compared.
    fn compares_builds(&self) -> bool {
        false
    }

    /// Returns the arguments of the first of two compiler calls, from whose results the call with `args` goes on.
    fn first_call(&self, _args: &[String]) -> Option<Vec<String>> {
        None
    }

    /// Returns the arguments of the second of two compiler calls, if they are others than those of the plan.
    fn second_call(&self, _args: &[String]) -> Option<Vec<String>> {
        None
    }

    /// Returns the crate that the first of two calls links in place of a compiled crate, where that may be another one.
    fn linked_first(&self, _path: &Utf8Path) -> Option<Utf8PathBuf> {
        None
    }

    /// Returns the check whose first call links the crates in the one directory, and whose second call those in the other.
    fn linking_first_from(&self, _before: &Utf8Path, _after: &Utf8Path) -> Option<AnyCheck> {
        None
    }

    /// Whether each of two compiler calls reads a file of its own, in place of one text that is two versions.
    fn has_versions_apart(&self) -> bool {
        false
    }

    /// Whether the first of two compiler calls must end with errors.
    fn has_errors_first(&self) -> bool {
        false
    }

    /// Returns the flags that only one of two compiler calls has, if the check makes two.
    fn flags_of_one_call(&self) -> Option<&FlagsOfOneCall> {
        None
    }

    /// Returns the check with other flags that only one of its two compiler calls has.
    fn with_flags_of_one_call(&self, _flags: FlagsOfOneCall) -> Option<AnyCheck> {
        None
    }

    /// Returns the check with other names for the two versions in a candidate's text, if the check knows of two.
    fn with_versions(&self, _names: TwoVersions<'_>) -> Option<AnyCheck> {
        None
    }

    /// Returns the names by which a compiler call chooses one of two versions in a candidate's text, if the text has two.
    fn versions(&self) -> Option<TwoVersions<'_>> {
        None
    }

    /// Whether status 0 is the failure that is looked for, and any other status says only that it is not there.
    fn asks_for_success(&self) -> bool {
        false
    }

    /// Whether a `loop {}` of a candidate may run, and is not the failure that is looked for.
    fn runs_loops(&self, _signature: &Signature) -> bool {
        false
    }

    /// Says whether somebody looks for undefined behaviour, with which a program may do anything; `None` where that does not
    /// matter.
    fn undefined_behaviour(&self) -> Option<&UndefinedBehaviour> {
        None
    }
}

impl dyn Check {
    /// Whether candidates are run, not only compiled.
    pub(crate) fn executes(&self) -> bool {
        !matches!(self.starts(), Starts::Nothing)
    }

    /// Returns the way in which a compiled candidate is run.
    pub(crate) fn execution(&self) -> Option<&Execution> {
        match self.starts() {
            Starts::Program(execution) => Some(execution),
            _ => None,
        }
    }

    /// Returns the command that is run in place of a compiler.
    pub(crate) fn command(&self) -> Option<&CommandCall> {
        match self.starts() {
            Starts::Command(call) => Some(call),
            _ => None,
        }
    }

    /// Whether the check itself says how long the compiler or the program may run.
    pub(crate) fn bounds_time(&self) -> bool {
        self.is_hang() || self.compiler_time() != CompilerTime::Usual
    }

    /// Returns the time that the compiler must run to count as hanging.
    pub(crate) fn compiler_hangs_after(&self) -> Option<Duration> {
        match self.compiler_time() {
            CompilerTime::Wall(time) => Some(time),
            _ => None,
        }
    }
}

/// Returns the JSON of a value, named by words from the outside in: `form(&["cost", "memory"], &7)` is
/// `{"cost":{"memory":7}}`.
pub(crate) fn form(names: &[&str], value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("strings and numbers have a JSON form");
    let names = names.iter().rev();
    names.fold(json, |json, name| format!("{{\"{name}\":{json}}}"))
}

/// The answer to the question whether somebody looks for undefined behaviour in candidates. Results have it: no name changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UndefinedBehaviour {
    /// Each accepted candidate was run by this program, which has found none, as in "Miri (rustc 1.97.0-nightly ..)".
    CheckedBy(String),
    /// Nobody has looked, for this reason, as in "Miri is not installed".
    Unchecked(String),
}

/// The program or command that a check starts besides compilers.
pub(crate) enum Starts<'a> {
    Nothing,
    /// The program that was compiled.
    Program(&'a Execution),
    /// A command, and no compiler at all.
    Command(&'a CommandCall),
}

/// The program or command of a check, to be changed.
pub(crate) enum Started<'a> {
    Program(&'a mut Execution),
    Command(&'a mut CommandCall),
}

impl Started<'_> {
    /// Returns the environment of the program or command.
    pub(crate) fn env(&mut self) -> &mut BTreeMap<String, String> {
        match self {
            Self::Program(execution) => &mut execution.env,
            Self::Command(call) => &mut call.env,
        }
    }
}

/// The time that a compiler may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CompilerTime {
    /// The usual time: as long as for similar candidates.
    Usual,
    /// A bound of wall time: a compiler that needs more shows the failure.
    Wall(Duration),
    /// A bound of CPU time: a program that needs more has another failure.
    Cpu(Duration),
}

/// The bench on which a check uses the candidate that lies in a worker's tree.
pub(crate) trait Bench {
    /// Compiles the candidate. The compiler prints its messages as JSON where the plan's call says so.
    fn compile(&mut self, args: &[String]) -> Result<Outcome, OracleError>;
    /// Compiles the candidate by the first of two compiler calls, which has a warm compiler of its own.
    fn compile_first(&mut self, args: &[String]) -> Result<Outcome, OracleError>;
    /// Compiles the candidate, where a compiler that crashes prints the functions that led to it.
    fn compile_with_backtrace(&mut self, args: &[String]) -> Result<Outcome, OracleError>;
    /// Runs the program that was compiled.
    fn execute(&mut self, execution: &Execution) -> Result<Outcome, OracleError>;
    /// Runs the program that was compiled, without the temporary files of an earlier run.
    fn execute_afresh(&mut self, execution: &Execution) -> Result<Outcome, OracleError> {
        self.clear_temporary()?;
        self.execute(execution)
    }
    /// Starts the program that was compiled once, so that it can be forked for runs that differ in a variable: each of
    /// `settings` is a variable, `=` and its value. Returns whether it can.
    fn start_forks(&mut self, _: &Execution, _settings: &[String]) -> Result<bool, OracleError> {
        Ok(false)
    }
    /// Runs the program with the setting of this number, by a fork, without the temporary files of an earlier run. `None`
    /// where it has to be started anew.
    fn execute_fork(&mut self, _: &Execution, _: usize) -> Result<Option<Outcome>, OracleError> {
        Ok(None)
    }
    /// Runs a command in a directory, with more arguments.
    fn call(
        &mut self,
        call: &CommandCall,
        dir: &Utf8Path,
        more: &[String],
    ) -> Result<Outcome, OracleError>;
    /// Whether the candidate was compiled by an earlier run for the same answer, and the program was kept.
    fn has_program(&self) -> bool;
    /// Removes the files that a run has written beside the candidate's tree.
    fn clean_up(&self) -> Result<(), OracleError>;
    /// Removes the files that a run has written beside the candidate's tree, except for a program that is to be run again.
    fn clean_up_but_for_program(&self) -> Result<(), OracleError>;
    /// Removes the temporary files of a run.
    fn clear_temporary(&self) -> Result<(), OracleError>;
    /// Returns the directory for the temporary files of a run.
    fn temporary(&self) -> &Utf8Path;
    /// Removes what a command has left in the tree.
    fn sweep(&mut self) -> Result<(), OracleError>;
    /// Returns the directory to which cargo compiles.
    fn target_dir(&self) -> Utf8PathBuf;
    /// Returns the directory of the candidate.
    fn tree(&self) -> &Utf8Path;
    /// Returns a directory that is emptied after each run.
    fn out(&self) -> &Utf8Path;
    /// Returns the crate root, relative to the tree.
    fn root(&self) -> &Utf8Path;
    /// Returns all files of the candidate, relative to the tree.
    fn files(&self) -> BTreeSet<&Utf8PathBuf>;
}

/// The smallest number of runs for which a program is started once and forked.
pub(crate) const FEWEST_FORKED: usize = 3;

/// The execution of a compiled program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Execution {
    /// The program's arguments.
    pub args: Vec<String>,
    /// The harness that calls the code that fails.
    pub harness: Harness,
    /// The program's whole environment. Paths below the plan's tree are replaced by those of the worker's.
    pub env: BTreeMap<String, String>,
    /// The program's directory, relative to the tree.
    pub cwd: Utf8PathBuf,
    /// The time after which the program counts as hanging, where that is its failure.
    pub hangs_after: Option<Duration>,
    /// Whether a program that ends with status 0 may show the failure too, as with `--run` where its output decides.
    pub may_succeed: bool,
    /// Whether the program is linked with the compiler's own libraries as they are, which is quicker.
    pub links_dynamically: bool,
    /// Arguments by which the compiler links more quickly, without the help of `cc`; none where it links as it does by
    /// itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub link_args: Vec<String>,
    /// The standard input of the program, which is empty without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
}

/// A command that is run in a candidate's directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct CommandCall {
    /// The program, absolute.
    pub(crate) program: Utf8PathBuf,
    /// The command's arguments. Paths below the plan's tree are replaced by those of the worker's.
    pub(crate) args: Vec<String>,
    /// The command's whole environment; its paths are replaced as those of the arguments. The worker adds places for what is
    /// written.
    pub(crate) env: BTreeMap<String, String>,
    /// The command's directory, relative to the tree.
    pub(crate) cwd: Utf8PathBuf,
    /// The meaning of the command's end: a word that tells the kinds of commands apart in stored keys.
    pub(crate) meaning: &'static str,
    /// The command as a person types it: a shell line without the file that is reduced.
    pub(crate) shown: String,
    /// A digest of the program, where it is one of the user's own.
    pub(crate) identity: Option<[u8; 32]>,
    /// The compiled dependencies, for cargo. Each worker begins with a copy of them.
    pub(crate) builds: Option<Utf8PathBuf>,
    /// The paths that the command may read besides, such as cargo's caches: absolute.
    pub(crate) reads: Vec<Utf8PathBuf>,
}
