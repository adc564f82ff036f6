//! The engine in the client's own process, for `--no-daemon`: the same store, no socket.

use crate::error::DaemonError;
use crate::home::Home;
use crate::runner::{HINTS_IN_PROCESS, Reduce, Runner};
use crate::scratch::{JobScratch, ScratchRoot};
use crate::turns::SharedTurns;
use crate::update::Update;
use camino::Utf8PathBuf;
use reduce_engine::{Control, Event, ReductionRequest, Site};
use reduce_protocol::{JobCommand, JobId, JobState, LiveJob};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Private directories for work of the engine on threads of this process that is no job. They are removed when it is dropped.
#[derive(Debug)]
pub struct LocalSite {
    scratch: ScratchRoot,
    capture_program: Utf8PathBuf,
}

/// The directory of a thread, which is removed when it is dropped.
#[derive(Debug)]
pub struct ThreadSite {
    /// The directories, as the engine takes them.
    pub site: Site,
    _scratch: JobScratch,
}

impl LocalSite {
    /// Makes the directories of this process. No other [`LocalSite`] or [`LocalRun`] of the process may be there.
    ///
    /// # Errors
    /// Where they cannot be made.
    pub fn new(home: &Home, capture_program: Utf8PathBuf) -> Result<Self, DaemonError> {
        home.protect()?;
        Ok(Self {
            scratch: ScratchRoot::create(home)?,
            capture_program,
        })
    }

    /// Makes the directories of a thread that has this name.
    ///
    /// # Errors
    /// Where they cannot be made.
    pub fn of_thread(&self, name: &str) -> Result<ThreadSite, DaemonError> {
        let scratch = self.scratch.for_job(name)?;
        let site = Site {
            scratch: scratch.path().join("scratch"),
            builds: scratch.path().join("builds"),
            capture_program: self.capture_program.clone(),
        };
        Ok(ThreadSite {
            site,
            _scratch: scratch,
        })
    }
}

/// The number of the only job in a run without the daemon.
const JOB: JobId = JobId(1);

/// A reduction on a thread of this process. Dropping it does not stop the thread.
#[derive(Debug)]
pub struct LocalRun {
    updates: mpsc::UnboundedReceiver<Update>,
    sender: mpsc::WeakUnboundedSender<Update>,
    control: Control,
    turns: SharedTurns,
    /// Whether the user has paused the job.
    is_paused: bool,
    /// Whether the job is held while the user edits its program.
    is_held: bool,
    output: Utf8PathBuf,
}

impl LocalRun {
    /// Starts the engine for a request, on a thread of this process.
    ///
    /// # Errors
    /// Where the scratch directory or the thread cannot be made. All else is an [`Update::Failed`].
    pub fn start(
        home: &Home,
        capture_program: Utf8PathBuf,
        reduce: Arc<Reduce>,
        request: ReductionRequest,
    ) -> Result<Self, DaemonError> {
        let runner = Runner::new(home, capture_program, reduce, HINTS_IN_PROCESS)?;
        // The job shares the workers with no other, and is only kept from turns while it is paused.
        let turns = SharedTurns::new(request.jobs);
        let own = turns.enter(JOB, request.priority);
        let control = Control::new(Arc::new(own)).map_err(DaemonError::Runtime)?;
        let (sender, updates) = mpsc::unbounded_channel();
        let local = Self {
            updates,
            sender: sender.downgrade(),
            control: control.clone(),
            turns,
            is_paused: false,
            is_held: false,
            output: request.output.clone(),
        };
        let run = move || {
            // A receiver that is gone wants no updates.
            let send = |update| drop(sender.send(update));
            let emit = |event| send(Update::Event(event));
            let ended = runner.run("run", &request, &emit, &control);
            // Closes the store before the end is told: whoever hears of it may leave.
            drop(runner);
            send(match ended {
                Ok(summary) => Update::Event(Event::Finished(Box::new(summary))),
                Err(failure) => Update::Failed(failure),
            });
        };
        let thread = reduce_engine::thread("engine");
        thread.spawn(run).map_err(DaemonError::Runtime)?;
        Ok(local)
    }

    /// Waits for the next update about the job, and returns `None` after the last one. May be dropped and called again
    /// without loss.
    pub async fn next(&mut self) -> Option<Update> {
        self.updates.recv().await
    }

    /// Cancels the job: the engine is asked to write its best result so far and to end.
    pub fn cancel(&mut self) {
        self.tell(&JobCommand::Cancel);
    }

    /// Carries out a command about the job. A paused one that is to end goes on for that.
    pub fn tell(&mut self, command: &JobCommand) {
        match command {
            JobCommand::Show => {}
            JobCommand::Pause => self.set_paused(true, self.is_held),
            JobCommand::Resume => self.set_paused(false, false),
            JobCommand::Cancel => {
                self.control.cancel.cancel();
                self.set_paused(false, false);
            }
            JobCommand::Finish => {
                self.control.finish.cancel();
                self.set_paused(false, false);
            }
            JobCommand::Skip(Some(pass)) => {
                self.control.skip.ask(pass);
            }
            JobCommand::Skip(None) => {
                self.control.skip.ask_any();
            }
        }
    }

    /// Holds the job, as its user edits the program: no query is made until [`Self::release`].
    pub fn hold(&mut self) {
        self.set_paused(self.is_paused, true);
    }

    /// Lets the held job make queries again. One that the user has paused stays so.
    pub fn release(&mut self) {
        self.set_paused(self.is_paused, false);
    }

    fn set_paused(&mut self, is_paused: bool, is_held: bool) {
        (self.is_paused, self.is_held) = (is_paused, is_held);
        self.control.pauses.set(is_paused || is_held);
        self.turns.set_paused(JOB, is_paused || is_held);
    }

    /// Asks for the state of the job for a live view that already shows the program of this number. The answer is an
    /// [`Update::Live`].
    pub fn look(&self, program: u64) {
        let live = LiveJob {
            state: self.state(),
            listeners: 1,
            output: self.output.clone(),
            live: self.control.live.look(program),
        };
        // After the end nobody looks any more.
        if let Some(sender) = self.sender.upgrade() {
            drop(sender.send(Update::Live(Box::new(live))));
        }
    }

    fn state(&self) -> JobState {
        let is_paused = || self.turns.share(JOB).is_some_and(|share| share.is_paused);
        if self.control.cancel.is_cancelled() {
            JobState::Stopping
        } else if is_paused() {
            JobState::Paused
        } else if self.control.finish.is_cancelled() {
            JobState::Finishing
        } else {
            JobState::Running
        }
    }
}
