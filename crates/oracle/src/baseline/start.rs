//! Makes the context in which a failure is looked for out of the user's options and surroundings.

use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::Toolchain;
use crate::error::OracleError;
use crate::plain_tests::PlainTests;
use crate::search::context::{BaselineContext, BaselineOptions, Variables};
use crate::search::failure_info::FailureInfo;
use crate::system::files;
use crate::system::private::Private;
use crate::system::sandbox::{SandboxMode, missing};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use std::cell::{Cell, OnceCell, RefCell};

/// The directories that the oracle may write, and the program that records compiler calls.
#[derive(Clone, Copy)]
pub struct BaselineSite<'a> {
    /// A private directory for this run. The snapshot in it must stay as long as the plan is used.
    pub scratch: &'a Utf8Path,
    /// A private directory for compiled dependencies, which is kept across runs.
    pub builds: &'a Utf8Path,
    /// An executable that calls [`crate::compiler::capture::main`] when it is started as a compiler wrapper.
    pub capture_program: &'a Utf8Path,
    /// The implementation that writes other kinds of tests, such as doc tests, as plain `#[test]` functions.
    pub plain_tests: &'a dyn PlainTests,
}

/// The functions that are told about the progress of the search.
pub(super) struct Told<'a> {
    /// The function that is told a phrase for each step of the search.
    pub(super) note: &'a (dyn Fn(&str) + Sync),
    /// The function that is told cargo's own progress.
    pub(super) cargo_says: &'a dyn Fn(&str),
}

/// Makes the context in which the failure `wanted` is looked for in the targets `selected`.
///
/// # Errors
/// Where a directory cannot be made.
pub(super) fn context<'a>(
    (wanted, selected): (FailureInfo, Vec<String>),
    (surroundings, toolchain): (&'a Surroundings, Toolchain),
    site: &BaselineSite<'a>,
    options: &'a BaselineOptions,
    told: Told<'a>,
    cancel: &'a Cancel,
) -> Result<BaselineContext<'a>, OracleError> {
    Ok(BaselineContext {
        user: surroundings,
        scratch: real_dir(site.scratch)?,
        builds: real_dir(site.builds)?,
        capture_program: site.capture_program,
        plain_tests: site.plain_tests,
        options,
        wanted,
        toolchain,
        stand_in: None,
        private: Private::of(&surroundings.vars),
        selected,
        note: told.note,
        cargo_says: told.cargo_says,
        cancel,
        runs: Cell::new(0),
        origin: OnceCell::new(),
        variables: Variables::default(),
        remarks: RefCell::default(),
    })
}

/// Refuses paths that the user must not open to candidates, and paths that are not there.
///
/// # Errors
/// [`OracleError::NotReadable`].
pub(super) fn check_reads(paths: &[Utf8PathBuf], private: &Private) -> Result<(), OracleError> {
    for path in paths {
        let is_missing = (!path.exists()).then_some("there is no such file or directory");
        if let Some(reason) = is_missing.or_else(|| private.refusal(path)) {
            let path = path.clone();
            return Err(OracleError::NotReadable { path, reason });
        }
    }
    Ok(())
}

/// Returns the options with the sandbox switched off if this system has none and the search can do without. A search
/// that only compiles does without where it must.
///
/// # Errors
/// [`OracleError::NoSandbox`] where candidates are run, or all of a sandbox is asked for.
pub(super) fn with_sandbox(
    options: &BaselineOptions,
    executes: bool,
    warn: &dyn Fn(&str),
) -> Result<BaselineOptions, OracleError> {
    if options.sandbox == SandboxMode::Off {
        warn("the sandbox is off: what is compiled and run may do all that you may");
    }
    let missing = missing(options.sandbox);
    let may_do_without = options.sandbox == SandboxMode::Default && !executes;
    match missing.is_empty() {
        true => Ok(options.clone()),
        false if may_do_without => {
            let why = missing.join("; ");
            warn(&format!(
                "there is no sandbox, build scripts and macros run with your rights: {why}"
            ));
            Ok(BaselineOptions {
                sandbox: SandboxMode::Off,
                ..options.clone()
            })
        }
        false => Err(OracleError::NoSandbox { missing }),
    }
}

fn real_dir(dir: &Utf8Path) -> Result<Utf8PathBuf, OracleError> {
    files::make_dir(dir)?;
    dir.canonicalize_utf8()
        .map_err(OracleError::io("find", dir))
}
