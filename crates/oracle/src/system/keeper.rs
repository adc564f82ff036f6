//! Runs the keeper, a process that outlives cargo-reduce and kills the processes that it has left behind.
//!
//! The keeper ends what the kernel does not. When a process of ours dies by `kill -9`, the kernel
//! kills the compilers that it started (by their parent-death signal), but not what these have
//! started: a linker, or whatever a procedural macro likes. The keeper is told of each process group
//! that begins and ends, over a pipe. When the pipe ends, it kills the groups that are left, and ends
//! too.

use crate::system::process::{Groups, start_keeper};
use camino::Utf8Path;
use reduce_platform::processes::kill_group;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::BufRead;
use std::process::ExitCode;

/// The variable that says that a process is a keeper.
pub(crate) const VARIABLE: &str = "CARGO_REDUCE_KEEPER";

/// Starts the keeper of this process, unless there is one. `program` is an executable that calls
/// [`main`] when it is started as a keeper. Returns whether there is a keeper now: without it, what
/// compilers start may outlive a `kill -9`.
pub fn start(program: &Utf8Path) -> bool {
    Groups::are_kept_by(|| start_keeper(program, VARIABLE))
}

/// Whether the environment asks this process to be a keeper.
#[must_use]
pub fn is_requested(vars: impl IntoIterator<Item = (OsString, OsString)>) -> bool {
    vars.into_iter().any(|(name, _)| name == VARIABLE)
}

/// Runs as the keeper until its input ends, and kills the process groups that are left. To be called first thing in
/// `main` where [`is_requested`].
#[must_use]
pub fn main() -> ExitCode {
    let left = left_at_the_end(std::io::stdin().lock());
    // Most have ended meanwhile.
    left.into_iter().for_each(kill_group);
    ExitCode::SUCCESS
}

/// Returns the process groups that began and did not end, from lines such as `+123` for a beginning and `-123` for an
/// end.
fn left_at_the_end(notes: impl BufRead) -> BTreeSet<i32> {
    let mut left = BTreeSet::new();
    for note in notes.lines().map_while(Result::ok) {
        let group = note.get(1..).and_then(|number| number.parse().ok());
        // A group of 1 would be the whole system's.
        let group = group.filter(|number: &i32| *number > 1);
        match (note.as_bytes().first(), group) {
            (Some(b'+'), Some(group)) => drop(left.insert(group)),
            (Some(b'-'), Some(group)) => drop(left.remove(&group)),
            _ => {}
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_ended_are_left_alone() {
        let notes = "+20\n+30\n-20\n+40\n+nonsense\n+1\n-50\n+60";
        let left = left_at_the_end(notes.as_bytes());
        assert_eq!(left, BTreeSet::from([30, 40, 60]));
    }
}
