//! The process's surroundings, read once: nothing below the command line looks at them again.

use crate::error::CommandError;
use crate::exit::ExitStatus;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use reduce_daemon::Home;
use reduce_engine::captured::OwnWrapper;
use reduce_platform::files::modified;
use reduce_platform::processes::variables;
use reduce_protocol::Hello;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};

/// The most bytes that are read from standard input: the program must fit into one message to the
/// daemon, where it may take several times its size.
const LONGEST_PROGRAM: u64 = 2 << 20;

/// Variables with a wrapper for the compiler; cargo looks at them before its configuration.
pub(crate) const NAMING_WRAPPERS: [&str; 2] = ["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"];

/// The surroundings of a command: directory, variables, streams and paths of this process.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    /// The current directory, absolute.
    pub(crate) cwd: Utf8PathBuf,
    /// The environment, non-UTF-8 variables left out.
    pub(crate) vars: BTreeMap<String, String>,
    /// The path of this executable.
    pub(crate) program: Utf8PathBuf,
    /// The user's home: `HOME`, or what the system knows of the user, as cargo has it.
    pub(crate) user_home: Option<Utf8PathBuf>,
}

impl Context {
    /// Reads the surroundings of this process.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the environment"
    )]
    pub(crate) fn read() -> Result<Self, CommandError> {
        let environment = |error: std::io::Error| CommandError::new(ExitStatus::Environment, error);
        let cwd = utf8(std::env::current_dir().map_err(environment)?)?;
        let program = utf8(std::env::current_exe().map_err(environment)?)?;
        let vars = std::env::vars_os();
        let vars = vars.filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Ok(Self {
            cwd,
            vars: variables(vars.collect()),
            program,
            user_home: std::env::home_dir().and_then(|home| Utf8PathBuf::from_path_buf(home).ok()),
        })
    }

    /// Returns the absolute form of a path that the user has named. Dots at its start are gone: `../out` has one spelling
    /// wherever it is named. Those behind a name stay, as the name may be a link.
    pub(crate) fn absolute(&self, path: &Utf8Path) -> Utf8PathBuf {
        let mut base = self.cwd.as_path();
        let mut rest = path.components();
        loop {
            let mut behind = rest.clone();
            base = match behind.next() {
                None => return base.to_owned(),
                Some(Utf8Component::CurDir) => base,
                // The system names the current directory without links.
                Some(Utf8Component::ParentDir) => base.parent().unwrap_or(base),
                Some(_) => return base.join(rest.as_path()),
            };
            rest = behind;
        }
    }

    /// Reads the program that is piped into standard input.
    ///
    /// # Errors
    /// Where standard input is a terminal, or is no program.
    pub(crate) fn standard_input(&self) -> Result<String, CommandError> {
        let input = std::io::stdin();
        if input.is_terminal() {
            return Err(CommandError::bad_input(
                "standard input is a terminal, and has no program",
            )
            .hint("pipe the program in: `cargo reduce --ice - < FILE.rs`"));
        }
        program_in(input)
    }

    /// Returns the directories in which everything of ours lives.
    pub(crate) fn home(&self) -> Result<Home, CommandError> {
        let base = self.base()?;
        let run = match self.var("XDG_RUNTIME_DIR") {
            Some(runtime) if self.var("CARGO_REDUCE_HOME").is_none() => {
                Utf8PathBuf::from(runtime).join("cargo-reduce")
            }
            _ => base.join("run"),
        };
        let memory = Utf8PathBuf::from("/dev/shm");
        let memory = memory.is_dir().then_some(memory);
        Ok(Home::new(base, run, Utf8Path::new("/tmp"), memory))
    }

    /// `$CARGO_REDUCE_HOME`, or a directory among the user's caches.
    pub(crate) fn base(&self) -> Result<Utf8PathBuf, CommandError> {
        self.place("XDG_CACHE_HOME", ".cache")
    }

    /// The directory for files that must outlive the caches: `$CARGO_REDUCE_HOME`, or a directory among the user's data.
    pub(crate) fn data(&self) -> Result<Utf8PathBuf, CommandError> {
        self.place("XDG_DATA_HOME", ".local/share")
    }

    /// Returns `$CARGO_REDUCE_HOME`, or else our directory below the one that `variable` names, or else below `in_home`
    /// in the user's home.
    fn place(&self, variable: &str, in_home: &str) -> Result<Utf8PathBuf, CommandError> {
        if let Some(home) = self.var("CARGO_REDUCE_HOME") {
            return Ok(self.absolute(home.into()));
        }
        let home = self.user_home.as_ref();
        let home = home.filter(|home| !home.as_str().is_empty());
        let outer = match (self.var(variable), home) {
            (Some(outer), _) => Utf8PathBuf::from(outer),
            (None, Some(home)) => home.join(in_home),
            (None, None) => {
                return Err(CommandError::bad_input(
                    "neither `HOME` nor `CARGO_REDUCE_HOME` is set, and the system knows no home of this user",
                )
                .hint("set `CARGO_REDUCE_HOME` to a directory for the store and the log"));
            }
        };
        Ok(self.absolute(&outer).join("cargo-reduce"))
    }

    /// The environment for a reduction. A variable that names our own wrapper, which is for the user's builds and in no sandbox,
    /// names what that calls.
    pub(crate) fn vars_to_reduce_with(&self) -> BTreeMap<String, String> {
        let mut vars = self.vars.clone();
        for name in NAMING_WRAPPERS {
            let named = vars.get(name).map(Utf8Path::new);
            let Some(ours) = named.and_then(OwnWrapper::of) else {
                continue;
            };
            match ours.settings().and_then(|settings| settings.chained) {
                Some(chained) => vars.insert(name.to_owned(), chained),
                None => vars.remove(name),
            };
        }
        vars
    }

    /// Returns the identity of this program. Its file tells builds of one version apart.
    pub(crate) fn hello(&self) -> Hello {
        let build = self.program.metadata().map_or_else(
            |_| "unknown".to_owned(),
            |file| {
                let (seconds, nanoseconds) = modified(&file);
                format!("{seconds:x}.{nanoseconds:09}-{:x}", file.len())
            },
        );
        Hello::new(env!("CARGO_PKG_VERSION"), build)
    }

    /// A variable that is set and not empty.
    fn var(&self, name: &str) -> Option<&str> {
        self.vars
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }
}

