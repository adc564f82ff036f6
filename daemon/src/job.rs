//! One job: its request, the means to stop it, and what happened in it, for any number of readers.

use crate::history::History;
use crate::same_work::is_same_work;
use reduce_engine::{Cancel, Event, Failure, ReductionRequest};
use reduce_protocol::{JobId, JobState, JobStatus};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// A job, from its submission on.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) id: JobId,
    pub(crate) request: ReductionRequest,
    pub(crate) cancel: Cancel,
    course: Mutex<Course>,
    changed: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Course {
    history: History,
    /// The user's variables that decide the result, once they are known.
    variables: Option<BTreeSet<String>>,
    end: Option<End>,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    /// Its last event is [`Event::Finished`].
    Finished,
    /// There is no result.
    Failed(Failure),
}

impl Job {
    /// A job that waits for its turn.
    ///
    /// # Errors
    /// Where the system has no file descriptor left.
    pub(crate) fn new(id: JobId, request: ReductionRequest) -> std::io::Result<Self> {
        Ok(Self {
            id,
            request,
            cancel: Cancel::new()?,
            course: Mutex::default(),
            changed: watch::Sender::new(()),
        })
    }

    /// Adds an event, for all readers.
    pub(crate) fn push(&self, event: Event) {
        let mut course = self.course();
        if let Event::VariablesKnown { names } = &event {
            course.variables = Some(names.clone());
        }
        course.history.push(event);
        drop(course);
        self.changed.send_replace(());
    }

    /// Whether its result is what another request asks for, and it is not being stopped.
    pub(crate) fn can_be_joined(&self, request: &ReductionRequest) -> bool {
        let variables = self.course().variables.clone();
        !self.cancel.is_cancelled() && is_same_work(&self.request, request, variables.as_ref())
    }

    /// Ends the job. The first end counts.
    pub(crate) fn end(&self, end: End) {
        self.course().end.get_or_insert(end);
        self.changed.send_replace(());
    }

    pub(crate) fn status(&self, is_running: bool) -> JobStatus {
        let state = match (self.cancel.is_cancelled(), is_running) {
            (true, _) => JobState::Stopping,
            (false, true) => JobState::Running,
            (false, false) => JobState::Waiting,
        };
        JobStatus {
            job: self.id,
            state,
            output: self.request.output.clone(),
            progress: self.course().history.progress().cloned(),
        }
    }

    /// A reader that begins with the first event.
    pub(crate) fn read(self: &Arc<Self>) -> JobReader {
        JobReader {
            changed: self.changed.subscribe(),
            job: Arc::clone(self),
            seen: 0,
        }
    }

    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the events of a job at its own pace.
#[derive(Debug)]
pub(crate) struct JobReader {
    job: Arc<Job>,
    seen: u64,
    changed: watch::Receiver<()>,
}

impl JobReader {
    /// Waits until there is something new. After an end there is nothing more.
    pub(crate) async fn next(&mut self) -> (Vec<Event>, Option<End>) {
        loop {
            self.changed.borrow_and_update();
            let (events, end) = self.look();
            if !events.is_empty() || end.is_some() {
                return (events, end);
            }
            // The sender lives in the job, which this reader holds.
            let _ = self.changed.changed().await;
        }
    }

    fn look(&mut self) -> (Vec<Event>, Option<End>) {
        let course = self.job.course();
        let (events, seen) = course.history.after(self.seen);
        let end = course.end.clone();
        drop(course);
        self.seen = seen;
        (events, end)
    }
}
