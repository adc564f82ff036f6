//! `cargo reduce jobs`: lists the jobs of the daemon, and does something with one of them.

use super::reduce;
use crate::args::{DisplayArgs, JobsArgs, JobsCommand, Listing, MessageFormat};
use crate::context::Context;
use crate::display::{self, Printable, progress_line, time};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use camino::Utf8Path;
use reduce_daemon::{JobLogLine, Session, connect};
use reduce_engine::{copy_best, escape};
use reduce_protocol::{JobCommand, JobId, JobStatus};
use std::fmt::Write;

/// Runs a command of `cargo reduce jobs`, or lists all jobs if no command is named.
pub(crate) async fn run(
    jobs: &JobsArgs,
    context: &Context,
    args: &DisplayArgs,
) -> Result<ExitStatus, CommandError> {
    let format = args.message_format;
    match &jobs.command {
        None => list(jobs.listing, context, format).await,
        Some(other) if jobs.listing.running && !matches!(other, JobsCommand::List(_)) => {
            let message =
                "`--running` goes with the list of jobs alone, and not with another command";
            Err(CommandError::bad_input(message)
                .hint("leave it out, or list: `cargo reduce jobs --running`"))
        }
        Some(JobsCommand::List(listing)) => list(*listing, context, format).await,
        Some(JobsCommand::Clean) => clean(context, format).await,
        Some(JobsCommand::Attach(job)) => attach(job.id, context, args).await,
        Some(JobsCommand::Show(job)) => act(job.id, JobCommand::Show, context, format).await,
        Some(JobsCommand::Pause(job)) => act(job.id, JobCommand::Pause, context, format).await,
        Some(JobsCommand::Resume(job)) => act(job.id, JobCommand::Resume, context, format).await,
        Some(JobsCommand::Cancel(job)) => act(job.id, JobCommand::Cancel, context, format).await,
        Some(JobsCommand::Finish(job)) => act(job.id, JobCommand::Finish, context, format).await,
        Some(JobsCommand::Skip(job)) => act(job.id, JobCommand::Skip(None), context, format).await,
        Some(JobsCommand::Result { job, output }) => {
            let output = context.absolute(output);
            result(job.id, &output, context, format).await
        }
        Some(JobsCommand::Log(job)) => log(job.id, context, format).await,
    }
}

async fn list(
    listing: Listing,
    context: &Context,
    format: MessageFormat,
) -> Result<ExitStatus, CommandError> {
    let session = connect(&context.home()?, &context.hello()).await?;
    let jobs = match session {
        Some(mut session) => {
            let status = session.status().await?;
            let ended = status.ended.into_iter().filter(|_| !listing.running);
            status.jobs.into_iter().chain(ended).collect()
        }
        None => Vec::new(),
    };
    display::data(&match format {
        MessageFormat::Json => display::json_line(&jobs),
        MessageFormat::Human if jobs.is_empty() => match listing.running {
            true => "no job runs or waits\n".to_owned(),
            false => "there are no jobs\n".to_owned(),
        },
        MessageFormat::Human => jobs.iter().map(line).collect(),
    });
    Ok(ExitStatus::Reduced)
}

/// Removes jobs that have ended from the daemon's list; without a daemon there are none.
async fn clean(context: &Context, format: MessageFormat) -> Result<ExitStatus, CommandError> {
    let forgotten = match connect(&context.home()?, &context.hello()).await? {
        Some(mut session) => session.forget().await?,
        None => 0,
    };
    match format {
        MessageFormat::Json => {
            let said = serde_json::json!({ "removed": forgotten });
            display::data(&display::json_line(&said));
        }
        MessageFormat::Human => {
            let message = format!("removed {forgotten} ended job(s) from the list");
            display::talk(&Printable::line(&message));
        }
    }
    Ok(ExitStatus::Reduced)
}

async fn attach(
    job: JobId,
    context: &Context,
    args: &DisplayArgs,
) -> Result<ExitStatus, CommandError> {
    let mut session = session(context).await?;
    session.attach(job).await?;
    reduce::follow(session, args, context).await
}

/// Sends a command about a job to the daemon, and prints the state of the job after that.
async fn act(
    job: JobId,
    command: JobCommand,
    context: &Context,
    format: MessageFormat,
) -> Result<ExitStatus, CommandError> {
    let status = session(context).await?.command(job, command).await?;
    display::data(&match format {
        MessageFormat::Json => display::json_line(&status),
        MessageFormat::Human => details(&status),
    });
    Ok(ExitStatus::Reduced)
}

async fn result(
    job: JobId,
    output: &Utf8Path,
    context: &Context,
    format: MessageFormat,
) -> Result<ExitStatus, CommandError> {
    let status = shown(job, context).await?;
    // A result that is there until then is of an earlier job.
    if status.progress.is_none() && !status.state.has_ended() {
        let message = format!("job {job} has no result yet: its search has not begun");
        return Err(CommandError::bad_input(message)
            .hint(format!("`cargo reduce jobs show {job}` says how far it is")));
    }
    copy_best(&status.output, output)?;
    match format {
        MessageFormat::Json => {
            let copied = serde_json::json!({ "job": status, "result": output });
            display::data(&display::json_line(&copied));
        }
        MessageFormat::Human => {
            let what = match status.state.has_ended() {
                true => "the result",
                false => "the best program so far",
            };
            let message = format!("{what} of job {job} is in `{output}`");
            display::talk(&Printable::line(&message));
        }
    }
    Ok(ExitStatus::Reduced)
}

