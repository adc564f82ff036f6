//! The compiler wrapper that records how cargo calls rustc.
//!
//! cargo starts [`main`] in place of the compiler (`RUSTC_WRAPPER`). It runs the real compiler with
//! the same arguments, environment and streams, writes one record per call into a directory, and
//! ends as the compiler ended.

use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::processes::{end_by_signal, signal_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::{ExitCode, ExitStatus};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::compiler::args::value;
use crate::error::OracleError;
use crate::system::files;
use crate::system::process::{Passed, pass_through};
use crate::text::paths::relocate;

/// Names the directory of the records.
pub(crate) const DIRECTORY_VARIABLE: &str = "CARGO_REDUCE_CAPTURE";
/// A JSON list of arguments that are appended to the calls for primary packages.
pub(crate) const ARGS_VARIABLE: &str = "CARGO_REDUCE_RUSTC_ARGS";

/// Names the rustdoc in whose place the wrapper was started; cargo does not name it as it names the compiler.
pub(crate) const RUSTDOC_VARIABLE: &str = "CARGO_REDUCE_RUSTDOC";

/// Seconds after which a call for a primary package is stopped.
pub(crate) const DEADLINE_VARIABLE: &str = "CARGO_REDUCE_DEADLINE";

/// One compiler call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// As cargo named it.
    pub(crate) program: String,
    pub(crate) args: Vec<String>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) cwd: Utf8PathBuf,
    /// The exit status; absent after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    /// Whether it was stopped at its deadline.
    #[serde(default)]
    pub(crate) timed_out: bool,
}

impl Record {
    /// Whether the compiler crashed.
    pub(crate) fn is_crash(&self) -> bool {
        (self.code == Some(101) || self.signal.is_some()) && !self.timed_out
    }

    /// Whether cargo compiled it because the user selected it: no build script, and nothing that is
    /// only linked.
    pub(crate) fn is_selected(&self) -> bool {
        let name = value(&self.args, "--crate-name").unwrap_or_default();
        self.env.contains_key("CARGO_PRIMARY_PACKAGE") && !name.starts_with("build_script_")
    }

    /// The call with what it names below a directory in another one.
    pub(crate) fn moved(&self, from: &Utf8Path, to: &Utf8Path) -> Self {
        let here = |text: &str| relocate(text, from, to.as_str());
        let env = self.env.iter();
        Self {
            args: self.args.iter().map(|arg| here(arg)).collect(),
            env: env
                .map(|(name, value)| (name.clone(), here(value)))
                .collect(),
            cwd: here(self.cwd.as_str()).into(),
            ..self.clone()
        }
    }
}

/// Whether this process was started as a compiler wrapper, by its environment.
#[must_use]
pub fn is_requested(vars: impl IntoIterator<Item = (OsString, OsString)>) -> bool {
    vars.into_iter().any(|(name, _)| name == DIRECTORY_VARIABLE)
}

/// Acts as the compiler wrapper. To be called first thing in `main` where [`is_requested`].
#[must_use]
#[expect(
    clippy::disallowed_methods,
    reason = "a wrapper is given its task in the environment"
)]
pub fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let rustdoc = std::env::var_os(RUSTDOC_VARIABLE);
    let Some(program) = rustdoc.or_else(|| args.next()) else {
        return ExitCode::FAILURE;
    };
    let vars: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let cwd = std::env::current_dir().unwrap_or_default();
    let cwd = Utf8PathBuf::from_path_buf(cwd).unwrap_or_default();
    match call(&program, args.collect(), vars, cwd) {
        Ok(status) => end_like(status),
        Err(error) => fail(&program, &error),
    }
}

#[expect(
    clippy::print_stderr,
    reason = "cargo shows what the compiler, or who is in its place, says"
)]
fn fail(program: &OsString, error: &std::io::Error) -> ExitCode {
    eprintln!(
        "error: failed to run `{}` and record the call: {error}",
        program.display()
    );
    ExitCode::FAILURE
}

fn call(
    program: &OsString,
    mut args: Vec<OsString>,
    mut env: BTreeMap<String, String>,
    cwd: Utf8PathBuf,
) -> std::io::Result<ExitStatus> {
    let directory = env.remove(DIRECTORY_VARIABLE).unwrap_or_default();
    let added = env.remove(ARGS_VARIABLE).unwrap_or_default();
    let seconds = env.remove(DEADLINE_VARIABLE);
    env.remove(RUSTDOC_VARIABLE);
    let is_primary = env.contains_key("CARGO_PRIMARY_PACKAGE");
    let seconds = seconds
        .filter(|_| is_primary)
        .and_then(|text| text.parse().ok());
    if is_primary {
        let added: Vec<String> = serde_json::from_str(&added).unwrap_or_default();
        args.extend(added.into_iter().map(OsString::from));
    }
    let Passed { status, timed_out } =
        pass_through(program, &args, seconds.map(Duration::from_secs))?;
    let record = Record {
        program: program.to_string_lossy().into_owned(),
        args: args
            .iter()
            .map(|arg| arg.to_string_lossy().into_owned())
            .collect(),
        env,
        cwd,
        code: status.code(),
        signal: signal_of(status),
        timed_out,
    };
    write(&record, Utf8Path::new(&directory))?;
    Ok(status)
}

