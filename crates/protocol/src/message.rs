//! The messages of client and daemon. `Hello`, `Shutdown` and the reply to it have a form that never changes, so that a client
//! can stop a daemon of any other version; all else may change with the protocol's version.

use crate::cache::{CacheCommand, CacheReply};
use crate::hello::Hello;
use crate::job_id::JobId;
use crate::status::{JobStatus, LiveJob, Status};
use reduce_engine::{Event, Failure, ReductionRequest};
use serde::{Deserialize, Serialize};

/// A message from a client to the daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClientMessage {
    /// The first message. Frozen.
    Hello(Hello),
    /// Begin this reduction, or join the job that is doing it. Answered by `Accepted`, then the job's events.
    Submit(Box<ReductionRequest>),
    /// Send me that job's events from its start on. Answered like `Submit`.
    Attach(JobId),
    /// The client leaves that job, as its user is not interested in it any more. Answered by `Left`. Where others listen
    /// to it, the job goes on. Otherwise it is cancelled: its best result so far is written, and its end is sent.
    Leave(JobId),
    /// Make no queries for that job while the user of this client edits its program, until `Release` or until this client
    /// is gone. Only a client that listens to the job holds it. Answered by `Job`.
    Hold(JobId),
    /// The user of this client does not edit the job's program any more, so that the job goes on. A job that was paused
    /// by a command stays so. Answered by `Job`.
    Release(JobId),
    /// Do something with a job. Answered by `Job`.
    Command {
        /// The number of the job.
        job: JobId,
        /// The command to follow.
        command: JobCommand,
    },
    /// Say how a job is to be shown in a live view. Answered by `Live`.
    Look {
        /// The number of the job.
        job: JobId,
        /// The number of the program that the client has; 0 where it has none.
        program: u64,
    },
    /// Remove jobs that have ended from the list, with their logs. Answered by `Forgotten`.
    Forget,
    /// Carry out a command about what is kept across jobs. Answered by `Cache`.
    Cache(CacheCommand),
    /// Say how the daemon and its jobs are. Answered by `Status`.
    Status,
    /// Stop the daemon. Frozen. Answered by [`ServerMessage::Shutdown`].
    Shutdown {
        /// Whether a daemon that has jobs cancels them and leaves. Otherwise a busy daemon stays.
        force: bool,
    },
}

/// A command about one job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobCommand {
    /// Do nothing but say how the job is.
    Show,
    /// Make no more queries until the job is resumed; those that are under way go on.
    Pause,
    /// Go on, even where a client holds the job.
    Resume,
    /// Stop: what is under way ends, and the best so far is written as the result of a stopped reduction.
    Cancel,
    /// End the search, and deliver the best so far as a result.
    Finish,
    /// Skip the pass of this name, if it is under way. Without a name, it is the pass under way, and a job without one refuses.
    Skip(Option<String>),
}

/// A message from the daemon to a client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ServerMessage {
    /// The first message. Frozen.
    Hello(Hello),
    /// The job is running or waits for its turn.
    Accepted {
        /// The number of the job.
        job: JobId,
        /// Whether another client had asked for the same job.
        joined: bool,
        /// The number of jobs that come before this one.
        ahead: usize,
    },
    /// Something happened in a job. [`Event::Finished`] is the last of a job.
    Event {
        /// The number of the job.
        job: JobId,
        /// The event of the job.
        event: Event,
    },
    /// A job ended without a result.
    Failed {
        /// The number of the job.
        job: JobId,
        /// The reason why the job has no result.
        failure: Failure,
    },
    /// The state of the daemon and of its jobs.
    Status(Box<Status>),
    /// The state of a job, after a command was followed.
    Job(Box<JobStatus>),
    /// The state of a job as a live view shows it.
    Live(Box<LiveJob>),
    /// The client has left a job, as its user asked for.
    Left {
        /// The number of the job.
        job: JobId,
        /// The number of other clients that listen to the job, for whom it goes on. With none it is cancelled, and its end
        /// follows.
        others: u64,
    },
    /// The number of ended jobs that were removed from the list.
    Forgotten(u64),
    /// The answer to a command about what is kept across jobs.
    Cache(CacheReply),
    /// The answer to `Shutdown`. Frozen.
    Shutdown(ShutdownReply),
    /// A message was not followed.
    Refused(Refusal),
}

/// The answer to `Shutdown`. The form is frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShutdownReply {
    /// Whether the daemon leaves.
    pub accepted: bool,
    /// The number of jobs that the daemon has.
    pub jobs: u64,
}

