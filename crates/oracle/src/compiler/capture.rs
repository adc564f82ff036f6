//! The compiler wrapper that records how cargo calls rustc.
//!
//! cargo starts [`main`] in place of the compiler (`RUSTC_WRAPPER`). It runs the real compiler with
//! the same arguments, environment and streams, writes one record per call into a directory, and
//! ends as the compiler ended.
//!
//! Wrappers of the user's are called as in the user's own build, with us once more in the compiler's place: the record is of the call
//! that the compiler gets from them. A wrapper that calls no compiler is recorded as what was called.

use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::processes::{end_by_signal, signal_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::{ExitCode, ExitStatus};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::compiler::args::value;
use crate::compiler::response_file;
use crate::error::OracleError;
use crate::system::files;
use crate::system::process::{Passed, pass_through};
use crate::text::paths::relocate;

/// The environment variable that names the directory for the records of compiler calls.
pub(crate) const DIRECTORY_VARIABLE: &str = "CARGO_REDUCE_CAPTURE";
/// The environment variable with a JSON list of arguments that are appended to the calls for primary packages.
pub(crate) const ARGS_VARIABLE: &str = "CARGO_REDUCE_RUSTC_ARGS";

/// The variable that names the rustdoc in whose place the wrapper was started; cargo does not name it as it names the compiler.
pub(crate) const RUSTDOC_VARIABLE: &str = "CARGO_REDUCE_RUSTDOC";

/// The variable with the seconds after which a call for a primary package is stopped.
pub(crate) const DEADLINE_VARIABLE: &str = "CARGO_REDUCE_DEADLINE";
/// The variable that names the user's wrapper for all crates.
pub(crate) const WRAPPER_VARIABLE: &str = "CARGO_REDUCE_WRAPPER";
/// The environment variable in which cargo names the wrapper for members of the workspace, which is our first argument
/// then.
const WORKSPACE_WRAPPER_VARIABLE: &str = "RUSTC_WORKSPACE_WRAPPER";
/// The variable that names the compiler that we stand for where a wrapper of the user's calls us.
const COMPILER_VARIABLE: &str = "CARGO_REDUCE_COMPILER";
/// The variable that tells the calls of one wrapper from those of others.
const CALL_VARIABLE: &str = "CARGO_REDUCE_CALL";
/// A variable that cargo sets for build scripts, and for no compiler.
pub(crate) const OF_BUILD_SCRIPTS: &str = "CARGO_CFG_TARGET_ARCH";
/// The time that a wrapper of the user's has to end after its compiler was stopped.
const GRACE: Duration = Duration::from_secs(10);

/// The record of one compiler call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The compiler's path, as cargo named it.
    pub(crate) program: String,
    /// The user's wrappers that were called in the compiler's place and did not call it, each with the next one as its first
    /// argument.
    #[serde(default)]
    pub(crate) wrappers: Vec<String>,
    /// The arguments of the call; those of a response file are in the file's place, as it is gone after the call.
    pub(crate) args: Vec<String>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) cwd: Utf8PathBuf,
    /// The exit status; absent after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    /// Whether the compiler was stopped at its deadline.
    #[serde(default)]
    pub(crate) timed_out: bool,
}

impl Record {
    /// Whether the compiler crashed.
    pub(crate) fn is_crash(&self) -> bool {
        (self.code == Some(101) || self.signal.is_some()) && !self.timed_out
    }

    /// Whether cargo compiled the crate because the user selected it: no build script, and nothing that is only linked.
    pub(crate) fn is_selected(&self) -> bool {
        let name = value(&self.args, "--crate-name").unwrap_or_default();
        self.env.contains_key("CARGO_PRIMARY_PACKAGE") && !name.starts_with("build_script_")
    }

    /// Whether a build script made the call, such as to find out what the compiler can do. Its failure is no failure of the
    /// user's program: cargo tells configuration in this way to build scripts alone.
    fn is_of_build_script(&self) -> bool {
        self.env.contains_key(OF_BUILD_SCRIPTS)
    }

