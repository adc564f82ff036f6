//! `cargo reduce`: hands the request to the daemon or to an engine in this process, and shows what
//! happens until the end.

use super::edit::Editing;
use super::interrupt::Interrupts;
use crate::args::{DisplayArgs, ReduceArgs};
use crate::context::Context;
use crate::display::{Display, Wish};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_daemon::{DaemonError, Home, Launch, LocalRun, Session, Update};
use reduce_engine::{Ended, Event, ReductionRequest, Summary};
use reduce_platform::signals::Asked;
use reduce_protocol::{JobCommand, JobId};
use std::time::{Duration, Instant};
use tokio::time::MissedTickBehavior;

/// The time between two updates of the clock in the progress line.
const TICK: Duration = Duration::from_millis(100);

/// The process in which a reduction runs.
enum Run {
    Daemon(Session),
    Local(LocalRun),
}

/// The end of a client's wait for a reduction.
pub(super) enum Waited {
    Finished(Box<Summary>),
    /// The user of this client wants no more of the job, which goes on for other clients.
    Detached,
    /// The user has left the job, which goes on.
    LeftRunning(JobId),
    /// The user has left at once, by a second Ctrl-C.
    Left,
}

/// Reduces one program.
pub(super) async fn reduce(
    args: &ReduceArgs,
    request: ReductionRequest,
    context: &Context,
    display: &mut Display,
) -> Result<Waited, CommandError> {
    let (run, interrupts) = start(args, request, context, display).await?;
    wait(run, interrupts, display, Editing::new(context)).await
}

/// Shows a job of the daemon to its end.
pub(super) async fn follow(
    session: Session,
    args: &DisplayArgs,
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    let mut display = Display::new(args, context);
    let interrupts = Interrupts::new(Asked::Interrupt)?;
    let run = Run::Daemon(session);
    let waited = wait(run, interrupts, &mut display, Editing::new(context)).await;
    let status = end(&waited, &mut display);
    if let Ok(Waited::Finished(summary)) = &waited {
        display.code(summary);
    }
    Ok(status)
}

/// Shows how a reduction ended, without the code of the result, and returns the exit status for it.
pub(super) fn end(waited: &Result<Waited, CommandError>, display: &mut Display) -> ExitStatus {
    match waited {
        Ok(Waited::Finished(summary)) => {
            display.event(&Event::Finished(summary.clone()));
            status(summary)
        }
        Ok(Waited::Detached) => ExitStatus::Stopped,
        Ok(Waited::LeftRunning(job)) => {
            display.detached(*job);
            ExitStatus::Stopped
        }
        Ok(Waited::Left) => {
            display.close();
            display.note("Left", "before the result was written");
            ExitStatus::Stopped
        }
        Err(error) => {
            display.failed(error);
            error.kind
        }
    }
}

fn status(summary: &Summary) -> ExitStatus {
    match summary.ended {
        Ended::Fixpoint | Ended::MaxTime | Ended::MaxQueries | Ended::FinishedSoon => {
            ExitStatus::Reduced
        }
        Ended::Cancelled => ExitStatus::Stopped,
        Ended::Unconfirmed => ExitStatus::UnstableCrash,
    }
}

async fn start(
    args: &ReduceArgs,
    request: ReductionRequest,
    context: &Context,
    display: &mut Display,
) -> Result<(Run, Interrupts), CommandError> {
    let home = context.home()?;
    if args.run.runs_here() {
        let interrupts = Interrupts::new(Asked::All)?;
        let engine = super::simulated::engine(context)?;
        let run = LocalRun::start(&home, context.program.clone(), engine, request)?;
        return Ok((Run::Local(run), interrupts));
    }
    let launch = launch(context, &home, args);
    let submitted = reduce_daemon::submit(&home, &context.hello(), &launch, &request).await;
    let (session, accepted) = submitted?;
    note_accepted(&accepted, display);
    warn_of_log(&accepted, &request, display);
    Ok((Run::Daemon(session), Interrupts::new(Asked::Interrupt)?))
}

/// Shows a reduction until it ends or the user leaves it.
async fn wait(
    run: Run,
    interrupts: Interrupts,
    display: &mut Display,
    editing: Editing,
) -> Result<Waited, CommandError> {
    if let Some(job) = run.job() {
        display.shows(job);
    }
    let mut waiting = Waiting {
        run,
        interrupts,
        display,
        editing,
        is_stopping: false,
    };
    let waited = waiting.wait().await;
    if waiting.editing.is_open() {
        // The terminal is the editor's until then.
        waiting.editing.closed().await;
    }
    waited
}

/// The state of the client while a reduction is shown.
struct Waiting<'d> {
    run: Run,
    interrupts: Interrupts,
    display: &'d mut Display,
    editing: Editing,
    is_stopping: bool,
}

