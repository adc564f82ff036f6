//! Directories that nobody but the user can enter. Sockets and scratch trees live in them, so a
//! directory that someone else could have prepared is refused.

use crate::error::DaemonError;
use camino::Utf8Path;
use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};

/// Makes a directory of mode 0700, or checks that the one that is there is ours alone. Missing
/// parents are made in the same way.
///
/// # Errors
/// Where it cannot be made, is a link or a file, or belongs to someone else.
pub(crate) fn ensure(path: &Utf8Path) -> Result<(), DaemonError> {
    let made = DirBuilder::new().mode(0o700).recursive(true).create(path);
    made.map_err(DaemonError::io("create directory", path))?;
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
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return refuse("it belongs to another user");
    }
    if metadata.mode() & 0o077 != 0 {
        let private = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(path, private).map_err(DaemonError::io("protect", path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_made_private() {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(temp.path()).unwrap().join("a/b");
        ensure(&path).unwrap();
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o700);
    }

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
        std::os::unix::fs::symlink(temp.path(), &path).unwrap();
        assert!(matches!(ensure(&path), Err(DaemonError::NotPrivate { .. })));
    }
}
