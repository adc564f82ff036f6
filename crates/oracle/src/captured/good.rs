//! The record that the wrapper keeps of good calls, which are compilations that succeeded: the sources of each crate that
//! is compiled incrementally, and how each crate was compiled that others may link.
//!
//! Only files whose time or size has changed are read again. Where that are many, as in a first call, a process of its
//! own reads them after the build has gone on. A file that was written after the call had begun may not be what the
//! compiler has read; then nothing is kept.
//!
//! See docs/decisions/captured-crashes.md.

use super::description::{CapturedCall, CapturedFile};
use super::invocation::Compilation;
use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::compiler::unit::calls::artifact;
use crate::error::OracleError;
use crate::search::context::reading::parse;
use crate::system::files;
use crate::system::stamp::Stamp;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::processes::work_apart;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::time::{SystemTime, UNIX_EPOCH};

/// The name of the directory of good calls in our home.
const DIRECTORY: &str = "good-calls";
const UNITS: &str = "units";
const ARTIFACTS: &str = "artifacts";
const INDEX: &str = "index.json";
const LOCK: &str = "lock";
/// The number of a call's files above which a process of its own reads them, so that the build need not wait.
const MOST_FILES_AT_ONCE: usize = 16;
/// The size of a call's files, in bytes, above which a process of its own reads them, so that the build need not wait.
const MOST_BYTES_AT_ONCE: u64 = 512 << 10;
/// The number of earlier good calls, with other sources or flags than the last one, that are remembered of a crate.
const MOST_EARLIER: usize = 8;
/// The largest list of files, in bytes, whose times are looked at before the build goes on; a longer list is handled after it
/// has gone on, too.
const LONGEST_LIST_AT_ONCE: usize = 8 << 10;

/// The good calls that our home knows of.
#[derive(Debug, Clone)]
pub(super) struct GoodCalls {
    directory: Utf8PathBuf,
}

/// The record of the last good call by which a crate was compiled, and of those before that differ from it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Index {
    incremental: Utf8PathBuf,
    call: CapturedCall,
    /// The time at which the call began, in nanoseconds since 1970.
    #[serde(default)]
    began: u64,
    /// The time since which all good calls of the crate have these sources and flags, in nanoseconds since 1970.
    #[serde(default)]
    since: u64,
    /// The earlier good calls of the crate, which had other sources or flags; the last one first.
    #[serde(default)]
    earlier: Vec<Earlier>,
    /// The stamps of the call's files.
    stamps: Vec<Stamp>,
}

/// An earlier good call, which another one followed.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Earlier {
    call: CapturedCall,
    /// The time at which the first good call with these sources and flags began, as in [`Index::since`].
    since: u64,
}

impl Index {
    /// Returns the history that the next good call of this crate has: since when calls are made in its form (the same flags and
    /// files), and the last good calls in other forms.
    fn history_for(self, next: &Self) -> (u64, Vec<Earlier>) {
        let is_known = !self.call.files.is_empty();
        match (is_known, is_same_form(&self.call, &next.call)) {
            (false, _) => (next.began, Vec::new()),
            (true, true) => (self.since, self.earlier),
            (true, false) => {
                let last = Earlier {
                    call: self.call,
                    since: self.since,
                };
                let earlier = std::iter::once(last).chain(self.earlier);
                (next.began, earlier.take(MOST_EARLIER).collect())
            }
        }
    }

    /// Returns the good call that was the newest one at a time, if a newer one has followed since.
    fn earlier_at(self, time: u64) -> Option<Earlier> {
        let mut earlier = self.earlier.into_iter();
        let of_then = earlier.find(|earlier| earlier.since <= time);
        of_then.filter(|_| self.since > time)
    }
}

/// Whether two calls of a crate compile the same sources with the same flags.
fn is_same_form(one: &CapturedCall, other: &CapturedCall) -> bool {
    let flags = |call: &CapturedCall| args::without_output(&call.args);
    one.files == other.files && flags(one) == flags(other)
}

/// A source file of a good call, with its digest if that is known.
struct Source {
    path: Utf8PathBuf,
    stamp: Stamp,
    digest: Option<String>,
}

impl GoodCalls {
    pub(super) fn in_home(home: &Utf8Path) -> Self {
        Self {
            directory: home.join(DIRECTORY),
        }
    }

