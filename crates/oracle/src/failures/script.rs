//! `--script`: a program of the user's says that a candidate is interesting, by ending with status 0, as the
//! interestingness tests of C-Reduce do.
//!
//! The files of a candidate are all that is known of it: the compiler is not asked which these are, as the program
//! need not compile.

use super::failure::{Failure, Package, checked};
use crate::cargo_config::Wrappers;
use crate::check::command;
use crate::check::{AnyCheck, Bench, Check, CommandCall, Seen, Started, Starts, form};
use crate::error::OracleError;
use crate::plan::{Plan, Sources};
use crate::search::context::BaselineContext;
use crate::search::context::{cargo_home, environment};
use crate::search::failure_info::{CHECK, DirectoryWord, FailureInfo, Given};
use crate::search::workspace::{configuration, wrappers};
use crate::signature::{CrashKind, Signature};
use crate::system::process::Ending;
use crate::text::output::tail;
use crate::text::shell::quoted;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::files::is_executable;

/// The shell that runs scripts which do not name their interpreter.
const SHELL: &str = "/bin/sh";

/// A program that a script takes for interesting.
pub(super) struct Interesting<'a> {
    /// The script's path, absolute.
    pub(super) path: &'a Utf8Path,
}

impl Failure for Interesting<'_> {
    fn info(&self) -> FailureInfo {
        let path = self.path;
        FailureInfo {
            executes: true,
            one_target_for: Some("--script"),
            directory: DirectoryWord::incomplete("script"),
            given: Some(Given::Path("the script", path.to_owned())),
            verbs: CHECK,
            needs_no_call: true,
            ..FailureInfo::of(format!("that `{path}` ends with status 0"))
        }
    }

    /// Makes the plan that runs the script on each candidate. A script for a single file runs beside it.
    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        let cwd = plan.call.root.parent().unwrap_or(&plan.call.cwd).to_owned();
        let around = (vec![], wrappers::of_user(context));
        self.in_directory(plan, cwd, around, context)
    }

    fn plan_of_package(
        &self,
        package: &Package<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Option<Plan>, OracleError> {
        let plan = package.plan(&[], "", context)?;
        let directory = plan.call.cwd.clone();
        let wrappers = wrappers::in_copy(wrappers::of_user(context), package.snapshot);
        let around = (
            configuration::outer_files(package.snapshot, context),
            wrappers,
        );
        self.in_directory(plan, directory, around, context)
            .map(Some)
    }
}

impl Interesting<'_> {
    /// Makes the plan with the script, which runs in `cwd`, relative to the tree, and gets the name of the file.
    /// `outer` are configuration files that cargo would find above the original alone, `wrappers` those that it would
    /// call.
    fn in_directory(
        &self,
        plan: Plan,
        cwd: Utf8PathBuf,
        (outer, wrappers): (Vec<Utf8PathBuf>, Wrappers),
        context: &BaselineContext<'_>,
    ) -> Result<Plan, OracleError> {
        let script = Script::read(self.path)?;
        let file = plan.call.root.strip_prefix(&cwd).unwrap_or(&plan.call.root);
        let call = CommandCall {
            program: script.program,
            args: [script.args, vec![file.to_string()]].concat(),
            env: environment::of_command(&context.user.vars, &context.options.env),
            cwd,
            meaning: "success-is-interesting",
            shown: script.shown,
            identity: Some(script.digest),
            builds: None,
            reads: vec![],
        };
        let call = wrappers::with_wrappers(call, &wrappers, context);
        let call = cargo_home::with_home(call, cargo_home::for_candidates(&outer, context)?);
        let plan = checked(plan.run_by_command(), Succeeds(call));
        let (ending, output) = observe(&plan, context)?;
        match ending {
            Ending::Exited(0) | Ending::TimedOut => Ok(plan),
            _ => Err(OracleError::NotInteresting {
                command: plan.command(&plan.call.root),
                status: ending.to_string(),
                output: tail(&output),
            }),
        }
    }
}

