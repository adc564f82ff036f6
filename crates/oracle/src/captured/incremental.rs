//! The compiler's incremental directory as it was before a call that crashed.
//!
//! rustc copies the last finished session, `s-TIME-RANDOM-HASH`, to one of its own, `s-TIME-RANDOM-working`, and writes
//! new files there. Only at the end of a good call does it give that its final name and remove the older one. So a crash
//! leaves the finished session as it was, and the working one beside it (docs/decisions/captured-crashes.md).

use super::invocation::Compilation;
use crate::system::files;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::File;
use std::time::SystemTime;

const WORKING: &str = "-working";

/// Returns the finished incremental sessions, `CRATE-HASH/SESSION`, of the crate whose call began at the time `began` and
/// crashed.
pub(super) fn sessions(call: &Compilation, began: SystemTime) -> Option<Sessions> {
    let directory = call.incremental()?;
    let crates = files::entries(&directory).ok()?.into_iter();
    let prefix = format!("{}-", call.name);
    let of_crate = crates.filter(|entry| entry.file_name().starts_with(&prefix));
    let left: Vec<(SystemTime, Utf8PathBuf)> = of_crate
        .filter_map(|entry| Some((left_working(entry.path(), began)?, entry.into_path())))
        .collect();
    let (_, place) = left.into_iter().max()?;
    let sessions = files::entries(&place).ok()?.into_iter();
    let finished = sessions
        .map(camino::Utf8DirEntry::into_path)
        .filter(|path| path.is_dir() && !path.as_str().ends_with(WORKING));
    let finished: Vec<Utf8PathBuf> = finished.collect();
    (!finished.is_empty()).then_some(Sessions {
        directory,
        finished,
    })
}

/// The absolute paths of an incremental directory and of the finished sessions in it.
pub(super) struct Sessions {
    pub(super) directory: Utf8PathBuf,
    pub(super) finished: Vec<Utf8PathBuf>,
}

/// Returns the time at which a call that began at the time `began` and crashed made its unfinished session below `place`.
/// Another one may be at work.
fn left_working(place: &Utf8Path, began: SystemTime) -> Option<SystemTime> {
    let entries = files::entries(place).ok()?.into_iter();
    let working = entries.filter(|entry| entry.file_name().ends_with(WORKING));
    let left = working.filter(|entry| !is_in_use(entry.path()));
    let times = left.filter_map(|entry| entry.metadata().ok()?.modified().ok());
    times.filter(|time| *time >= began).max()
}

/// Whether a compiler is at work in a session: it holds the lock file of the session.
fn is_in_use(working: &Utf8Path) -> bool {
    let lock = working.as_str().trim_end_matches(WORKING).to_owned() + ".lock";
    let file = File::open(lock);
    file.is_ok_and(|file| file.try_lock().is_err())
}
