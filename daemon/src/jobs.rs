//! The queue of jobs. One runs at a time, since one already uses all cores; the others wait in the
//! order in which they came.

use crate::job::{End, Job};
use reduce_engine::{Failure, FailureKind, ReductionRequest};
use reduce_protocol::{JobId, JobStatus, Refusal};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// How many jobs that ended can still be attached to.
const MAX_ENDED: usize = 8;

/// How many jobs may wait. A request has a few KiB, and at most
/// [`reduce_protocol::MAX_REQUEST_BYTES`].
const MAX_WAITING: usize = 64;

/// All jobs of a daemon.
#[derive(Debug)]
pub(crate) struct Jobs {
    state: Mutex<State>,
    /// Wakes the thread that runs jobs.
    came: Condvar,
    /// Number of jobs that run or wait.
    active: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct State {
    last_id: u64,
    running: Option<Arc<Job>>,
    waiting: VecDeque<Arc<Job>>,
    ended: VecDeque<Arc<Job>>,
    /// No job is taken any more.
    closed: bool,
}

/// A job that was taken.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) job: Arc<Job>,
    pub(crate) joined: bool,
    pub(crate) ahead: usize,
}

impl Jobs {
    pub(crate) fn new() -> Self {
        Self {
            state: Mutex::default(),
            came: Condvar::new(),
            active: watch::Sender::new(0),
        }
    }

    /// Joins the job that does the same, or makes a new one.
    pub(crate) fn submit(&self, request: ReductionRequest) -> Result<Accepted, Refusal> {
        let mut state = self.state();
        if state.closed {
            return Err(Refusal::ShuttingDown);
        }
        if let Some(accepted) = state.join(&request) {
            return Ok(accepted);
        }
        if state.waiting.len() >= MAX_WAITING {
            let reason = format!("{MAX_WAITING} jobs are waiting already; try again later");
            return Err(Refusal::Unable(reason));
        }
        let ahead = state.active().count();
        state.last_id += 1;
        let job = Job::new(JobId(state.last_id), request);
        let job = Arc::new(job.map_err(|error| Refusal::Unable(error.to_string()))?);
        state.waiting.push_back(Arc::clone(&job));
        self.announce(&state);
        self.came.notify_one();
        Ok(Accepted {
            job,
            joined: false,
            ahead,
        })
    }

    /// A job that runs, waits or ended not long ago.
    pub(crate) fn find(&self, id: JobId) -> Result<Accepted, Refusal> {
        let state = self.state();
        let all = state.active().chain(&state.ended);
        let found = all.enumerate().find(|(_, job)| job.id == id);
        let (position, job) = found.ok_or(Refusal::NoSuchJob(id))?;
        let ahead = if state.active().any(|job| job.id == id) {
            position
        } else {
            0
        };
        Ok(Accepted {
            job: Arc::clone(job),
            joined: true,
            ahead,
        })
    }

    /// Cancels a job. One that waits ends at once, one that runs when the engine has written its
    /// best result.
    pub(crate) fn cancel(&self, id: JobId) -> Result<(), Refusal> {
        let job = self.find(id)?.job;
        job.cancel.cancel();
        let mut state = self.state();
        if let Some(position) = state.waiting.iter().position(|waiting| waiting.id == id) {
            state.waiting.remove(position);
            state.keep_ended(Arc::clone(&job));
            job.end(End::Failed(cancelled_before_it_began()));
            self.announce(&state);
        }
        Ok(())
    }

