//! Files: their times, owners and permissions, links, and the room that is left for them.

use crate::system;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Replaces the text of a file that others may be reading: they see the old text or the new one, whatever ends this process. Where
/// it fails, as on a full disk, nothing is left of the new one.
///
/// # Errors
/// When it cannot be written.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _left = fs::remove_file(&part);
    }
    written
}

/// The time when a file was last written to: seconds since 1970, and nanoseconds of that second.
#[must_use]
pub fn modified(data: &Metadata) -> (i64, i64) {
    let Ok(modified) = data.modified() else {
        return (0, 0);
    };
    let (before, since) = match modified.duration_since(UNIX_EPOCH) {
        Ok(since) => (false, since),
        Err(error) => (true, error.duration()),
    };
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    let nanoseconds = i64::from(since.subsec_nanos());
    match (before, nanoseconds) {
        (false, _) => (seconds, nanoseconds),
        (true, 0) => (-seconds, 0),
        (true, _) => (-seconds - 1, 1_000_000_000 - nanoseconds),
    }
}

/// The time when a file, its name or its permissions were last changed, as [`modified`]. Where the system does not say,
/// when it was written to.
#[must_use]
pub fn changed(data: &Metadata) -> (i64, i64) {
    system::changed(data).unwrap_or_else(|| modified(data))
}

/// Returns the device and the number of a file, which together identify it on this machine, or `None` where the system
/// does not say.
#[must_use]
pub fn identity(data: &Metadata) -> Option<(u64, u64)> {
    system::identity(data)
}

/// The number of names (hard links) that a file has. `None` where the system does not say.
#[must_use]
pub fn names(data: &Metadata) -> Option<u64> {
    system::names(data)
}

/// Whether somebody may start a file as a program. Where the system has no such permission, each file may be started.
#[must_use]
pub fn is_executable(data: &Metadata) -> bool {
    system::is_executable(data)
}

/// Lets everybody read and start a file, and its owner write it.
///
/// # Errors
/// When the permissions cannot be changed.
pub fn make_executable(file: &File) -> io::Result<()> {
    system::make_executable(file)
}

/// Sets the permissions of a file or directory so that only its owner can use it. Nothing happens where the system has no
/// such permissions.
///
/// # Errors
/// When the permissions cannot be changed.
pub fn make_private(path: &Path) -> io::Result<()> {
    system::make_private(path)
}

/// Sets the permissions of a file so that only its owner can read and write it. Nothing happens where the system has no
/// such permissions.
///
/// # Errors
/// When the permissions cannot be changed.
pub fn make_private_file(path: &Path) -> io::Result<()> {
    system::make_private_file(path)
}

/// Sets the permissions of an open file so that only its owner can read and write it.
///
/// # Errors
/// When the permissions cannot be changed.
pub fn make_open_file_private(file: &File) -> io::Result<()> {
    system::make_open_file_private(file)
}

/// Whether this process may make files in a directory. Where that is not known before it is tried, it may.
#[must_use]
pub fn may_make_in(directory: &Path) -> bool {
    system::may_make_in(directory)
}

/// Opens a file to read and write, or makes one for its owner alone. `None` where a link, a directory or a device is
/// there: no link is followed, and nobody is waited for.
///
/// # Errors
/// When the file cannot be made or opened.
pub fn open_or_make_unfollowed(path: &Path) -> io::Result<Option<File>> {
    let Some(file) = system::open_or_make_unfollowed(path)? else {
        return Ok(None);
    };
    Ok(file.metadata()?.is_file().then_some(file))
}

/// Opens a file that others may have made to be read: no link is followed, and nobody is waited for. What is no file may be
/// opened as well.
///
/// # Errors
/// When it cannot be opened, or is a link.
pub fn open_unfollowed(path: &Path) -> io::Result<File> {
    system::open_unfollowed(path)
}

/// Removes a file, a link, or a directory with all that is in it, whatever a program has left there. That it is not there
/// is fine. Nothing follows a symbolic link.
///
/// # Errors
/// The first error of the system; the rest is removed nevertheless.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    let removed = match std::fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            empty_directory(path).and_then(|()| std::fs::remove_dir(path))
        }
        Ok(_) => std::fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Removes all that is in a directory.
///
/// # Errors
/// As [`remove_tree`].
pub fn empty_directory(path: &Path) -> io::Result<()> {
    system::empty_directory(path)
}

/// The room that is left on a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// The bytes that a user may still write.
    pub bytes: u64,
    /// Whether no file can be made any more, however small. File systems that make inodes as they need them have none to
    /// count.
    pub has_no_inode: bool,
    /// Whether files can be written there, and started as programs.
    pub is_for_programs: bool,
}

/// The room that is left where a path is. `None` where the system does not say.
#[must_use]
pub fn room(path: &Path) -> Option<Room> {
    system::room(path)
}

/// Changes the options so that a file which is created with them can be used by its owner alone.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    system::private(options)
}

/// Makes a directory and those above it, all of them for their owner alone. That it is there already is no error.
///
/// # Errors
/// As [`std::fs::create_dir_all`].
pub fn create_private_dir(path: &Path) -> io::Result<()> {
    system::create_private_dir(path)
}

/// Makes a symbolic link to a file or a directory.
///
/// # Errors
/// When it cannot be made; on some systems users may not make links.
pub fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    system::symlink(target, link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a");
        for text in ["old", "new"] {
            replace(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::create_dir(temp.path().join("b")).unwrap();
        replace(&temp.path().join("b"), "text").unwrap_err();
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_file_is_opened_or_made_and_what_is_none_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        for _ in 0..2 {
            assert!(open_or_make_unfollowed(&path).unwrap().is_some());
        }
        assert!(open_or_make_unfollowed(dir.path()).unwrap().is_none());
        assert!(open_or_make_unfollowed(&dir.path().join("no/file")).is_err());
        let link = dir.path().join("link");
        if symlink(&path, &link).is_ok() {
            assert!(open_or_make_unfollowed(&link).unwrap().is_none());
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_open_file_is_closed_to_others() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let file = File::create(dir.path().join("file")).unwrap();
        make_executable(&file).unwrap();
        make_open_file_private(&file).unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn there_is_no_room_in_a_directory_that_is_missing() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(room(&dir.path().join("missing")), None);
        assert_eq!(room(dir.path()).is_some(), cfg!(unix));
    }

    #[test]
    fn times_before_1970_have_nanoseconds_that_are_added() {
        let dir = tempfile::tempdir().unwrap();
        let file = File::create(dir.path().join("file")).unwrap();
        let times = [
            (UNIX_EPOCH + Duration::new(3, 7), (3, 7)),
            (UNIX_EPOCH - Duration::new(3, 0), (-3, 0)),
            (UNIX_EPOCH - Duration::new(3, 7), (-4, 999_999_993)),
        ];
        for (time, expected) in times {
            file.set_modified(time).unwrap();
            assert_eq!(modified(&file.metadata().unwrap()), expected);
        }
    }
}
