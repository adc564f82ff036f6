//! The process that a launcher starts, on whatever machine: our own executable, which runs one process of a query as a
//! worker would run it here. It makes the sandbox where it is, limits and measures the process, and reports. It ends
//! all that it has started when its standard input ends.

use super::task::{Report, Task, TaskFiles};
use crate::error::OracleError;
use crate::system::files;
use crate::system::keeper;
use crate::system::process::{Bounds, Invocation, Outcome, most_processes, run_until};
use crate::worker::Rights;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use reduce_platform::processes::{become_leader, print_at_once};
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The first argument that makes a process of ours one that a launcher starts. The second argument is the file of its
/// task.
pub(super) const FLAG: &str = "--launched-task";

/// The time that a shared file system may take to show what was written elsewhere.
const VISIBLE_WITHIN: Duration = Duration::from_secs(2);
/// The pause between two looks for a file.
const MOMENT: Duration = Duration::from_millis(20);
/// The time that the process has to end once its standard input has ended.
const LAST_MOMENTS: Duration = Duration::from_secs(5);
/// The number of bytes that can be written at once to a pipe that is ready.
const PIPE_BYTES: usize = 4096;

/// Whether the arguments say that this process was started by a launcher.
#[must_use]
pub fn is_requested(mut args: impl Iterator<Item = OsString>) -> bool {
    args.nth(1).as_deref() == Some(OsStr::new(FLAG))
}

/// Runs the task that the arguments name. To be called first thing in `main` where [`is_requested`].
#[must_use]
pub fn main(mut args: impl Iterator<Item = OsString>) -> ExitCode {
    let file = args.nth(2).and_then(|file| file.into_string().ok());
    let Some(file) = file.map(Utf8PathBuf::from) else {
        return ExitCode::from(2);
    };
    match run(&TaskFiles::of(file)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            LiveLines::default().pass(&format!("error: {}", with_causes(&error)));
            ExitCode::FAILURE
        }
    }
}

fn run(own: &TaskFiles) -> Result<(), OracleError> {
    // The launcher's group may be of another process namespace, in which it has no number.
    become_leader();
    begin(own)?;
    let task = read_task(&own.begun)?;
    let failed = || OracleError::io("watch the input that comes with", &own.task);
    let cancel = Cancel::new().map_err(failed())?;
    end_with_input(&cancel).map_err(failed())?;
    // It ends what is left of this process if that is killed.
    keeper::start(&task.executable);
    let report = match missing(&task, &cancel) {
        Some(path) => Report::Refused(format!("`{path}` is not there, or is another one")),
        None => match run_task(&task, &cancel) {
            Ok(outcome) => Report::Ran(outcome),
            Err(error) => Report::Refused(with_causes(&error)),
        },
    };
    write_report(&own.report, &report)
}

/// Begins the task, whose file may take a moment to be seen here.
fn begin(own: &TaskFiles) -> Result<(), OracleError> {
    let until = Instant::now() + VISIBLE_WITHIN;
    loop {
        match own.begin() {
            Err(_) if Instant::now() <= until => std::thread::sleep(MOMENT),
            begun => return begun.map_err(OracleError::io("begin the task in", &own.task)),
        }
    }
}

fn read_task(path: &Utf8Path) -> Result<Task, OracleError> {
    let text = std::fs::read(path).map_err(OracleError::io("read", path))?;
    serde_json::from_slice(&text).map_err(|source| OracleError::Format {
        what: format!("the task in `{path}`"),
        source: source.into(),
    })
}

/// Cancels once standard input ends: nobody wants the answer any more.
fn end_with_input(cancel: &Cancel) -> std::io::Result<()> {
    let cancel = cancel.clone();
    let wait = move || {
        let mut input = std::io::stdin();
        let mut nothing = [0; 64];
        while matches!(input.read(&mut nothing), Ok(1..)) {}
        cancel.cancel();
        std::thread::sleep(LAST_MOMENTS);
        end();
    };
    std::thread::Builder::new().spawn(wait).map(drop)
}

/// Ends this process, which hangs, and has been asked to end. The keeper ends what it has started.
#[expect(
    clippy::disallowed_methods,
    reason = "nobody is left who would decide how this process ends"
)]
fn end() {
    std::process::exit(1);
}

/// Returns the first path that is not as the task expects, once a shared file system has had time to show it.
fn missing<'t>(task: &'t Task, cancel: &Cancel) -> Option<&'t Utf8Path> {
    let until = Instant::now() + VISIBLE_WITHIN;
    loop {
        let missing = task.expected.iter().find(|(path, what)| !what.is_at(path));
        let (path, _) = missing?;
        if Instant::now() > until || cancel.is_cancelled() {
            return Some(path);
        }
        std::thread::sleep(MOMENT);
    }
}

fn run_task(task: &Task, cancel: &Cancel) -> Result<Outcome, OracleError> {
    let rights = Rights::new(task.mode, task.sort, task.places.clone());
    let invocation = Invocation {
        program: &task.program,
        args: &task.args,
        env: &task.env,
        dir: &task.dir,
        bounds: Bounds {
            // Those of the user that run here are others.
            processes: most_processes(),
            ..task.bounds.clone()
        },
        confinement: rights.confinement()?,
    };
    let mut lines = LiveLines::default();
    run_until(&invocation, cancel, &mut |line| {
        lines.pass(line);
        false
    })
}

/// Writes a report, which is whole once it has its name.
fn write_report(path: &Utf8Path, report: &Report) -> Result<(), OracleError> {
    let text = serde_json::to_string(report).map_err(|source| OracleError::Format {
        what: "the outcome of a process".to_owned(),
        source: source.into(),
    })?;
    files::replace(path, &text)
}

/// Returns an error with its causes, on one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    let causes = causes.map(|cause| format!(": {cause}"));
    std::iter::once(error.to_string()).chain(causes).collect()
}

/// The lines that the compiler prints, passed on as they come, so that the query can be ended at the first line that
/// decides. The report has all lines: those that nobody reads in time are not passed on.
#[derive(Default)]
struct LiveLines {
    is_over: bool,
}

impl LiveLines {
    fn pass(&mut self, line: &str) {
        let line = format!("{line}\n");
        for piece in line.as_bytes().chunks(PIPE_BYTES) {
            self.is_over = self.is_over || !print_at_once(piece);
        }
    }
}
