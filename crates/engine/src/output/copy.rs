//! Copies of a result, also of one that is still being reduced. Whoever writes a state of the output
//! directory holds a lock on it, so that a copy is of one state.

use super::directory::{OutputDirectory, ours};
use super::hold::{Hold, hold};
use crate::failure::{Failure, FailureKind};
use crate::request::ExistingOutput;
use camino::Utf8Path;
use std::io;

/// The names that a result's code may have: `reduced.rs` for one file, `reduced` for a directory.
const CODE: [&str; 2] = ["reduced.rs", "reduced"];
/// The directory in a result that has nothing to do with the best so far, and is not copied.
const NO_PART: &str = "other-crashes";

/// Copies the best so far of a reduction, or its result, from its output directory to another one. Other files that
/// are there stay behind.
///
/// # Errors
/// Where the other directory is not empty, there is no result yet, or a file cannot be read or written.
pub fn copy_best(from: &Utf8Path, to: &Utf8Path) -> Result<(), Failure> {
    OutputDirectory::check(to, ExistingOutput::Refuse, Some(&[0; 32]))?;
    let _held = hold(from, Hold::ToRead);
    if !CODE.iter().any(|name| from.join(name).exists()) {
        let message = format!("found no result in `{from}`");
        return Err(Failure::new(FailureKind::BadInput, message)
            .hint("the failure may not have been found yet: try again later"));
    }
    let names = ours(from).into_iter().filter(|name| name != NO_PART);
    for name in names {
        let (from, to) = (from.join(&name), to.join(&name));
        let copied = copy(&from, &to);
        copied.map_err(|error| Failure::io(&format!("copy `{from}` to `{to}`"), &error))?;
    }
    Ok(())
}

/// Copies a file or directory with all that is in it. Links and special files are none of ours, and
/// stay behind.
fn copy(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    let kind = match from.symlink_metadata() {
        Ok(metadata) => metadata.file_type(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if kind.is_file() {
        if let Some(parent) = to.parent() {
            std::fs::create_dir_all(parent)?;
        }
        return std::fs::copy(from, to).map(drop);
    }
    if kind.is_dir() {
        std::fs::create_dir_all(to)?;
        for entry in from.read_dir_utf8()? {
            let name = entry?.file_name().to_owned();
            copy(&from.join(&name), &to.join(&name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_platform::files::symlink;
    use std::fs::File;

    fn place() -> (tempfile::TempDir, Utf8PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(temp.path().to_owned()).unwrap();
        (temp, path)
    }

    #[test]
    fn what_is_ours_is_copied_and_nothing_else() {
        let (_temp, base) = place();
        let (from, to) = (base.join("out"), base.join("copies/now"));
        std::fs::create_dir_all(from.join("reduced/src")).unwrap();
        std::fs::write(from.join("reduced/src/lib.rs"), "fn f() {}").unwrap();
        std::fs::write(from.join("report.md"), "a report").unwrap();
        std::fs::write(from.join("letter"), "not ours").unwrap();
        symlink("/etc/passwd".as_ref(), from.join("reduced/link").as_ref()).unwrap();
        copy_best(&from, &to).unwrap();
        let code = std::fs::read_to_string(to.join("reduced/src/lib.rs")).unwrap();
        assert_eq!(code, "fn f() {}");
        assert!(to.join("report.md").exists());
        assert!(!to.join("letter").exists() && !to.join("reduced/link").exists());
        let again = copy_best(&from, &to).unwrap_err();
        assert_eq!(again.kind, FailureKind::OutputExists);
    }

    #[test]
    fn where_there_is_no_result_yet_nothing_is_made() {
        let (_temp, base) = place();
        std::fs::create_dir(base.join("out")).unwrap();
        let failure = copy_best(&base.join("out"), &base.join("copy")).unwrap_err();
        assert_eq!(failure.kind, FailureKind::BadInput);
        assert!(!base.join("copy").exists());
    }

    #[test]
    fn a_state_that_is_being_written_is_waited_for() {
        let (_temp, base) = place();
        let from = base.join("out");
        std::fs::create_dir(&from).unwrap();
        let writing = hold(&from, Hold::ToWrite).unwrap();
        assert!(File::open(&from).unwrap().try_lock_shared().is_err());
        drop(writing);
        let reading = hold(&from, Hold::ToRead).unwrap();
        assert!(File::open(&from).unwrap().try_lock_shared().is_ok());
        assert!(File::open(&from).unwrap().try_lock().is_err());
        drop(reading);
    }
}
