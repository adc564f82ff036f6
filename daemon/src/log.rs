//! The log file: what the daemon did, for the day when something went wrong. It is bounded: at the
//! cap the file becomes `log.old`, replacing the one before, and a new one begins.

use crate::clock;
use crate::error::DaemonError;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::{Event, escape};
use reduce_platform::{files, processes};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// The size up to which a log file may grow. With the rotated one, twice as much is kept.
const MAX_LOG_BYTES: u64 = 1 << 20;

/// The use that the daemon makes of its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandardError {
    /// Standard error stays what it is; a daemon in the foreground.
    Keep,
    /// Standard error goes to the log as well; a daemon that no terminal watches.
    IntoLog,
}

/// The log file. Writing never fails visibly: a full disk must not stop a reduction.
#[derive(Debug)]
pub(crate) struct Log {
    path: Utf8PathBuf,
    standard_error: StandardError,
    max_bytes: u64,
    file: Mutex<File>,
}

impl Log {
    /// Opens the log, or makes it.
    ///
    /// # Errors
    /// Where the file cannot be opened.
    pub(crate) fn open(
        path: Utf8PathBuf,
        standard_error: StandardError,
    ) -> Result<Self, DaemonError> {
        let file = open_private(&path).map_err(DaemonError::io("open", &path))?;
        let log = Self {
            path,
            standard_error,
            max_bytes: MAX_LOG_BYTES,
            file: Mutex::new(file),
        };
        log.redirect_standard_error();
        Ok(log)
    }

    /// Writes a line with the time before it. The log is read in a terminal: what would act there is
    /// shown, and further lines are indented.
    pub(crate) fn write(&self, message: impl AsRef<str>) {
        let message = escape::lines(message.as_ref()).replace('\n', "\n  ");
        let line = format!("{} {message}\n", clock::timestamp());
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = file.write_all(line.as_bytes());
        let is_full = file
            .metadata()
            .is_ok_and(|metadata| metadata.len() >= self.max_bytes);
        if is_full {
            self.rotate(&mut file);
        }
        drop(file);
        if is_full {
            self.redirect_standard_error();
        }
    }

    fn rotate(&self, file: &mut File) {
        let renamed = std::fs::rename(&self.path, format!("{}.old", self.path));
        if renamed.is_ok()
            && let Ok(new) = open_private(&self.path)
        {
            *file = new;
        }
    }

    fn redirect_standard_error(&self) {
        if self.standard_error == StandardError::IntoLog {
            let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            // Without it a panic message is lost; there is nowhere to say so.
            processes::send_errors_to(&file);
        }
    }
}

/// Describes an event in a line of the log, or returns `None` for events that are too frequent.
pub(crate) fn describe(event: &Event) -> Option<String> {
    Some(match event {
        Event::Progress(_) => return None,
        Event::Preparing { what } => what.clone(),
        Event::Cargo { line } => format!("cargo: {line}"),
        Event::BaselineFound {
            noun,
            signature,
            compiler,
            tokens,
            files,
            ..
        } => {
            format!("{noun} of {tokens} tokens in {files} files with {compiler}: {signature}")
        }
        Event::VariablesKnown { names } => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("variables that are read: [{}]", names.join(", "))
        }
        Event::Flaky(flaky) => flaky.to_string(),
        Event::Stability(stability) => stability.to_string(),
        Event::Resumed { steps, tokens } => format!("resumed at step {steps}, {tokens} tokens"),
        Event::Paused { is_paused: true } => "paused".to_owned(),
        Event::Paused { is_paused: false } => "going on after a pause".to_owned(),
        Event::FallbackForFile { path, reason } => format!("cannot parse {path}: {reason}"),
        Event::IslandsInFile {
            path,
            places,
            tokens,
        } => format!("cannot parse {tokens} tokens in {places} places of {path}"),
        Event::PassStarted { pass, round } => format!("pass {pass}, round {round}"),
        Event::StepAccepted {
            step,
            pass,
            tokens_before,
            tokens_after,
        } => {
            format!("step {step} of {pass}: {tokens_before} to {tokens_after} tokens")
        }
        Event::EditAdopted {
            path,
            step,
            tokens_before,
            tokens_after,
        } => {
            format!("step {step} is an edit of {path}: {tokens_before} to {tokens_after} tokens")
        }
        Event::EditRejected { path, reason, .. } => {
            format!("an edit of {path} was not taken: {reason}")
        }
        Event::OtherCrash { signature, kept_at } => format!("other crash {signature}: {kept_at}"),
        Event::Warning { message } => format!("warning: {message}"),
        Event::Finished(summary) => format!(
            "finished ({:?}): {} to {} tokens, {} queries, {:.1} s: {}",
            summary.ended,
            summary.sizes.tokens_before,
            summary.sizes.tokens_after,
            summary.counts.queries,
            summary.costs.wall_seconds,
            summary.delivered.result
        ),
    })
}

/// Opens a file of ours to append to, or makes it; other users cannot read it.
pub(crate) fn open_private(path: &Utf8Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    files::private(options.create(true).append(true)).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_is_rotated_once() {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(temp.path().join("log")).unwrap();
        let mut log = Log::open(path.clone(), StandardError::Keep).unwrap();
        log.max_bytes = 60;
        for message in [
            "first line",
            "second line",
            "third line",
            "fourth line",
            "fifth line",
        ] {
            log.write(message);
        }
        let old = std::fs::read_to_string(format!("{path}.old")).unwrap();
        let new = std::fs::read_to_string(&path).unwrap();
        assert!(
            old.contains("fourth line") && !old.contains("second line"),
            "{old}"
        );
        assert!(
            new.contains("fifth line") && !new.contains("fourth line"),
            "{new}"
        );
        assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_would_act_on_a_terminal_is_shown_in_the_log() {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(temp.path().join("log")).unwrap();
        let log = Log::open(path.clone(), StandardError::Keep).unwrap();
        log.write("cannot parse a\u{1b}]0;x\u{7}.rs: it\nis \u{202e}hidden");
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = "cannot parse a\\u{1b}]0;x\\u{7}.rs: it\n  is \\u{202e}hidden\n";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn progress_is_not_logged_and_steps_are() {
        let step = Event::StepAccepted {
            step: 3,
            pass: "delete_items".to_owned(),
            tokens_before: 9,
            tokens_after: 5,
        };
        assert_eq!(
            describe(&step).as_deref(),
            Some("step 3 of delete_items: 9 to 5 tokens")
        );
    }
}