    /// Returns the call with the paths that it names below `from` in another directory.
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

/// Whether the environment says that this process was started as a compiler wrapper.
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
    let words = std::env::args_os();
    let vars: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let cwd = std::env::current_dir().unwrap_or_default();
    let cwd = Utf8PathBuf::from_path_buf(cwd).unwrap_or_default();
    let Some(call) = Call::new(words.collect(), vars, cwd) else {
        return ExitCode::FAILURE;
    };
    let ended = match call.programs.as_slice() {
        [] => call.record(),
        _ => call.wrap(),
    };
    match ended {
        Ok(status) => end_like(status),
        Err(error) => fail(&call.compiler, &error),
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

/// A call that cargo has made of us in place of a compiler.
struct Call {
    /// The path of our own executable.
    executable: OsString,
    /// The user's wrappers that are still to be called.
    programs: Vec<OsString>,
    compiler: OsString,
    args: Vec<OsString>,
    /// The environment without the variables that are for us.
    env: BTreeMap<String, String>,
    cwd: Utf8PathBuf,
    directory: Utf8PathBuf,
    /// The beginning of the names of the records that calls of one wrapper write.
    name: String,
    deadline: Option<Duration>,
}

impl Call {
    /// Takes our own command line apart: `WORKSPACE_WRAPPER COMPILER ARGS..` or `COMPILER ARGS..` of cargo, or the `ARGS..`
    /// that a wrapper of the user's gives to the compiler, or cargo to rustdoc. `None` where there is no compiler.
    fn new(
        words: Vec<OsString>,
        mut env: BTreeMap<String, String>,
        cwd: Utf8PathBuf,
    ) -> Option<Self> {
        let mut words = words.into_iter();
        let executable = words.next()?;
        let directory = env.remove(DIRECTORY_VARIABLE).unwrap_or_default();
        let added = env.remove(ARGS_VARIABLE).unwrap_or_default();
        let seconds = env.remove(DEADLINE_VARIABLE);
        let wrapper = env.remove(WRAPPER_VARIABLE).map(OsString::from);
        let of_members = env.remove(WORKSPACE_WRAPPER_VARIABLE).map(OsString::from);
        let rustdoc = env.remove(RUSTDOC_VARIABLE).map(OsString::from);
        let is_primary = env.contains_key("CARGO_PRIMARY_PACKAGE");
        let deadline = seconds.filter(|_| is_primary);
        let (mut programs, mut args) = (vec![], vec![]);
        let (compiler, name) = match env.remove(COMPILER_VARIABLE) {
            Some(compiler) => (compiler.into(), env.remove(CALL_VARIABLE)?),
            None => {
                if is_primary {
                    args = serde_json::from_str(&added).unwrap_or_default();
                }
                let compiler = match rustdoc {
                    Some(rustdoc) => rustdoc,
                    None => {
                        programs.extend(wrapper);
                        let first = words.next()?;
                        match Some(&first) == of_members.as_ref() {
                            true => {
                                programs.push(first);
                                words.next()?
                            }
                            false => first,
                        }
                    }
                };
                (compiler, unique_name())
            }
        };
        let added = args.into_iter().map(|arg: String| OsString::from(arg));
        Some(Self {
            executable,
            programs,
            compiler,
            args: words.chain(added).collect(),
            env,
            cwd,
            directory: directory.into(),
            name,
            deadline: deadline
                .and_then(|text| text.parse().ok())
                .map(Duration::from_secs),
        })
    }

    /// Calls the compiler, and records the call.
    fn record(&self) -> std::io::Result<ExitStatus> {
        // It is there as long as the call.
        let args = response_file::expanded(&self.args, &self.cwd);
        let passed = pass_through(&self.compiler, &self.args, &[], self.deadline)?;
        let name = format!("{}-{}", self.name, std::process::id());
        write(&self.recorded(&[], args, &passed), &self.directory, &name)?;
        Ok(passed.status)
    }

    /// Calls the user's wrappers, with us in place of the compiler. Where none of them calls it, that is recorded.
    fn wrap(&self) -> std::io::Result<ExitStatus> {
        let args = response_file::expanded(&self.args, &self.cwd);
        let words = self.programs[1..].iter().chain([&self.executable]);
        let words: Vec<OsString> = words.chain(&self.args).cloned().collect();
        let vars = [
            (COMPILER_VARIABLE, self.compiler.clone()),
            (CALL_VARIABLE, self.name.clone().into()),
        ];
        let deadline = self.deadline.map(|deadline| deadline + GRACE);
        let passed = pass_through(&self.programs[0], &words, &vars, deadline)?;
        let mut entries = self.directory.read_dir_utf8()?.flatten();
        if !entries.any(|entry| entry.file_name().starts_with(&self.name)) {
            let record = self.recorded(&self.programs, args, &passed);
            write(&record, &self.directory, &self.name)?;
        }
        Ok(passed.status)
    }

    fn recorded(&self, wrappers: &[OsString], args: Vec<String>, passed: &Passed) -> Record {
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        Record {
            program: text(&self.compiler),
            wrappers: wrappers.iter().map(text).collect(),
            args,
            env: self.env.clone(),
            cwd: self.cwd.clone(),
            code: passed.status.code(),
            signal: signal_of(passed.status),
            timed_out: passed.timed_out,
        }
    }
}

/// Makes a name that no other call has, and that says when this call began.
fn unique_name() -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    format!("{:020}-{}", now.as_nanos(), std::process::id())
}

/// Writes a record under a name that no other call has; it is there as a whole or not at all.
fn write(record: &Record, directory: &Utf8Path, name: &str) -> std::io::Result<()> {
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

/// Reads all records in a directory, in the order in which the calls ended, but for those of build scripts.
///
/// # Errors
/// Where one cannot be read.
pub(crate) fn records(directory: &Utf8Path) -> Result<Vec<Record>, OracleError> {
    let entries = files::entries(directory)?;
    let json = entries
        .iter()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some("json"));
    let read = |path: &Utf8Path| {
        let text = files::read(path)?;
        serde_json::from_str(&text).map_err(|error| OracleError::Format {
            what: format!("the recorded compiler call `{path}`"),
            source: error.into(),
        })
    };
    let mut records: Vec<Record> = json.map(read).collect::<Result<_, _>>()?;
    records.retain(|record| !record.is_of_build_script());
    Ok(records)
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
        let words = ["us", "/bin/sh", "-c", script].map(OsString::from).to_vec();
        let call = Call::new(words, vars, "/somewhere".into());
        call.unwrap().record().unwrap()
    }