async fn log(
    job: JobId,
    context: &Context,
    format: MessageFormat,
) -> Result<ExitStatus, CommandError> {
    let path = shown(job, context).await?.log;
    let text = std::fs::read_to_string(&path).map_err(|error| {
        let message = format!("failed to read the log `{path}` of job {job}: {error}");
        CommandError::new(ExitStatus::Environment, message)
    })?;
    display::data(&match format {
        MessageFormat::Json => text,
        MessageFormat::Human => text.lines().filter_map(log_line).collect(),
    });
    Ok(ExitStatus::Reduced)
}

/// Turns a line of a job's log (JSON) into a line for people, or `None` if it is not yet written as a whole.
fn log_line(line: &str) -> Option<String> {
    let line: JobLogLine = serde_json::from_str(line).ok()?;
    let text = escape::lines(&line.describe()).replace('\n', "\n  ");
    Some(format!("{} {text}\n", line.time))
}

/// Asks the daemon for the state of a job.
async fn shown(job: JobId, context: &Context) -> Result<JobStatus, CommandError> {
    let mut session = session(context).await?;
    Ok(session.command(job, JobCommand::Show).await?)
}

/// Connects to the running daemon, and fails if there is none, as there are no jobs then.
async fn session(context: &Context) -> Result<Session, CommandError> {
    let session = connect(&context.home()?, &context.hello()).await?;
    session.ok_or_else(|| {
        CommandError::bad_input("no daemon is running, so that there are no jobs")
            .hint("the same command that began a job goes on from its last accepted step")
    })
}

/// A job in a line.
pub(super) fn line(status: &JobStatus) -> String {
    let progress = match (&status.failure, &status.progress) {
        (Some(failure), _) => format!(": {}", escape::line(failure)),
        (None, Some(progress)) => format!(": {}", progress_line(progress)),
        (None, None) => String::new(),
    };
    let output = escape::line(status.output.as_str());
    let state = status.state.name();
    format!("job {} {state}, for `{output}`{progress}\n", status.job)
}

/// All that is known of a job.
fn details(status: &JobStatus) -> String {
    let mut text = format!("job {}: {}\n", status.job, status.state.name());
    let mut add = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {name}: {}", escape::line(value));
    };
    add("input", status.input.as_str());
    add("output", status.output.as_str());
    add("log", status.log.as_str());
    add("submitted", &status.submitted);
    add("priority", status.priority.name());
    add("clients", &status.listeners.to_string());
    if !status.state.has_ended() {
        add("workers in use", &status.workers.to_string());
    }
    add("time of workers", &time(status.worker_seconds));
    if let Some(progress) = &status.progress {
        add("progress", &progress_line(progress));
    }
    if let Some(pass) = &status.skips {
        add("skips", &format!("this run of `{pass}`"));
    }
    if let Some(why) = status.ended.and_then(reduce_engine::Ended::early) {
        add("ended early", why);
    }
    if let Some(failure) = &status.failure {
        add("failure", failure);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_engine::{Ended, Priority};
    use reduce_protocol::JobState;

    fn status(state: JobState) -> JobStatus {
        JobStatus {
            job: JobId(3),
            state,
            input: "/crate".into(),
            output: "/out\u{1b}[2J".into(),
            log: "/base/jobs/3.jsonl".into(),
            priority: Priority::Low,
            listeners: 1,
            workers: 2,
            worker_seconds: 1.5,
            submitted: "2026-11-21T09:29:50Z".to_owned(),
            progress: None,
            skips: None,
            ended: None,
            failure: None,
        }
    }

    #[test]
    fn a_job_is_shown_with_what_is_known_of_it() {
        insta::assert_snapshot!(details(&status(JobState::Paused)), @r"
        job 3: paused
          input: /crate
          output: /out\u{1b}[2J
          log: /base/jobs/3.jsonl
          submitted: 2026-11-21T09:29:50Z
          priority: low
          clients: 1
          workers in use: 2
          time of workers: 1.5 s
        ");
        let skipping = JobStatus {
            skips: Some("delete_items".to_owned()),
            ..status(JobState::Running)
        };
        let text = details(&skipping);
        assert!(text.contains("skips: this run of `delete_items`"), "{text}");
        let ended = JobStatus {
            ended: Some(Ended::MaxQueries),
            ..status(JobState::Finished)
        };
        let text = details(&ended);
        assert!(
            text.contains("ended early: the queries of `--max-queries` were used"),
            "{text}"
        );
    }

    #[test]
    fn a_failed_job_says_why_in_its_line() {
        let failed = JobStatus {
            failure: Some("it does not fail".to_owned()),
            ..status(JobState::Failed)
        };
        let expected = "job 3 failed, for `/out\\u{1b}[2J`: it does not fail\n";
        assert_eq!(line(&failed), expected);
    }

    #[test]
    fn a_line_of_a_log_is_read_and_cannot_act_on_the_terminal() {
        let line = r#"{"time":"T","event":{"event":"preparing","what":"a\u001b[2J"}}"#;
        assert_eq!(log_line(line).as_deref(), Some("T a\\u{1b}[2J\n"));
        assert_eq!(log_line(r#"{"time":"T","ev"#), None);
    }
}
