//! The jobs of a daemon. One that comes begins at once, unless as many run as there is memory for, or
//! another one writes to the same output directory; then it waits for one of these to end.

use crate::clock::timestamp;
use crate::job::{Asked, End, Job, ListenerId};
use crate::job_log::JobLog;
use crate::turns::{JobTurns, SharedTurns};
use camino::Utf8PathBuf;
use reduce_engine::{Failure, FailureKind, ReductionRequest};
use reduce_protocol::{ErrorNote, JobCommand, JobId, JobStatus, LiveJob, Refusal};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The number of ended jobs that can still be attached to: what happened in them is kept.
const MAX_ENDED: usize = 8;

/// The number of ended jobs that are still listed, with those of [`MAX_ENDED`].
const MAX_LISTED: usize = 200;

/// The number of jobs that may wait. A request has a few KiB, and at most [`reduce_protocol::MAX_REQUEST_BYTES`].
const MAX_WAITING: usize = 256;

/// The number of failures, the last ones, that the daemon's status shows.
const MAX_ERRORS: usize = 20;

/// All jobs of a daemon.
#[derive(Debug)]
pub(crate) struct Jobs {
    /// The number of jobs that may run at once.
    most_running: usize,
    /// The directory of the jobs' logs.
    logs: Utf8PathBuf,
    turns: SharedTurns,
    state: Mutex<State>,
    /// Wakes the thread that begins jobs when there may be one to begin.
    came: Condvar,
    /// The number of jobs that run or wait, and its changes.
    active: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct State {
    last_id: u64,
    running: Vec<Arc<Job>>,
    waiting: VecDeque<Arc<Job>>,
    /// The jobs that ended last and can still be attached to, in the order of their ends, as in the two lists below.
    ended: VecDeque<Arc<Job>>,
    /// The states of jobs that ended earlier, which are listed but cannot be attached to.
    listed: VecDeque<JobStatus>,
    errors: VecDeque<ErrorNote>,
    /// The queries and known verdicts of the jobs that have ended.
    asked: Asked,
    /// Whether the daemon is on its way out, so that it takes no job any more.
    closed: bool,
}

/// The answer to a request for a job: the job, whether it was joined, and how many come before it.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) job: Arc<Job>,
    pub(crate) joined: bool,
    pub(crate) ahead: usize,
}

/// An overview of all jobs.
#[derive(Debug)]
pub(crate) struct Overview {
    pub(crate) active: Vec<JobStatus>,
    /// The states of the jobs that have ended, the last one first.
    pub(crate) ended: Vec<JobStatus>,
    pub(crate) errors: Vec<ErrorNote>,
    pub(crate) asked: Asked,
}

impl Jobs {
    /// Makes a daemon's list of jobs, with none in it. At most `most_running` run at once, and they take turns at the workers.
    pub(crate) fn new(most_running: usize, turns: SharedTurns, logs: Utf8PathBuf) -> Self {
        Self {
            most_running: most_running.max(1),
            logs,
            turns,
            state: Mutex::default(),
            came: Condvar::new(),
            active: watch::Sender::new(0),
        }
    }

    /// Submits a request: joins the job that does the same, or makes a new one. A request that is wrong at first sight
    /// becomes no job.
    pub(crate) fn submit(&self, request: ReductionRequest) -> Result<Accepted, Refusal> {
        let mut state = self.state();
        if state.closed {
            return Err(Refusal::ShuttingDown);
        }
        if let Some(accepted) = state.join(&request, self.most_running) {
            return Ok(accepted);
        }
        reduce_engine::check_input(&request.input)
            .map_err(|failure| Refusal::NoJob(Box::new(failure)))?;
        if state.waiting.len() >= MAX_WAITING {
            let reason = format!("{MAX_WAITING} jobs are waiting already; try again later");
            return Err(Refusal::Unable(reason));
        }
        let id = JobId(state.last_id + 1);
        let log = JobLog::create(self.logs.join(format!("{id}.jsonl")));
        let job = Job::new(id, request, log);
        let job = Arc::new(job.map_err(|error| Refusal::Unable(error.to_string()))?);
        state.last_id += 1;
        state.waiting.push_back(Arc::clone(&job));
        self.announce(&state);
        self.came.notify_one();
        Ok(Accepted {
            ahead: state.ahead_of(&job, self.most_running),
            job,
            joined: false,
        })
    }

