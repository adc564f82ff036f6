//! What is done with a candidate to see whether it fails as the user asked, and the first of several
//! compiler calls that fails so.

use super::package::{Call, package_dir};
use super::replay::{self, Replayed};
use super::{Setting, bounds, commands, environment, outside, testing};
use crate::args;
use crate::check::{Check, Execution, Wanted};
use crate::error::OracleError;
use crate::goal::Goal;
use crate::pattern::Pattern;
use crate::plan::{Plan, Sources};
use crate::program::Harness;
use crate::sandbox::SandboxMode;
use crate::signature::Signature;
use camino::Utf8PathBuf;
use std::time::Duration;

/// The verbs of cargo that compile what may fail, with their options.
pub(super) fn verbs(goal: &Goal) -> &'static [&'static [&'static str]] {
    match goal {
        Goal::Test { .. } | Goal::TestHang { .. } => &[&["test", "--no-run"]],
        Goal::Run { .. }
        | Goal::Miscompile { .. }
        | Goal::Hang {
            of_program: true, ..
        } => &[&["build"]],
        Goal::Ice
        | Goal::Error(_)
        | Goal::Hang { .. }
        | Goal::Memory { .. }
        | Goal::Slow { .. }
        | Goal::Any => &[&["check"], &["build"]],
        Goal::Warning(_)
        | Goal::Rustdoc
        | Goal::Clippy
        | Goal::Rustfmt
        | Goal::Cargo { .. }
        | Goal::Script { .. } => &[&["check"]],
    }
}

/// The first of the calls that fails.
///
/// # Errors
/// What is wrong with the first where none does.
pub(super) fn replay_first(
    calls: Vec<Call>,
    setting: &Setting<'_>,
) -> Result<Replayed, OracleError> {
    if let Goal::Test { filter } = &setting.options.goal {
        let (plan, expected) = find_test(&calls, filter.as_deref(), setting)?;
        return replay(plan, Some(expected), setting);
    }
    if let Goal::TestHang { filter, seconds } = &setting.options.goal {
        let filter = filter.as_deref();
        let (plan, expected) = testing::find_hanging(calls, filter, *seconds, setting)?;
        return replay(plan, Some(expected), setting);
    }
    let mut failure = None;
    for call in calls {
        let plan = with_check(call.plan.clone(), setting);
        let found = plan.and_then(|plan| replay(plan, None, setting));
        if matches!(found, Ok(_) | Err(OracleError::NoFailure { .. })) {
            compare_outside(&call, setting)?;
        }
        match found {
            Err(error @ OracleError::NoFailure { .. }) => failure = failure.or(Some(error)),
            found => return found,
        }
    }
    Err(failure.expect("there is always a call"))
}

/// Compares a program with what it does outside of the sandbox. What is looked for in its output is
/// not a failure.
fn compare_outside(call: &Call, setting: &Setting<'_>) -> Result<(), OracleError> {
    let options = setting.options;
    match &options.goal {
        Goal::Run { args }
            if options.demands.patterns.is_empty() && outside::is_comparable(setting) =>
        {
            outside::compare_program(call, args, setting)
        }
        _ => Ok(()),
    }
}

/// The test that fails; where it need not fail each time, again and again until one does.
fn find_test(
    calls: &[Call],
    filter: Option<&str>,
    setting: &Setting<'_>,
) -> Result<(Plan, Signature), OracleError> {
    let mut found = testing::find(calls.to_vec(), filter, setting);
    for _ in 1..setting.options.repeat.attempts() {
        if !matches!(found, Err(OracleError::NoFailure { .. })) {
            break;
        }
        found = testing::find(calls.to_vec(), filter, setting);
    }
    found
}

/// Replays a call with its check.
pub(super) fn replay(
    plan: Plan,
    expected: Option<Signature>,
    setting: &Setting<'_>,
) -> Result<Replayed, OracleError> {
    (setting.note)("replaying the compiler call");
    let may_do_without = plan.sandbox == SandboxMode::Default && !plan.check.executes();
    match replay::replay(plan.clone(), expected.clone(), setting) {
        // A compiler may be a script that writes where it likes, a macro may ask a server.
        Err(error @ (OracleError::NoFailure { .. } | OracleError::Unstable { .. }))
            if may_do_without =>
        {
            let plan = Plan {
                sandbox: SandboxMode::Off,
                ..plan
            };
            let found = replay::replay(plan, expected, setting).map_err(|_| error)?;
            (setting.note)("doing without a sandbox: the failure does not show in it");
            Ok(found)
        }
        found => found,
    }
}

