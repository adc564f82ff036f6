//! One job: its request, the means to stop it, and what happened in it, for any number of readers.

use crate::clock::timestamp;
use crate::history::History;
use crate::job_log::JobLog;
use crate::same_work::is_same_work;
use crate::schedule::Share;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::{
    Cancel, Control, Ended, Event, Failure, FailureKind, Input, Live, Pauses, Progress,
    ReductionRequest, Skip, Summary, Turns,
};
use reduce_protocol::{JobId, JobState, JobStatus, LiveJob};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// A job, from its submission on.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) id: JobId,
    pub(crate) request: ReductionRequest,
    pub(crate) cancel: Cancel,
    /// The signal that the job's search is to end soon, with its best result.
    pub(crate) finish: Cancel,
    /// The user's wish to skip the pass under way.
    pub(crate) skip: Skip,
    pauses: Pauses,
    live: Live,
    submitted: String,
    log: JobLog,
    course: Mutex<Course>,
    changed: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Course {
    history: History,
    /// The user's environment variables that decide the job's result, once they are known.
    variables: Option<BTreeSet<String>>,
    is_paused: bool,
    /// The listeners who hold the job while they edit its program: until they let it go, it makes no queries.
    holders: BTreeSet<ListenerId>,
    /// Whether the job waits for another one to end although it was begun.
    is_waiting: bool,
    end: Option<End>,
    /// Why the job's search ended, if it has a result.
    ended: Option<Ended>,
    /// The job's progress at its end, with the figures of the result, if there is one.
    last_progress: Option<Progress>,
    /// The sum of the times of the job's turns, once it has ended.
    spent: Duration,
    /// The listeners of the job.
    listeners: BTreeSet<ListenerId>,
    last_listener: u64,
}

/// The number of a client's connection among those that listen to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ListenerId(u64);

/// The end of a job.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    /// The job has a result: its last event is [`Event::Finished`].
    Finished,
    /// The job has failed, and has no result.
    Failed(Failure),
}

/// The numbers of queries that a job has made, and of known verdicts that it has used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) queries: u64,
    pub(crate) cache_hits: u64,
}

impl Asked {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            queries: self.queries + other.queries,
            cache_hits: self.cache_hits + other.cache_hits,
        }
    }
}

impl Job {
    /// Makes a job for a request, which waits until it is begun.
    ///
    /// # Errors
    /// Where the system has no file descriptor left.
    pub(crate) fn new(id: JobId, request: ReductionRequest, log: JobLog) -> std::io::Result<Self> {
        Ok(Self {
            id,
            request,
            cancel: Cancel::new()?,
            finish: Cancel::new()?,
            skip: Skip::default(),
            pauses: Pauses::default(),
            live: Live::default(),
            submitted: timestamp(),
            log,
            course: Mutex::default(),
            changed: watch::Sender::new(()),
        })
    }

    /// Adds an event to the job's history, and tells all of its readers.
    pub(crate) fn push(&self, event: Event) {
        let mut course = self.course();
        match &event {
            Event::VariablesKnown { names } => course.variables = Some(names.clone()),
            Event::Finished(summary) => {
                course.ended = Some(summary.ended);
                let last = course.history.progress();
                course.last_progress = last.map(|last| progress_at_end(last, summary));
            }
            _ => {}
        }
        self.log.write(&event);
        course.history.push(event);
        drop(course);
        self.changed.send_replace(());
    }

    /// Returns whether the job does what another request asks for, is not being stopped and has skipped no pass.
    pub(crate) fn can_be_joined(&self, request: &ReductionRequest) -> bool {
        let variables = self.course().variables.clone();
        let goes_on = !self.cancel.is_cancelled() && !self.finish.is_cancelled();
        let is_whole = !self.skip.is_used();
        goes_on && is_whole && is_same_work(&self.request, request, variables.as_ref())
    }

