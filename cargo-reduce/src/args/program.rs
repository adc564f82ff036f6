//! The arguments that say which program is reduced, which of its targets, and how it is compiled.

use camino::{Utf8Path, Utf8PathBuf};
use clap::Args;
use reduce_engine::TestName;

/// Stands for the standard input where a file is named.
const STANDARD_INPUT: &str = "-";

/// Flags of libtest that say nothing about which test is reduced, and how it is run.
const LIBTEST_FLAGS: [&str; 8] = [
    "--exact",
    "--ignored",
    "--include-ignored",
    "--no-capture",
    "--nocapture",
    "--quiet",
    "--show-output",
    "-q",
];

// A doc comment of these structs would be the description of the command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Program")]
pub(crate) struct ProgramArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) targets: TargetArgs,
    #[command(flatten)]
    pub(crate) build: BuildArgs,
}

// The program or the test that is reduced.
#[derive(Debug, Args)]
#[command(next_help_heading = "Program")]
pub(crate) struct SubjectArgs {
    /// A single source file, compiled by rustc without cargo; `-` reads it from standard input. Or
    /// the name of a failing test, or a part of it, also with its target or as a tool has printed it:
    /// `api::sums`, `'package::api sums'`, `'test sums ... FAILED'`, `tests/api.rs:31`. A word that is
    /// a command, such as `jobs`, is the command: `--exact` takes any name
    #[arg(value_name = "FILE.rs|-|TEST")]
    pub(crate) file_or_test: Option<Utf8PathBuf>,
    /// Reduce a crash that was kept when it happened, by its number or from an archive. Without another
    /// flag for what must stay, keep the crash
    #[arg(long, value_name = "N|ARCHIVE", conflicts_with = "file_or_test")]
    pub(crate) captured: Option<String>,
    /// The name of a failing test, also where it is that of a command or a file. Of several tests that
    /// have it in their names, the one that is called so is taken
    #[arg(long, value_name = "NAME", conflicts_with = "file_or_test")]
    pub(crate) exact: Option<String>,
    /// Path of Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<Utf8PathBuf>,
    /// Package of the workspace
    #[arg(short, long, value_name = "SPEC")]
    pub(crate) package: Option<String>,
}

// The target of a package; one of these is given at most.
#[derive(Debug, Args)]
#[command(next_help_heading = "Program")]
pub(crate) struct TargetArgs {
    /// The package's library
    #[arg(long)]
    pub(crate) lib: bool,
    /// Reduce a failing doc test of the library, which is first written as an integration test. With
    /// `--ice` or `--error`, one for which the compiler crashes or that has the error
    #[arg(long)]
    pub(crate) doc: bool,
    /// Reduce a fuzz target of cargo-fuzz, in `fuzz/`, that fails with the input of `--input`. It
    /// is first written as an integration test
    #[arg(long, value_name = "TARGET", requires = "input")]
    pub(crate) fuzz: Option<String>,
    /// With `--fuzz`: the file with the input that makes the target fail
    #[arg(long, value_name = "FILE", requires = "fuzz")]
    pub(crate) input: Option<Utf8PathBuf>,
    /// A binary
    #[arg(long, value_name = "NAME")]
    pub(crate) bin: Option<String>,
    /// A test target
    #[arg(long, value_name = "NAME")]
    pub(crate) test: Option<String>,
    /// An example
    #[arg(long, value_name = "NAME")]
    pub(crate) example: Option<String>,
    /// A benchmark
    #[arg(long, value_name = "NAME")]
    pub(crate) bench: Option<String>,
    /// All test targets, and the unit tests in libraries and binaries (`#[cfg(test)]`): use it with
    /// `--ice` if `cargo test` crashes and `cargo check` does not
    #[arg(long)]
    pub(crate) tests: bool,
    /// All benchmarks, and what libraries and binaries have for them
    #[arg(long)]
    pub(crate) benches: bool,
    /// Library, binaries, tests, examples and benchmarks; one that fails is reduced
    #[arg(long)]
    pub(crate) all_targets: bool,
}

