//! The rescue of a store that cannot be opened: it is set aside, as it is, and what can be read of it
//! is the beginning of the new one.
//!
//! sled keeps everything in its log, and in snapshots what it has read of that, to be quicker. A snapshot
//! is not needed: one that was cut short, by a full disk or the end of the process, is removed, and
//! a store that cannot be opened with its snapshots is tried without. Neither is its configuration, which sled makes
//! anew: it is always the same.

use crate::clock;
use crate::error::DaemonError;
use camino::{Utf8Path, Utf8PathBuf};

/// The beginning of the name of a snapshot.
const SNAPSHOT: &str = "snap.";
/// The end of the name of a snapshot that was not written to its end.
const UNFINISHED: &str = ".generating";
/// A file that says that the store was found damaged while it was in use.
pub(super) const DAMAGED: &str = "damaged";
/// The files that are not copied from a damaged store, as they are made anew: sled's configuration, the number of the
/// format, and the mark of a damaged store.
const MADE_ANEW: [&str; 3] = ["conf", "format", DAMAGED];

/// Removes snapshots that were not written to their end.
///
/// # Errors
/// Where one cannot be removed.
pub(super) fn forget_unfinished(directory: &Utf8Path) -> Result<(), DaemonError> {
    let entries = directory.join("sled").read_dir_utf8();
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.starts_with(SNAPSHOT) && name.ends_with(UNFINISHED) {
            let removed = std::fs::remove_file(entry.path());
            removed.map_err(DaemonError::io("remove", entry.path()))?;
        }
    }
    Ok(())
}

/// Renames a store to a name with the date in it, which it returns.
///
/// # Errors
/// Where it cannot be renamed.
pub(super) fn set_aside(directory: &Utf8Path) -> Result<Utf8PathBuf, DaemonError> {
    let name = format!("{directory}.corrupt-{}", clock::date());
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.clone())
        .chain(numbered)
        .map(Utf8PathBuf::from);
    let aside = names
        .find(|name| !name.exists())
        .unwrap_or_else(|| name.into());
    std::fs::rename(directory, &aside).map_err(DaemonError::io("rename", directory))?;
    Ok(aside)
}

/// Renames a store that was set aside back, in place of the new one that was begun.
///
/// # Errors
/// Where it cannot be renamed.
pub(super) fn put_back(aside: &Utf8Path, directory: &Utf8Path) -> Result<(), DaemonError> {
    remove(directory)?;
    std::fs::rename(aside, directory).map_err(DaemonError::io("rename", aside))
}

/// Copies the files of a store, but not its snapshots and those that are made anew.
///
/// # Errors
/// Where something cannot be read or written.
pub(super) fn copy_log(from: &Utf8Path, to: &Utf8Path) -> Result<(), DaemonError> {
    let mut todo = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = todo.pop() {
        std::fs::create_dir_all(&to).map_err(DaemonError::io("create directory", &to))?;
        let entries = from.read_dir_utf8();
        for entry in entries.map_err(DaemonError::io("read", &from))? {
            let entry = entry.map_err(DaemonError::io("read", &from))?;
            let (there, here) = (entry.path(), to.join(entry.file_name()));
            if there.is_dir() {
                todo.push((there.to_owned(), here));
            } else if !is_left_out(entry.file_name()) {
                std::fs::copy(there, &here).map_err(DaemonError::io("copy", there))?;
            }
        }
    }
    Ok(())
}

fn is_left_out(name: &str) -> bool {
    name.starts_with(SNAPSHOT) || MADE_ANEW.contains(&name)
}

/// Returns the number of bytes in the files of a store.
pub(super) fn size(directory: &Utf8Path) -> u64 {
    let mut bytes = 0;
    let mut todo = vec![directory.to_owned()];
    while let Some(dir) = todo.pop() {
        for entry in dir.read_dir_utf8().into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => todo.push(entry.into_path()),
                Ok(metadata) => bytes += metadata.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}

/// Removes the directory of a store that was begun.
///
/// # Errors
/// Where it cannot be removed.
pub(super) fn remove(directory: &Utf8Path) -> Result<(), DaemonError> {
    let removed = reduce_engine::remove_tree(directory.as_std_path());
    removed.map_err(DaemonError::io("remove", directory))
}