/// Writes a record under a name that no other call has; it is there as a whole or not at all.
fn write(record: &Record, directory: &Utf8Path) -> std::io::Result<()> {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let name = format!("{:020}-{}", now.as_nanos(), std::process::id());
    let part = directory.join(format!("{name}.part"));
    let written = std::fs::write(&part, serde_json::to_vec(record)?)
        .and_then(|()| std::fs::rename(&part, directory.join(format!("{name}.json"))));
    if written.is_err() {
        // Nothing of it may have been written.
        let _left = std::fs::remove_file(&part);
    }
    written
}

/// Ends this process as its child ended.
pub(crate) fn end_like(status: ExitStatus) -> ExitCode {
    let signal = signal_of(status);
    if let Some(signal) = signal {
        end_by_signal(signal);
    }
    let signalled = signal.map_or(1, |signal| 128 + signal);
    ExitCode::from(u8::try_from(status.code().unwrap_or(signalled)).unwrap_or(1))
}

/// All records in a directory, in the order in which the calls ended.
///
/// # Errors
/// Where one cannot be read.
pub(crate) fn records(directory: &Utf8Path) -> Result<Vec<Record>, OracleError> {
    let entries = files::entries(directory)?;
    let json = entries
        .iter()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some("json"));
    json.map(|path| {
        let text = files::read(path)?;
        serde_json::from_str(&text).map_err(|error| OracleError::Format {
            what: format!("the recorded compiler call `{path}`"),
            source: error.into(),
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        (dir, path)
    }

    fn call_shell(script: &str, env: &[(&str, &str)], directory: &Utf8Path) -> ExitStatus {
        let mut vars: BTreeMap<String, String> = env
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        vars.insert(DIRECTORY_VARIABLE.to_owned(), directory.to_string());
        let args = ["-c", script].map(OsString::from).to_vec();
        call(&"/bin/sh".into(), args, vars, "/somewhere".into()).unwrap()
    }

    #[test]
    fn a_call_is_recorded_with_its_arguments_and_its_end() {
        let (_dir, path) = directory();
        let status = call_shell("exit 101", &[("A", "b")], &path);
        assert_eq!(status.code(), Some(101));
        let records = records(&path).unwrap();
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].args, ["-c", "exit 101"]);
        assert_eq!(
            records[0].env,
            BTreeMap::from([("A".to_owned(), "b".to_owned())])
        );
        assert!(records[0].is_crash());
    }

    #[test]
    fn a_signal_is_recorded_and_exit_one_is_no_crash() {
        let (_dir, path) = directory();
        call_shell("kill -SEGV $$", &[], &path);
        call_shell("exit 1", &[], &path);
        let crashes: Vec<_> = records(&path)
            .unwrap()
            .iter()
            .map(Record::is_crash)
            .collect();
        assert_eq!(crashes, [true, false]);
    }

    #[test]
    fn a_call_for_a_primary_package_is_stopped_at_its_deadline() {
        let (_dir, path) = directory();
        let deadline = (DEADLINE_VARIABLE, "1");
        call_shell(
            "exec sleep 60",
            &[deadline, ("CARGO_PRIMARY_PACKAGE", "1")],
            &path,
        );
        call_shell("exit 1", &[deadline, ("CARGO_PRIMARY_PACKAGE", "1")], &path);
        let records = records(&path).unwrap();
        let ends: Vec<_> = records
            .iter()
            .map(|one| (one.timed_out, one.code))
            .collect();
        assert_eq!(ends, [(true, None), (false, Some(1))]);
        assert!(records.iter().all(|one| !one.is_crash()));
    }

    #[test]
    fn arguments_are_added_for_primary_packages_only() {
        let (_dir, path) = directory();
        let added = (ARGS_VARIABLE, r#"["-Zx"]"#);
        call_shell("exit 0", &[added], &path);
        call_shell("exit 0", &[added, ("CARGO_PRIMARY_PACKAGE", "1")], &path);
        let args: Vec<_> = records(&path)
            .unwrap()
            .into_iter()
            .map(|record| record.args)
            .collect();
        assert_eq!(args[0], ["-c", "exit 0"]);
        assert_eq!(args[1], ["-c", "exit 0", "-Zx"]);
    }

    #[test]
    fn the_wrapper_is_asked_for_by_its_variable() {
        let vars = |name: &str| [(OsString::from(name), OsString::from("x"))];
        assert!(is_requested(vars(DIRECTORY_VARIABLE)));
        assert!(!is_requested(vars("PATH")));
    }
}
