//! Runs another program in place of the calling process, as a compiler wrapper does that cargo calls.
//!
//! The program has our own environment, input and standard output. What it prints to standard error goes through a
//! pipe of ours, and on at once, so that it can be looked at if the program crashes.

use super::way;
use camino::Utf8Path;
use reduce_platform::processes;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, ExitStatus, Stdio};

/// The size of the kept end of the output, in bytes: up to twice as much is held.
const KEPT_BYTES: usize = 4 << 20;

/// The end of a program that had our own streams, with the last of its output to standard error.
pub(crate) struct Passed {
    pub(crate) status: ExitStatus,
    pub(crate) stderr: Vec<u8>,
}

/// Replaces the calling process by a program. Returns only where that is not possible.
#[expect(
    clippy::disallowed_methods,
    reason = "a wrapper becomes the program that it was called for"
)]
pub(crate) fn become_program(program: &OsString, args: &[OsString]) -> std::io::Error {
    processes::become_program(Command::new(program).args(args))
}

/// Runs a program to its end, and passes its output to standard error on.
///
/// # Errors
/// When it cannot be started.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is a part of the one that starts children"
)]
pub(crate) fn pass_on(program: &OsString, args: &[OsString]) -> std::io::Result<Passed> {
    let mut command = Command::new(program);
    let mut child = command.args(args).stderr(Stdio::piped()).spawn()?;
    let mut passing = Passing::default();
    if let Some(pipe) = child.stderr.take() {
        way::pass(&mut passing, pipe, &mut child)?;
    }
    Ok(Passed {
        status: child.wait()?,
        stderr: passing.kept,
    })
}

/// The end of the standard error of a program, which is passed on and kept.
#[derive(Default)]
pub(super) struct Passing {
    kept: Vec<u8>,
}

impl Passing {
    /// Passes bytes of a program's standard error on, and keeps the last of them. Returns whether there is somebody
    /// who reads it.
    pub(super) fn pass(&mut self, bytes: &[u8]) -> bool {
        let is_read = std::io::stderr().write_all(bytes).is_ok();
        self.keep(bytes);
        is_read
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.kept.extend_from_slice(bytes);
        if self.kept.len() > 2 * KEPT_BYTES {
            let surplus = self.kept.len() - KEPT_BYTES;
            self.kept.drain(..surplus);
        }
    }
}

/// A program that is run to its end without input, with its output in a file.
pub(crate) struct Apart<'a> {
    pub(crate) program: &'a Utf8Path,
    pub(crate) args: &'a [String],
    /// The whole environment of the program.
    pub(crate) env: &'a BTreeMap<String, String>,
    pub(crate) dir: &'a Utf8Path,
    /// The file to which the program prints.
    pub(crate) log: &'a Utf8Path,
}

/// Runs a program to its end, without input. Returns whether it succeeded.
///
/// # Errors
/// When it cannot be started, or its output cannot be written.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is a part of the one that starts children"
)]
pub(crate) fn run_apart(apart: &Apart<'_>) -> std::io::Result<bool> {
    let log = std::fs::File::create(apart.log)?;
    let mut command = Command::new(apart.program);
    command.args(apart.args);
    command.env_clear().envs(apart.env).current_dir(apart.dir);
    command
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    Ok(command.status()?.success())
}
