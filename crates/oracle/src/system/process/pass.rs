//! Starts programs that cargo-reduce does not watch: those that a compiler wrapper stands for, and the keeper.

use super::way;
use camino::Utf8Path;
use reduce_platform::processes;
use std::ffi::OsString;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::time::Duration;

/// The end of a program that had the standard streams of the calling process.
pub(crate) struct Passed {
    pub(crate) status: ExitStatus,
    /// Whether the program was stopped at its deadline.
    pub(crate) timed_out: bool,
}

/// Runs a program with the environment, except for some variables, and the streams of the calling process, as a
/// compiler wrapper does. The program is killed at the deadline, if there is one; what it has started is not.
///
/// # Errors
/// When it cannot be started.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the one that starts children"
)]
pub(crate) fn pass_through(
    program: &OsString,
    args: &[OsString],
    vars: &[(&str, OsString)],
    deadline: Option<Duration>,
) -> std::io::Result<Passed> {
    let vars = vars.iter().map(|(name, value)| (name, value));
    let mut child = Command::new(program).args(args).envs(vars).spawn()?;
    let timed_out = match deadline {
        Some(deadline) => !way::has_ended_within(&mut child, deadline)?,
        None => false,
    };
    if timed_out {
        child.kill()?;
    }
    let status = child.wait()?;
    Ok(Passed { status, timed_out })
}

/// Starts the keeper, a program that is recognised by a variable and reads what we write, and that cargo-reduce does
/// not end: it is in no group of ours and does not die with us.
///
/// # Errors
/// When it cannot be started.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the one that starts children"
)]
pub(crate) fn start_keeper(program: &Utf8Path, variable: &str) -> std::io::Result<ChildStdin> {
    let mut keeper = Command::new(program);
    processes::inherit_nothing(&mut keeper);
    processes::lead_group(&mut keeper);
    let mut keeper = keeper
        .env_clear()
        .env(variable, "1")
        .current_dir(root(program))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    keeper
        .stdin
        .take()
        .ok_or_else(|| std::io::Error::other("no stdin"))
}

/// Returns the root of a path, a directory that cannot be removed while the keeper is in it.
fn root(program: &Utf8Path) -> &Utf8Path {
    program.ancestors().last().unwrap_or(program)
}
