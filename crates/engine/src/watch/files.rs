//! The watch over the contents of files. The directories that they are in are watched, each by
//! itself, so that nothing is spent on what lies below, such as a target directory, and a file that
//! an editor replaces is still seen.

use super::notices::{may_change, utf8};
use crate::store::Digest;
use camino::{Utf8Path, Utf8PathBuf};
use notify::{ErrorKind, RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher};
use reduce_platform::files::modified;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time for which no file may have changed before files are read: an editor writes in several
/// steps, and a check-out changes many files.
const QUIET: Duration = Duration::from_millis(300);

/// The largest number of bytes of a file that is read; a larger one is known by its size and age.
const LARGEST_READ: u64 = 4 << 20;

/// Files that are watched for changes of their contents.
#[derive(Debug)]
pub struct FileWatch {
    /// The digest of each file when it was last read; `None` where there was no file.
    known: BTreeMap<Utf8PathBuf, Option<Digest>>,
    touched: Arc<Mutex<Touched>>,
    /// The watcher, which tells of changes for as long as it is there.
    _watcher: RecommendedWatcher,
}

/// The changes that the system has reported since files were looked at last.
#[derive(Debug, Default)]
struct Touched {
    paths: BTreeSet<Utf8PathBuf>,
    /// Whether the system may have missed changes, so that all files have to be looked at.
    all: bool,
    last: Option<Instant>,
}

/// The filter that tells which reported paths matter.
struct Filter {
    known: BTreeSet<Utf8PathBuf>,
    /// The path of the output directory: Rust files that are new below it are ours.
    output: Utf8PathBuf,
}

impl FileWatch {
    /// Watches files, whose contents were these, and new Rust files beside them. What is new below
    /// `output` does not count. All are looked at once in any case.
    ///
    /// # Errors
    /// Where the system has no watches left.
    pub(super) fn start(
        known: BTreeMap<Utf8PathBuf, Option<Digest>>,
        output: &Utf8Path,
    ) -> notify::Result<Self> {
        let touched = Arc::new(Mutex::new(Touched {
            all: true,
            ..Touched::default()
        }));
        let filter = Filter {
            known: known.keys().cloned().collect(),
            output: output.to_owned(),
        };
        let inbox = touched.clone();
        let mut watcher = recommended_watcher(move |event: notify::Result<notify::Event>| {
            if let Ok(event) = event {
                note(&event, &filter, &inbox);
            }
        })?;
        for directory in directories(&known) {
            let watched = watcher.watch(directory.as_std_path(), RecursiveMode::NonRecursive);
            watched.or_else(unless_missing)?;
        }
        Ok(Self {
            known,
            touched,
            _watcher: watcher,
        })
    }

    /// Returns the files whose contents have changed since they were looked at last, once nothing
    /// has happened to any of them for a moment.
    pub fn changed(&mut self) -> Vec<Utf8PathBuf> {
        let mut touched = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
        let is_busy = touched.last.is_some_and(|last| last.elapsed() < QUIET);
        if is_busy || (touched.paths.is_empty() && !touched.all) {
            return Vec::new();
        }
        let Touched { mut paths, all, .. } = std::mem::take(&mut *touched);
        drop(touched);
        if all {
            paths.extend(self.known.keys().cloned());
        }
        paths.retain(|path| self.look_at(path));
        paths.into_iter().collect()
    }

    /// Returns the files that have changed, whether or not the system reported it.
    pub(crate) fn changed_anywhere(&mut self) -> Vec<Utf8PathBuf> {
        let mut paths: Vec<Utf8PathBuf> = self.known.keys().cloned().collect();
        paths.retain(|path| self.look_at(path));
        paths
    }

    /// Whether a file has other contents than before; notes its contents.
    fn look_at(&mut self, path: &Utf8Path) -> bool {
        let now = contents(path);
        match self.known.get_mut(path) {
            Some(before) => std::mem::replace(before, now) != now,
            None => {
                self.known.insert(path.to_owned(), now);
                now.is_some()
            }
        }
    }
}

/// Returns a digest of the contents of a file; `None` where there is none.
pub(super) fn contents(path: &Utf8Path) -> Option<Digest> {
    let metadata = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut hasher = blake3::Hasher::new();
    if metadata.len() > LARGEST_READ {
        let (size, age) = (metadata.len(), modified(&metadata));
        hasher.update(format!("{size} {age:?}").as_bytes());
    } else {
        hasher.update(&std::fs::read(path).ok()?);
    }
    Some(*hasher.finalize().as_bytes())
}

/// Returns the directories of these files.
fn directories(known: &BTreeMap<Utf8PathBuf, Option<Digest>>) -> BTreeSet<&Utf8Path> {
    let parents = known.keys().filter_map(|path| path.parent());
    parents.filter(|parent| parent.is_dir()).collect()
}

/// Ignores the error of a missing directory: one that went while it was found is no reason to
/// notice nothing.
fn unless_missing(error: notify::Error) -> notify::Result<()> {
    match &error.kind {
        ErrorKind::PathNotFound => Ok(()),
        ErrorKind::Io(io) if io.kind() == std::io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    }
}

fn note(event: &notify::Event, filter: &Filter, inbox: &Mutex<Touched>) {
    if !may_change(event) {
        return;
    }
    let paths = event.paths.iter().filter_map(|path| utf8(path));
    let paths: Vec<&Utf8Path> = paths.filter(|path| filter.takes(path)).collect();
    if paths.is_empty() && !event.need_rescan() {
        return;
    }
    let mut touched = inbox.lock().unwrap_or_else(PoisonError::into_inner);
    touched
        .paths
        .extend(paths.into_iter().map(Utf8Path::to_owned));
    touched.all |= event.need_rescan();
    touched.last = Some(Instant::now());
}

impl Filter {
    /// Whether a path matters: it is that of a known file, or of a Rust file that is new. Editors
    /// keep locks and drafts in hidden files.
    fn takes(&self, path: &Utf8Path) -> bool {
        let is_hidden = path.file_name().is_some_and(|name| name.starts_with('.'));
        let is_new_source = path.extension() == Some("rs") && !is_hidden;
        self.known.contains(path) || (is_new_source && !path.starts_with(&self.output))
    }
}