    /// Finds a job that runs, waits or ended not long ago, by its number.
    pub(crate) fn find(&self, id: JobId) -> Result<Accepted, Refusal> {
        let state = self.state();
        let mut all = state.active().chain(&state.ended);
        let job = all.find(|job| job.id == id).ok_or(state.missing(id))?;
        Ok(Accepted {
            job: Arc::clone(job),
            joined: true,
            ahead: state.ahead_of(job, self.most_running),
        })
    }

    /// Carries out a command about a job, and returns the job's state after that.
    pub(crate) fn command(&self, id: JobId, command: JobCommand) -> Result<JobStatus, Refusal> {
        let job = match self.find(id) {
            Ok(accepted) => accepted.job,
            Err(refusal) if command == JobCommand::Show => {
                let state = self.state();
                let listed = state.listed.iter().find(|listed| listed.job == id);
                return listed.cloned().ok_or(refusal);
            }
            Err(refusal) => return Err(refusal),
        };
        let status = job.status(self.turns.share(id));
        // The job's clients may have its result a moment before it is no more among those that run.
        let has_ended = status.state.has_ended() || status.ended.is_some();
        if command != JobCommand::Show && has_ended {
            return Err(Refusal::HasEnded(id));
        }
        match command {
            JobCommand::Show => {}
            JobCommand::Pause => self.set_paused(&job, true),
            JobCommand::Resume => self.set_paused(&job, false),
            JobCommand::Cancel => self.cancel(&job),
            JobCommand::Finish => {
                job.finish.cancel();
                self.set_paused(&job, false);
            }
            JobCommand::Skip(Some(pass)) => {
                job.skip.ask(&pass);
            }
            JobCommand::Skip(None) => {
                if !job.skip.ask_any() {
                    return Err(Refusal::NothingToSkip(id));
                }
            }
        }
        Ok(job.status(self.turns.share(id)))
    }

    /// Makes a listener hold a job, so that it makes no queries until it is released, or resumed by a command. Returns
    /// the job's state after that.
    pub(crate) fn hold(&self, id: JobId, listener: ListenerId) -> Result<JobStatus, Refusal> {
        self.change_hold(id, |job| job.hold(listener))
    }

    /// Makes a listener hold a job no more, so that it goes on unless others hold it or it was paused by a command.
    pub(crate) fn release(&self, id: JobId, listener: ListenerId) -> Result<JobStatus, Refusal> {
        self.change_hold(id, |job| job.release(listener))
    }

    fn change_hold(&self, id: JobId, change: impl FnOnce(&Job)) -> Result<JobStatus, Refusal> {
        let job = self.find(id)?.job;
        change(&job);
        self.turns.set_paused(id, job.is_paused());
        Ok(job.status(self.turns.share(id)))
    }

    /// Returns the state of a job for a live view that already shows the program of this number.
    pub(crate) fn look(&self, id: JobId, program: u64) -> Result<LiveJob, Refusal> {
        let job = self.find(id)?.job;
        Ok(job.look(self.turns.share(id), program))
    }

    /// Removes a listener who leaves a job. Returns the number of other listeners, for whom the job goes on, or `None` if
    /// there are none, and it is cancelled.
    pub(crate) fn leave(&self, job: &Arc<Job>, listener: ListenerId) -> Option<u64> {
        let others = job.leave(listener);
        if others.is_none() {
            self.cancel(job);
        }
        others
    }

