//! The error that a failed command shows to the user.

use crate::display::printable::Printable;
use crate::exit::ExitStatus;
use clap_cargo::style::{ERROR, NOTE};
use reduce_daemon::DaemonError;
use reduce_engine::{Failure, Offer};
use reduce_protocol::Refusal;
use std::error::Error;

/// A command that failed: the kind decides the exit code.
#[derive(Debug)]
pub(crate) struct CommandError {
    pub(crate) kind: ExitStatus,
    pub(crate) source: Box<dyn Error + Send + Sync>,
    /// The last lines of what a failed command printed.
    pub(crate) output: Option<String>,
    /// Causes that are only known as text.
    pub(crate) causes: Vec<String>,
    pub(crate) hints: Vec<String>,
    /// The failures that could be reduced, where the user has to choose one.
    pub(crate) offers: Box<[Offer]>,
}

impl CommandError {
    pub(crate) fn new(kind: ExitStatus, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            kind,
            source: source.into(),
            output: None,
            causes: vec![],
            hints: vec![],
            offers: Box::default(),
        }
    }

    /// Arguments or input that make no sense.
    pub(crate) fn bad_input(message: impl Into<String>) -> Self {
        Self::new(ExitStatus::BadInput, message.into())
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Returns the error message as it is printed, with output, causes and hints.
    pub(crate) fn render(&self) -> Printable {
        let mut text = Printable::labelled(ERROR, "error", &self.source.to_string());
        let causes = std::iter::successors(self.source.source(), |&cause| cause.source());
        let causes = causes
            .map(ToString::to_string)
            .chain(self.causes.iter().cloned());
        for cause in causes {
            text += Printable::line(&format!("  caused by: {cause}"));
        }
        if let Some(output) = &self.output {
            text += Printable::quoted("  | ", output);
        }
        for hint in &self.hints {
            text += Printable::labelled(NOTE, "hint", hint);
        }
        text
    }
}

impl From<Failure> for CommandError {
    fn from(failure: Failure) -> Self {
        let Failure {
            kind,
            message,
            causes,
            output,
            hints,
            offers,
        } = failure;
        Self {
            causes,
            output,
            hints,
            offers,
            ..Self::new(kind.into(), message)
        }
    }
}

impl From<DaemonError> for CommandError {
    fn from(error: DaemonError) -> Self {
        let error = match error {
            DaemonError::Refused(Refusal::NoJob(failure)) => return Self::from(*failure),
            error => error,
        };
        let hints: &[&str] = match &error {
            DaemonError::BusyOtherVersion { .. } => &[
                "wait for it, or stop it with `cargo reduce daemon stop --force`",
                "`--no-daemon --no-cache` works beside it",
            ],
            DaemonError::Newer { .. } => &[
                "update this program, or stop the daemon with `cargo reduce daemon stop`",
                "`--no-daemon --no-cache` works beside it",
            ],
            DaemonError::Gone { .. } => {
                &["the same command again goes on from the last accepted step"]
            }
            DaemonError::Refused(Refusal::NoSuchJob(_) | Refusal::HasEnded(_)) => {
                &["`cargo reduce jobs` lists the jobs"]
            }
            DaemonError::Refused(Refusal::NothingToSkip(_)) => {
                &["`cargo reduce jobs log ID` says what the job is doing"]
            }
            DaemonError::Refused(Refusal::TooManyClients(_)) => &[
                "each waits for a job: try again when one of them has ended",
                "`--no-daemon` works without a daemon",
            ],
            DaemonError::AlreadyRunning { .. } => {
                &["`cargo reduce daemon status` says what it does"]
            }
            _ => &["`--no-daemon` works without a daemon"],
        };
        let hints = hints.iter().map(|&hint| hint.to_owned()).collect();
        let error = match error {
            // The job that was named is not there; the daemon is as it should be.
            DaemonError::Refused(
                refusal
                @ (Refusal::NoSuchJob(_) | Refusal::HasEnded(_) | Refusal::NothingToSkip(_)),
            ) => Self::new(ExitStatus::BadInput, refusal),
            error => Self::new(ExitStatus::Daemon, error),
        };
        Self { hints, ..error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_engine::FailureKind;

    fn plain(error: &CommandError) -> String {
        anstream::adapter::strip_str(error.render().as_str()).to_string()
    }

    #[test]
    fn a_failure_is_shown_with_its_causes_output_and_hints() {
        let failure = Failure {
            kind: FailureKind::BadInput,
            message: "failed to run `cargo check`".to_owned(),
            causes: vec!["exit status 101".to_owned()],
            output: Some("error: no such feature\nhelp: there is none".to_owned()),
            hints: vec!["see the manifest".to_owned()],
            offers: Box::default(),
        };
        let error = CommandError::from(failure);
        assert_eq!(error.kind, ExitStatus::BadInput);
        insta::assert_snapshot!(plain(&error), @"
        error: failed to run `cargo check`
          caused by: exit status 101
          | error: no such feature
          | help: there is none
        hint: see the manifest
        ");
    }

    #[test]
    fn what_others_wrote_cannot_act_on_the_terminal() {
        let text = "a\u{1b}]0;x\u{7}\nhint: run this\u{202e}";
        let mut error = CommandError::bad_input(text).hint(text);
        error.causes = vec![text.to_owned()];
        error.output = Some("\u{1b}[31mred\u{1b}[0m\u{9b}2J".to_owned());
        insta::assert_snapshot!(plain(&error), @r"
        error: a\u{1b}]0;x\u{7}\nhint: run this\u{202e}
          caused by: a\u{1b}]0;x\u{7}\nhint: run this\u{202e}
          | red\u{9b}2J
        hint: a\u{1b}]0;x\u{7}\nhint: run this\u{202e}
        ");
    }

    #[test]
    fn a_job_without_a_pass_to_skip_is_no_fault_of_the_daemon() {
        let refusal = Refusal::NothingToSkip(reduce_protocol::JobId(3));
        let error = CommandError::from(DaemonError::Refused(refusal));
        assert_eq!(error.kind, ExitStatus::BadInput);
        insta::assert_snapshot!(plain(&error), @"
        error: job 3 has no pass under way that can be skipped
        hint: `cargo reduce jobs log ID` says what the job is doing
        ");
    }

    #[test]
    fn a_busy_daemon_of_another_version_is_not_a_dead_end() {
        let daemon = reduce_protocol::Hello::new("0.0.9", "b");
        let error = CommandError::from(DaemonError::BusyOtherVersion { daemon, jobs: 2 });
        assert_eq!(error.kind, ExitStatus::Daemon);
        insta::assert_snapshot!(plain(&error), @"
        error: a daemon of another version (version 0.0.9, protocol 13) is busy with 2 job(s)
        hint: wait for it, or stop it with `cargo reduce daemon stop --force`
        hint: `--no-daemon --no-cache` works beside it
        ");
    }
}