    /// Takes no more jobs and cancels all.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        let ids: Vec<JobId> = state.active().map(|job| job.id).collect();
        drop(state);
        for id in ids {
            // One that ended meanwhile needs no cancelling.
            let _ = self.cancel(id);
        }
        self.came.notify_all();
    }

    /// Blocks until there is a job to run; `None` once closed.
    pub(crate) fn take_next(&self) -> Option<Arc<Job>> {
        let mut state = self.state();
        loop {
            if let Some(job) = state.waiting.pop_front() {
                state.running = Some(Arc::clone(&job));
                return Some(job);
            }
            if state.closed {
                return None;
            }
            state = self
                .came
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The running job has ended. Its readers see that before the number of active jobs falls, and
    /// after the job can no longer be joined: who sees the end and asks again gets a new job.
    pub(crate) fn finish(&self, job: &Arc<Job>, end: End) {
        let mut state = self.state();
        state.running = None;
        state.keep_ended(Arc::clone(job));
        job.end(end);
        self.announce(&state);
    }

    pub(crate) fn status(&self) -> Vec<JobStatus> {
        let state = self.state();
        let running = state.running.iter().map(|job| job.status(true));
        running
            .chain(state.waiting.iter().map(|job| job.status(false)))
            .collect()
    }

    /// The number of jobs that run or wait, and its changes.
    pub(crate) fn active(&self) -> watch::Receiver<usize> {
        self.active.subscribe()
    }

    fn announce(&self, state: &State) {
        self.active.send_replace(state.active().count());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn active(&self) -> impl Iterator<Item = &Arc<Job>> {
        self.running.iter().chain(&self.waiting)
    }

    /// The job that does the same, unless it is being stopped.
    fn join(&self, request: &ReductionRequest) -> Option<Accepted> {
        let mut active = self.active().enumerate();
        let (ahead, job) = active.find(|(_, job)| job.can_be_joined(request))?;
        Some(Accepted {
            job: Arc::clone(job),
            joined: true,
            ahead,
        })
    }

    fn keep_ended(&mut self, job: Arc<Job>) {
        self.ended.push_back(job);
        if self.ended.len() > MAX_ENDED {
            self.ended.pop_front();
        }
    }
}

fn cancelled_before_it_began() -> Failure {
    Failure {
        kind: FailureKind::Cancelled,
        message: "the job was cancelled before its turn came".to_owned(),
        causes: vec![],
        output: None,
        hints: vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_engine::{
        CacheUse, CompilerChoice, Event, ExistingOutput, Fidelity, FileInput, ForRustc, Input,
        PropertyOptions, SearchOptions, Surroundings,
    };
    use std::collections::BTreeMap;

    fn request() -> ReductionRequest {
        ReductionRequest {
            input: Input::File(FileInput {
                path: "/crash.rs".into(),
                text: None,
                edition: None,
                target_triple: None,
                rustc_args: vec![],
                ..FileInput::default()
            }),
            surroundings: Surroundings {
                cwd: "/".into(),
                vars: BTreeMap::new(),
                rustc: None,
            },
            output: "/out".into(),
            existing_output: ExistingOutput::Refuse,
            property: PropertyOptions {
                goal: reduce_engine::Goal::Ice,
                demands: reduce_engine::Demands::default(),
                env: vec![],
                reads: vec![],
                at_least: 1,
                sandbox: reduce_engine::SandboxMode::Default,
                timeout_seconds: None,
                baseline_timeout_seconds: 600,
                memory_mib: 1,
                allow_errors: false,
                strict_valid: false,
                ignore_location: false,
                fidelity: Fidelity::default(),
                mutate: vec![],
                repeat: reduce_engine::Repeat::ONCE,
            },
            search: SearchOptions::default(),
            compiler: CompilerChoice::Auto,
            jobs: 1,
            cache: CacheUse::Persistent,
            log: None,
            for_rustc: ForRustc::default(),
        }
    }

    /// Who sees the end may ask again at once; the two threads race for each of the rounds.
    #[test]
    fn a_job_whose_end_was_seen_is_not_joined() {
        let jobs = Jobs::new();
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime can be made");
        jobs.submit(request()).expect("the queue is open");
        for round in 1..=200 {
            let job = jobs.take_next().expect("there is a job");
            let mut reader = job.read();
            std::thread::scope(|scope| {
                scope.spawn(|| jobs.finish(&job, End::Finished));
                let (_, end) = runtime.block_on(reader.next());
                assert_eq!(end, Some(End::Finished));
                let again = jobs.submit(request()).expect("the queue is open");
                assert!(!again.joined, "joined in round {round}");
            });
        }
    }

    fn with_variable(name: &str) -> ReductionRequest {
        let mut request = request();
        let vars = &mut request.surroundings.vars;
        vars.insert(name.to_owned(), "1".to_owned());
        request
    }

    #[test]
    fn a_job_is_joined_whatever_the_variables_that_it_does_not_read() {
        let jobs = Jobs::new();
        let first = jobs.submit(request()).expect("the queue is open").job;
        let is_joined = |name: &str| first.can_be_joined(&with_variable(name));
        assert!(!is_joined("A"), "it is not known yet what it reads");
        first.push(Event::VariablesKnown {
            names: ["SHOP_SKU".to_owned()].into(),
        });
        assert!(is_joined("A"));
        assert!(!is_joined("SHOP_SKU"), "the program names it");
        assert!(!is_joined("RUSTFLAGS"), "the compiler reads it");
        let joined = jobs.submit(with_variable("A")).expect("the queue is open");
        assert!(joined.joined);
    }

    #[test]
    fn so_many_jobs_may_wait_and_no_more() {
        let jobs = Jobs::new();
        let numbered = |number: usize| ReductionRequest {
            output: format!("/out/{number}").into(),
            ..request()
        };
        for number in 0..MAX_WAITING {
            jobs.submit(numbered(number)).expect("there is room");
        }
        let refused = jobs.submit(numbered(MAX_WAITING));
        assert!(matches!(refused, Err(Refusal::Unable(_))), "{refused:?}");
        // Whoever asks for what is there already takes no room.
        assert!(jobs.submit(numbered(0)).expect("it is there").joined);
        jobs.take_next().expect("there is a job");
        jobs.submit(numbered(MAX_WAITING))
            .expect("there is room again");
    }

    #[test]
    fn a_job_that_waits_or_runs_is_joined() {
        let jobs = Jobs::new();
        let first = jobs.submit(request()).expect("the queue is open");
        assert!(!first.joined);
        assert!(jobs.submit(request()).expect("the queue is open").joined);
        jobs.take_next().expect("there is a job");
        assert!(jobs.submit(request()).expect("the queue is open").joined);
    }
}
