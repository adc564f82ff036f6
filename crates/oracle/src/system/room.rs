//! Checks whether a process has failed because there was no room for what it wrote. Such a failure says nothing of a
//! candidate: the system has failed, and no verdict follows from it.

use super::process::{Ending, Outcome};
use crate::error::OracleError;
use camino::Utf8Path;
use reduce_platform::files::room;
use std::io;

/// The names of the errors in the C library, which the compiler, linkers and most programs print.
const SAID: [&str; 2] = ["No space left on device", "Disk quota exceeded"];
/// The free space, in bytes, above which the words are not taken as a sign of a full disk. A file that a process
/// could not write to its end may be gone, and its room be free again, when we look.
const LITTLE_BYTES: u64 = 64 << 20;

/// Returns an error if a process that worked in a directory has failed because the disk is full.
///
/// # Errors
/// [`OracleError::Io`] where it has.
pub(crate) fn check_room(directory: &Utf8Path, outcome: &Outcome) -> Result<(), OracleError> {
    check(directory, outcome, is_nearly_full)
}

fn check(
    directory: &Utf8Path,
    outcome: &Outcome,
    is_nearly_full: impl FnOnce(&Utf8Path) -> bool,
) -> Result<(), OracleError> {
    let has_failed = outcome.ending != Ending::Exited(0);
    let says = |words: &&str| outcome.stderr.contains(words) || outcome.stdout.contains(words);
    if has_failed && SAID.iter().any(says) && is_nearly_full(directory) {
        let error = io::ErrorKind::StorageFull.into();
        let action = "compile and run candidates in";
        return Err(OracleError::io(action, directory)(error));
    }
    Ok(())
}

fn is_nearly_full(directory: &Utf8Path) -> bool {
    room(directory.as_std_path()).is_some_and(|room| room.bytes < LITTLE_BYTES || room.has_no_inode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn is_refused(ending: Ending, stderr: &str, is_full: bool) -> bool {
        let outcome = Outcome {
            ending,
            stdout: String::new(),
            stderr: stderr.to_owned(),
            truncated: false,
            late: None,
            wall: Duration::ZERO,
            asleep: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_memory_bytes: 0,
        };
        check("/scratch".into(), &outcome, |_| is_full).is_err()
    }

    const SAYS: &str = "error: couldn't create a temp dir: No space left on device (os error 28)\n";

    #[test]
    fn a_failure_for_want_of_room_is_no_verdict() {
        assert!(is_refused(Ending::Exited(1), SAYS, true));
        assert!(is_refused(Ending::Decided, SAYS, true));
        let quota = "ld: final link failed: Disk quota exceeded";
        assert!(is_refused(Ending::Exited(1), quota, true));
    }

    #[test]
    fn the_words_alone_and_a_full_disk_alone_are_none() {
        assert!(!is_refused(Ending::Exited(1), SAYS, false));
        assert!(!is_refused(Ending::Exited(0), SAYS, true));
        assert!(!is_refused(Ending::Exited(1), "error[E0308]", true));
    }
}