    /// Keeps copies of the files of a good call, and how the call compiled its crate.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(super) fn keep(
        &self,
        call: &Compilation,
        env: BTreeMap<String, String>,
        began: SystemTime,
    ) -> Result<(), OracleError> {
        self.keep_call(call, &env)?;
        match (call.incremental(), call.dep_info()) {
            (Some(incremental), Some(dep_info)) => {
                let unit = Unit {
                    directory: self.directory.join(UNITS).join(call.unit()),
                };
                let text = files::read(&dep_info)?;
                let index = Index {
                    incremental,
                    call: CapturedCall {
                        args: call.args.clone(),
                        env,
                        cwd: call.cwd.clone(),
                        files: Vec::new(),
                    },
                    stamps: Vec::new(),
                    began: nanoseconds(began),
                    since: nanoseconds(began),
                    earlier: Vec::new(),
                };
                let keep = || unit.keep(index, parse(&text, &call.cwd).files, began);
                if text.len() > LONGEST_LIST_AT_ONCE {
                    work_apart(|| drop(keep()));
                    return Ok(());
                }
                let is_new = !unit.directory.is_dir();
                if is_new {
                    work_apart(|| self.forget_units_that_are_gone());
                }
                keep()
            }
            _ => Ok(()),
        }
    }

    /// Keeps how a crate was compiled that others may link.
    fn keep_call(
        &self,
        call: &Compilation,
        env: &BTreeMap<String, String>,
    ) -> Result<(), OracleError> {
        let record = Record {
            program: call.compiler().0.to_owned(),
            args: call.args.clone(),
            env: env.clone(),
            cwd: call.cwd.clone(),
            code: Some(0),
            signal: None,
            timed_out: false,
            wrappers: vec![],
        };
        let Some(made) = artifact(&record) else {
            return Ok(());
        };
        let place = self.place_of(&made);
        // To read it takes a tenth of the time that a new file takes.
        match read_json(&place).is_some_and(|kept: Record| kept == record) {
            true => Ok(()),
            false => write_json(&place, &record),
        }
    }

    fn place_of(&self, artifact: &Utf8Path) -> Utf8PathBuf {
        let digest = blake3::hash(artifact.as_str().as_bytes()).to_hex();
        let name = format!("{}.json", &digest[..32]);
        self.directory.join(ARTIFACTS).join(name)
    }

    /// Returns the call that made a compiled crate, if the wrapper has seen that.
    pub(super) fn call_of(&self, compiled: &Utf8Path) -> Option<Record> {
        read_json(&self.place_of(&compiled.with_extension("")))
    }

    /// Returns the last good call of a crate.
    pub(super) fn last(&self, call: &Compilation) -> Option<GoodCall> {
        let (unit, index) = self.index_of(call)?;
        unit.good(index.call, index.began)
    }

    /// Returns the good call of a crate that was the newest one at a time, if a newer one has followed since.
    pub(super) fn last_at(&self, call: &Compilation, time: u64) -> Option<GoodCall> {
        let (unit, index) = self.index_of(call)?;
        let earlier = index.earlier_at(time)?;
        unit.good(earlier.call, earlier.since)
    }

    fn index_of(&self, call: &Compilation) -> Option<(Unit, Index)> {
        let unit = Unit {
            directory: self.directory.join(UNITS).join(call.unit()),
        };
        let _lock = unit.lock().ok()?;
        let index = read_json(&unit.directory.join(INDEX))?;
        Some((unit, index))
    }

    /// Forgets the calls of directories that are not there any more.
    pub(super) fn prune(&self) {
        self.forget_units_that_are_gone();
        for place in files::entries(&self.directory.join(ARTIFACTS)).unwrap_or_default() {
            let record: Option<Record> = read_json(place.path());
            let made = record.as_ref().and_then(artifact);
            let is_there = made.is_some_and(|made| {
                let extensions = ["rmeta", "rlib", "so", "dylib"];
                extensions
                    .iter()
                    .any(|one| made.with_extension(one).exists())
            });
            if !is_there {
                let _left = files::remove(place.path());
            }
        }
    }

    fn forget_units_that_are_gone(&self) {
        for unit in files::entries(&self.directory.join(UNITS)).unwrap_or_default() {
            let index: Option<Index> = read_json(&unit.path().join(INDEX));
            if index.is_some_and(|index| !index.incremental.is_dir()) {
                let _left = files::remove_all(unit.path());
            }
        }
    }
}

