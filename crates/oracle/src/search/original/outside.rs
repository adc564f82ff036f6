//! Compares a program's failure in the sandbox with that outside, where the user has seen it fail. A variable that is
//! not passed on, or a socket that cannot be bound, makes another failure of it, and reducing that one would be of no
//! use.
//!
//! Only the original is run outside, never a candidate: as `cargo test` would run it, but in the copy of
//! the user's files. Where some runs may pass, or the whole sandbox was asked for, nothing is compared.

mod mending;

use super::target::{FailingTest, Home, Target, Which};
use super::{Call, execution_of_program};
use crate::check::Execution;
use crate::error::OracleError;
use crate::evidence::program;
use crate::plan::Plan;
use crate::plan::programs::{self, DEPS, Programs};
use crate::search::context::{BaselineContext, environment};
use crate::signature::Signature;
use crate::system::files;
use crate::system::process::{Ending, Outcome, run};
use crate::system::sandbox::SandboxMode;
use crate::system::snapshot::Snapshot;
use crate::text::paths::relocate;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// The number of runs on each side that must differ before the difference is told: a failure that comes and goes
/// is told as such elsewhere.
const ROUNDS: u32 = 3;

/// Whether the failure in the sandbox can be compared with that outside: it should show in each run, and the
/// sandbox must not be strict.
pub(crate) fn is_comparable(context: &BaselineContext<'_>) -> bool {
    let options = context.options;
    !options.repeat.expects_passes() && options.sandbox != SandboxMode::Strict
}

/// Returns the selected tests that fail outside of the sandbox, each with the environment that it has in the sandbox:
/// what they see of the user's environment outside is not handed on.
///
/// # Errors
/// When it cannot be run.
pub(crate) fn failing(
    target: &Target,
    which: &Which,
    context: &BaselineContext<'_>,
) -> Result<Vec<FailingTest>, OracleError> {
    let (mut failing, _) = with_kept_tree(&target.plan, context, || {
        outside(target, context).failing(which, context)
    })?;
    for test in &mut failing {
        test.execution.env = target.execution.env.clone();
    }
    Ok(failing)
}

/// Compares what a run shows in the sandbox and outside, where that can be compared.
///
/// # Errors
/// [`OracleError::OtherInSandbox`] where the two differ each time.
pub(crate) fn compare(
    target: &Target,
    execution: &Execution,
    what: &str,
    context: &BaselineContext<'_>,
) -> Result<(), OracleError> {
    if !is_comparable(context) {
        return Ok(());
    }
    let trial = Trial {
        execution,
        outside: outside(target, context),
        inside: target,
        context,
    };
    let difference = with_kept_tree(&target.plan, context, || trial.difference())?;
    let Some((here, there)) = difference else {
        return Ok(());
    };
    (context.note)("looking for what makes the failure another one in the sandbox");
    Err(OracleError::OtherInSandbox {
        what: what.to_owned(),
        is_confined: context.options.sandbox != SandboxMode::Off,
        flags: trial.mending_flags(&there)?,
        inside: here.map(|failure| failure.to_string()),
        outside: there.map(|failure| failure.to_string()),
        compiles_by: compiles_by(&target.plan),
    })
}

/// Returns the name of a linked library, such as `trybuild`, by which a test compiles other files; such a test calls
/// cargo, or a compiler with files of the target directory.
fn compiles_by(plan: &Plan) -> Option<&'static str> {
    let linked = plan.externs();
    let mut known = ["trybuild", "ui_test", "compiletest_rs"].into_iter();
    known.find(|library| linked.iter().any(|(name, _)| name == library))
}

/// Returns the program of a compiler call as cargo has linked it, or links it if cargo has not; `None` where it does
/// not compile.
///
/// # Errors
/// Where the compiler cannot be started, or the files that the program names cannot be copied.
pub(crate) fn program(
    call: &Call,
    args: &[String],
    context: &BaselineContext<'_>,
) -> Result<Option<Target>, OracleError> {
    let executable = match &call.executable {
        Some(linked) => Some(linked.clone()),
        None => linked(&call.plan, context)?,
    };
    let target = executable.map(|executable| {
        Ok(Target {
            execution: execution_of_program(&call.plan, args.to_vec(), context)?,
            plan: call.plan.clone(),
            executable,
            home: Home::Ours,
            cargo: call.target.clone(),
        })
    });
    target.transpose()
}

/// Compares what a program shows in the sandbox and outside.
///
/// # Errors
/// As [`compare`].
pub(crate) fn compare_program(
    target: &Target,
    context: &BaselineContext<'_>,
) -> Result<(), OracleError> {
    compare(target, &target.execution, "the program", context)
}

