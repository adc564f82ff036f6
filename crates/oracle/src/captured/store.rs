//! The kept crashes of our home, each in a directory with its number. A file that several crashes have is there once: each has
//! another name in `objects`, which is its digest.

use super::automatic::Automatic;
use super::description::Captured;
use super::good::lock;
use crate::error::OracleError;
use crate::system::files;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::files::{modified, names};
use std::fs::File;

/// The name of the directory of kept crashes in our home.
const DIRECTORY: &str = "captured";
const OBJECTS: &str = "objects";
const LOCK: &str = "lock";
/// The name of the file with the highest number that any kept crash was ever given.
const LAST: &str = "last";
/// The name of the directory of a crash that is still being copied into the store.
const PART: &str = "part";
const INCREMENTAL: &str = "incremental";

/// The store of the kept crashes.
#[derive(Debug, Clone)]
pub struct CapturedStore {
    directory: Utf8PathBuf,
}

/// The room that the kept crashes take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// The number of crashes.
    pub crashes: usize,
    /// The size of their files in bytes; a file that several crashes have counts once.
    pub bytes: u64,
}

/// The result of keeping a crash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kept {
    /// The crash was added under the first number; the crashes with the other numbers were deleted for it.
    Now(u64, Vec<u64>),
    /// The crash was kept before under the first number, and has other sources now; the crashes with the other numbers were
    /// deleted for it.
    Anew(u64, Vec<u64>),
    /// The crash is in the store already, under this number.
    Already(u64),
}

/// The origin of a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// A crash of a build here: it takes the place of the same crash with older sources.
    Ours,
    /// A crash from an archive: it takes nobody's place.
    Elsewhere,
}

impl CapturedStore {
    /// Returns the store of a home.
    #[must_use]
    pub fn in_home(home: &Utf8Path) -> Self {
        Self {
            directory: home.join(DIRECTORY),
        }
    }

    /// Returns the numbers of the kept crashes, in order.
    #[must_use]
    pub fn numbers(&self) -> Vec<u64> {
        let entries = files::entries(&self.directory).unwrap_or_default();
        let numbers = entries
            .iter()
            .filter_map(|entry| entry.file_name().parse().ok());
        let mut numbers: Vec<u64> = numbers.collect();
        numbers.sort_unstable();
        numbers
    }

    /// Returns the directory of all kept crashes.
    pub(super) fn directory(&self) -> &Utf8Path {
        &self.directory
    }

    /// Returns the directory of a kept crash; it need not be there.
    #[must_use]
    pub fn directory_of(&self, number: u64) -> Utf8PathBuf {
        self.directory.join(number.to_string())
    }

    /// Reads the description of a kept crash.
    ///
    /// # Errors
    /// Where there is none with this number, or it cannot be read.
    pub fn read(&self, number: u64) -> Result<Captured, OracleError> {
        Captured::read(&self.directory_of(number))
    }

    /// Returns the time at which a crash was kept with its present sources, in seconds since 1970 and nanoseconds of that
    /// second. `None` where there is none with this number.
    #[must_use]
    pub fn kept_at(&self, number: u64) -> Option<(i64, i64)> {
        let data = Captured::path_in(&self.directory_of(number)).metadata();
        Some(modified(&data.ok()?))
    }

