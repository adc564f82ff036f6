//! `cargo reduce daemon status|stop|run`.

use super::cache::size;
use super::jobs;
use crate::args::{DaemonRunArgs, MessageFormat};
use crate::context::Context;
use crate::display::{self, Printable, time};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use crate::request::cores;
use reduce_daemon::{Home, ServerOptions, StandardError, StartedBy, connect, serve};
use reduce_engine::escape;
use reduce_protocol::Status;
use std::sync::Arc;
use std::time::Duration;

/// The time that a daemon that is told to stop gives its jobs to write their results.
const GRACE: Duration = Duration::from_secs(30);

/// The largest number of errors of the daemon that its status shows.
const MOST_ERRORS: usize = 5;

/// Says on standard output what the daemon does.
pub(crate) async fn status(
    context: &Context,
    format: MessageFormat,
) -> Result<ExitStatus, CommandError> {
    let session = connect(&context.home()?, &context.hello()).await?;
    let status = match session {
        Some(mut session) => Some(session.status().await?),
        None => None,
    };
    display::data(&match (format, &status) {
        (MessageFormat::Json, status) => display::json_line(status),
        (MessageFormat::Human, None) => "no daemon is running\n".to_owned(),
        (MessageFormat::Human, Some(status)) => human(status),
    });
    Ok(ExitStatus::Reduced)
}

/// Makes the daemon leave and waits until it has.
pub(crate) async fn stop(context: &Context, force: bool) -> Result<ExitStatus, CommandError> {
    let Some(mut session) = connect(&context.home()?, &context.hello()).await? else {
        display::talk(&Printable::line("no daemon is running"));
        return Ok(ExitStatus::Reduced);
    };
    let reply = session.shut_down(force).await?;
    if !reply.accepted {
        let message = format!("the daemon is busy with {} job(s)", reply.jobs);
        return Err(CommandError::new(ExitStatus::Daemon, message)
            .hint("`--force` cancels them; their best results so far are written"));
    }
    session.wait_until_gone().await;
    display::talk(&Printable::line("the daemon has stopped"));
    Ok(ExitStatus::Reduced)
}

/// Runs the daemon in this process.
pub(crate) fn run(context: &Context, args: &DaemonRunArgs) -> Result<ExitStatus, CommandError> {
    let home = match (&args.base, &args.run_directory) {
        (Some(base), Some(run)) => Home {
            base: base.clone(),
            run: run.clone(),
            memory: args.scratch_memory.clone(),
        },
        _ => context.home()?,
    };
    let (started_by, standard_error) = match args.started_by_client {
        true => (StartedBy::Client, StandardError::IntoLog),
        false => (StartedBy::User, StandardError::Keep),
    };
    if started_by == StartedBy::User {
        let message = format!("the daemon's log is `{}`", home.log());
        display::talk(&Printable::line(&message));
    }
    let workers = args.workers.map_or_else(cores, usize::from);
    let options = ServerOptions {
        hello: context.hello(),
        idle_exit: Duration::from_secs(args.idle_minutes.saturating_mul(60)),
        grace: GRACE,
        workers,
        most_running: reduce_daemon::most_running(workers),
        disk_limit_bytes: args.disk_limit << 20,
        capture_program: context.program.clone(),
        standard_error,
    };
    serve(&home, options, Arc::new(reduce_engine::reduce), started_by)?;
    Ok(ExitStatus::Reduced)
}

fn human(status: &Status) -> String {
    let mut text = format!(
        "daemon {} (pid {}), up for {}, {} client(s), {} job(s)\n",
        status.version,
        status.pid,
        time(status.uptime_seconds as f64),
        status.clients.saturating_sub(1),
        status.jobs.len()
    );
    text += &figures(status);
    text.extend(status.jobs.iter().map(jobs::line));
    for error in status.errors.iter().take(MOST_ERRORS) {
        let job = error.job.map(|job| format!(" in job {job}"));
        let (job, message) = (job.unwrap_or_default(), escape::line(&error.message));
        text += &format!("error at {}{job}: {message}\n", error.time);
    }
    text
}

/// Describes the workers, the memory and the known verdicts of the daemon in its status.
fn figures(status: &Status) -> String {
    let memory = status.memory_bytes.map(size);
    let memory = memory.map_or_else(String::new, |memory| format!(", {memory} of memory"));
    let rate = status
        .hit_rate()
        .map(|rate| format!(" ({:.0} %)", rate * 100.0));
    let (disk, limit) = (size(status.disk_bytes), size(status.disk_limit_bytes));
    format!(
        "workers: {} of {} in use, {} warm compiler(s); at most {} jobs at a time{memory}\n\
         disk: {disk} of {limit} for compiled dependencies, scratch files and logs\n\
         questions: {} queries, {} known verdicts{}\n",
        status.workers_in_use,
        status.workers,
        status.warm_compilers,
        status.most_running,
        status.queries,
        status.cache_hits,
        rate.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_engine::Priority;
    use reduce_protocol::{ErrorNote, JobId, JobState, JobStatus};

    fn job(id: u64, state: JobState) -> JobStatus {
        JobStatus {
            job: JobId(id),
            state,
            input: "/in".into(),
            output: "/out".into(),
            log: "/log".into(),
            priority: Priority::Normal,
            listeners: 0,
            workers: 0,
            worker_seconds: 1.5,
            submitted: String::new(),
            progress: None,
            skips: None,
            ended: None,
            failure: None,
        }
    }

    #[test]
    fn a_status_names_each_job() {
        let status = Status {
            pid: 7,
            version: "0.1.0".to_owned(),
            uptime_seconds: 75,
            clients: 2,
            workers_in_use: 1,
            workers: 2,
            most_running: 8,
            warm_compilers: 2,
            memory_bytes: Some(30 << 20),
            disk_bytes: 3 << 20,
            disk_limit_bytes: 2048 << 20,
            queries: 30,
            cache_hits: 10,
            jobs: vec![job(3, JobState::Waiting)],
            ended: vec![job(2, JobState::Finished)],
            errors: vec![ErrorNote {
                time: "2026-11-21T09:29:50Z".to_owned(),
                job: Some(JobId(1)),
                message: "it does not fail".to_owned(),
            }],
        };
        insta::assert_snapshot!(human(&status), @"
        daemon 0.1.0 (pid 7), up for 1 min 15 s, 1 client(s), 1 job(s)
        workers: 1 of 2 in use, 2 warm compiler(s); at most 8 jobs at a time, 30.0 MiB of memory
        disk: 3.0 MiB of 2048.0 MiB for compiled dependencies, scratch files and logs
        questions: 30 queries, 10 known verdicts (25 %)
        job 3 waiting, for `/out`
        error at 2026-11-21T09:29:50Z in job 1: it does not fail
        ");
    }

    #[test]
    fn no_daemon_is_null_to_machines() {
        assert_eq!(display::json_line(&None::<Status>), "null\n");
    }
}
