//! Directories that nobody but the user can enter. Sockets and scratch trees live in them, so a
//! directory that someone else could have prepared is refused.

use crate::error::DaemonError;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::{files, users};

/// The owner of a directory, as far as it matters whether we may use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// There is nothing at the path yet.
    Nobody,
    /// This user owns the path, and it is a directory.
    Us,
    /// Another user owns the path, or it is a link or a file.
    Another,
}

/// Finds out who owns a path, and so whether [`ensure`] could make or use a directory there.
pub(crate) fn owner(path: &Utf8Path) -> Owner {
    match path.symlink_metadata() {
        Ok(there) if there.is_dir() && users::is_owner(&there) => Owner::Us,
        Ok(_) => Owner::Another,
        Err(_) => Owner::Nobody,
    }
}

/// Makes a directory of mode 0700, or checks that the one that is there is ours alone. Missing
/// parents are made in the same way.
///
/// # Errors
/// Where it cannot be made, is a link or a file, or belongs to someone else.
pub(crate) fn ensure(path: &Utf8Path) -> Result<(), DaemonError> {
    if owner(path) == Owner::Nobody {
        let made = files::create_private_dir(path.as_std_path());
        made.map_err(DaemonError::io("create directory", path))?;
    }
    let metadata = path
        .symlink_metadata()
        .map_err(DaemonError::io("inspect", path))?;
    let refuse = |reason: &str| {
        Err(DaemonError::NotPrivate {
            path: path.to_owned(),
            reason: reason.to_owned(),
        })
    };
    if !metadata.is_dir() {
        return refuse("it is a link or a file");
    }
    if !users::is_owner(&metadata) {
        return refuse("it belongs to another user");
    }
    close(path)
}

/// Makes a private directory as [`ensure`] does, where the path may also be a link that the user has made to a directory.
///
/// # Errors
/// As [`ensure`].
pub(crate) fn ensure_linked(path: &Utf8Path) -> Result<(), DaemonError> {
    match path.is_symlink() {
        true => ensure(
            &path
                .canonicalize_utf8()
                .map_err(DaemonError::io("find", path))?,
        ),
        false => ensure(path),
    }
}

/// Takes all permissions of other users from a file or directory, if it exists. A link stays as it is.
///
/// # Errors
/// Where it cannot be closed.
pub(crate) fn protect(path: &Utf8Path) -> Result<(), DaemonError> {
    match path.symlink_metadata() {
        Ok(there) if !there.is_symlink() => close(path),
        _ => Ok(()),
    }
}

/// Takes all permissions of other users from a directory and all that is in it. There are few files in it, and nobody
/// changes them.
///
/// # Errors
/// Where it cannot be read or closed.
pub(crate) fn protect_all(path: &Utf8Path) -> Result<(), DaemonError> {
    let mut todo = vec![path.to_owned()];
    while let Some(path) = todo.pop() {
        protect(&path)?;
        if owner(&path) == Owner::Us {
            todo.extend(entries(&path)?);
        }
    }
    Ok(())
}

fn entries(path: &Utf8Path) -> Result<Vec<Utf8PathBuf>, DaemonError> {
    let entries = path.read_dir_utf8().and_then(Iterator::collect);
    let entries: Vec<camino::Utf8DirEntry> = entries.map_err(DaemonError::io("read", path))?;
    let paths = entries.into_iter().map(camino::Utf8DirEntry::into_path);
    Ok(paths.collect())
}

fn close(path: &Utf8Path) -> Result<(), DaemonError> {
    files::make_private(path.as_std_path()).map_err(DaemonError::io("protect", path))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(unix)]
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    #[cfg(unix)]
    #[test]
    fn a_directory_is_made_private() {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(temp.path()).unwrap().join("a/b");
        ensure(&path).unwrap();
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o700);
    }

    #[cfg(unix)]
    #[test]
    fn a_directory_that_is_open_to_others_is_closed() {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(temp.path()).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        ensure(path).unwrap();
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_link_to_a_directory_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(temp.path()).unwrap().join("link");
        files::symlink(temp.path(), path.as_ref()).unwrap();
        assert!(matches!(ensure(&path), Err(DaemonError::NotPrivate { .. })));
    }
}