/// A good call with the copies of its files.
pub(super) struct GoodCall {
    pub(super) call: CapturedCall,
    /// The time at which the call began, in nanoseconds since 1970.
    pub(super) began: u64,
    /// The directory of the copies, by their digests.
    pub(super) copies: Utf8PathBuf,
}

/// The directory of a unit: the index, and copies of its files by their digests.
struct Unit {
    directory: Utf8PathBuf,
}

impl Unit {
    fn keep(
        &self,
        index: Index,
        paths: BTreeSet<Utf8PathBuf>,
        began: SystemTime,
    ) -> Result<(), OracleError> {
        let old: Index = read_json(&self.directory.join(INDEX)).unwrap_or_default();
        let Some(sources) = sources(paths, &old, began) else {
            return files::remove(&self.directory.join(INDEX));
        };
        let unread = || sources.iter().filter(|source| source.digest.is_none());
        let bytes: u64 = unread().map(|source| source.stamp.bytes()).sum();
        if unread().count() <= MOST_FILES_AT_ONCE && bytes <= MOST_BYTES_AT_ONCE {
            return self.store(index, sources);
        }
        work_apart(|| {
            let _not_kept = self.store(index, sources);
        });
        Ok(())
    }

    /// Returns a good call with the copies of its files, if all copies are there.
    fn good(&self, call: CapturedCall, began: u64) -> Option<GoodCall> {
        let mut files = call.files.iter();
        let is_whole = files.all(|file| self.directory.join(&file.digest).is_file());
        is_whole.then(|| GoodCall {
            call,
            began,
            copies: self.directory.clone(),
        })
    }

    fn store(&self, mut index: Index, sources: Vec<Source>) -> Result<(), OracleError> {
        files::make_private_dir(&self.directory)?;
        let _lock = self.lock()?;
        let old: Index = read_json(&self.directory.join(INDEX)).unwrap_or_default();
        for source in sources {
            let is_read = source.digest.is_none();
            let digest = match source.digest {
                Some(digest) => digest,
                None => self.copy(&source.path)?,
            };
            // It was written to in the meantime.
            if is_read && Stamp::of(&source.path) != Some(source.stamp) {
                return files::remove(&self.directory.join(INDEX));
            }
            index.stamps.push(source.stamp);
            index.call.files.push(CapturedFile {
                path: source.path,
                digest,
            });
        }
        let has_other_files = old.call.files != index.call.files;
        (index.since, index.earlier) = old.history_for(&index);
        write_json(&self.directory.join(INDEX), &index)?;
        match has_other_files {
            true => self.remove_others(&index),
            false => Ok(()),
        }
    }

    fn copy(&self, path: &Utf8Path) -> Result<String, OracleError> {
        let bytes = std::fs::read(path).map_err(OracleError::io("read", path))?;
        let digest = blake3::hash(&bytes).to_hex().to_string();
        let place = self.directory.join(&digest);
        if !place.is_file() {
            files::put(&place, |part| {
                std::fs::write(part, bytes).map_err(OracleError::io("write", part))
            })?;
        }
        Ok(digest)
    }

    fn remove_others(&self, index: &Index) -> Result<(), OracleError> {
        let earlier = index.earlier.iter().flat_map(|one| &one.call.files);
        let files = index.call.files.iter().chain(earlier);
        let files = files.map(|file| file.digest.as_str());
        let wanted: BTreeSet<&str> = files.chain([INDEX, LOCK]).collect();
        let entries = files::entries(&self.directory)?;
        let mut others = entries
            .iter()
            .filter(|entry| !wanted.contains(entry.file_name()));
        others.try_for_each(|entry| files::remove(entry.path()))
    }

    fn lock(&self) -> Result<File, OracleError> {
        lock(&self.directory.join(LOCK))
    }
}