    /// Returns the room that the kept crashes take.
    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage {
            crashes: self.numbers().len(),
            bytes: self.bytes(),
        }
    }

    /// Deletes a kept crash with its results, and the files that no other crash has. Returns whether it was there.
    ///
    /// # Errors
    /// Where it cannot be removed.
    pub fn delete(&self, number: u64) -> Result<bool, OracleError> {
        if !self.directory_of(number).is_dir() {
            return Ok(false);
        }
        let _lock = self.lock()?;
        self.remove(number)?;
        self.sweep()?;
        Ok(true)
    }

    fn remove(&self, number: u64) -> Result<(), OracleError> {
        files::remove_all(&self.directory_of(number))?;
        self.automatic().forget(number)
    }

    /// Removes the results of a crash that is kept no more: a job may have written them after it was deleted.
    pub(super) fn forget_if_deleted(&self, number: u64) -> Result<bool, OracleError> {
        let _lock = self.lock()?;
        if self.directory_of(number).is_dir() {
            return Ok(false);
        }
        self.automatic().forget(number)?;
        Ok(true)
    }

    /// Returns the reductions of kept crashes that nobody has asked for by hand.
    #[must_use]
    pub fn automatic(&self) -> Automatic {
        Automatic::below(&self.directory)
    }

    fn lock(&self) -> Result<File, OracleError> {
        files::make_private_dir(&self.directory)?;
        lock(&self.directory.join(LOCK))
    }

    /// Adds a crash to the store, if it is not kept already; `fill` copies its files to a directory. The directory is there
    /// as a whole or not at all.
    ///
    /// # Errors
    /// Where it cannot be written, or is larger than the limit.
    pub(super) fn keep(
        &self,
        whose: Whose,
        limit_bytes: u64,
        fill: impl FnOnce(&Filling<'_>) -> Result<Captured, OracleError>,
    ) -> Result<Kept, OracleError> {
        let _lock = self.lock()?;
        let part = self.directory.join(PART);
        files::remove_all(&part)?;
        files::make_private_dir(&part)?;
        let filling = Filling {
            store: self,
            part: &part,
        };
        let kept =
            fill(&filling).and_then(|captured| self.finish(&captured, whose, &part, limit_bytes));
        if kept.is_err() {
            files::remove_all(&part)?;
        }
        self.sweep()?;
        kept
    }

    fn finish(
        &self,
        captured: &Captured,
        whose: Whose,
        part: &Utf8Path,
        limit_bytes: u64,
    ) -> Result<Kept, OracleError> {
        let numbers = self.numbers().into_iter();
        let known = numbers.filter_map(|number| Some((number, self.read(number).ok()?)));
        let known: Vec<(u64, Captured)> = known.collect();
        if let Some((number, _)) = known.iter().find(|(_, one)| one.key == captured.key) {
            files::remove_all(part)?;
            return Ok(Kept::Already(*number));
        }
        let is_older = |one: &Captured| whose == Whose::Ours && one.is_same_crash(captured);
        let older = known.iter().rfind(|(_, one)| is_older(one));
        let older = older.map(|(number, _)| *number);
        let mut captured = captured.clone();
        let deleted = self.make_room(&mut captured, older, part, limit_bytes)?;
        captured.write(part)?;
        let number = older.map_or_else(|| self.next_number(), Ok)?;
        let place = self.directory_of(number);
        files::remove_all(&place)?;
        std::fs::rename(part, &place).map_err(OracleError::io("write", &place))?;
        Ok(match older {
            Some(_) => Kept::Anew(number, deleted),
            None => Kept::Now(number, deleted),
        })
    }

    /// Deletes the crash that the new one replaces, and the oldest crashes, until there is room, then the incremental directory
    /// of the new one. Returns the numbers of the others that were deleted.
    fn make_room(
        &self,
        captured: &mut Captured,
        older: Option<u64>,
        part: &Utf8Path,
        limit_bytes: u64,
    ) -> Result<Vec<u64>, OracleError> {
        let mut deleted = Vec::new();
        let others = self.numbers().into_iter();
        let others = others.filter(|number| Some(*number) != older);
        let mut oldest = older.into_iter().chain(others);
        while self.bytes() > limit_bytes {
            if let Some(number) = oldest.next() {
                match Some(number) == older {
                    true => files::remove_all(&self.directory_of(number))?,
                    false => {
                        self.remove(number)?;
                        deleted.push(number);
                    }
                }
            } else if captured.has_incremental_directory {
                files::remove_all(&part.join(INCREMENTAL))?;
                captured.has_incremental_directory = false;
            } else {
                let needs = self.bytes().div_ceil(1 << 20);
                let message = format!(
                    "it has {needs} MiB, and the limit is {} MiB",
                    limit_bytes >> 20
                );
                return Err(OracleError::io("keep", part)(std::io::Error::other(
                    message,
                )));
            }
            self.sweep()?;
        }
        captured.bytes = bytes_below(part);
        Ok(deleted)
    }

    fn next_number(&self) -> Result<u64, OracleError> {
        let path = self.directory.join(LAST);
        let last = files::read(&path)
            .ok()
            .and_then(|text| text.trim().parse().ok());
        let highest = self.numbers().last().copied();
        let next = last.max(highest).unwrap_or(0) + 1;
        files::replace(&path, &next.to_string())?;
        Ok(next)
    }

    fn objects(&self) -> Vec<(Utf8PathBuf, std::fs::Metadata)> {
        let entries = files::entries(&self.directory.join(OBJECTS)).unwrap_or_default();
        let objects = entries.into_iter();
        objects
            .filter_map(|entry| Some((entry.path().to_owned(), entry.metadata().ok()?)))
            .collect()
    }

    fn bytes(&self) -> u64 {
        self.objects().iter().map(|(_, data)| data.len()).sum()
    }

    /// Removes the files that no crash has any more.
    fn sweep(&self) -> Result<(), OracleError> {
        let objects = self.objects();
        let mut unused = objects.iter().filter(|(_, data)| names(data) == Some(1));
        unused.try_for_each(|(path, _)| files::remove(path))
    }
}