/// The reason why a message was not followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// The two sides are not of the same version; only `Shutdown` is followed.
    #[error("the client and the daemon are not of the same version")]
    VersionMismatch,
    /// The daemon has no such job, or the job ended long ago.
    #[error("there is no job {0}")]
    NoSuchJob(JobId),
    /// The job has ended, so that nothing can be done with it.
    #[error("job {0} has ended")]
    HasEnded(JobId),
    /// The job has no pass under way that can be skipped.
    #[error("job {0} has no pass under way that can be skipped")]
    NothingToSkip(JobId),
    /// The daemon has no place for this client: it serves this many, each of which waits for a job.
    #[error("the daemon serves {0} clients, and no more")]
    TooManyClients(u64),
    /// The request cannot become a job.
    #[error("{0}")]
    NoJob(Box<Failure>),
    /// The daemon is on its way out.
    #[error("the daemon is stopping")]
    ShuttingDown,
    /// The daemon cannot take a job, as its surroundings failed it.
    #[error("the daemon cannot take a job: {0}")]
    Unable(String),
    /// The message could not be read.
    #[error("the message could not be read: {0}")]
    Malformed(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::{from_line, to_line};
    use crate::status::JobState;
    use reduce_engine::{
        Algorithm, CacheUse, Closure, CompilerChoice, Ended, ExistingOutput, Fidelity, ForRustc,
        Input, PackageInput, PassChoice, Prior, Priority, Progress, PropertyOptions, Repeat,
        SearchOptions, Strategy, Surroundings,
    };

    /// The frozen lines are all that versions say to each other that know nothing of each other. A change here breaks
    /// `cargo reduce daemon stop` for every daemon that is running somewhere.
    #[test]
    fn the_frozen_messages_are_written_as_ever() {
        let hello = Hello {
            protocol: 7,
            version: "0.1.0".to_owned(),
            build: "b".to_owned(),
        };
        let reply = ShutdownReply {
            accepted: true,
            jobs: 2,
        };
        let lines = [
            to_line(&ClientMessage::Hello(hello.clone())).unwrap(),
            to_line(&ServerMessage::Hello(hello)).unwrap(),
            to_line(&ClientMessage::Shutdown { force: true }).unwrap(),
            to_line(&ServerMessage::Shutdown(reply)).unwrap(),
        ];
        let expected = [
            "{\"hello\":{\"protocol\":7,\"version\":\"0.1.0\",\"build\":\"b\"}}\n",
            "{\"hello\":{\"protocol\":7,\"version\":\"0.1.0\",\"build\":\"b\"}}\n",
            "{\"shutdown\":{\"force\":true}}\n",
            "{\"shutdown\":{\"accepted\":true,\"jobs\":2}}\n",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn the_frozen_messages_are_read_with_fields_of_a_later_version() {
        let hello = r#"{"hello":{"protocol":9,"version":"2.0.0","build":"b","mood":"fine"}}"#;
        let hello: ServerMessage = from_line(hello).unwrap();
        assert!(matches!(hello, ServerMessage::Hello(hello) if hello.protocol == 9));
    }

    #[track_caller]
    fn check_round_trip(message: &ServerMessage) {
        let line = to_line(message).unwrap();
        assert_eq!(&from_line::<ServerMessage>(&line).unwrap(), message);
    }

    #[test]
    fn a_request_survives_the_way() {
        let request = ReductionRequest {
            input: Input::Package(PackageInput::default()),
            instead: None,
            from: None,
            surroundings: Surroundings {
                cwd: "/crate".into(),
                vars: [("PATH".to_owned(), "/bin".to_owned())].into(),
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
                timeout_seconds: Some(9),
                baseline_timeout_seconds: 600,
                memory_mib: 512,
                allow_errors: false,
                strict_valid: false,
                ignore_location: true,
                any_message: false,
                fidelity: Fidelity::Free,
                mutate: vec![],
                repeat: Repeat::Times(2),
            },
            search: SearchOptions {
                algorithm: Algorithm::Wprobdd,
                strategy: Strategy::HoistHdd,
                seed: 7,
                initial_probability: Some("0.15".parse().unwrap()),
                prior: Prior::Reachable,
                closure: Closure::WithUsers,
                passes: PassChoice::only(["print"]).unwrap(),
                replace_std: true,
                as_main: true,
                width: "3".parse().unwrap(),
                verify_minimal: true,
            },
            compiler: CompilerChoice::Warm,
            jobs: 2,
            remote: None,
            cache: CacheUse::Persistent,
            log: None,
            for_rustc: ForRustc::default(),
            priority: Default::default(),
            launcher: vec![],
            scratch: None,
            budget: Default::default(),
        };
        let message = ClientMessage::Submit(Box::new(request));
        let line = to_line(&message).unwrap();
        assert_eq!(from_line::<ClientMessage>(&line).unwrap(), message);
    }

    #[test]
    fn server_messages_survive_the_way() {
        let job = JobId(3);
        check_round_trip(&ServerMessage::Accepted {
            job,
            joined: true,
            ahead: 1,
        });
        let event = Event::Progress(progress());
        check_round_trip(&ServerMessage::Event { job, event });
        check_round_trip(&ServerMessage::Refused(Refusal::NoSuchJob(job)));
        check_round_trip(&ServerMessage::Left { job, others: 2 });
        check_round_trip(&ServerMessage::Job(Box::new(JobStatus {
            job,
            state: JobState::Running,
            input: "/tree".into(),
            output: "/tree/out".into(),
            log: "/base/jobs/3.jsonl".into(),
            priority: Priority::High,
            listeners: 1,
            workers: 2,
            worker_seconds: 1.5,
            submitted: "2026-11-21T09:29:50Z".to_owned(),
            progress: Some(progress()),
            skips: Some("delete_items".to_owned()),
            ended: Some(Ended::MaxTime),
            failure: None,
        })));
    }

    fn progress() -> Progress {
        Progress {
            pass: "delete_items".to_owned(),
            round: 1,
            tokens_now: 10,
            tokens_at_start: 100,
            queries: 7,
            cache_hits: 2,
            elapsed_seconds: 0.1,
        }
    }
}
