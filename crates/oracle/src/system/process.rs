//! Starts processes, which no other part of this crate does.
//!
//! A child gets an absolute directory, an explicit environment, no input, a process group of its own
//! and limits. Its output is drained while it runs, and nothing of its group is left afterwards. A process is started
//! anew, or forked from a compiler that is loaded already (`Server`). One that starts others
//! where our signals do not get to is told by its input when to end (`run_attended`). One that is no part of a query is spoken to as long
//! as somebody has it (`Dialogue`).
//!
//! Two modules start processes, with the same interface: `linux` has all of it, and `portable` is for other systems: it
//! has no compiler that is loaded already, and knows less of what a process uses.
//!
//! See docs/decisions/sandbox-and-processes.md.

mod dialogue;
mod editor;
mod groups;
mod invocation;
mod long_line;
mod output;
mod pass;
pub(crate) mod stand_in;

#[cfg(linux_parts)]
mod linux;
#[cfg(not(linux_parts))]
mod portable;

#[cfg(linux_parts)]
use linux as way;
#[cfg(not(linux_parts))]
use portable as way;

pub(crate) use dialogue::{Dialogue, Listen};
pub use editor::edit_in_terminal;
pub(crate) use groups::Groups;
pub use invocation::Ending;
pub(crate) use invocation::{Bounds, Decides, GroupTime, Invocation, Outcome, Preload, Stops};
#[cfg(linux_parts)]
pub(crate) use linux::BlockedSignals;
#[cfg(all(test, linux_parts))]
pub(crate) use linux::{protocol, threads};
use long_line::ShortLine;
pub(crate) use pass::{Passed, pass_through, start_keeper};
pub(crate) use way::{Server, most_processes};

use crate::error::OracleError;
use reduce_platform::Cancel;

/// Runs a process to its end, its deadline, or `cancel`. Nothing of its group is left afterwards.
///
/// # Errors
/// [`OracleError::Spawn`] when it cannot be started or watched.
pub(crate) fn run(invocation: &Invocation<'_>, cancel: &Cancel) -> Result<Outcome, OracleError> {
    run_until(invocation, cancel, &mut |_| false)
}

/// Runs a process as [`run`] does, or until `decides` has seen enough of stderr.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_until(
    invocation: &Invocation<'_>,
    cancel: &Cancel,
    decides: &mut Decides<'_>,
) -> Result<Outcome, OracleError> {
    let line = ShortLine::of(invocation).map_err(|source| failed(invocation, source))?;
    way::run(&line.of_invocation(invocation), cancel, decides)
        .map_err(|source| failed(invocation, source))
}

/// Runs a process to its end, its deadline, or `cancel`, or until `decides` has seen enough of stderr. Its input is open
/// until then. The process ends by itself once its input has ended, or is ended as others are. Nothing but its time is
/// bounded.
///
/// # Errors
/// [`OracleError::Spawn`] when it cannot be started or watched.
pub(crate) fn run_attended(
    invocation: &Invocation<'_>,
    cancel: &Cancel,
    decides: &mut Decides<'_>,
) -> Result<Outcome, OracleError> {
    way::run_attended(invocation, cancel, decides).map_err(|source| failed(invocation, source))
}

fn failed(invocation: &Invocation<'_>, source: std::io::Error) -> OracleError {
    OracleError::Spawn {
        program: invocation.program.to_owned(),
        dir: invocation.dir.to_owned(),
        source,
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