fn bytes_below(directory: &Utf8Path) -> u64 {
    let all = crate::system::snapshot::all_files(directory, directory).unwrap_or_default();
    let sizes = all
        .iter()
        .filter_map(|file| directory.join(file).metadata().ok());
    sizes.map(|data| data.len()).sum()
}

/// The directory of a crash that is being copied into the store.
pub(super) struct Filling<'a> {
    store: &'a CapturedStore,
    part: &'a Utf8Path,
}

impl Filling<'_> {
    /// Returns the path at which a file that the crash shares with no other crash may be written.
    pub(super) fn path(&self, inner: &str) -> Utf8PathBuf {
        self.part.join(inner)
    }

    /// Adds a copy of a file, and returns the digest of its content.
    ///
    /// # Errors
    /// Where it cannot be read or written.
    pub(super) fn add(&self, from: &Utf8Path, inner: &Utf8Path) -> Result<String, OracleError> {
        let objects = self.store.directory.join(OBJECTS);
        files::make_private_dir(&objects)?;
        let part = objects.join(PART);
        // The system may have both share their blocks.
        std::fs::copy(from, &part).map_err(OracleError::io("copy", from))?;
        let set = reduce_platform::files::make_private_file(part.as_std_path());
        set.map_err(OracleError::io("write", &part))?;
        let digest = digest_of(&part)?;
        let object = objects.join(&digest);
        match object.exists() {
            true => files::remove(&part)?,
            false => {
                std::fs::rename(&part, &object).map_err(OracleError::io("write", &object))?;
            }
        }
        let place = self.part.join(inner);
        files::make_private_dir(place.parent().unwrap_or(self.part))?;
        files::remove(&place)?;
        std::fs::hard_link(&object, &place).map_err(OracleError::io("write", &place))?;
        Ok(digest)
    }

    /// Adds a file with this content.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(super) fn add_text(&self, text: &[u8], inner: &str) -> Result<(), OracleError> {
        let path = self.part.join("text");
        std::fs::write(&path, text).map_err(OracleError::io("write", &path))?;
        self.add(&path, Utf8Path::new(inner))?;
        files::remove(&path)
    }
}

fn digest_of(path: &Utf8Path) -> Result<String, OracleError> {
    let file = File::open(path).map_err(OracleError::io("open", path))?;
    let mut hasher = blake3::Hasher::new();
    let read = hasher.update_reader(file);
    read.map_err(OracleError::io("read", path))?;
    Ok(hasher.finalize().to_hex().to_string())
}