// The way in which the program is compiled.
#[derive(Debug, Args)]
#[command(next_help_heading = "Program")]
pub(crate) struct BuildArgs {
    /// Features to activate, separated by commas or spaces
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub(crate) features: Vec<String>,
    /// Activate all features
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Do not activate the `default` feature
    #[arg(long)]
    pub(crate) no_default_features: bool,
    /// Compile with the release profile
    #[arg(short, long)]
    pub(crate) release: bool,
    /// Compile for this target triple
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Option<String>,
    /// Edition of FILE.rs
    #[arg(long, value_name = "EDITION")]
    pub(crate) edition: Option<String>,
    /// Reduce this revision of FILE.rs, which is a test of rustc's own with a line `//@ revisions: ..`
    /// [default: the first that fails]
    #[arg(long, value_name = "NAME")]
    pub(crate) revision: Option<String>,
    /// The compiler, such as one that was built locally
    #[arg(long, value_name = "PATH")]
    pub(crate) rustc: Option<Utf8PathBuf>,
    /// More arguments for rustc. The name of a test may stand here as for `cargo test`: `-- NAME --exact`
    #[arg(last = true, value_name = "RUSTC_ARGS")]
    pub(crate) rustc_args: Vec<String>,
}

impl ProgramArgs {
    /// The single file, if one is named.
    pub(crate) fn file(&self) -> Option<&Utf8Path> {
        let named = self.subject.file_or_test.as_deref();
        // A doc test has the name of its file in its own.
        named.filter(|named| !self.targets.doc && is_file_name(named))
    }

    /// Whether the single file is the standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.file().is_some_and(|file| file == STANDARD_INPUT)
    }

    /// The name of a test, if it is given, without what a tool has printed around it.
    pub(crate) fn filter(&self) -> Option<String> {
        self.test_name().map(|name| name.to_string())
    }

    /// The name of a test, as it is understood.
    pub(crate) fn test_name(&self) -> Option<TestName> {
        let named = self.subject.file_or_test.as_deref().map(Utf8Path::as_str);
        let named = named.filter(|_| self.file().is_none());
        let behind = || libtest_names(&self.build.rustc_args)?.first().copied();
        let given = self.subject.exact.as_deref().or(named);
        given.or_else(behind).map(TestName::parse)
    }

    /// The names of tests that were given, of which there should be one.
    pub(crate) fn n_test_names(&self) -> usize {
        let before = self.subject.exact.is_some()
            || (self.subject.file_or_test.is_some() && self.file().is_none());
        let behind = libtest_names(&self.build.rustc_args).map_or(0, |names| names.len());
        usize::from(before) + behind
    }

    /// The arguments for rustc: what follows `--`, unless that is for the harness of tests.
    pub(crate) fn rustc_args(&self) -> Vec<String> {
        match self.file().is_none() && libtest_names(&self.build.rustc_args).is_some() {
            true => Vec::new(),
            false => self.build.rustc_args.clone(),
        }
    }
}

/// The names of tests among words that are arguments of libtest, as in `cargo test -- NAME --exact`. `None` where they are
/// not, or there are none.
fn libtest_names(words: &[String]) -> Option<Vec<&str>> {
    let mut names = vec![];
    let mut words_left = words.iter().map(String::as_str);
    while let Some(word) = words_left.next() {
        match word {
            "--test-threads" => drop(words_left.next()),
            _ if LIBTEST_FLAGS.contains(&word) || word.starts_with("--test-threads=") => {}
            _ if word.starts_with('-') => return None,
            _ => names.push(word),
        }
    }
    (!words.is_empty()).then_some(names)
}

/// A test has neither a slash nor an extension in its name, unless it says more than a name.
fn is_file_name(text: &Utf8Path) -> bool {
    let is_path = text.extension().is_some() || text.as_str().contains('/');
    text == STANDARD_INPUT || is_path && !TestName::is_meant_by(text.as_str())
}

#[cfg(test)]
mod tests {
    use super::libtest_names;

    #[test]
    fn arguments_of_libtest_are_told_from_those_of_rustc() {
        let check = |words: &str, expected: Option<&[&str]>| {
            let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            assert_eq!(libtest_names(&words).as_deref(), expected, "{words:?}");
        };
        check("m::a --exact", Some(&["m::a"]));
        check("--test-threads 1 --nocapture a b", Some(&["a", "b"]));
        check("--test-threads=1", Some(&[]));
        check("--ignored a", Some(&["a"]));
        check("-C opt-level=3", None);
        check("-Zx a", None);
        check("a -O", None);
        check("", None);
    }
}