    /// Cancels all jobs, and refuses new ones from now on.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        let jobs: Vec<Arc<Job>> = state.active().cloned().collect();
        drop(state);
        for job in jobs {
            self.cancel(&job);
        }
        self.came.notify_all();
    }

    /// Blocks until a job may begin and returns it, or `None` once no jobs are taken any more. The job has turns until
    /// the returned `JobTurns` are dropped.
    pub(crate) fn take_next(&self) -> Option<(Arc<Job>, JobTurns)> {
        let mut state = self.state();
        loop {
            if let Some(position) = state.next_to_begin(self.most_running) {
                let job = state.waiting.remove(position)?;
                state.running.push(Arc::clone(&job));
                let turns = self.turns.enter(job.id, job.request.priority);
                self.turns.set_paused(job.id, job.is_paused());
                return Some((job, turns));
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

    /// Ends a running job, and keeps it in the list. Its readers see that before the number of active jobs falls, and
    /// after the job can no longer be joined: who sees the end and asks again gets a new job.
    pub(crate) fn finish(&self, job: &Arc<Job>, end: End) {
        if let Some(share) = self.turns.share(job.id) {
            job.note_share(share);
        }
        let mut state = self.state();
        state.running.retain(|running| running.id != job.id);
        state.keep_ended(job, end);
        self.announce(&state);
        self.came.notify_one();
    }

    /// Returns an overview of all jobs.
    pub(crate) fn overview(&self) -> Overview {
        let state = self.state();
        let status = |job: &Arc<Job>| job.status(self.turns.share(job.id));
        let ended = state.ended.iter().rev().map(status);
        let asked = state.running.iter().map(|job| job.asked());
        Overview {
            active: state.active().map(status).collect(),
            ended: ended.chain(state.listed.iter().rev().cloned()).collect(),
            errors: state.errors.iter().rev().cloned().collect(),
            asked: asked.fold(state.asked, Asked::plus),
        }
    }

    /// Lists jobs that have ended no more, and removes their logs. Returns how many these were.
    pub(crate) fn forget(&self) -> usize {
        let mut state = self.state();
        let ended = std::mem::take(&mut state.ended);
        let ended = ended.into_iter().map(|job| job.status(None).log);
        let listed = std::mem::take(&mut state.listed);
        let logs: Vec<_> = listed.into_iter().map(|one| one.log).chain(ended).collect();
        drop(state);
        for log in &logs {
            // Without it there is nothing more to read.
            let _ = std::fs::remove_file(log);
        }
        logs.len()
    }

    /// The number of jobs that run or wait, and its changes.
    pub(crate) fn active(&self) -> watch::Receiver<usize> {
        self.active.subscribe()
    }

    /// Cancels a job: one that waits ends at once, and one that runs when the engine has written its best result, for
    /// which a paused one goes on.
    fn cancel(&self, job: &Arc<Job>) {
        job.cancel.cancel();
        self.set_paused(job, false);
        let mut state = self.state();
        let waiting = state
            .waiting
            .iter()
            .position(|waiting| waiting.id == job.id);
        if let Some(position) = waiting {
            state.waiting.remove(position);
            state.keep_ended(job, End::Failed(cancelled_before_it_began()));
            self.announce(&state);
        }
    }

    fn set_paused(&self, job: &Job, is_paused: bool) {
        job.set_paused(is_paused);
        self.turns.set_paused(job.id, is_paused);
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

    /// Finds a running or waiting job that a request can join, as it does the same.
    fn join(&self, request: &ReductionRequest, most_running: usize) -> Option<Accepted> {
        let mut active = self.active();
        let job = active.find(|job| job.can_be_joined(request))?;
        Some(Accepted {
            job: Arc::clone(job),
            joined: true,
            ahead: self.ahead_of(job, most_running),
        })
    }

    /// Returns the position in the queue of the next job that may begin.
    fn next_to_begin(&self, most_running: usize) -> Option<usize> {
        if self.running.len() >= most_running {
            return None;
        }
        self.waiting.iter().position(|job| !self.is_kept_out(job))
    }

    /// Returns whether a running job writes to the output directory of this one, which has to wait for that.
    fn is_kept_out(&self, job: &Job) -> bool {
        let mut running = self.running.iter();
        running.any(|other| other.request.output == job.request.output)
    }

    /// Returns the number of jobs that must end or begin before a waiting one may begin; 0 where it may at once.
    fn ahead_of(&self, job: &Arc<Job>, most_running: usize) -> usize {
        let Some(position) = self.waiting.iter().position(|other| other.id == job.id) else {
            return 0;
        };
        if self.running.len() + position < most_running {
            let same = |other: &&Arc<Job>| other.request.output == job.request.output;
            let waiting = self.waiting.iter().take(position);
            return self.running.iter().chain(waiting).filter(same).count();
        }
        self.running.len() + position
    }

    fn missing(&self, id: JobId) -> Refusal {
        match self.listed.iter().any(|listed| listed.job == id) {
            true => Refusal::HasEnded(id),
            false => Refusal::NoSuchJob(id),
        }
    }

    /// Keeps a job that has ended, so that it is listed and can be attached to. One that never was a reduction, as its
    /// command was wrong, is forgotten together with its number.
    fn keep_ended(&mut self, job: &Arc<Job>, end: End) {
        if job.was_mistyped(&end) {
            if self.last_id == job.id.0 {
                self.last_id -= 1;
            }
            job.end(end);
            // Whoever listens has been told what it says.
            let _ = std::fs::remove_file(job.log_path());
            return;
        }
        if let End::Failed(failure) = &end
            && failure.kind != FailureKind::Cancelled
        {
            self.errors.push_back(ErrorNote {
                time: timestamp(),
                job: Some(job.id),
                message: failure.message.clone(),
            });
            if self.errors.len() > MAX_ERRORS {
                self.errors.pop_front();
            }
        }
        self.asked = self.asked.plus(job.asked());
        self.ended.push_back(Arc::clone(job));
        job.end(end);
        if self.ended.len() > MAX_ENDED
            && let Some(oldest) = self.ended.pop_front()
        {
            self.listed.push_back(oldest.status(None));
        }
        if self.ended.len() + self.listed.len() > MAX_LISTED
            && let Some(oldest) = self.listed.pop_front()
        {
            // Without it there is nothing more to read.
            let _ = std::fs::remove_file(&oldest.log);
        }
    }
}

pub(crate) fn cancelled_before_it_began() -> Failure {
    Failure::new(
        FailureKind::Cancelled,
        "the job was cancelled before its turn came",
    )
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use reduce_engine::{
        CacheUse, CompilerChoice, Event, ExistingOutput, Fidelity, FileInput, ForRustc, Input,
        PropertyOptions, SearchOptions, Surroundings,
    };
    use std::collections::BTreeMap;

    /// One at a time, in the order in which they come.
    fn jobs() -> Jobs {
        let turns = SharedTurns::new(1);
        Jobs::new(1, turns, "/no/such/directory".into())
    }

    pub(crate) fn request() -> ReductionRequest {
        ReductionRequest {
            input: Input::File(FileInput {
                path: "/crash.rs".into(),
                text: Some("fn f() {}".into()),
                edition: None,
                target_triple: None,
                rustc_args: vec![],
                ..FileInput::default()
            }),
            instead: None,
            from: None,
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
                stability_runs: None,
                sandbox: reduce_engine::SandboxMode::Default,
                timeout_seconds: None,
                baseline_timeout_seconds: 600,
                memory_mib: 1,
                allow_errors: false,
                strict_valid: false,
                ignore_location: false,
                any_message: false,
                fidelity: Fidelity::default(),
                mutate: vec![],
                repeat: reduce_engine::Repeat::ONCE,
            },
            search: SearchOptions::default(),
            compiler: CompilerChoice::Auto,
            jobs: 1,
            remote: None,
            cache: CacheUse::Persistent,
            log: None,
            for_rustc: ForRustc::default(),
            priority: Default::default(),
            launcher: vec![],
            scratch: None,
            budget: Default::default(),
        }
    }

    /// A client that sees the end may ask again at once; the two threads race for each of the rounds.
    #[test]
    fn a_job_whose_end_was_seen_is_not_joined() {
        let jobs = jobs();
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime can be made");
        jobs.submit(request()).expect("the queue is open");
        for round in 1..=200 {
            let (job, _turns) = jobs.take_next().expect("there is a job");
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
        let jobs = jobs();
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
        let jobs = jobs();
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
        let _taken = jobs.take_next().expect("there is a job");
        jobs.submit(numbered(MAX_WAITING))
            .expect("there is room again");
    }

    #[test]
    fn a_job_that_waits_or_runs_is_joined() {
        let jobs = jobs();
        let first = jobs.submit(request()).expect("the queue is open");
        assert!(!first.joined);
        assert!(jobs.submit(request()).expect("the queue is open").joined);
        jobs.take_next().expect("there is a job");
        assert!(jobs.submit(request()).expect("the queue is open").joined);
    }

    fn to(output: &str) -> ReductionRequest {
        ReductionRequest {
            output: output.into(),
            ..request()
        }
    }

    #[test]
    fn jobs_begin_at_once_but_for_those_that_write_to_the_same_directory() {
        let jobs = Jobs::new(3, SharedTurns::new(1), "/no/such/directory".into());
        let other_search = |output: &str| ReductionRequest {
            search: SearchOptions {
                seed: 7,
                ..SearchOptions::default()
            },
            ..to(output)
        };
        let ahead = |request| jobs.submit(request).expect("it is taken").ahead;
        let outputs = ["/a", "/b"].map(|output| ahead(to(output)));
        assert_eq!((outputs, ahead(other_search("/a"))), ([0, 0], 1));
        assert_eq!(ahead(to("/c")), 3, "no more than three run");
        let taken: Vec<_> = (0..3).filter_map(|_| jobs.take_next()).collect();
        let ids: Vec<u64> = taken.iter().map(|(job, _)| job.id.0).collect();
        assert_eq!(ids, [1, 2, 4], "the third writes where the first does");
        jobs.finish(&taken[0].0, End::Finished);
        let next = jobs.take_next().map(|(job, _)| job.id);
        assert_eq!(next, Some(JobId(3)));
    }

    #[test]
    fn jobs_that_ended_are_listed_and_the_oldest_forgotten() {
        let jobs = jobs();
        for number in 0..MAX_LISTED + 5 {
            jobs.submit(to(&format!("/{number}"))).expect("it is taken");
            let (job, _turns) = jobs.take_next().expect("there is a job");
            let failure = Failure {
                kind: FailureKind::NoCrash,
                ..cancelled_before_it_began()
            };
            jobs.finish(&job, End::Failed(failure));
        }
        let overview = jobs.overview();
        assert_eq!(overview.ended.len(), MAX_LISTED);
        assert_eq!(overview.ended[0].job, JobId(MAX_LISTED as u64 + 5));
        assert_eq!(overview.errors.len(), MAX_ERRORS);
        let show = |id| jobs.command(JobId(id), JobCommand::Show);
        assert_eq!(show(1), Err(Refusal::NoSuchJob(JobId(1))));
        let old = show(6).expect("it is listed").state;
        assert_eq!(old, reduce_protocol::JobState::Failed);
        let pause = jobs.command(JobId(6), JobCommand::Pause);
        assert_eq!(pause, Err(Refusal::HasEnded(JobId(6))));
    }

    #[test]
    fn what_is_wrong_at_first_sight_takes_no_number() {
        let jobs = jobs();
        let mut missing = request();
        if let Input::File(file) = &mut missing.input {
            file.text = None;
        }
        match jobs.submit(missing) {
            Err(Refusal::NoJob(failure)) => assert_eq!(failure.kind, FailureKind::BadInput),
            other => panic!("{other:?}"),
        }
        let first = jobs.submit(request()).expect("it is taken").job;
        assert_eq!(first.id, JobId(1));
    }

    #[test]
    fn what_turns_out_to_be_mistyped_takes_no_number_where_somebody_hears_of_it() {
        let jobs = jobs();
        let ended_with = |kind, listens: bool| {
            let job = jobs.submit(request()).expect("it is taken").job;
            let reader = listens.then(|| job.read());
            jobs.take_next().expect("there is a job");
            let end = End::Failed(Failure::new(kind, "there is no such test"));
            jobs.finish(&job, end.clone());
            if let Some(mut reader) = reader {
                let mut runtime = tokio::runtime::Builder::new_current_thread();
                let runtime = runtime.build().expect("there is memory");
                assert_eq!(runtime.block_on(reader.next()).1, Some(end));
            }
            let overview = jobs.overview();
            (job.id.0, overview.ended.len(), overview.errors.len())
        };
        assert_eq!(ended_with(FailureKind::BadInput, true), (1, 0, 0));
        assert_eq!(ended_with(FailureKind::OutputExists, true), (1, 0, 0));
        assert_eq!(ended_with(FailureKind::NoCrash, true), (1, 1, 1));
        // Of a job that nobody waits for, the list alone tells.
        assert_eq!(ended_with(FailureKind::BadInput, false), (2, 2, 2));
    }

    #[test]
    fn a_job_that_was_cancelled_did_not_fail() {
        let jobs = jobs();
        for output in ["/a", "/b"] {
            jobs.submit(to(output)).expect("it is taken");
        }
        let waiting = JobId(2);
        jobs.command(waiting, JobCommand::Cancel).expect("it waits");
        let state = jobs
            .command(waiting, JobCommand::Show)
            .expect("it is listed")
            .state;
        assert_eq!(state, reduce_protocol::JobState::Cancelled);
        assert_eq!(jobs.overview().errors, []);
    }

    #[test]
    fn jobs_that_ended_are_forgotten_and_those_that_run_stay() {
        let jobs = jobs();
        for number in 0..MAX_ENDED + 2 {
            jobs.submit(to(&format!("/{number}"))).expect("it is taken");
            let (job, _turns) = jobs.take_next().expect("there is a job");
            jobs.finish(&job, End::Finished);
        }
        jobs.submit(request()).expect("it is taken");
        assert_eq!(jobs.forget(), MAX_ENDED + 2);
        let overview = jobs.overview();
        assert_eq!((overview.active.len(), overview.ended.len()), (1, 0));
        assert_eq!(jobs.forget(), 0);
    }

    #[test]
    fn a_listener_that_leaves_stops_a_job_that_nobody_else_listens_to() {
        let jobs = jobs();
        let job = jobs.submit(request()).expect("the queue is open").job;
        let _taken = jobs.take_next().expect("there is a job");
        let (first, second) = (job.read(), job.read());
        assert_eq!(jobs.leave(&job, first.listener()), Some(1));
        // The other one is the last now, although the first has not gone yet.
        assert_eq!(jobs.leave(&job, second.listener()), None);
        assert!(job.cancel.is_cancelled());
    }

    #[test]
    fn a_job_that_is_cancelled_or_told_to_finish_is_paused_no_more() {
        for command in [JobCommand::Cancel, JobCommand::Finish] {
            let jobs = jobs();
            let job = jobs.submit(request()).expect("the queue is open").job;
            let paused = jobs.command(job.id, JobCommand::Pause);
            assert_eq!(
                paused.expect("it waits").state,
                reduce_protocol::JobState::Paused
            );
            let _taken = jobs.take_next().expect("there is a job");
            assert!(jobs.turns.share(job.id).expect("it runs").is_paused);
            jobs.command(job.id, command).expect("it runs");
            assert!(!jobs.turns.share(job.id).expect("it runs").is_paused);
        }
    }

    #[test]
    fn readers_hear_of_a_pause_once_whoever_asks_for_it() {
        let jobs = jobs();
        let job = jobs.submit(request()).expect("the queue is open").job;
        let _taken = jobs.take_next().expect("there is a job");
        let (mut reader, first, second) = (job.read(), job.read(), job.read());
        jobs.hold(job.id, first.listener()).expect("it runs");
        jobs.hold(job.id, second.listener()).expect("it runs");
        let pause = jobs.command(job.id, JobCommand::Pause);
        pause.expect("it runs");
        jobs.release(job.id, first.listener()).expect("it runs");
        let resume = jobs.command(job.id, JobCommand::Resume);
        resume.expect("it runs");
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let (heard, end) = runtime.expect("there is memory").block_on(reader.next());
        let expected = [true, false].map(|is_paused| Event::Paused { is_paused });
        assert_eq!((heard.as_slice(), end), (expected.as_slice(), None));
    }
}
