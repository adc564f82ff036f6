//! Looks at many files, several at a time. Each is kept as soon as it is done.

use super::directory::TriageDirectory;
use crate::command::interrupt::Interrupts;
use crate::display::Display;
use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_daemon::{LocalSite, ThreadSite};
use reduce_engine::{
    Cancel, Event, Failure, FailureKind, FileInput, Look, Looker, PropertyOptions, look,
};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;

/// The time between two updates of the clock in the progress line.
const TICK: Duration = Duration::from_millis(100);
/// The number of times that progress is told.
const TOLD: usize = 20;

/// A file that is to be looked at.
#[derive(Debug, Clone)]
pub(super) struct LookTask {
    /// The key under which the look is kept.
    pub(super) key: String,
    pub(super) file: FileInput,
    pub(super) looker: Arc<Looker>,
}

/// The looks by their keys, or why there could be none.
pub(super) type Looks = BTreeMap<String, Result<Look, String>>;

/// The work that the threads share.
struct Work {
    waiting: Mutex<VecDeque<LookTask>>,
    property: PropertyOptions,
    cancel: Cancel,
}

type Done = (String, Result<Look, Failure>);

/// Looks at files with so many threads, and keeps what was seen. `None` where the user has stopped it.
///
/// # Errors
/// Where threads cannot be started, or a look cannot be kept.
pub(super) async fn run(
    tasks: Vec<LookTask>,
    (property, jobs): (PropertyOptions, usize),
    site: &LocalSite,
    directory: &TriageDirectory,
    (display, interrupts): (&mut Display, &mut Interrupts),
) -> Result<Option<Looks>, CommandError> {
    let environment = |error| CommandError::new(ExitStatus::Environment, error);
    let cancel = Cancel::new().map_err(environment)?;
    let n_tasks = tasks.len();
    let work = Arc::new(Work {
        waiting: Mutex::new(tasks.into()),
        property,
        cancel: cancel.clone(),
    });
    let (sender, mut receiver) = mpsc::unbounded_channel();
    for number in 0..jobs.min(n_tasks) {
        let own = site.of_thread(&format!("look-{number}"))?;
        let (work, sender) = (Arc::clone(&work), sender.clone());
        let thread = reduce_engine::thread("look");
        let run = move || look_at_all(&work, &own, &sender);
        thread.spawn(run).map_err(environment)?;
    }
    drop(sender);
    let mut looks = Looks::new();
    let mut ticks = tokio::time::interval(TICK);
    loop {
        let done: Option<Done> = tokio::select! {
            done = receiver.recv() => done,
            _ = ticks.tick() => {
                display.tick();
                continue;
            }
            () = interrupts.next() => {
                cancel.cancel();
                continue;
            }
        };
        let Some((key, seen)) = done else { break };
        match seen {
            Ok(look) => {
                directory.keep_look(&key, &look)?;
                looks.insert(key, Ok(look));
            }
            Err(failure) if failure.kind == FailureKind::Cancelled => {}
            Err(failure) => {
                looks.insert(key, Err(words(&failure)));
            }
        }
        tell(display, looks.len(), n_tasks);
    }
    Ok((!cancel.is_cancelled()).then_some(looks))
}

fn look_at_all(work: &Work, own: &ThreadSite, sender: &mpsc::UnboundedSender<Done>) {
    while !work.cancel.is_cancelled() {
        let next = work
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front();
        let Some(task) = next else { return };
        let seen = look(
            &task.file,
            &task.looker,
            &work.property,
            &own.site,
            &work.cancel,
        );
        // A receiver that is gone wants no more.
        if sender.send((task.key, seen)).is_err() {
            return;
        }
    }
}

/// Tells the progress now and then: elsewhere than on a terminal, each time is a line.
fn tell(display: &mut Display, done: usize, all: usize) {
    if done * TOLD / all != (done.saturating_sub(1)) * TOLD / all {
        let what = format!("compiling the inputs, {done} of {all} done");
        display.event(&Event::Preparing { what });
    }
}

/// Returns a failure with its causes in one line.
pub(super) fn words(failure: &Failure) -> String {
    let causes = failure.causes.iter().map(String::as_str);
    let all: Vec<&str> = std::iter::once(failure.message.as_str())
        .chain(causes)
        .collect();
    all.join(": ")
}
