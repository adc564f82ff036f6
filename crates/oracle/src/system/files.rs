//! Works on files with errors that say which operation failed on which path.

use crate::error::OracleError;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::files::{
    create_private_dir, empty_directory, is_executable, make_executable, remove_tree,
};
use std::fs;
use std::io::ErrorKind;

/// Creates a directory and those above it.
pub(crate) fn make_dir(path: &Utf8Path) -> Result<(), OracleError> {
    fs::create_dir_all(path).map_err(OracleError::io("create", path))
}

/// Creates a directory and those above it that nobody but the user can enter.
pub(crate) fn make_private_dir(path: &Utf8Path) -> Result<(), OracleError> {
    let made = create_private_dir(path.as_std_path());
    made.map_err(OracleError::io("create", path))
}

/// Makes `path` an empty directory, and creates it or removes its contents for this.
pub(crate) fn make_empty(path: &Utf8Path) -> Result<(), OracleError> {
    make_dir(path)?;
    empty(path)
}

/// Removes everything in a directory, whatever the names and modes of the entries: a program may have left them.
pub(crate) fn empty(path: &Utf8Path) -> Result<(), OracleError> {
    empty_directory(path.as_std_path()).map_err(OracleError::io("empty", path))
}

/// Removes a file or a directory with all that is in it; it is no error that the path is not there.
pub(crate) fn remove_all(path: &Utf8Path) -> Result<(), OracleError> {
    remove_tree(path.as_std_path()).map_err(OracleError::io("remove", path))
}

/// Returns the entries of a directory, those without a UTF-8 name left out, in order.
pub(crate) fn entries(path: &Utf8Path) -> Result<Vec<camino::Utf8DirEntry>, OracleError> {
    let entries = path
        .read_dir_utf8()
        .map_err(OracleError::io("read", path))?;
    let mut entries: Vec<_> = entries
        .filter(|entry| !matches!(entry, Err(error) if error.kind() == ErrorKind::InvalidData))
        .collect::<Result<_, _>>()
        .map_err(OracleError::io("read", path))?;
    entries.sort_by(|a, b| a.path().cmp(b.path()));
    Ok(entries)
}

/// Returns the files in a directory and their contents, in the order of their names.
pub(crate) fn contents(dir: &Utf8Path) -> Result<Vec<(Utf8PathBuf, Vec<u8>)>, OracleError> {
    let entries = entries(dir)?.into_iter();
    let files = entries
        .map(camino::Utf8DirEntry::into_path)
        .filter(|path| path.is_file());
    files
        .map(|path| {
            let bytes = fs::read(&path).map_err(OracleError::io("read", &path))?;
            Ok((path, bytes))
        })
        .collect()
}

/// Writes a file, and creates the directories above it.
pub(crate) fn write(path: &Utf8Path, text: &str) -> Result<(), OracleError> {
    match fs::write(path, text) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make_dir(path.parent().unwrap_or(path))?;
            fs::write(path, text).map_err(OracleError::io("write", path))
        }
        written => written.map_err(OracleError::io("write", path)),
    }
}

/// Replaces the text of a file that others may be reading: they see the old text or the new one.
pub(crate) fn replace(path: &Utf8Path, text: &str) -> Result<(), OracleError> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    put(path, |new| write(new, text))
}

/// Makes a file under another name and then renames it, as others may be reading the old one: they see the old one or
/// the new one. Where that fails, as on a full disk, nothing is left of it.
pub(crate) fn put(
    path: &Utf8Path,
    make: impl FnOnce(&Utf8Path) -> Result<(), OracleError>,
) -> Result<(), OracleError> {
    let part = Utf8PathBuf::from(format!("{path}.{}.part", std::process::id()));
    let rename = || fs::rename(&part, path).map_err(OracleError::io("write", path));
    let made = make(&part).and_then(|()| rename());
    // Renaming does nothing where both names are of one file already.
    made.and(remove(&part))
}

/// Writes a file below a directory in which a program may have left anything: what leads out of it, or
/// would be waited for, goes before.
pub(crate) fn write_below(dir: &Utf8Path, inner: &Utf8Path, text: &str) -> Result<(), OracleError> {
    let mut path = dir.to_owned();
    for part in inner.components() {
        path.push(part);
        let Ok(there) = fs::symlink_metadata(&path) else {
            break;
        };
        let is_wanted = match path == dir.join(inner) {
            true => there.is_file(),
            false => there.is_dir(),
        };
        if !is_wanted {
            remove_all(&path)?;
        }
    }
    write(&dir.join(inner), text)
}

/// Removes a file; it is no error that the file is not there.
pub(crate) fn remove(path: &Utf8Path) -> Result<(), OracleError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(OracleError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Reads a text file.
pub(crate) fn read(path: &Utf8Path) -> Result<String, OracleError> {
    fs::read_to_string(path).map_err(OracleError::io("read", path))
}

/// Copies a file's content and its modification time, by which cargo sees changes. The copy can be written to even
/// where the original is read-only.
pub(crate) fn copy(from: &Utf8Path, to: &Utf8Path) -> Result<u64, OracleError> {
    make_dir(to.parent().unwrap_or(to))?;
    let mut source = fs::File::open(from).map_err(OracleError::io("open", from))?;
    let metadata = source.metadata().map_err(OracleError::io("read", from))?;
    let mut target = fs::File::create(to).map_err(OracleError::io("create", to))?;
    let bytes = std::io::copy(&mut source, &mut target).map_err(OracleError::io("write", to))?;
    set_executable(&target, &metadata).map_err(OracleError::io("write", to))?;
    if let Ok(modified) = metadata.modified() {
        target
            .set_modified(modified)
            .map_err(OracleError::io("write", to))?;
    }
    Ok(bytes)
}

fn set_executable(target: &fs::File, original: &fs::Metadata) -> std::io::Result<()> {
    match is_executable(original) {
        true => make_executable(target),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_made_leaves_the_old_one_and_nothing_else() {
        let temp = tempfile::tempdir().unwrap();
        let directory = Utf8Path::from_path(temp.path()).unwrap();
        let path = directory.join("file");
        put(&path, |part| write(part, "old")).unwrap();
        let full = || std::io::Error::from(ErrorKind::StorageFull);
        let failed = put(&path, |part| {
            write(part, "ne")?;
            Err(OracleError::io("write", part)(full()))
        });
        assert!(failed.is_err());
        assert_eq!(read(&path).unwrap(), "old");
        assert_eq!(entries(directory).unwrap().len(), 1);
    }
}
