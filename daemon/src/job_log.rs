//! The log of a job: what happened in it, as lines of JSON with their times. It lies below the daemon's
//! directory as long as the job is listed, and is bounded; what would make it longer is left out, and
//! its last line says so.

use crate::clock::timestamp;
use crate::log::open_private;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::{Event, Failure};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// The size that the log of a job may have.
const MAX_BYTES: u64 = 1 << 20;

/// One line of the log of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobLogLine {
    /// The time at which the line was written, such as `2026-11-21T09:29:50Z`.
    pub time: String,
    /// The event or message of the line.
    #[serde(flatten)]
    pub entry: JobLogEntry,
}

/// An entry in the log of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobLogEntry {
    /// Something happened.
    Event(Event),
    /// The job ended without a result.
    Failed(Failure),
    /// The log is as long as it may be; the rest is left out.
    Full {},
}

impl JobLogLine {
    /// Describes the line for people, without its time.
    #[must_use]
    pub fn describe(&self) -> String {
        match &self.entry {
            JobLogEntry::Event(event) => crate::log::describe(event).unwrap_or_default(),
            JobLogEntry::Failed(failure) => format!("failed: {failure}"),
            JobLogEntry::Full {} => "the log is as long as it may be".to_owned(),
        }
    }
}

/// The log of a job.
#[derive(Debug)]
pub(crate) struct JobLog {
    path: Utf8PathBuf,
    most_bytes: u64,
    open: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    file: File,
    written: u64,
}

impl JobLog {
    /// Makes an empty log at a path. A job goes on without its log where that cannot be written.
    pub(crate) fn create(path: Utf8PathBuf) -> Self {
        // The file may be the log of a job of an earlier daemon.
        let _ = std::fs::remove_file(&path);
        let open = open_private(&path).ok();
        Self {
            path,
            most_bytes: MAX_BYTES,
            open: Mutex::new(open.map(|file| Open { file, written: 0 })),
        }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Writes an event to the job's log; events of progress are left out.
    pub(crate) fn write(&self, event: &Event) {
        if !matches!(event, Event::Progress(_)) {
            self.write_entry(JobLogEntry::Event(event.clone()));
        }
        if matches!(event, Event::Finished(_)) {
            self.close();
        }
    }

    /// Writes to the job's log why the job has no result.
    pub(crate) fn write_failure(&self, failure: &Failure) {
        self.write_entry(JobLogEntry::Failed(failure.clone()));
        self.close();
    }

    /// Closes the log's file, as a job that has ended needs no descriptor.
    fn close(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn write_entry(&self, entry: JobLogEntry) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(log) = open.as_mut() else {
            return;
        };
        let line = line_of(entry);
        if log.written + line.len() as u64 > self.most_bytes {
            log.write(&line_of(JobLogEntry::Full {}));
            *open = None;
            return;
        }
        log.write(&line);
    }
}

impl Open {
    /// Appends a line to the log's file, and ignores errors, as a job does not fail for its log. A line that could not be
    /// written to its end is taken back, so that the next one begins a line.
    fn write(&mut self, line: &str) {
        match self.file.write_all(line.as_bytes()) {
            Ok(()) => self.written += line.len() as u64,
            Err(_) => drop(self.file.set_len(self.written)),
        }
    }
}

fn line_of(entry: JobLogEntry) -> String {
    let line = JobLogLine {
        time: timestamp(),
        entry,
    };
    let line = serde_json::to_string(&line).unwrap_or_default();
    format!("{line}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limited::{limited_place, run_limited};

    fn preparing(what: &str) -> Event {
        Event::Preparing {
            what: what.to_owned(),
        }
    }

    fn log() -> (tempfile::TempDir, JobLog) {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(temp.path().join("1.jsonl")).unwrap();
        (temp, JobLog::create(path))
    }

    fn lines(log: &JobLog) -> Vec<JobLogLine> {
        let text = std::fs::read_to_string(log.path()).unwrap();
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn what_happened_can_be_read_again() {
        let (_temp, log) = log();
        log.write(&preparing("a"));
        let failure = Failure::environment("no disk");
        log.write_failure(&failure);
        let entries = lines(&log).into_iter().map(|line| line.entry);
        let expected = [
            JobLogEntry::Event(preparing("a")),
            JobLogEntry::Failed(failure),
        ];
        assert_eq!(entries.collect::<Vec<_>>(), expected);
        assert!(lines(&log)[0].describe().contains('a'));
    }

    #[test]
    fn a_log_that_is_too_long_ends_and_says_so() {
        let (_temp, mut log) = log();
        log.most_bytes = 300;
        for _ in 0..100 {
            log.write(&preparing("something that takes room"));
        }
        let lines = lines(&log);
        assert!((2..9).contains(&lines.len()), "{lines:?}");
        assert_eq!(lines.last().unwrap().entry, JobLogEntry::Full {});
    }

    #[test]
    fn a_line_that_was_written_in_part_spoils_none_that_comes_later() {
        let Some(place) = limited_place() else {
            let temp = tempfile::tempdir().unwrap();
            let place = Utf8Path::from_path(temp.path()).unwrap();
            let name = "a_line_that_was_written_in_part_spoils_none_that_comes_later";
            run_limited(&format!("job_log::tests::{name}"), 2, place);
            return;
        };
        let log = JobLog::create(place.join("1.jsonl"));
        log.write(&preparing("a"));
        log.write(&preparing(&"long".repeat(300)));
        log.write(&preparing("b"));
        let entries = lines(&log).into_iter().map(|line| line.entry);
        let expected = ["a", "b"].map(|what| JobLogEntry::Event(preparing(what)));
        assert_eq!(entries.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_job_without_a_place_for_its_log_goes_on() {
        let log = JobLog::create("/no/such/directory/1.jsonl".into());
        log.write(&preparing("a"));
        assert!(!log.path().exists());
    }
}