/// Reads all of an input as text, which must be UTF-8 and not too long.
fn program_in(input: impl Read) -> Result<String, CommandError> {
    let mut bytes = Vec::new();
    let read = input.take(LONGEST_PROGRAM + 1).read_to_end(&mut bytes);
    read.map_err(|error| {
        CommandError::bad_input(format!("failed to read standard input: {error}"))
            .hint("name a file instead of `-`")
    })?;
    if bytes.len() as u64 > LONGEST_PROGRAM {
        let message = format!("standard input has more than {} MiB", LONGEST_PROGRAM >> 20);
        return Err(CommandError::bad_input(message).hint("name a file instead of `-`"));
    }
    match String::from_utf8(bytes) {
        Ok(text) if text.trim().is_empty() => {
            Err(CommandError::bad_input("standard input is empty")
                .hint("pipe the program in: `cargo reduce --ice - < FILE.rs`"))
        }
        Ok(text) => Ok(text),
        Err(_) => Err(CommandError::bad_input("standard input is not UTF-8")
            .hint("convert the program to UTF-8; rustc reads nothing else")),
    }
}

fn utf8(path: std::path::PathBuf) -> Result<Utf8PathBuf, CommandError> {
    Utf8PathBuf::from_path_buf(path).map_err(|path| {
        CommandError::bad_input(format!("the path `{}` is not UTF-8", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(vars: &[(&str, &str)], base: &str, run: &str) {
        let vars = vars
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()));
        let vars: BTreeMap<String, String> = vars.collect();
        let context = Context {
            cwd: "/crate".into(),
            user_home: vars.get("HOME").map(Utf8PathBuf::from),
            vars,
            program: "/bin/cargo-reduce".into(),
        };
        let home = context.home().unwrap();
        assert_eq!((home.base.as_str(), home.run.as_str()), (base, run));
    }

    #[test]
    fn a_wrapper_of_ours_is_in_no_reduction() {
        let context = Context {
            cwd: "/crate".into(),
            user_home: None,
            vars: [
                ("RUSTC_WRAPPER", "/data/capture/1/cargo-reduce-capture"),
                ("CARGO_BUILD_RUSTC_WRAPPER", "sccache"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
            program: "/bin/cargo-reduce".into(),
        };
        let vars = context.vars_to_reduce_with();
        let names: Vec<&str> = vars.keys().map(String::as_str).collect();
        assert_eq!(names, ["CARGO_BUILD_RUSTC_WRAPPER"]);
    }

    #[test]
    fn the_caches_may_be_emptied_and_the_data_stay() {
        let data = |vars: &[(&str, &str)]| {
            let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
            let context = Context {
                cwd: "/crate".into(),
                user_home: Some("/u".into()),
                vars: vars.iter().map(owned).collect(),
                program: "/bin/cargo-reduce".into(),
            };
            context.data().unwrap()
        };
        assert_eq!(data(&[]), "/u/.local/share/cargo-reduce");
        assert_eq!(data(&[("XDG_DATA_HOME", "/d")]), "/d/cargo-reduce");
        assert_eq!(data(&[("CARGO_REDUCE_HOME", "h")]), "/crate/h");
    }

    #[test]
    fn a_path_of_the_users_has_no_dots_at_its_start() {
        let context = Context {
            cwd: "/crates/mine".into(),
            vars: BTreeMap::new(),
            program: "/bin/cargo-reduce".into(),
            user_home: None,
        };
        let paths = [
            ("out", "/crates/mine/out"),
            ("./out/", "/crates/mine/out"),
            ("../out", "/crates/out"),
            ("../../../out", "/out"),
            ("..", "/crates"),
            (".", "/crates/mine"),
            ("link/../out", "/crates/mine/link/../out"),
            ("/a/../out", "/a/../out"),
        ];
        for (path, expected) in paths {
            assert_eq!(context.absolute(path.into()), expected, "{path}");
        }
    }

    #[test]
    fn the_caches_directory_is_used_and_the_runtime_directory_for_the_socket() {
        check(
            &[("HOME", "/u")],
            "/u/.cache/cargo-reduce",
            "/u/.cache/cargo-reduce/run",
        );
        let runtime = tempfile::tempdir().unwrap();
        let runtime = runtime.path().to_str().unwrap();
        check(
            &[
                ("HOME", "/u"),
                ("XDG_CACHE_HOME", "/c"),
                ("XDG_RUNTIME_DIR", runtime),
            ],
            "/c/cargo-reduce",
            &format!("{runtime}/cargo-reduce"),
        );
    }

    #[test]
    fn one_variable_moves_everything() {
        check(
            &[
                ("HOME", "/u"),
                ("CARGO_REDUCE_HOME", "h"),
                ("XDG_RUNTIME_DIR", "/run/user/7"),
            ],
            "/crate/h",
            "/crate/h/run",
        );
    }

    #[test]
    fn a_program_that_is_piped_in_is_a_text_of_some_length() {
        #[track_caller]
        fn check(bytes: &[u8], expected: &str) {
            let error = program_in(bytes).unwrap_err();
            assert_eq!(error.kind, ExitStatus::BadInput);
            assert!(
                error.source.to_string().contains(expected),
                "{}",
                error.source
            );
            assert!(!error.hints.is_empty());
        }
        assert_eq!(program_in(&b"fn f() {}\n"[..]).unwrap(), "fn f() {}\n");
        check(b" \n", "is empty");
        check(b"\xff", "is not UTF-8");
        check(&vec![b'a'; (2 << 20) + 1], "more than 2 MiB");
    }

    #[test]
    fn without_a_home_the_user_is_told_what_to_set() {
        let context = Context {
            cwd: "/crate".into(),
            vars: BTreeMap::new(),
            program: "/bin/cargo-reduce".into(),
            user_home: None,
        };
        let error = context.home().unwrap_err();
        assert_eq!(error.kind, ExitStatus::BadInput);
        assert!(error.hints[0].contains("CARGO_REDUCE_HOME"));
    }
}
