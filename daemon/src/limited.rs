//! A process, for tests, whose files may not grow beyond a limit, so that a write of it ends early and the next one
//! fails.

use camino::{Utf8Path, Utf8PathBuf};
use std::process::Command;

/// Says to a process of a test that it is that process, and where its files are.
const PLACE: &str = "PLACE_WITH_LIMIT";

/// The directory of this process, if it is one whose files may not grow.
#[expect(
    clippy::disallowed_methods,
    reason = "the name of a test says which it is, and nothing else is handed to it"
)]
pub(crate) fn limited_place() -> Option<Utf8PathBuf> {
    let place = std::env::var_os(PLACE)?;
    Some(Utf8PathBuf::from_path_buf(place.into()).unwrap())
}

/// Runs a test, named with its modules, in a process whose files may have so many times 512 bytes.
#[expect(
    clippy::disallowed_methods,
    reason = "a limit holds for a whole process"
)]
#[track_caller]
pub(crate) fn run_limited(test: &str, blocks: u64, place: &Utf8Path) {
    let line = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" --exact \"$1\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]);
    shell.arg(std::env::current_exe().unwrap()).arg(test);
    let ended = shell.env(PLACE, place).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success(), "{blocks}: {ended:?}");
    assert!(said.contains("1 passed"), "{said}");
}