    /// Notes the job's share of the machine at its end.
    pub(crate) fn note_share(&self, share: Share) {
        self.course().spent = share.spent;
    }

    /// Ends the job. The first end counts.
    pub(crate) fn end(&self, end: End) {
        if let End::Failed(failure) = &end {
            self.log.write_failure(failure);
        }
        self.course().end.get_or_insert(end);
        self.changed.send_replace(());
    }

    /// Returns whether a job ended because its command was wrong, before any query, while a client listened to it.
    pub(crate) fn was_mistyped(&self, end: &End) -> bool {
        let is_wrong = |kind| matches!(kind, FailureKind::BadInput | FailureKind::OutputExists);
        matches!(end, End::Failed(failure) if is_wrong(failure.kind))
            && self.asked() == Asked::default()
            && !self.course().listeners.is_empty()
    }

    /// Returns the path of the job's log.
    pub(crate) fn log_path(&self) -> &Utf8Path {
        self.log.path()
    }

    /// Notes whether its user has paused it. Nobody holds one that is to go on. One that waits has no turns yet.
    pub(crate) fn set_paused(&self, is_paused: bool) {
        self.change_rest(|course| {
            course.is_paused = is_paused;
            if !is_paused {
                course.holders.clear();
            }
        });
    }

    /// Makes a listener hold the job, so that it makes no queries.
    pub(crate) fn hold(&self, listener: ListenerId) {
        self.change_rest(|course| {
            course.holders.insert(listener);
        });
    }

    /// Makes a listener hold the job no more, so that it goes on unless others hold it or it is paused.
    pub(crate) fn release(&self, listener: ListenerId) {
        self.change_rest(|course| {
            course.holders.remove(&listener);
        });
    }

    /// Changes who keeps the job from making queries, and tells its readers if it begins to rest or goes on.
    fn change_rest(&self, change: impl FnOnce(&mut Course)) {
        let mut course = self.course();
        let did_rest = course.rests();
        change(&mut course);
        let is_paused = course.rests();
        self.pauses.set(is_paused);
        let has_ended = course.end.is_some();
        drop(course);
        if did_rest != is_paused && !has_ended {
            self.push(Event::Paused { is_paused });
        }
    }

    /// Notes whether the job waits for another one to end although it was begun.
    pub(crate) fn set_waiting(&self, is_waiting: bool) {
        self.course().is_waiting = is_waiting;
    }

    /// Returns whether the job makes no queries: its user has paused it, or somebody holds it.
    pub(crate) fn is_paused(&self) -> bool {
        self.course().rests()
    }

    /// Returns the status of the job; `share` is what it has of the machine, if it runs.
    pub(crate) fn status(&self, share: Option<Share>) -> JobStatus {
        let course = self.course();
        let state = match &course.end {
            Some(End::Finished) if course.ended == Some(Ended::Cancelled) => JobState::Cancelled,
            Some(End::Finished) => JobState::Finished,
            Some(End::Failed(failure)) if failure.kind == FailureKind::Cancelled => {
                JobState::Cancelled
            }
            Some(End::Failed(_)) => JobState::Failed,
            None if self.cancel.is_cancelled() => JobState::Stopping,
            None if course.rests() => JobState::Paused,
            None if self.finish.is_cancelled() => JobState::Finishing,
            None if share.is_some() && !course.is_waiting => JobState::Running,
            None => JobState::Waiting,
        };
        let failure = match &course.end {
            Some(End::Failed(failure)) => Some(failure.message.clone()),
            _ => None,
        };
        JobStatus {
            job: self.id,
            state,
            input: input_of(&self.request),
            output: self.request.output.clone(),
            log: self.log.path().to_owned(),
            priority: self.request.priority,
            listeners: course.listeners.len() as u64,
            workers: share.map_or(0, |share| share.running as u64),
            submitted: self.submitted.clone(),
            worker_seconds: share
                .map_or(course.spent, |share| share.spent)
                .as_secs_f64(),
            progress: course.progress().cloned(),
            skips: self.skip.asked(),
            ended: course.ended,
            failure,
        }
    }

