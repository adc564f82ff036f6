//! `cargo reduce`: hands the request to the daemon or to an engine in this process, and shows what
//! happens until the end.

use super::interrupt::{Attention, Interrupts};
use super::others;
use crate::args::{DisplayArgs, MessageFormat, ReduceArgs};
use crate::context::Context;
use crate::display::{self, Display};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_daemon::{DaemonError, Home, Launch, LocalRun, Session, Update};
use reduce_engine::{Ended, Event, ReductionRequest, Summary};
use std::time::Duration;
use tokio::time::MissedTickBehavior;

/// How often the clock of the progress line moves.
const TICK: Duration = Duration::from_millis(100);

/// Where the reduction runs.
enum Run {
    Daemon(Session),
    Local(LocalRun),
}

/// How waiting for it ended.
pub(super) enum Waited {
    Finished(Box<Summary>),
    /// The job goes on for others.
    Detached,
    /// A second Ctrl-C.
    Left,
}

/// Reduces, and shows it.
pub(crate) async fn run(
    args: &ReduceArgs,
    request: ReductionRequest,
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    if args.run.detach {
        return detach(args, &request, context).await;
    }
    let asked = request.clone();
    let mut display = Display::new(&args.display);
    let waited = reduce(args, request, context, &mut display).await;
    let first = match &waited {
        Ok(Waited::Finished(summary)) => Some(summary.clone()),
        _ => None,
    };
    let status = end(waited, &mut display);
    let Some(first) = first.filter(|_| status == ExitStatus::Reduced) else {
        return Ok(status);
    };
    if args.run.others {
        return others::run(args, &asked, &first, context).await;
    }
    others::advise(args, &asked.property.goal, &first);
    Ok(status)
}

/// Reduces one program.
pub(super) async fn reduce(
    args: &ReduceArgs,
    request: ReductionRequest,
    context: &Context,
    display: &mut Display,
) -> Result<Waited, CommandError> {
    let (mut run, mut interrupts) = start(args, request, context, display).await?;
    wait(&mut run, &mut interrupts, display).await
}

/// Shows a job of the daemon to its end.
pub(super) async fn follow(
    session: Session,
    args: &DisplayArgs,
) -> Result<ExitStatus, CommandError> {
    let mut display = Display::new(args);
    let mut interrupts = Interrupts::new(Attention::Interrupt)?;
    let waited = wait(&mut Run::Daemon(session), &mut interrupts, &mut display).await;
    Ok(end(waited, &mut display))
}

/// Hands the job to the daemon, says which one it is, and leaves.
async fn detach(
    args: &ReduceArgs,
    request: &ReductionRequest,
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    let home = context.home()?;
    let launch = launch(context, &home, args);
    let submitted = reduce_daemon::submit(&home, &context.hello(), &launch, request).await;
    let (_, accepted) = submitted?;
    let Update::Accepted { job, joined, .. } = accepted else {
        let message = "the daemon did not say which job it is";
        return Err(CommandError::new(ExitStatus::Daemon, message));
    };
    let output = &request.output;
    display::data(&match args.display.message_format {
        MessageFormat::Json => display::json_detached(job, joined, output),
        MessageFormat::Human => format!("{job}\n"),
    });
    display::say(
        args.display.message_format,
        "Detached",
        &format!(
            "job {job}; its result goes to `{output}`. `cargo reduce jobs show {job}` says how it is, \
             and `cargo reduce jobs attach {job}` shows it"
        ),
    );
    Ok(ExitStatus::Reduced)
}

fn end(waited: Result<Waited, CommandError>, display: &mut Display) -> ExitStatus {
    match waited {
        Ok(Waited::Finished(summary)) => {
            display.finished(&summary);
            status(&summary)
        }
        Ok(Waited::Detached) => ExitStatus::Stopped,
        Ok(Waited::Left) => {
            display.note("Left", "before the result was written");
            ExitStatus::Stopped
        }
        Err(error) => {
            display.failed(&error);
            error.kind
        }
    }
}

/// The same for another crash than was asked for: standard output has the code of that one alone.
pub(super) fn end_of_other(
    waited: Result<Waited, CommandError>,
    display: &mut Display,
) -> ExitStatus {
    match waited {
        Ok(Waited::Finished(summary)) => {
            let status = status(&summary);
            display.event(&Event::Finished(summary));
            status
        }
        waited => end(waited, display),
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
    if args.run.no_daemon {
        let interrupts = Interrupts::new(Attention::All)?;
        let engine = super::simulated::engine(context)?;
        let run = LocalRun::start(&home, context.program.clone(), engine, request)?;
        return Ok((Run::Local(run), interrupts));
    }
    let launch = launch(context, &home, args);
    let submitted = reduce_daemon::submit(&home, &context.hello(), &launch, &request).await;
    let (session, accepted) = submitted?;
    note_accepted(&accepted, display);
    warn_of_log(&accepted, &request, display);
    Ok((Run::Daemon(session), Interrupts::new(Attention::Interrupt)?))
}

async fn wait(
    run: &mut Run,
    interrupts: &mut Interrupts,
    display: &mut Display,
) -> Result<Waited, CommandError> {
    let mut is_stopping = false;
    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            _ = ticks.tick() => display.tick(),
            update = run.next() => match update? {
                Update::Event(Event::Finished(summary)) => return Ok(Waited::Finished(summary)),
                Update::Event(event) => display.event(&event),
                Update::Failed(failure) => return Err(failure.into()),
                accepted @ Update::Accepted { .. } => note_accepted(&accepted, display),
                // Nobody has asked for it.
                Update::Live(_) => {}
                Update::Left { others: 0, .. } => note_stopping(display),
                Update::Left { job, others } => {
                    display.left(job, others);
                    return Ok(Waited::Detached);
                }
            },
            () = interrupts.next() => {
                if is_stopping {
                    return Ok(Waited::Left);
                }
                is_stopping = true;
                if matches!(run, Run::Local(_)) {
                    note_stopping(display);
                }
                run.leave().await?;
            }
        }
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

/// The log of a job is where the command that began it says.
fn warn_of_log(accepted: &Update, request: &ReductionRequest, display: &mut Display) {
    if let (Update::Accepted { joined: true, .. }, Some(log)) = (accepted, &request.log) {
        let message = format!(
            "`{log}` may not be written: the job is under way, and the command that began it says where \
             its log goes"
        );
        display.event(&Event::Warning { message });
    }
}

/// How this program is started as a daemon.
fn launch(context: &Context, home: &Home, args: &ReduceArgs) -> Launch {
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