    #[test]
    fn what_a_build_script_asks_the_compiler_is_left_out() {
        let (_dir, path) = directory();
        call_shell("exit 101", &[(OF_BUILD_SCRIPTS, "x86_64")], &path);
        assert_eq!(records(&path).unwrap().len(), 0);
        call_shell("exit 101", &[("OUT_DIR", "out")], &path);
        assert_eq!(records(&path).unwrap().len(), 1);
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

    /// Calls a compiler for a member, by way of a wrapper that is this script. The call that we get from the wrapper is recorded,
    /// too: the executable in the wrapper's place is a shell.
    fn call_wrapped(script: &str, directory: &Utf8Path) -> Vec<Record> {
        let wrapper = directory.join("wrapper");
        files::write(&wrapper, script).unwrap();
        let vars = [
            (DIRECTORY_VARIABLE, directory.as_str()),
            (WRAPPER_VARIABLE, "/bin/sh"),
            (WORKSPACE_WRAPPER_VARIABLE, wrapper.as_str()),
        ];
        let vars = vars.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let words = ["/bin/echo", wrapper.as_str(), "rustc", "--crate-name", "a"];
        let words = words.map(OsString::from).to_vec();
        let call = Call::new(words, vars.into(), directory.to_owned()).unwrap();
        call.wrap().unwrap();
        let mut records = records(directory).unwrap();
        records.iter_mut().for_each(|record| record.env.clear());
        records
    }

    #[test]
    fn a_wrapper_that_calls_no_compiler_is_what_was_called() {
        let (_dir, path) = directory();
        let script = "test \"$1 $2\" = '/bin/echo --crate-name' && exit 101";
        let records = call_wrapped(script, &path);
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].program, "rustc");
        assert_eq!(
            records[0].wrappers,
            ["/bin/sh", path.join("wrapper").as_str()]
        );
        assert_eq!(records[0].args, ["--crate-name", "a"]);
        assert!(records[0].is_crash());
    }

    #[test]
    fn what_a_wrapper_hands_to_the_compiler_is_what_is_recorded() {
        let (_dir, path) = directory();
        // It is in the place of a record.
        let line = "shift; echo \"$CARGO_REDUCE_COMPILER $*\" > \"$CARGO_REDUCE_CALL-1.called\"";
        let records = call_wrapped(&format!("cd {path}; {line}"), &path);
        assert!(records.is_empty());
        let called = files::entries(&path).unwrap();
        let mut called = called.iter().map(camino::Utf8DirEntry::path);
        let called = called.find(|path| path.extension() == Some("called"));
        assert_eq!(
            files::read(called.unwrap()).unwrap(),
            "rustc --crate-name a\n"
        );
    }

    #[test]
    fn in_place_of_the_compiler_all_words_are_its_arguments() {
        let (_dir, path) = directory();
        let vars = [
            (DIRECTORY_VARIABLE, path.as_str()),
            (WRAPPER_VARIABLE, "/bin/false"),
            (COMPILER_VARIABLE, "/bin/sh"),
            (CALL_VARIABLE, "one"),
        ];
        let vars = vars.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let words = ["us", "-c", "exit 3"].map(OsString::from).to_vec();
        let call = Call::new(words, vars.into(), path.clone()).unwrap();
        assert!(call.programs.is_empty());
        assert_eq!(call.record().unwrap().code(), Some(3));
        let records = records(&path).unwrap();
        assert_eq!(records[0].program, "/bin/sh");
        assert!(records[0].wrappers.is_empty() && records[0].env.is_empty());
    }

    #[test]
    fn the_arguments_in_a_response_file_are_recorded() {
        let (_dir, path) = directory();
        files::write(&path.join("args"), "exit 3\nsecond word\n").unwrap();
        let vars = [(DIRECTORY_VARIABLE.to_owned(), path.to_string())];
        let words = ["us", "/bin/sh", "-c", "exit 0", "@args"].map(OsString::from);
        let call = Call::new(words.to_vec(), vars.into(), path.clone()).unwrap();
        call.record().unwrap();
        let records = records(&path).unwrap();
        assert_eq!(records[0].args, ["-c", "exit 0", "exit 3", "second word"]);
    }

    #[test]
    fn the_wrapper_is_asked_for_by_its_variable() {
        let vars = |name: &str| [(OsString::from(name), OsString::from("x"))];
        assert!(is_requested(vars(DIRECTORY_VARIABLE)));
        assert!(!is_requested(vars("PATH")));
    }
}
