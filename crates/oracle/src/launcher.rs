//! A launcher: a command such as `srun` that starts another command on a machine of a cluster. It is put before our own
//! executable, which runs one process of a query there (docs/decisions/other-machines.md).
//!
//! - `task`: the task of the process that the launcher starts, and its report.
//! - [`launched`]: the process itself.

pub mod launched;
mod task;

use crate::error::OracleError;
use crate::system::files;
use crate::system::process::{Bounds, Decides, Ending, Invocation, Outcome, run_attended};
use crate::text::shell::line_of;
use crate::worker::{Execute, Executor, Order};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use task::{Report, Task, TaskFiles};

/// The name of the directory of tasks, beside a worker's tree.
const DIRECTORY: &str = "launched";
/// The name of our executable where the launcher starts it.
const EXECUTABLE: &str = "cargo-reduce";

/// The time that a launcher may need in addition to its process: it may have to wait until a machine is free.
const PATIENCE: Duration = Duration::from_secs(600);
/// The time that a shared file system may take to show a report that has been written.
const VISIBLE_WITHIN: Duration = Duration::from_secs(3);
/// The pause between two looks for a report.
const MOMENT: Duration = Duration::from_millis(20);
/// The number of times that the launcher is called for a process that it does not start.
const ATTEMPTS: u32 = 3;
/// The number of processes in a row that the launcher may fail to start before it is left alone for a while.
const MOST_IN_A_ROW: u32 = 5;
/// The time for which the launcher is left alone.
const REST: Duration = Duration::from_secs(60);

/// A launcher, which has each process of a query started by a command.
#[derive(Debug)]
pub struct Launcher {
    words: Vec<String>,
    env: BTreeMap<String, String>,
    executable: Utf8PathBuf,
    last: AtomicU64,
    state: Mutex<State>,
}

/// The state of a launcher: how often it has failed lately, and until when it is left alone.
#[derive(Debug, Default)]
struct State {
    /// The number of processes in a row that were started on this machine instead, or had no outcome.
    failed: u32,
    rests_until: Option<Instant>,
    notice: Notice,
}

/// The reason why the launcher has brought no outcome of a process.
enum Failed {
    /// The launcher did not start the process, and will not do so later.
    Nothing(String),
    /// The process may have been started, and nobody knows how far it came.
    Midway(String),
    /// Our own surroundings failed.
    Here(OracleError),
}

impl From<OracleError> for Failed {
    fn from(error: OracleError) -> Self {
        Self::Here(error)
    }
}

/// The notice to the user that the launcher fails: none yet, one to be told, or one that was told.
#[derive(Debug, Default)]
enum Notice {
    #[default]
    None,
    Wanted(String),
    Taken,
}

