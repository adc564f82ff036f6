//! The kept crashes of our home, each in a directory with its number. Files that several have are there once: each has
//! another name in `objects`, which is its digest.

use super::description::Captured;
use super::good::lock;
use crate::error::OracleError;
use crate::system::files;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::files::names;
use std::fs::File;

/// In our home.
const DIRECTORY: &str = "captured";
const OBJECTS: &str = "objects";
const LOCK: &str = "lock";
/// Has the highest number that was ever given.
const LAST: &str = "last";
/// A directory that is being filled.
const PART: &str = "part";
const INCREMENTAL: &str = "incremental";

/// The kept crashes.
#[derive(Debug, Clone)]
pub struct CapturedStore {
    directory: Utf8PathBuf,
}

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Crashes.
    pub crashes: usize,
    /// Bytes of their files; what several have counts once.
    pub bytes: u64,
}

/// What became of a crash that was to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kept {
    /// It has this number now; those with the other numbers were deleted for it.
    Now(u64, Vec<u64>),
    /// It was kept before.
    Already(u64),
}

impl CapturedStore {
    /// Those of a home.
    #[must_use]
    pub fn in_home(home: &Utf8Path) -> Self {
        Self {
            directory: home.join(DIRECTORY),
        }
    }

    /// The numbers of the kept crashes, in order.
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

    /// The directory of a kept crash; it need not be there.
    #[must_use]
    pub fn directory_of(&self, number: u64) -> Utf8PathBuf {
        self.directory.join(number.to_string())
    }

    /// What is known of a kept crash.
    ///
    /// # Errors
    /// Where there is none with this number, or it cannot be read.
    pub fn read(&self, number: u64) -> Result<Captured, OracleError> {
        Captured::read(&self.directory_of(number))
    }

    /// How much is kept.
    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage {
            crashes: self.numbers().len(),
            bytes: self.bytes(),
        }
    }

    /// Deletes a kept crash, with the files that no other one has. Returns whether it was there.
    ///
    /// # Errors
    /// Where it cannot be removed.
    pub fn delete(&self, number: u64) -> Result<bool, OracleError> {
        let directory = self.directory_of(number);
        if !directory.is_dir() {
            return Ok(false);
        }
        let _lock = self.lock()?;
        files::remove_all(&directory)?;
        self.sweep()?;
        Ok(true)
    }

    fn lock(&self) -> Result<File, OracleError> {
        files::make_private_dir(&self.directory)?;
        lock(&self.directory.join(LOCK))
    }

    /// Keeps what is put into a directory, if it is not there already. It is there as a whole or not at all.
    ///
    /// # Errors
    /// Where it cannot be written, or is larger than the limit.
    pub(super) fn keep(
        &self,
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
        let kept = fill(&filling).and_then(|captured| self.finish(&captured, &part, limit_bytes));
        if kept.is_err() {
            files::remove_all(&part)?;
        }
        self.sweep()?;
        kept
    }

    fn finish(
        &self,
        captured: &Captured,
        part: &Utf8Path,
        limit_bytes: u64,
    ) -> Result<Kept, OracleError> {
        let earlier = self.numbers().into_iter();
        let mut earlier = earlier.filter(|number| {
            let known = self.read(*number).ok();
            known.is_some_and(|known| known.key == captured.key)
        });
        if let Some(number) = earlier.next() {
            files::remove_all(part)?;
            return Ok(Kept::Already(number));
        }
        let mut captured = captured.clone();
        let deleted = self.make_room(&mut captured, part, limit_bytes)?;
        captured.write(part)?;
        let number = self.next_number()?;
        let place = self.directory_of(number);
        std::fs::rename(part, &place).map_err(OracleError::io("write", &place))?;
        Ok(Kept::Now(number, deleted))
    }

    /// Deletes the oldest crashes until there is room, then the incremental directory of the new one.
    fn make_room(
        &self,
        captured: &mut Captured,
        part: &Utf8Path,
        limit_bytes: u64,
    ) -> Result<Vec<u64>, OracleError> {
        let mut deleted = Vec::new();
        let mut oldest = self.numbers().into_iter();
        while self.bytes() > limit_bytes {
            if let Some(number) = oldest.next() {
                files::remove_all(&self.directory_of(number))?;
                deleted.push(number);
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

/// A directory that is being filled.
pub(super) struct Filling<'a> {
    store: &'a CapturedStore,
    part: &'a Utf8Path,
}

impl Filling<'_> {
    /// Where files that are not shared may be written.
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