/// The plan with the check that the goal asks for.
fn with_check(plan: Plan, setting: &Setting<'_>) -> Result<Plan, OracleError> {
    let check = match &setting.options.goal {
        Goal::Ice | Goal::Test { .. } | Goal::TestHang { .. } => Check::Crash,
        Goal::Error(pattern) => Check::Diagnostic(Wanted::Error(pattern.clone())),
        Goal::Warning(lint) => {
            let check = Check::Diagnostic(Wanted::Lint(lint.clone()));
            return match lint.starts_with("clippy::") {
                true => commands::with_clippy(Plan { check, ..plan }, setting),
                false => Ok(Plan { check, ..plan }),
            };
        }
        Goal::Clippy => return commands::with_clippy(plan, setting),
        Goal::Run { args } => {
            Check::Run(Execution {
                // Without a pattern every program would be one.
                may_succeed: !setting.options.demands.patterns.is_empty(),
                ..execution(&plan, args.clone(), Harness::None, setting)
            })
        }
        Goal::Hang {
            of_program: true,
            args,
            seconds,
        } => Check::Run(Execution {
            hangs_after: Some(Duration::from_secs(*seconds)),
            ..execution(&plan, args.clone(), Harness::None, setting)
        }),
        Goal::Hang { seconds, .. } => bounds::hang(&plan, *seconds, setting)?,
        Goal::Memory { bytes } => bounds::memory(&plan, *bytes, setting)?,
        Goal::Slow { factor } => return bounds::slow(plan, *factor, setting),
        Goal::Miscompile { flags } => {
            let check = Check::Miscompile {
                execution: execution(&plan, vec![], Harness::None, setting),
                flags: flags.clone(),
            };
            // Else the two builds may be the same.
            let is_of_level = flags.iter().any(|flag| flag.contains("opt-level"));
            let plan = match is_of_level {
                true => plan.with_args(args::without(&plan.args, &args::optimisation(&plan.args))),
                false => plan,
            };
            return Ok(Plan { check, ..plan });
        }
        Goal::Any => what_fails(&plan, setting)?,
        // A package's calls are calls of rustdoc already.
        Goal::Rustdoc if plan.compiler.is_rustdoc() => Check::Crash,
        Goal::Rustdoc => return commands::documented(plan, &[], setting),
        Goal::Rustfmt => return commands::formatted(plan, &setting.user.cwd, setting),
        Goal::Script { path } => {
            let cwd = plan.root.parent().unwrap_or(&plan.cwd).to_owned();
            return commands::scripted(plan, path, cwd, setting);
        }
        Goal::Cargo { .. } => {
            return Err(OracleError::ToolMissing {
                what: setting.options.goal.describe(),
            });
        }
    };
    Ok(Plan { check, ..plan })
}

/// How the compiled program is run: in the package's directory, as cargo does.
pub(super) fn execution(
    plan: &Plan,
    args: Vec<String>,
    harness: Harness,
    setting: &Setting<'_>,
) -> Execution {
    let dir = package_dir(&plan.env, &plan.tree.join(&plan.cwd));
    let cwd = dir.strip_prefix(&plan.tree).map(Utf8PathBuf::from);
    let libraries = plan.compiler.libraries();
    let named = &setting.options.env;
    Execution {
        args,
        harness,
        env: environment::of_program(&plan.env, &setting.user.vars, named, libraries.as_str()),
        cwd: cwd.unwrap_or_default(),
        hangs_after: None,
        may_succeed: false,
        links_dynamically: false,
    }
}

/// A crash if there is one, else the first error.
fn what_fails(plan: &Plan, setting: &Setting<'_>) -> Result<Check, OracleError> {
    let mut worker = setting.worker(plan)?;
    let (seen, _) = worker.observe(plan, &Sources::new(), setting.cancel)?;
    setting.count(1);
    let error = seen.errors.first().filter(|_| seen.crashes.is_empty());
    let pattern = error.and_then(|error| match error.parse::<Pattern>() {
        Ok(code) if code.is_code() => Some(code),
        _ => {
            let said = error.split('`').next().unwrap_or_default();
            regex::escape(said).parse().ok()
        }
    });
    Ok(pattern.map_or(Check::Crash, |pattern| {
        Check::Diagnostic(Wanted::Error(pattern))
    }))
}
