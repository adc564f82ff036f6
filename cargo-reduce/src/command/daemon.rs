//! `cargo reduce daemon status|stop|run`.

use crate::args::{DaemonRunArgs, MessageFormat};
use crate::context::Context;
use crate::display::{self, Printable, progress_line, time};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_daemon::{Home, ServerOptions, StandardError, StartedBy, connect, serve};
use reduce_engine::escape;
use reduce_protocol::{JobState, Status};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// How long a daemon that is told to leave waits for its jobs to write their results.
const GRACE: Duration = Duration::from_secs(30);

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
    let options = ServerOptions {
        hello: context.hello(),
        idle_exit: Duration::from_secs(args.idle_minutes.saturating_mul(60)),
        grace: GRACE,
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
    for job in &status.jobs {
        let state = match job.state {
            JobState::Waiting => "waiting",
            JobState::Running => "running",
            JobState::Stopping => "stopping",
        };
        let progress = job
            .progress
            .as_ref()
            .map(|progress| format!(": {}", progress_line(progress)));
        let progress = progress.unwrap_or_default();
        // Writing to a string cannot fail.
        let output = escape::line(job.output.as_str());
        let _ = writeln!(text, "job {} {state}, for `{output}`{progress}", job.job);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_protocol::{JobId, JobStatus};

    #[test]
    fn a_status_names_each_job() {
        let status = Status {
            pid: 7,
            version: "0.1.0".to_owned(),
            uptime_seconds: 75,
            clients: 2,
            jobs: vec![JobStatus {
                job: JobId(3),
                state: JobState::Waiting,
                output: "/out".into(),
                progress: None,
            }],
        };
        insta::assert_snapshot!(human(&status), @"
        daemon 0.1.0 (pid 7), up for 1 min 15 s, 1 client(s), 1 job(s)
        job 3 waiting, for `/out`
        ");
    }

    #[test]
    fn no_daemon_is_null_to_machines() {
        assert_eq!(display::json_line(&None::<Status>), "null\n");
    }
}
