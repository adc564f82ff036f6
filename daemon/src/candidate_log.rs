//! The log of a reduction: a file in which stands what became of each candidate. It is opened before
//! the first candidate runs, so that none can put a link in its place, and only a file is written that
//! is new, empty, or an earlier log.

use camino::Utf8Path;
use reduce_engine::{Failure, FailureKind, traced};
use reduce_platform::files;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::time::Instant;

/// The first line of a log of candidates, by which we know our own files.
const HEADER: &str = "# cargo-reduce: what became of each candidate\n";

/// Does some work, and writes what becomes of each candidate to a log, if a file for it is given.
///
/// # Errors
/// Where the file cannot be written, or is something else than a log.
pub(crate) fn logged<T>(
    path: Option<&Utf8Path>,
    work: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Some(path) = path else {
        return work();
    };
    traced(writer_of(path)?, work)
}

/// Opens a log and returns a function that writes a line to it, with the time since the opening.
fn writer_of(path: &Utf8Path) -> Result<impl FnMut(&str) + use<>, Failure> {
    let (mut file, begun) = (open(path)?, Instant::now());
    Ok(move |line: &str| {
        let line = format!("{:8.3} {line}\n", begun.elapsed().as_secs_f64());
        // A log that cannot be written to is no reason to stop.
        let _lost = file.write_all(line.as_bytes());
    })
}

/// Opens the file of a log, and removes all but the first line from it.
fn open(path: &Utf8Path) -> Result<File, Failure> {
    let opened = open_own(path);
    let opened = opened.map_err(|error| {
        Failure::environment(format!("failed to write the log `{path}`"))
            .caused_by(&error)
            .hint("give a file that can be written with `--log FILE`")
    })?;
    opened.ok_or_else(|| not_ours(path))
}

/// Opens the file of a log, or makes it, and returns `None` if there is something else than a log of ours.
fn open_own(path: &Utf8Path) -> io::Result<Option<File>> {
    let Some(mut file) = files::open_or_make_unfollowed(path.as_std_path())? else {
        return Ok(None);
    };
    // A file with a second name may be another one's file, too.
    if files::names(&file.metadata()?).is_some_and(|names| names != 1) || !is_log(&mut file)? {
        return Ok(None);
    }
    files::make_open_file_private(&file)?;
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(HEADER.as_bytes())?;
    Ok(Some(file))
}

/// Whether a file is empty or begins as our logs do.
fn is_log(file: &mut File) -> io::Result<bool> {
    let mut begin = vec![0; HEADER.len()];
    match file.read_exact(&mut begin) {
        Ok(()) => Ok(begin == HEADER.as_bytes()),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(file.metadata()?.len() == 0),
        Err(error) => Err(error),
    }
}

fn not_ours(path: &Utf8Path) -> Failure {
    let message = format!("failed to write the log `{path}`: something else is there already");
    Failure::new(FailureKind::BadInput, message)
        .hint("give the name of a new file with `--log FILE`, or that of an earlier log")
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    fn place() -> (tempfile::TempDir, Utf8PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(directory.path().join("log.txt")).unwrap();
        (directory, path)
    }

    fn write(path: &Utf8Path) -> Result<(), Failure> {
        writer_of(path).map(|mut write| write("one line"))
    }

    #[track_caller]
    fn check_refused(path: &Utf8Path) {
        let failure = write(path).unwrap_err();
        assert_eq!(failure.kind, FailureKind::BadInput, "{failure:?}");
        assert!(failure.message.contains("something else is there"));
    }

    #[test]
    fn a_log_is_private_and_replaces_an_earlier_one() {
        let (_directory, path) = place();
        for _ in 0..2 {
            write(&path).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.starts_with(HEADER), "{text}");
            assert_eq!(text.lines().count(), 2, "{text}");
            assert!(text.contains("one line"), "{text}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = path.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn a_file_of_the_users_is_not_overwritten() {
        let (_directory, path) = place();
        std::fs::write(&path, "fn main() {}").unwrap();
        check_refused(&path);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "fn main() {}");
    }

    #[test]
    fn a_link_is_not_followed() {
        let (directory, path) = place();
        let target = directory.path().join("target");
        std::fs::write(&target, "").unwrap();
        files::symlink(target.as_ref(), path.as_ref()).unwrap();
        check_refused(&path);
        std::fs::remove_file(&path).unwrap();
        std::fs::hard_link(&target, &path).unwrap();
        check_refused(&path);
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "");
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let (_directory, path) = place();
        check_refused(path.parent().unwrap());
        #[cfg(unix)]
        check_refused(Utf8Path::new("/dev/null"));
    }

    #[test]
    fn a_directory_that_is_missing_is_told() {
        let (_directory, path) = place();
        let failure = write(&path.join("log.txt")).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Environment);
        assert!(failure.message.contains(path.as_str()), "{failure:?}");
    }
}
