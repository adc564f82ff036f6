//! Digests of files, which are remembered until a file changes.
//!
//! A file that was written to is seen by its length, its time, and its inode. A file system's clock ticks so slowly that a file
//! may be written to twice at one time: a digest is remembered only of a file that was old enough when it was read.

use crate::digest::Digest;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::files;
use reduce_remote_protocol::InputError;
use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// The age of a file's last change from which another change is certain to give the file another time. Some file systems
/// count in twos of seconds.
const OLD_ENOUGH: Duration = Duration::from_secs(3);

/// The largest number of files whose digests are remembered. A long job meets files of many directories that are gone.
const MOST: usize = 100_000;

/// The digests of files that are remembered, with the stamps by which changes are seen.
#[derive(Debug, Default)]
pub(crate) struct Stamps(Mutex<HashMap<Utf8PathBuf, (Stamp, Digest)>>);

/// The properties of a file by which we see that it was written to or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    inode: Option<(u64, u64)>,
}

impl Stamps {
    /// Returns the digest of a file, which is read only if it has changed since the last time.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(crate) fn of(&self, path: &Utf8Path) -> Result<Digest, InputError> {
        let digest = path.metadata().and_then(|data| self.digest(path, &data));
        digest.map_err(|error| InputError::new(path, error.to_string()))
    }

    fn digest(&self, path: &Utf8Path, data: &Metadata) -> io::Result<Digest> {
        let stamp = Stamp::of(data);
        if let Some((known, digest)) = self.files().get(path)
            && *known == stamp
        {
            return Ok(*digest);
        }
        let file = File::open(path)?;
        let before = Stamp::of(&file.metadata()?);
        let digest = Digest::of_reader(&file)?;
        if before.is_old() && before == Stamp::of(&file.metadata()?) {
            let mut files = self.files();
            if files.len() >= MOST {
                files.clear();
            }
            files.insert(path.to_owned(), (before, digest));
        }
        Ok(digest)
    }

    fn files(&self) -> std::sync::MutexGuard<'_, HashMap<Utf8PathBuf, (Stamp, Digest)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stamp {
    fn of(data: &Metadata) -> Self {
        Self {
            bytes: data.len(),
            modified: files::modified(data),
            changed: files::changed(data),
            inode: files::identity(data),
        }
    }

    fn is_old(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.unwrap_or_default().saturating_sub(OLD_ENOUGH).as_secs();
        let latest = self.modified.0.max(self.changed.0);
        latest < i64::try_from(now).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_just_written_is_read_each_time() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().join("file")).unwrap();
        let stamps = Stamps::default();
        for text in ["one", "two"] {
            std::fs::write(&path, text).unwrap();
            let digest = stamps.digest(&path, &path.metadata().unwrap()).unwrap();
            assert_eq!(digest, Digest::of(text.as_bytes()));
        }
        assert!(stamps.files().is_empty());
    }

    #[test]
    fn an_old_file_is_remembered_until_its_stamp_is_another_one() {
        let path = Utf8PathBuf::from("/bin/sh").canonicalize_utf8().unwrap();
        let stamps = Stamps::default();
        let data = path.metadata().unwrap();
        let digest = stamps.digest(&path, &data).unwrap();
        assert_eq!(stamps.files().get(&path), Some(&(Stamp::of(&data), digest)));
        let other = Digest::of(b"remembered");
        stamps
            .files()
            .insert(path.clone(), (Stamp::of(&data), other));
        assert_eq!(stamps.digest(&path, &data).unwrap(), other);
        let older = Stamp {
            bytes: 0,
            ..Stamp::of(&data)
        };
        stamps.files().insert(path.clone(), (older, other));
        assert_eq!(stamps.digest(&path, &data).unwrap(), digest);
    }
}