/// Runs the script on the program as it is; returns how it ends, and what it prints.
fn observe(plan: &Plan, context: &BaselineContext<'_>) -> Result<(Ending, String), OracleError> {
    let mut worker = context.worker(plan)?;
    let (seen, shown) = context.reminding("the command", || {
        worker.observe(plan, &Sources::new(), context.cancel)
    })?;
    context.count(1);
    match seen.ending {
        Ending::Cancelled => Err(OracleError::Cancelled),
        Ending::TimedOut if plan.run_policy.limits.deadline.is_none() => {
            let (command, after) = (
                plan.command(&plan.call.root),
                plan.run_policy.limits.longest,
            );
            Err(context.never_ends(command, after, &shown.printed(), None))
        }
        ending => Ok((ending, shown.stderr)),
    }
}

/// The script is run in the candidate's directory, and ends with status 0.
#[derive(Debug, Clone)]
pub(super) struct Succeeds(pub(super) CommandCall);

impl Check for Succeeds {
    fn run(&self, bench: &mut dyn Bench, _: &[String]) -> Result<Seen, OracleError> {
        let outcome = command::run(&self.0, bench)?;
        let is_interesting = outcome.ending == Ending::Exited(0);
        let failure = is_interesting.then(|| Signature::of_kind(CrashKind::Script, ""));
        Ok(command::seen(outcome, failure))
    }

    fn form(&self) -> String {
        form(&["command"], &self.0)
    }

    fn starts(&self) -> Starts<'_> {
        Starts::Command(&self.0)
    }

    fn adapted(&self, change: &mut dyn FnMut(Started<'_>)) -> Option<AnyCheck> {
        Some(AnyCheck::new(Self(command::changed(&self.0, change))))
    }

    fn typed(&self, file: &str, _: bool) -> Option<String> {
        Some(format!("{} {file}", self.0.shown))
    }

    fn asks_for_success(&self) -> bool {
        true
    }
}

/// The command that starts a script.
struct Script {
    program: Utf8PathBuf,
    args: Vec<String>,
    shown: String,
    digest: [u8; 32],
}

impl Script {
    fn read(path: &Utf8Path) -> Result<Self, OracleError> {
        let unusable = |reason| OracleError::ScriptUnusable {
            path: path.to_owned(),
            reason,
        };
        let metadata = path
            .metadata()
            .map_err(|_| unusable("there is no such file"))?;
        if !metadata.is_file() {
            return Err(unusable("it is not a file"));
        }
        if !is_executable(&metadata) {
            return Err(unusable("it is not executable"));
        }
        let bytes = std::fs::read(path).map_err(|_| unusable("it cannot be read"))?;
        let digest = *blake3::hash(&bytes).as_bytes();
        let says_what_runs_it = bytes.starts_with(b"#!") || bytes.starts_with(b"\x7fELF");
        let (path, shown) = (path.to_owned(), quoted(path.as_str()));
        Ok(match says_what_runs_it {
            true => Self {
                program: path,
                args: vec![],
                shown,
                digest,
            },
            // As a shell does when it is told to run it.
            false => Self {
                program: SHELL.into(),
                args: vec![path.into_string()],
                shown: format!("sh {shown}"),
                digest,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn script(bytes: &[u8], mode: u32) -> Result<Script, OracleError> {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().join("my test.sh")).unwrap();
        std::fs::write(&path, bytes).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        Script::read(&path)
    }

    #[test]
    fn a_script_says_what_runs_it_or_is_for_the_shell() {
        let direct = script(b"#!/bin/sh\ntrue\n", 0o755).unwrap();
        assert_eq!(direct.program.file_name(), Some("my test.sh"));
        assert!(direct.args.is_empty() && direct.shown.starts_with('\''));
        let plain = script(b"true\n", 0o755).unwrap();
        assert_eq!(plain.program, SHELL);
        assert_eq!(plain.args.len(), 1);
        assert!(plain.shown.starts_with("sh '"));
        assert_ne!(plain.digest, direct.digest);
    }

    #[test]
    fn a_script_that_cannot_be_run_is_an_error_that_says_why() {
        let error = |result: Result<Script, OracleError>| match result {
            Err(error) => error.to_string(),
            Ok(_) => panic!("it can be run"),
        };
        assert!(error(script(b"true", 0o644)).contains("not executable"));
        assert!(error(Script::read("/nowhere/at/all".into())).contains("no such file"));
        assert!(error(Script::read("/".into())).contains("not a file"));
    }
}