/// Returns the files of a call, with what is known of them. `None` where one may not be what the compiler has read.
fn sources(paths: BTreeSet<Utf8PathBuf>, old: &Index, began: SystemTime) -> Option<Vec<Source>> {
    let known = old.call.files.iter().zip(&old.stamps);
    let known: BTreeMap<&Utf8Path, (&CapturedFile, &Stamp)> = known
        .map(|(file, stamp)| (file.path.as_path(), (file, stamp)))
        .collect();
    let sources = paths.into_iter().map(|path| {
        let stamp = Stamp::of(&path)?;
        let (file, old) = known.get(path.as_path()).copied().unzip();
        let is_known = old == Some(&stamp);
        let digest = file.filter(|_| is_known).map(|file| file.digest.clone());
        (is_known || !stamp.is_later_than(began)).then_some(Source {
            path,
            stamp,
            digest,
        })
    });
    sources.collect()
}

fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

/// Holds a file locked until it is dropped.
///
/// # Errors
/// Where the file cannot be made.
pub(super) fn lock(path: &Utf8Path) -> Result<File, OracleError> {
    let file = File::create(path).map_err(OracleError::io("create", path))?;
    file.lock().map_err(OracleError::io("lock", path))?;
    Ok(file)
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Utf8Path) -> Option<T> {
    let text = std::fs::read(path).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Writes a file so that it is there as a whole or not at all. An old one goes first: some file systems write a file to the
/// disk at once that takes the place of another, which takes milliseconds.
fn write_json<T: Serialize>(path: &Utf8Path, what: &T) -> Result<(), OracleError> {
    let text = serde_json::to_string(what).expect("strings and numbers have a JSON form");
    files::put(path, |part| {
        files::write(part, &text)?;
        files::remove(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(digest: &str, args: &str, began: u64) -> Index {
        let file = CapturedFile {
            path: "/ws/src/lib.rs".into(),
            digest: digest.to_owned(),
        };
        let args = args.split(' ').map(str::to_owned);
        Index {
            call: CapturedCall {
                args: args.collect(),
                files: vec![file],
                ..CapturedCall::default()
            },
            began,
            since: began,
            ..Index::default()
        }
    }

    /// Returns the index that is remembered after good calls, each with its sources, its flags and its time.
    fn after(calls: &[(&str, &str, u64)]) -> Index {
        let calls = calls.iter();
        calls.fold(Index::default(), |old, (digest, args, began)| {
            let mut next = index(digest, args, *began);
            (next.since, next.earlier) = old.history_for(&next);
            next
        })
    }

    #[track_caller]
    fn check(calls: &[(&str, &str, u64)], time: u64, expected: Option<(&str, &str)>) {
        let found = after(calls).earlier_at(time);
        let found = found.map(|one| (one.call.files[0].digest.clone(), one.call.args.join(" ")));
        let expected = expected.map(|(digest, args)| (digest.to_owned(), args.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_crate_that_was_edited_twice_is_known_as_it_was() {
        let calls = [("a", "lib.rs", 1), ("b", "lib.rs", 3), ("c", "lib.rs", 5)];
        check(&calls, 2, Some(("a", "lib.rs")));
        check(&calls, 4, Some(("b", "lib.rs")));
        check(&calls, 6, None);
        check(&calls, 0, None);
    }

    #[test]
    fn a_crate_that_was_compiled_with_other_flags_is_known_as_it_was() {
        let calls = [("a", "lib.rs -O", 1), ("a", "lib.rs", 3)];
        check(&calls, 2, Some(("a", "lib.rs -O")));
        let noise = [("a", "lib.rs --json=a", 1), ("a", "lib.rs --json=b", 3)];
        check(&noise, 2, None);
    }

    #[test]
    fn a_crate_that_was_compiled_again_is_the_same() {
        let calls = [("a", "lib.rs", 1), ("b", "lib.rs", 3), ("b", "lib.rs", 5)];
        check(&calls, 4, None);
        check(&calls, 2, Some(("a", "lib.rs")));
    }

    #[test]
    fn only_the_last_forms_are_remembered() {
        let names: Vec<String> = (0..20).map(|number| number.to_string()).collect();
        let calls = names.iter().zip(1..);
        let calls: Vec<_> = calls
            .map(|(name, time)| (name.as_str(), "lib.rs", time))
            .collect();
        check(&calls, 12, Some(("11", "lib.rs")));
        check(&calls, 11, None);
    }
}