/// Compiles and links the program of a call that cargo has not linked; `None` where it does not compile.
pub(crate) fn linked(
    plan: &Plan,
    context: &BaselineContext<'_>,
) -> Result<Option<Utf8PathBuf>, OracleError> {
    let dir = context.scratch.join("original");
    files::make_empty(&dir)?;
    programs::lay_out(&dir, &Programs::new(), &plan.inputs.programs)?;
    let deps = dir.join(DEPS);
    files::make_dir(&deps)?;
    let program = deps.join("program");
    let output = vec!["-o".to_owned(), program.to_string()];
    let args = [plan.call.args.clone(), output].concat();
    let dir = plan.inputs.tree.join(&plan.call.cwd);
    let outcome = run(&context.invocation(plan, &args, &dir), context.cancel)?;
    context.count(1);
    match outcome.ending {
        Ending::Cancelled => Err(OracleError::Cancelled),
        _ => Ok(program.is_file().then_some(program)),
    }
}

/// The run of a program that is made both in the sandbox and outside.
struct Trial<'a> {
    inside: &'a Target,
    outside: Target,
    execution: &'a Execution,
    context: &'a BaselineContext<'a>,
}

/// The failure that a run has shown, or none.
type Seen = Option<Signature>;

impl Trial<'_> {
    /// Returns the failures in the sandbox and outside, where the one in the sandbox is the same each time and
    /// never seen outside. Outside it may differ: one run may meet what another left behind.
    fn difference(&self) -> Result<Option<(Seen, Seen)>, OracleError> {
        let here = self.seen(self.inside)?;
        let mut there = None;
        for round in 0..ROUNDS {
            let is_steady = round == 0 || is_same(&self.seen(self.inside)?, &here);
            let outside = self.seen(&self.outside)?;
            if !is_steady || is_same(&outside, &here) {
                return Ok(None);
            }
            there.get_or_insert(outside);
        }
        Ok(there.map(|there| (here, there)))
    }

    /// Runs the program and returns how it fails, without the names of places that are others inside and outside.
    fn seen(&self, target: &Target) -> Result<Seen, OracleError> {
        let ran = target.run(&self.execution.args, self.context)?;
        let ran = Outcome {
            stdout: self.masked(&ran.stdout),
            stderr: self.masked(&ran.stderr),
            ..ran
        };
        let failures = program::failures_in(&ran, "$DIR", &self.execution.harness);
        Ok(failures.into_iter().next())
    }

    fn masked(&self, text: &str) -> String {
        let user = &self.context.user.vars;
        let own = self.inside.places(self.context);
        let temporary = user.get("TMPDIR").map_or("/tmp", String::as_str);
        let home = user.get("HOME").map(String::as_str);
        let theirs = [Some(temporary), home].into_iter().flatten();
        let theirs = theirs.map(|place| Utf8Path::new(place.trim_end_matches('/')));
        let theirs = theirs.filter(|place| place.file_name().is_some());
        let text = relocate(text, &self.inside.plan.inputs.tree, "$DIR");
        let text = relocate(&text, &own, "$TMPDIR");
        theirs.fold(text, |text, place| relocate(&text, place, "$TMPDIR"))
    }
}

fn is_same(one: &Seen, other: &Seen) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.is_same_bug(other, false),
        (None, None) => true,
        _ => false,
    }
}

/// Returns the target as the user would run it: without a sandbox, with all of the environment.
fn outside(target: &Target, context: &BaselineContext<'_>) -> Target {
    let names = environment::of_user_alone(&context.user.vars);
    Target {
        plan: target.plan.in_sandbox(SandboxMode::Off),
        execution: target.with_variables(&names, context),
        home: Home::Users,
        ..target.clone()
    }
}

/// Runs a function outside of the sandbox, and undoes what that has changed in the copy of the user's files.
fn with_kept_tree<T>(
    plan: &Plan,
    context: &BaselineContext<'_>,
    run: impl FnOnce() -> Result<T, OracleError>,
) -> Result<T, OracleError> {
    (context.note)("running it once without the sandbox, to compare");
    let kept = context.scratch.join("kept");
    Snapshot::take(
        vec![plan.inputs.tree.clone()],
        kept.clone(),
        &BTreeSet::new(),
    )?;
    let result = run();
    let removed = std::fs::remove_dir_all(&plan.inputs.tree);
    removed.map_err(OracleError::io("remove", &plan.inputs.tree))?;
    let moved = std::fs::rename(&kept, &plan.inputs.tree);
    moved.map_err(OracleError::io("rename", &kept))?;
    result
}