    /// Returns the controls that the engine asks while it runs the job: whether to stop, finish, skip or pause, and the
    /// job's turns.
    pub(crate) fn control(&self, turns: Arc<dyn Turns>) -> Control {
        Control {
            cancel: self.cancel.clone(),
            finish: self.finish.clone(),
            skip: self.skip.clone(),
            pauses: self.pauses.clone(),
            live: self.live.clone(),
            turns,
            simulation: None,
        }
    }

    /// Returns the state of the job for a live view that already shows the program of this number; `share` is what the
    /// job has of the machine, if it runs.
    pub(crate) fn look(&self, share: Option<Share>, program: u64) -> LiveJob {
        let status = self.status(share);
        LiveJob {
            state: status.state,
            listeners: status.listeners,
            output: status.output,
            live: self.live.look(program),
        }
    }

    /// Returns the numbers of the job's queries and of the known verdicts that it has used.
    pub(crate) fn asked(&self) -> Asked {
        let course = self.course();
        course.progress().map_or(Asked::default(), |known| Asked {
            queries: known.queries,
            cache_hits: known.cache_hits,
        })
    }

    /// Makes a reader of the job's events, from the first one on. Its client counts as a listener as long as the reader exists.
    pub(crate) fn read(self: &Arc<Self>) -> JobReader {
        let mut course = self.course();
        course.last_listener += 1;
        let listener = ListenerId(course.last_listener);
        course.listeners.insert(listener);
        drop(course);
        JobReader {
            changed: self.changed.subscribe(),
            job: Arc::clone(self),
            listener,
            seen: 0,
        }
    }

    /// Removes a listener who leaves the job, and returns the number of others. If there are none, the job is cancelled.
    pub(crate) fn leave(&self, listener: ListenerId) -> Option<u64> {
        let mut course = self.course();
        let others = course.listeners.iter().filter(|other| **other != listener);
        let others = others.count() as u64;
        if others > 0 {
            course.listeners.remove(&listener);
            return Some(others);
        }
        drop(course);
        self.cancel.cancel();
        None
    }

    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Course {
    fn rests(&self) -> bool {
        self.is_paused || !self.holders.is_empty()
    }

    fn progress(&self) -> Option<&Progress> {
        let last = self.last_progress.as_ref();
        last.or_else(|| self.history.progress())
    }
}

/// Returns the progress of a job at its end: the last one that was reported, with the figures of the result.
fn progress_at_end(last: &Progress, summary: &Summary) -> Progress {
    Progress {
        tokens_now: summary.sizes.tokens_after,
        queries: summary.counts.queries,
        cache_hits: summary.counts.cache_hits,
        elapsed_seconds: summary.costs.wall_seconds,
        ..last.clone()
    }
}

/// Returns the input of a request, for people: a file, or the place of a package or of a kept crash.
fn input_of(request: &ReductionRequest) -> Utf8PathBuf {
    match &request.input {
        Input::File(file) => file.path.clone(),
        Input::Captured(captured) => captured.directory.clone(),
        Input::Package(package) => {
            let manifest = package.manifest_path.as_deref();
            let directory = manifest.and_then(|manifest| manifest.parent());
            directory.map_or_else(|| request.surroundings.cwd.clone(), ToOwned::to_owned)
        }
    }
}

/// Reads the events of a job at its own pace.
#[derive(Debug)]
pub(crate) struct JobReader {
    job: Arc<Job>,
    listener: ListenerId,
    seen: u64,
    changed: watch::Receiver<()>,
}

impl JobReader {
    /// Returns the listener who reads the job.
    pub(crate) fn listener(&self) -> ListenerId {
        self.listener
    }

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

impl Drop for JobReader {
    fn drop(&mut self) {
        self.job.course().listeners.remove(&self.listener);
    }
}
