//! `--cargo`: a cargo command fails, with whatever cargo says of the failure first.
//!
//! Each candidate is a whole workspace, in which the command is run, as cargo decides itself what it compiles. Each worker
//! has a copy of what is compiled already.

use super::failure::{Failure, Package, checked};
use crate::check::{AnyCheck, Bench, Check, CommandCall, Seen, Started, Starts, form};
use crate::check::{cargo_output, command, target_dir};
use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::context::{cargo_home, environment};
use crate::search::failure_info::{CHECK, DirectoryWord, FailureInfo};
use crate::search::workspace::{configuration, wrappers};
use crate::signature::{CrashKind, Signature};
use crate::system::files;
use crate::system::snapshot::{Snapshot, all_files};
use crate::text::paths::relocate;
use crate::text::shell::line_of;
use camino::{Utf8Path, Utf8PathBuf};

/// The file in which cargo notes the versions.
const LOCK_FILE: &str = "Cargo.lock";

/// A cargo command that fails.
pub(super) struct FailingCommand<'a> {
    /// The subcommand and its arguments.
    pub(super) args: &'a [String],
}

impl Failure for FailingCommand<'_> {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            executes: true,
            needs_package: true,
            one_target_for: Some("--cargo"),
            directory: DirectoryWord::incomplete(format!("cargo-{}", self.args.join("-"))),
            verbs: CHECK,
            needs_no_call: true,
            ..FailureInfo::of(format!("a failure of `cargo {}`", self.args.join(" ")))
        }
    }

    /// Refuses a single file, which has no manifest.
    fn plan(&self, _: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        Err(OracleError::ToolMissing {
            what: context.wanted.words.clone(),
        })
    }

    /// Runs the command once as the user would, which compiles what does not change, and says which target fails; then makes
    /// the plan.
    fn plan_of_package(
        &self,
        package: &Package<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Option<Plan>, OracleError> {
        let (workspace, snapshot) = (package.workspace, package.snapshot);
        let outer = configuration::outer_files(snapshot, context);
        let home = cargo_home::for_candidates(&outer, context)?;
        // Without a pattern every command would be a failure.
        let may_succeed = !context.options.demands.patterns.is_empty();
        // A command such as `cargo fix` changes the sources.
        let aside = snapshot.copied_to(Utf8PathBuf::from(format!("{}-command", snapshot.tree)))?;
        let ran = workspace.run_as_typed(self.args, may_succeed, home.as_ref(), &aside, context)?;
        keep_lock_files(&aside, snapshot)?;
        files::remove_all(&aside.tree)?;
        let cwd = ran.directory.strip_prefix(&aside.tree);
        let output = relocate(&ran.output, &aside.tree, snapshot.tree.as_str());
        let plan = package.plan(self.args, &output, context)?;
        let user = environment::of_cargo(&context.user.vars, &context.toolchain);
        let mut env = environment::of_command(&user, &context.options.env);
        // All that the command needs is here now.
        env.insert("CARGO_NET_OFFLINE".to_owned(), "true".to_owned());
        let cargo = context.toolchain.compiler.call_of("cargo");
        let call = CommandCall {
            program: ran.program,
            args: ran.args,
            env,
            cwd: cwd.map(Utf8Path::to_owned).unwrap_or_default(),
            meaning: "failure-is-interesting",
            shown: format!("{cargo} {}", line_of(self.args)),
            identity: None,
            builds: Some(ran.builds),
            reads: vec![],
        };
        let wrappers = wrappers::in_copy(wrappers::of_user(context), snapshot);
        let call = wrappers::with_wrappers(call, &wrappers, context);
        let check = Fails {
            call: cargo_home::with_home(call, home),
            may_succeed,
        };
        Ok(Some(checked(plan.run_by_command(), check)))
    }
}

/// Takes the lock files over that a command has written: candidates are compiled with the same versions.
fn keep_lock_files(from: &Snapshot, to: &Snapshot) -> Result<(), OracleError> {
    let written = all_files(&from.tree, &from.tree)?.into_iter();
    for lock in written.filter(|path| path.file_name() == Some(LOCK_FILE)) {
        let (from, to) = (from.tree.join(&lock), to.tree.join(&lock));
        std::fs::copy(&from, &to).map_err(OracleError::io("copy", &from))?;
    }
    Ok(())
}

/// The command is run in the candidate's directory, and fails: status, signal, panic, and what the compiler
/// says.
#[derive(Debug, Clone)]
pub(super) struct Fails {
    /// The command that is run.
    pub(super) call: CommandCall,
    /// Whether status 0 is a failure too, as what is printed is looked at.
    pub(super) may_succeed: bool,
}

impl Check for Fails {
    fn run(&self, bench: &mut dyn Bench, _: &[String]) -> Result<Seen, OracleError> {
        let target = bench.target_dir();
        let is_new = files::entries(&target)?.is_empty();
        if let Some(builds) = self.call.builds.as_ref().filter(|_| is_new) {
            target_dir::begin_with(builds, &target)?;
        }
        let outcome = command::run(&self.call, bench)?;
        let failure = cargo_output::failure(&outcome, bench.tree().as_str(), self.may_succeed);
        Ok(command::seen(outcome, failure))
    }

    fn form(&self) -> String {
        form(&["command"], &self.call)
    }

    fn starts(&self) -> Starts<'_> {
        Starts::Command(&self.call)
    }

    fn adapted(&self, change: &mut dyn FnMut(Started<'_>)) -> Option<AnyCheck> {
        Some(AnyCheck::new(Self {
            call: command::changed(&self.call, change),
            ..*self
        }))
    }

    fn typed(&self, _: &str, _: bool) -> Option<String> {
        Some(self.call.shown.clone())
    }

    /// Returns false for a command that succeeds: what is printed decides there, and a compiler has something to say of what
    /// would end a loop.
    fn runs_loops(&self, signature: &Signature) -> bool {
        !signature.is_of_compiler() && signature.kind != CrashKind::ExitStatus(0)
    }
}