impl Launcher {
    /// Makes an executor that puts these words before each call, the first of which is a program. `env` is the
    /// launcher's own environment, and `executable` is ours, of which there is a copy in `scratch` from now on: both
    /// sides see that directory.
    ///
    /// # Errors
    /// [`OracleError::Io`] where it cannot be copied.
    pub fn executor(
        words: Vec<String>,
        env: BTreeMap<String, String>,
        executable: &Utf8Path,
        scratch: &Utf8Path,
    ) -> Result<Executor, OracleError> {
        let copy = scratch.join(DIRECTORY).join(EXECUTABLE);
        files::make_dir(copy.parent().unwrap_or(scratch))?;
        // The same file by another name is as good, and costs nothing.
        if std::fs::hard_link(executable, &copy).is_err() {
            files::copy(executable, &copy)?;
        }
        Ok(Executor::new(Self {
            words,
            env,
            executable: copy,
            last: AtomicU64::new(0),
            state: Mutex::default(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rests(&self) -> bool {
        let rests_until = self.state().rests_until;
        rests_until.is_some_and(|until| Instant::now() < until)
    }

    /// Runs a process by the launcher: writes its task, calls the launcher, and reads the report.
    fn launch(
        &self,
        order: &Order<'_>,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Outcome, Failed> {
        let files = self.write_task(order)?;
        let args = self.args(&files.task);
        let bounds = &order.invocation.bounds;
        let longest = bounds.deadline.unwrap_or_default().saturating_add(PATIENCE);
        let invocation = Invocation {
            program: Utf8Path::new(&self.words[0]),
            args: &args,
            env: &self.env,
            dir: directory(order),
            bounds: Bounds::of_time(longest, bounds.output_bytes),
            confinement: None,
        };
        let outcome = match run_attended(&invocation, cancel, decides) {
            Ok(launched) => self.outcome(launched, &files),
            Err(OracleError::Spawn {
                program, source, ..
            }) => Err(Failed::Nothing(format!(
                "failed to start `{program}`: {source}"
            ))),
            Err(error) => Err(error.into()),
        };
        files.remove()?;
        outcome
    }

    fn write_task(&self, order: &Order<'_>) -> Result<TaskFiles, OracleError> {
        // A new name each time: nothing of it is remembered by a shared file system.
        let number = self.last.fetch_add(1, Ordering::Relaxed);
        let files = TaskFiles::of(
            directory(order)
                .join(DIRECTORY)
                .join(format!("{number}.json")),
        );
        let task = serde_json::to_string(&Task::new(order, &self.executable));
        let task = task.map_err(|source| OracleError::Format {
            what: "a process that is to be run".to_owned(),
            source: source.into(),
        })?;
        files::write(&files.task, &task)?;
        Ok(files)
    }

    fn args(&self, task: &Utf8Path) -> Vec<String> {
        let own = [self.executable.as_str(), launched::FLAG, task.as_str()];
        let given = self.words.iter().skip(1).map(String::as_str);
        given.chain(own).map(str::to_owned).collect()
    }

    /// Returns the outcome of a task, from the launcher's own ending and what was reported. Nothing of the task is at
    /// work then in the worker's directory.
    fn outcome(&self, launched: Outcome, files: &TaskFiles) -> Result<Outcome, Failed> {
        let is_begun = !files.revoke();
        let report = is_begun.then(|| report_of(files)).flatten();
        let line = self.line();
        match (launched.ending, report) {
            (Ending::Cancelled, _) => Ok(launched),
            (Ending::Decided, Some(Report::Ran(outcome))) => Ok(Outcome {
                ending: Ending::Decided,
                ..outcome
            }),
            (Ending::Decided, _) => Ok(launched),
            (_, Some(Report::Ran(outcome))) if outcome.ending != Ending::Cancelled => Ok(outcome),
            (ending, Some(Report::Ran(_))) if ending != Ending::TimedOut => {
                let reason = format!("`{line}` does not keep standard input open");
                Err(Failed::Midway(reason))
            }
            (_, Some(Report::Refused(reason))) => {
                let reason = format!("where `{line}` has it run, {reason}");
                Err(Failed::Nothing(reason))
            }
            _ if is_begun => Err(Failed::Midway(self.without_report(&launched))),
            _ => Err(Failed::Nothing(self.without_report(&launched))),
        }
    }

    fn without_report(&self, launched: &Outcome) -> String {
        let line = self.line();
        if launched.ending == Ending::TimedOut {
            // Nobody should wait for that again soon.
            self.state().rests_until = Some(Instant::now() + REST);
            let waited = launched.wall.as_secs();
            return format!("`{line}` had not ended after {waited} s");
        }
        let said = launched.stderr.trim_end().lines().next_back();
        let said = said.map(|line| format!(": {line}")).unwrap_or_default();
        let ending = launched.ending;
        format!("`{line}` ended without an outcome ({ending}){said}")
    }

    fn line(&self) -> String {
        line_of(&self.words)
    }
}

impl Execute for Launcher {
    fn run_until(
        &self,
        order: &Order<'_>,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Outcome, OracleError> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            if self.rests() {
                break;
            }
            match self.launch(order, cancel, decides) {
                Ok(outcome) => {
                    self.state().failed = 0;
                    return Ok(outcome);
                }
                Err(Failed::Nothing(reason)) => last = Some(reason),
                Err(Failed::Midway(reason)) => return Err(OracleError::Lost { reason }),
                Err(Failed::Here(error)) => return Err(error),
            }
        }
        // Nothing was begun that could be in the way.
        if let Some(reason) = last {
            self.note_asked_here(&reason);
        }
        order.run_here(cancel, decides)
    }

    fn note_asked_here(&self, reason: &str) {
        let mut state = self.state();
        state.failed += 1;
        if state.failed >= MOST_IN_A_ROW {
            state.rests_until = Some(Instant::now() + REST);
        }
        if matches!(state.notice, Notice::None) {
            state.notice = Notice::Wanted(reason.to_owned());
        }
    }

    fn take_notice(&self) -> Option<String> {
        let mut state = self.state();
        if !matches!(state.notice, Notice::Wanted(_)) {
            return None;
        }
        match std::mem::replace(&mut state.notice, Notice::Taken) {
            Notice::Wanted(reason) => Some(format!(
                "queries that the launcher does not answer are asked on this machine: {reason}"
            )),
            Notice::None | Notice::Taken => None,
        }
    }
}

/// Returns the directory of the worker.
fn directory<'o>(order: &Order<'o>) -> &'o Utf8Path {
    order.tree.parent().unwrap_or(order.tree)
}

/// Returns the report, once it can be seen. Whoever has begun the task reports even if it is told to end. Without a
/// report, the process may still be at work in the worker's directory, until it sees that its input has ended.
fn report_of(files: &TaskFiles) -> Option<Report> {
    let until = Instant::now() + VISIBLE_WITHIN;
    loop {
        let report = files.read_report();
        if report.is_some() || Instant::now() > until {
            return report;
        }
        std::thread::sleep(MOMENT);
    }
}

#[cfg(test)]
mod tests;
