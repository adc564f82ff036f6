//! The input that the user asked to compile, and with what: the part of a request that the oracle
//! needs to find the failing rustc call.

use crate::compiler::args::{self, ArgGroup};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The program to be reduced, as named on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// A cargo package; cargo is asked how it is compiled.
    Package(PackageInput),
    /// A source file, compiled by rustc alone.
    File(FileInput),
    /// A crash that was kept when it happened; its call is made again.
    Captured(CapturedInput),
}

/// A cargo package and the options that select what of it is compiled.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackageInput {
    /// Absolute path of `Cargo.toml`; searched upwards from the user's directory if absent.
    pub manifest_path: Option<Utf8PathBuf>,
    /// The package of `-p PKG`.
    pub package: Option<String>,
    /// The targets that `--lib`, `--bin NAME`, `--tests` and the like select.
    pub target: TargetSelection,
    /// The features of `--features`, as given.
    pub features: Vec<String>,
    /// The flag `--all-features`.
    pub all_features: bool,
    /// The flag `--no-default-features`.
    pub no_default_features: bool,
    /// The flag `--release`.
    pub release: bool,
    /// The triple of `--target TRIPLE`.
    pub target_triple: Option<String>,
    /// The arguments after `--`: appended to the rustc calls of workspace members.
    pub rustc_args: Vec<String>,
}

/// The targets of a package that are compiled.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TargetSelection {
    /// The targets that cargo compiles by default.
    #[default]
    Default,
    /// `--lib`: the library.
    Lib,
    /// `--doc`: the examples in comments.
    Doc,
    /// `--fuzz TARGET --input FILE`: a fuzz target of cargo-fuzz.
    Fuzz {
        /// The fuzz target's name.
        target: String,
        /// The file with the bytes that make the fuzz target fail, absolute.
        input: Utf8PathBuf,
    },
    /// `--bin NAME`: a program.
    Bin(String),
    /// `--test NAME`: an integration test.
    Test(String),
    /// `--example NAME`: an example.
    Example(String),
    /// `--bench NAME`: a benchmark.
    Bench(String),
    /// `--tests`: all test targets, and libraries and binaries with their unit tests.
    Tests,
    /// `--benches`: all benchmarks, and libraries and binaries as these have them.
    Benches,
    /// `--all-targets`: all targets of the package.
    AllTargets,
}

impl TargetSelection {
    /// Returns the flag that selects several targets at once, if it is one of these.
    #[must_use]
    pub fn flag_of_several(&self) -> Option<&'static str> {
        match self {
            Self::Tests => Some("--tests"),
            Self::Benches => Some("--benches"),
            Self::AllTargets => Some("--all-targets"),
            _ => None,
        }
    }
}

/// A crash that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedInput {
    /// The crash's directory, absolute, as [`crate::captured`] fills it.
    pub directory: Utf8PathBuf,
    /// The crash's name in messages, such as `#3`.
    pub name: String,
    /// The compiler's arguments after `--`.
    pub rustc_args: Vec<String>,
}

/// A standalone source file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileInput {
    /// The absolute path of the source file. With a text of its own the file need not be there; its name is that of the
    /// program.
    pub path: Utf8PathBuf,
    /// The program, where it was read from standard input.
    pub text: Option<String>,
    /// The edition of `--edition`, passed on to rustc where given.
    pub edition: Option<String>,
    /// The triple of `--target TRIPLE`.
    pub target_triple: Option<String>,
    /// The compiler's arguments after `--`.
    pub rustc_args: Vec<String>,
    /// The revision of `--revision`, for a file of rustc's own tests.
    #[serde(default)]
    pub revision: Option<String>,
    /// Environment variables that are set for the compiler in place of the user's; those without a value are removed.
    #[serde(default)]
    pub env: BTreeMap<String, Option<String>>,
    /// Files that are compiled as crates of their own first, and linked.
    #[serde(default)]
    pub links: Vec<LinkedFile>,
}

/// A source file that another one links.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedFile {
    /// The name that the linking crate has for this one.
    pub extern_name: String,
    /// The crate's own name.
    pub crate_name: String,
    /// Whether the crate is a procedural macro.
    pub is_proc_macro: bool,
    /// The crate's file, and how it is compiled.
    pub file: FileInput,
}

impl FileInput {
    /// Adds arguments before those of the user, who has the last word: an option that the user gives
    /// too is left out.
    pub fn add_default_args(&mut self, defaults: &[String]) {
        let given = args::groups(&self.rustc_args);
        let is_said = |group: &ArgGroup| {
            given.iter().any(|own| {
                own.name == group.name && (group.is_single() || own.value == group.value)
            }) || (group.name == "--edition" && self.edition.is_some())
                || (group.name == "--target" && self.target_triple.is_some())
        };
        let dropped: Vec<ArgGroup> = args::groups(defaults).into_iter().filter(is_said).collect();
        self.rustc_args
            .splice(0..0, args::without(defaults, &dropped));
    }
}

/// The surroundings in which the user typed the command. Nothing below the command line reads the
/// process environment: all of it is carried here, also to the daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surroundings {
    /// The user's current directory, absolute.
    pub cwd: Utf8PathBuf,
    /// The user's environment, non-UTF-8 variables left out.
    pub vars: BTreeMap<String, String>,
    /// `--rustc PATH`, absolute: a locally built compiler.
    pub rustc: Option<Utf8PathBuf>,
}

#[cfg(test)]
impl Surroundings {
    /// Returns the surroundings in which the tests run, as far as they find the compiler.
    #[expect(clippy::disallowed_methods, reason = "tests hand their environment on")]
    pub(crate) fn of_tests() -> Self {
        let kept = [
            "PATH",
            "LD_LIBRARY_PATH",
            "HOME",
            "RUSTUP_HOME",
            "RUSTUP_TOOLCHAIN",
        ];
        let vars = kept
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)));
        Self {
            cwd: Utf8PathBuf::from(env!("CARGO_MANIFEST_DIR")),
            vars: vars.collect(),
            rustc: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the arguments that defaults and those of the user make together.
    #[track_caller]
    fn check(own: &str, edition: Option<&str>, defaults: &str, expected: &str) {
        let words = |line: &str| shlex::split(line).unwrap();
        let mut file = FileInput {
            edition: edition.map(str::to_owned),
            rustc_args: words(own),
            ..FileInput::default()
        };
        file.add_default_args(&words(defaults));
        assert_eq!(file.rustc_args, words(expected));
    }

    #[test]
    fn defaults_stand_before_what_the_user_gives() {
        check("", None, "-Zx --cfg a", "-Zx --cfg a");
        check(
            "-C opt-level=0",
            None,
            "-Copt-level=3",
            "-Copt-level=3 -C opt-level=0",
        );
    }

    #[test]
    fn what_the_user_gives_is_not_given_twice() {
        check("-Z x", None, "-Zx -O", "-O -Z x");
        check(
            "--crate-type bin",
            None,
            "--crate-type=lib",
            "--crate-type bin",
        );
        check("", Some("2024"), "--edition=2015 -O", "-O");
        check("--edition 2018", None, "--edition=2015", "--edition 2018");
    }
}