impl Waiting<'_> {
    async fn wait(&mut self) -> Result<Waited, CommandError> {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            let ended = tokio::select! {
                _ = ticks.tick() => self.tick().await?,
                update = self.run.next() => self.update(update?)?,
                message = self.editing.closed() => self.after_editor(&message).await?,
                () = self.interrupts.next() => match self.editing.is_open() {
                    // That was for the editor.
                    true => None,
                    false => self.stop().await?,
                },
            };
            if let Some(ended) = ended {
                return Ok(ended);
            }
        }
    }

    fn update(&mut self, update: Update) -> Result<Option<Waited>, CommandError> {
        match update {
            Update::Event(Event::Finished(summary)) => return Ok(Some(Waited::Finished(summary))),
            Update::Event(event) => self.display.event(&event),
            Update::Failed(failure) => return Err(failure.into()),
            accepted @ Update::Accepted { .. } => note_accepted(&accepted, self.display),
            Update::Live(live) => self.display.update(*live),
            Update::Left { others: 0, .. } => note_stopping(self.display),
            Update::Left { job, others } => {
                self.display.left(job, others);
                return Ok(Some(Waited::Detached));
            }
        }
        Ok(None)
    }

    /// Updates the clock of the display, and carries out the wishes of the person at the keyboard.
    async fn tick(&mut self) -> Result<Option<Waited>, CommandError> {
        for wish in self.display.tick() {
            if let Some(ended) = self.grant(wish).await? {
                return Ok(Some(ended));
            }
        }
        self.editing.open_if_due(self.display);
        let now = Instant::now();
        let program = self.display.live().and_then(|live| live.looks_from(now));
        if let Some(program) = program {
            self.run.look(program).await?;
        }
        Ok(None)
    }

    async fn grant(&mut self, wish: Wish) -> Result<Option<Waited>, CommandError> {
        match wish {
            Wish::Stop => return self.stop().await,
            Wish::Detach => return Ok(self.run.job().map(Waited::LeftRunning)),
            Wish::Tell(command) => self.run.tell(command).await?,
            Wish::Edit(file) if self.editing.is_closed() => {
                self.run.hold().await?;
                self.editing.want(file);
            }
            // These are followed where the screen is.
            Wish::Edit(_) | Wish::Suspend | Wish::Redraw => {}
        }
        Ok(None)
    }

    async fn after_editor(&mut self, message: &str) -> Result<Option<Waited>, CommandError> {
        if let Some(live) = self.display.live() {
            live.take_back(message);
        }
        self.run.release().await?;
        Ok(None)
    }

    /// Asks the engine to end with its best result so far, or leaves at once, if that was asked before.
    async fn stop(&mut self) -> Result<Option<Waited>, CommandError> {
        if self.is_stopping {
            return Ok(Some(Waited::Left));
        }
        self.is_stopping = true;
        if matches!(self.run, Run::Local(_)) {
            note_stopping(self.display);
        }
        self.run.leave().await?;
        Ok(None)
    }
}

impl Run {
    async fn next(&mut self) -> Result<Update, CommandError> {
        match self {
            Self::Daemon(session) => Ok(session.next().await?),
            Self::Local(run) => run.next().await.ok_or_else(|| {
                CommandError::new(ExitStatus::Environment, "the engine ended without a result")
            }),
        }
    }

    async fn leave(&mut self) -> Result<(), DaemonError> {
        match self {
            Self::Daemon(session) => session.leave().await,
            Self::Local(run) => {
                run.cancel();
                Ok(())
            }
        }
    }

    /// Sends a command about the job to whoever runs it: the daemon, or a thread of this process.
    async fn tell(&mut self, command: JobCommand) -> Result<(), DaemonError> {
        match self {
            Self::Daemon(session) => session.tell(command).await,
            Self::Local(run) => {
                run.tell(&command);
                Ok(())
            }
        }
    }

    /// Lets the job make no queries while the user edits its program.
    async fn hold(&mut self) -> Result<(), DaemonError> {
        match self {
            Self::Daemon(session) => session.hold().await,
            Self::Local(run) => {
                run.hold();
                Ok(())
            }
        }
    }

    async fn release(&mut self) -> Result<(), DaemonError> {
        match self {
            Self::Daemon(session) => session.release().await,
            Self::Local(run) => {
                run.release();
                Ok(())
            }
        }
    }

    /// Asks for the state of the job for a live view that already shows the program of this number.
    async fn look(&mut self, program: u64) -> Result<(), DaemonError> {
        match self {
            Self::Daemon(session) => session.look(program).await,
            Self::Local(run) => {
                run.look(program);
                Ok(())
            }
        }
    }

    /// The job, if it goes on without this process.
    fn job(&self) -> Option<JobId> {
        match self {
            Self::Daemon(session) => session.job(),
            Self::Local(_) => None,
        }
    }
}

fn note_stopping(display: &mut Display) {
    display.note(
        "Stopping",
        "with the best so far; Ctrl-C again leaves at once",
    );
}

fn note_accepted(accepted: &Update, display: &mut Display) {
    let Update::Accepted { job, joined, ahead } = accepted else {
        return;
    };
    if *joined {
        display.note(
            "Joined",
            &format!("job {job} of the daemon, which does the same"),
        );
    }
    if *ahead > 0 {
        display.note(
            "Waiting",
            &format!("for {ahead} other job(s) of the daemon"),
        );
    }
}

/// Warns a user who joins a job of another command that the job's log may be elsewhere than asked for.
fn warn_of_log(accepted: &Update, request: &ReductionRequest, display: &mut Display) {
    if let (Update::Accepted { joined: true, .. }, Some(log)) = (accepted, &request.log) {
        let message = format!(
            "`{log}` may not be written: the job is under way, and the command that began it says where \
             its log goes"
        );
        display.event(&Event::Warning { message });
    }
}

/// Makes the command line by which this program is started as the daemon.
pub(super) fn launch(context: &Context, home: &Home, args: &ReduceArgs) -> Launch {
    let mut arguments: Vec<String> = ["reduce", "daemon", "run", "--started-by-client"]
        .map(str::to_owned)
        .into();
    let idle_minutes = args.run.idle_minutes.to_string();
    let disk_limit = args.run.disk_limit.to_string();
    let mut add = |flag: &str, value: &str| arguments.push(format!("{flag}={value}"));
    add("--idle-minutes", &idle_minutes);
    add("--disk-limit", &disk_limit);
    add("--base", home.base.as_str());
    add("--run-directory", home.run.as_str());
    if let Some(memory) = &home.memory {
        add("--scratch-memory", memory.as_str());
    }
    Launch {
        program: context.program.clone(),
        arguments,
    }
}
