//! `--watch`: reduces, waits until the sources or the toolchain change, or a kept crash is kept anew, and reduces again.

mod kept;

use super::interrupt::Interrupts;
use crate::args::ReduceArgs;
use crate::context::Context;
use crate::display;
use crate::error::CommandError;
use crate::exit::ExitStatus;
use camino::{Utf8Path, Utf8PathBuf};
use kept::KeptAnew;
use reduce_engine::{ExistingOutput, FileWatch, ReductionRequest, watch_inputs};
use reduce_platform::signals::Asked;
use std::time::Duration;

/// How often it is asked whether something has changed. What happens is told by the system and only
/// collected here.
const INTERVAL: Duration = Duration::from_millis(100);
/// The largest number of changed files that a message names.
const MOST_NAMED: usize = 3;

/// Reduces again whenever the input has changed (`--watch`), until a signal asks for the end. The last reduction decides
/// how the process ends.
pub(crate) async fn run(
    args: &ReduceArgs,
    mut request: ReductionRequest,
    workspace: &Utf8Path,
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    let mut interrupts = Interrupts::new(asked(args))?;
    let mut kept = KeptAnew::of(&request, context)?;
    let say = |verb, message: &str| display::say(args.display.message_format, verb, message);
    loop {
        // Before the reduction reads them: what changes meanwhile is not lost.
        let mut files = watch_inputs(&request, workspace)?;
        let status = super::run::run(args, request.clone(), None, context).await?;
        if !is_worth_waiting(status) {
            return Ok(status);
        }
        if matches!(status, ExitStatus::Reduced | ExitStatus::Changed) {
            // The result that is there now is ours.
            request.existing_output = ExistingOutput::Replace;
        }
        if status == ExitStatus::Changed {
            // The input that failed may not be among the files that are watched.
            continue;
        }
        say("Watching", watched(kept.as_ref()));
        match next_change(&mut files, kept.as_mut(), &mut interrupts).await {
            Next::Files(changed) => say("Changed", &named(&changed, workspace)),
            Next::Kept(number) => {
                say("Kept", &format!("the same crash as #{number}"));
                if let Some(kept) = &kept {
                    request.input = kept.input(number, &request.input);
                }
            }
            Next::Signal => return Ok(status),
        }
    }
}

/// Returns the signals to wait for between reductions, which are the same ones as while one is under way: a client of the
/// daemon may be killed otherwise.
fn asked(args: &ReduceArgs) -> Asked {
    match args.run.runs_here() {
        true => Asked::All,
        false => Asked::Interrupt,
    }
}

/// Returns whether a reduction that ended in this way may end differently once the program or the compiler has changed.
fn is_worth_waiting(status: ExitStatus) -> bool {
    matches!(
        status,
        ExitStatus::Reduced
            | ExitStatus::BadInput
            | ExitStatus::NoCrash
            | ExitStatus::UnstableCrash
            | ExitStatus::CompilerMissing
            | ExitStatus::Changed
    )
}

/// Names the change that is waited for, for people.
fn watched(kept: Option<&KeptAnew>) -> &'static str {
    match kept {
        None => "the sources and the toolchain; Ctrl-C ends",
        Some(_) => "the kept crashes and the toolchain; Ctrl-C ends",
    }
}

/// The event for which `--watch` begins the next reduction, or ends.
enum Next {
    /// The files that have changed.
    Files(Vec<Utf8PathBuf>),
    /// The crash that is reduced was kept again, as this number.
    Kept(u64),
    Signal,
}

async fn next_change(
    files: &mut FileWatch,
    mut kept: Option<&mut KeptAnew>,
    interrupts: &mut Interrupts,
) -> Next {
    loop {
        if let Some(number) = kept.as_mut().and_then(|kept| kept.next()) {
            return Next::Kept(number);
        }
        let changed = files.changed();
        if !changed.is_empty() {
            return Next::Files(changed);
        }
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = interrupts.next() => return Next::Signal,
        }
    }
}

/// Names the first few changed files, and the number of the others.
fn named(changed: &[Utf8PathBuf], workspace: &Utf8Path) -> String {
    let short = |path: &Utf8PathBuf| {
        let inner = path.strip_prefix(workspace).unwrap_or(path);
        format!("`{inner}`")
    };
    let names: Vec<String> = changed.iter().take(MOST_NAMED).map(short).collect();
    let names = names.join(", ");
    match changed.len().saturating_sub(MOST_NAMED) {
        0 => names,
        others => format!("{names} and {others} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(changed: &[&str], expected: &str) {
        let changed: Vec<Utf8PathBuf> = changed.iter().map(Utf8PathBuf::from).collect();
        assert_eq!(named(&changed, "/ws".into()), expected);
    }

    #[test]
    fn changed_files_are_named_as_the_user_knows_them() {
        check(&["/ws/src/lib.rs"], "`src/lib.rs`");
        check(&["/other/rustc", "/ws/a.rs"], "`/other/rustc`, `a.rs`");
    }

    #[test]
    fn many_changed_files_are_counted() {
        let many = ["/ws/a", "/ws/b", "/ws/c", "/ws/d", "/ws/e"];
        check(&many, "`a`, `b`, `c` and 2 more");
    }

    #[test]
    fn what_no_change_can_mend_is_not_waited_for() {
        for status in [ExitStatus::NoCrash, ExitStatus::Changed] {
            assert!(is_worth_waiting(status), "{status:?}");
        }
        for status in [
            ExitStatus::OutputExists,
            ExitStatus::Stopped,
            ExitStatus::Daemon,
        ] {
            assert!(!is_worth_waiting(status), "{status:?}");
        }
    }
}
