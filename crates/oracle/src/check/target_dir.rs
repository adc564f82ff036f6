//! A target directory of a worker's own, which begins as a copy of one in which all dependencies are
//! compiled: so they are compiled once, and not for each worker.

use crate::error::OracleError;
use crate::system::files;
use camino::Utf8Path;

/// The extensions of files that cargo and rustc replace rather than change, so that a link is
/// enough.
const LINKED: [&str; 4] = ["rlib", "rmeta", "so", "dylib"];
/// The names of directories that are not copied, as they have compiled parts of crates that are edited.
const LEFT_OUT: [&str; 2] = ["incremental", "tmp"];

/// Makes `to` a copy of `from`; large files that nobody writes to are links to those there.
///
/// # Errors
/// [`OracleError::Io`].
pub(crate) fn begin_with(from: &Utf8Path, to: &Utf8Path) -> Result<(), OracleError> {
    files::make_dir(to)?;
    let mut dirs = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = dirs.pop() {
        if !from.is_dir() {
            continue;
        }
        for entry in files::entries(&from)? {
            let (there, here) = (entry.path(), to.join(entry.file_name()));
            let kind = entry.file_type().map_err(OracleError::io("read", there))?;
            if !kind.is_dir() {
                copy_or_link(there, &here)?;
            } else if !LEFT_OUT.contains(&entry.file_name()) {
                files::make_dir(&here)?;
                dirs.push((there.to_owned(), here));
            }
        }
    }
    Ok(())
}

fn copy_or_link(from: &Utf8Path, to: &Utf8Path) -> Result<(), OracleError> {
    let extension = from.extension().unwrap_or_default();
    if LINKED.contains(&extension) {
        let linked = reduce_platform::files::symlink(from.as_std_path(), to.as_std_path());
        return linked.map_err(OracleError::io("create", to));
    }
    match from.is_file() {
        true => files::copy(from, to).map(drop),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    #[test]
    fn compiled_crates_are_links_and_the_rest_is_copied_with_its_age() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        let (from, to) = (dir.join("from"), dir.join("to"));
        files::write(&from.join("debug/deps/liba.rlib"), "a").unwrap();
        files::write(&from.join("debug/.fingerprint/a/lib-a.json"), "{}").unwrap();
        files::write(&from.join("debug/incremental/x/y"), "x").unwrap();
        begin_with(&from, &to).unwrap();
        assert!(to.join("debug/deps/liba.rlib").is_symlink());
        let copied = to.join("debug/.fingerprint/a/lib-a.json");
        assert!(!copied.is_symlink());
        let age = |path: &Utf8Path| path.metadata().unwrap().modified().unwrap();
        assert_eq!(
            age(&copied),
            age(&from.join("debug/.fingerprint/a/lib-a.json"))
        );
        assert!(!to.join("debug/incremental").exists());
    }

    #[test]
    fn nothing_is_copied_of_what_is_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        begin_with(&dir.join("nowhere"), &dir.join("to")).unwrap();
        assert!(files::entries(&dir.join("to")).unwrap().is_empty());
    }
}
