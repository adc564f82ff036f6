//! `--rustfmt`: rustfmt crashes, or formats its own output otherwise.

use super::failure::{Failure, Package, checked};
use super::tool::Tool;
use crate::check::program::both;
use crate::check::{AnyCheck, Bench, Check, CommandCall, Seen, Started, Starts, form};
use crate::check::{command, layouts};
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::plan::{Plan, Sources};
use crate::search::context::BaselineContext;
use crate::search::context::configuration::with_file_near;
use crate::search::context::environment;
use crate::search::failure_info::{CHECK, DirectoryWord, FailureInfo};
use crate::signature::{CrashKind, Signature};
use crate::system::files;
use crate::system::process::{Ending, Outcome};
use crate::text::output::tail;
use camino::{Utf8Path, Utf8PathBuf};

/// The copy that is formatted, in the directory for output: the tree stays as it is.
const COPY: &str = "formatted";

/// The failure that rustfmt crashes, or formats its own output otherwise.
pub(super) struct RustfmtFault;

impl Failure for RustfmtFault {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            one_target_for: Some("--rustfmt"),
            directory: DirectoryWord::complete("rustfmt"),
            verbs: CHECK,
            needs_no_call: true,
            ..FailureInfo::of("a crash or unstable output of rustfmt")
        }
    }

    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        let call = call(&plan, context)?;
        let files = Tool::Rustfmt.configuration_files();
        let plan = with_file_near(plan, files, &context.user.cwd)?.run_by_command();
        let plan = checked(plan, Formats::twice(call.clone()));
        let mut worker = context.worker(&plan)?;
        let (seen, shown) = worker.observe(&plan, &Sources::new(), context.cancel)?;
        context.count(1);
        match seen.crashes.first().map(|failure| failure.kind) {
            Some(CrashKind::DifferentOutput) => Ok(plan),
            Some(_) => Ok(checked(plan, Formats::once(call))),
            None if seen.ending == Ending::Cancelled => Err(OracleError::Cancelled),
            None => Err(OracleError::NoFailure {
                wanted: context.wanted.words.clone(),
                command: plan.command(&plan.call.root),
                output: tail(&shown.stderr),
                compiles: seen.ending == Ending::Exited(0),
            }),
        }
    }

    fn plan_of_package(
        &self,
        package: &Package<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Option<Plan>, OracleError> {
        let mut plan = package.plan(&[], "", context)?;
        plan.inputs
            .files
            .retain(|path| path.extension() == Some("rs"));
        self.plan(plan, context).map(Some)
    }
}

/// Makes the call of rustfmt, of the same toolchain as the compiler.
fn call(plan: &Plan, context: &BaselineContext<'_>) -> Result<CommandCall, OracleError> {
    let compiler = &plan.call.compiler;
    let program = compiler.formatter().ok_or_else(|| {
        let place = compiler.path.with_file_name("rustfmt");
        OracleError::ToolMissing {
            what: format!("`rustfmt` beside the compiler, at `{place}`"),
        }
    })?;
    let args = ["--edition", &plan.call.edition, "--quiet"];
    Ok(CommandCall {
        program,
        args: args.map(str::to_owned).to_vec(),
        env: environment::of_command(&context.user.vars, &context.options.env),
        cwd: Utf8PathBuf::new(),
        meaning: "",
        shown: format!(
            "{} --edition {}",
            compiler.call_of("rustfmt"),
            plan.call.edition
        ),
        identity: None,
        builds: None,
        reads: vec![],
    })
}

/// The check that runs rustfmt on a copy of the candidate.
#[derive(Debug, Clone)]
pub(super) struct Formats {
    call: CommandCall,
    /// Whether rustfmt is run again, and must format its own output otherwise. One run is enough for a
    /// crash.
    is_run_again: bool,
}

impl Formats {
    pub(super) fn once(call: CommandCall) -> Self {
        let meaning = "formats";
        let call = CommandCall { meaning, ..call };
        Self {
            call,
            is_run_again: false,
        }
    }

    pub(super) fn twice(call: CommandCall) -> Self {
        let meaning = "formats-otherwise";
        let call = CommandCall { meaning, ..call };
        Self {
            call,
            is_run_again: true,
        }
    }

    /// Formats a copy in `dir`, and the result, if the first run ends.
    fn format(
        &self,
        bench: &mut dyn Bench,
        dir: &Utf8Path,
    ) -> Result<(Outcome, Vec<Signature>), OracleError> {
        let root = [bench.root().to_string()];
        let first = bench.call(&self.call, dir, &root)?;
        let crashes = Observation::of(&first).crashes;
        if !self.is_run_again || !has_ended(&first) {
            return Ok((first, crashes));
        }
        let once = layouts::texts(dir)?;
        let second = bench.call(&self.call, dir, &root)?;
        if !has_ended(&second) {
            let crashes = Observation::of(&second).crashes;
            return Ok((both(&first, second), crashes));
        }
        let again = layouts::texts(dir)?;
        let difference = layouts::difference(&once, &again);
        let difference = difference.or_else(|| refusal(&first, &second));
        let failure = difference.map(|how| Signature::of_kind(CrashKind::DifferentOutput, how));
        let outcome = Outcome {
            stdout: layouts::shown(&once, &again),
            ..both(&first, second)
        };
        Ok((outcome, failure.into_iter().collect()))
    }
}

impl Check for Formats {
    fn run(&self, bench: &mut dyn Bench, _: &[String]) -> Result<Seen, OracleError> {
        let dir = bench.out().join(COPY);
        copy(bench, &dir)?;
        let (outcome, failures) = self.format(bench, &dir)?;
        bench.clean_up()?;
        Ok(command::seen(outcome, failures))
    }

    fn form(&self) -> String {
        form(&["command"], &self.call)
    }

    fn starts(&self) -> Starts<'_> {
        Starts::Command(&self.call)
    }

    fn adapted(&self, change: &mut dyn FnMut(Started<'_>)) -> Option<AnyCheck> {
        let call = command::changed(&self.call, change);
        Some(AnyCheck::new(Self { call, ..*self }))
    }

    /// Returns the command that a person types. A file alone need not be changed to be formatted
    /// twice.
    fn typed(&self, file: &str, is_in_place: bool) -> Option<String> {
        let shown = &self.call.shown;
        Some(match (self.is_run_again, is_in_place) {
            (false, _) => format!("{shown} --check {file}"),
            (true, false) => format!("{shown} < {file} | {shown} --check"),
            (true, true) => format!("{shown} {file} && {shown} --check {file}"),
        })
    }
}

/// Copies the files that rustfmt may read.
fn copy(bench: &dyn Bench, dir: &Utf8Path) -> Result<(), OracleError> {
    files::make_empty(dir)?;
    for path in bench.files() {
        let from = bench.tree().join(path);
        if from.is_file() {
            files::copy(&from, &dir.join(path))?;
        }
    }
    Ok(())
}

/// Whether rustfmt came to an end. Status 1 means that a text was not understood, or a line too long.
fn has_ended(outcome: &Outcome) -> bool {
    matches!(outcome.ending, Ending::Exited(0 | 1))
}

/// Returns the message about a rustfmt that does not accept its own output.
fn refusal(first: &Outcome, second: &Outcome) -> Option<&'static str> {
    let is_refused = first.ending == Ending::Exited(0) && second.ending != Ending::Exited(0);
    is_refused.then_some("it does not take its own output")
}
