//! Types and functions that the tests of the program share. Each test lives in a [`World`]: a copy of a fixture, a home
//! and a daemon of its own, and an environment in which only what finds the compiler is kept.
//!
//! Nothing here sleeps for a while and hopes: output is read as it comes, and every wait has a
//! deadline after which the test fails and says what it waited for.
#![allow(
    dead_code,
    unused_imports,
    reason = "each of the test programs uses a part of it"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "a test is the user: it reads its environment and starts the program"
)]

pub(crate) mod asked;
mod case;
pub(crate) mod crates;
pub(crate) mod disks;
pub(crate) mod failing_test;
pub(crate) mod git;
pub(crate) mod good;
pub(crate) mod hostile;
pub(crate) mod launched;
pub(crate) mod price_list;
pub(crate) mod property;
mod reduction;
mod running;
pub(crate) mod schema;
pub(crate) mod suspended;
pub(crate) mod terminal;
mod tree;
pub(crate) mod whole;

pub(crate) use case::{CASE, Case, check};
pub(crate) use reduction::{Reduction, only_result_in, reproduces_with};
pub(crate) use running::{Finished, Running, signal, wait_until};
pub(crate) use tree::{Tree, copy, copy_program, names_in, read_tree, write};

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_cargo-reduce");

/// Queries under way at once, unless a test says otherwise.
const JOBS: &str = "2";

/// The number of runs that show whether the input and the result fail each time, in all tests but those of just that. The
/// usual 66 runs take longer than the search in most of them.
const STABILITY_RUNS: &str = "3";

/// The passes that bring most of what there is, for failures that take long to ask about. `tests/slow`
/// reduces the same with all passes.
pub(crate) const FEW_PASSES: &str = "keep_slice,delete_items,delete_statements";

/// The exit codes that `cargo reduce --help` documents.
pub(crate) mod exit_code {
    pub(crate) const ENVIRONMENT: i32 = 1;
    pub(crate) const BAD_INPUT: i32 = 2;
    pub(crate) const NO_CRASH: i32 = 3;
    pub(crate) const UNSTABLE_CRASH: i32 = 4;
    pub(crate) const COMPILER_MISSING: i32 = 5;
    pub(crate) const OUTPUT_EXISTS: i32 = 6;
    pub(crate) const STORE: i32 = 7;
    pub(crate) const DAEMON: i32 = 8;
    pub(crate) const SANDBOX: i32 = 9;
    pub(crate) const CHANGED: i32 = 10;
    pub(crate) const STOPPED: i32 = 130;
}

/// A temporary directory for one test, with the user's home, state and work in it. Its daemon ends with it.
pub(crate) struct World {
    root: TempDir,
    /// The directory in which the user runs the program.
    work: PathBuf,
    /// The value of `CARGO_REDUCE_STABILITY_RUNS`, if it is set.
    stability_runs: Option<&'static str>,
}

impl World {
    /// Makes a world whose working directory is empty.
    pub(crate) fn empty() -> Self {
        let root = tempfile::Builder::new()
            .prefix("cargo-reduce-test-")
            .tempdir();
        let root = root.expect("a temporary directory can be made");
        for name in ["work", "home", "state", "tmp"] {
            std::fs::create_dir(root.path().join(name)).expect("a directory can be made");
        }
        let work = root.path().join("work");
        let stability_runs = Some(STABILITY_RUNS);
        Self {
            root,
            work,
            stability_runs,
        }
    }

    /// A copy of a fixture; the user stands in it, or beside it where it is a file.
    pub(crate) fn with(fixture: &str) -> Self {
        let mut world = Self::empty();
        let from = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../fixtures")
            .join(fixture);
        let to = world.work.join(fixture);
        copy(&from, &to);
        if to.is_dir() {
            world.work = to;
        }
        world
    }

    /// A world in which the user stands among these files.
    pub(crate) fn with_files(files: &[(&str, &str)]) -> Self {
        let world = Self::empty();
        for (name, text) in files {
            world.write(name, text);
        }
        world
    }

    /// A world with a package of edition 2024 that has this name and these files.
    pub(crate) fn with_package(name: &str, files: &[(&str, &str)]) -> Self {
        let world = Self::with_files(files);
        let manifest =
            format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        world.write("Cargo.toml", &manifest);
        world
    }

    /// Writes a file in the user's directory.
    pub(crate) fn write(&self, name: &str, text: &str) {
        write(&self.work.join(name), text);
    }

    /// The world in which the input and the result are run as often as they usually are.
    pub(crate) fn with_usual_runs(mut self) -> Self {
        self.stability_runs = None;
        self
    }

    /// The directory in which the user runs the program.
    pub(crate) fn work(&self) -> &Path {
        &self.work
    }

    /// A path beside the user's directory, not in it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// The value of `CARGO_REDUCE_HOME`.
    pub(crate) fn state(&self) -> PathBuf {
        self.beside("state")
    }

    /// Makes a command that starts a program in the user's directory, with nothing in its environment but what finds the
    /// compiler.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.work)
            .env_clear()
            .envs(compiler_environment());
        command.env("HOME", self.beside("home"));
        command.env("TMPDIR", self.beside("tmp"));
        command.env("CARGO_REDUCE_HOME", self.state());
        if let Some(runs) = self.stability_runs {
            command.env("CARGO_REDUCE_STABILITY_RUNS", runs);
        }
        command
    }

    /// Makes the command `cargo-reduce reduce ARGS`.
    pub(crate) fn program(&self, args: &[&str]) -> Command {
        let mut command = self.command(PROGRAM);
        command.arg("reduce").args(args);
        command
    }

    /// Makes the command `cargo-reduce reduce --ice --jobs 2 ARGS`, for tests that change more of it.
    pub(crate) fn ice(&self, args: &[&str]) -> Command {
        let mut command = self.program(&["--ice", "--jobs", JOBS]);
        command.args(args);
        command
    }

    /// Runs [`World::ice`] to its end.
    pub(crate) fn reduce(&self, args: &[&str]) -> Finished {
        Running::start(self.ice(args)).finish()
    }

    /// Reduces into `out` beside the user's directory; must succeed.
    pub(crate) fn reduce_to(&self, out: &str, args: &[&str]) -> Reduction {
        let output = self.beside(out);
        let output_arg = output.to_str().expect("the path is UTF-8");
        let all = [&["--output", output_arg], args].concat();
        self.reduce(&all).expect_success();
        Reduction::read(&output)
    }

    /// Starts [`World::ice`] with JSON events, into `out` beside the user's directory.
    pub(crate) fn start_to(&self, out: &str, args: &[&str]) -> Running {
        let mut command = self.ice(&["--message-format", "json", "--output"]);
        command.arg(self.beside(out)).args(args);
        Running::start(command)
    }

    /// Runs `cargo-reduce reduce daemon ARGS` to its end.
    pub(crate) fn daemon(&self, args: &[&str]) -> Finished {
        Running::start(self.program(&[&["daemon"], args].concat())).finish()
    }

    /// The process of this world's daemon, if it runs.
    pub(crate) fn daemon_pid(&self) -> Option<u32> {
        let said = self.daemon(&["status"]).everything();
        let mut words = said.split(|c: char| !c.is_ascii_alphanumeric());
        words.find(|word| *word == "pid")?;
        words.next()?.parse().ok()
    }

    /// The compiler itself, not the proxy that chooses one.
    pub(crate) fn real_compiler(&self) -> PathBuf {
        let mut command = self.command("rustc");
        command.args(["--print", "sysroot"]);
        let printed = Running::start(command).finish().expect_success();
        Path::new(printed.stdout().trim()).join("bin/rustc")
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let Some(pid) = self.daemon_pid() else { return };
        self.daemon(&["stop", "--force"]);
        if self.daemon_pid() == Some(pid) {
            signal(pid, "KILL");
        }
    }
}

/// The variables by which the compiler is found: the search path, and rustup's and cargo's directories, which would
/// otherwise be looked for in the home that the test makes up.
fn compiler_environment() -> Vec<(&'static str, std::ffi::OsString)> {
    let home = std::env::home_dir().expect("there is a home directory");
    let kept = |name, default: Option<PathBuf>| {
        let value = std::env::var_os(name).or(default.map(PathBuf::into_os_string));
        value.map(|value| (name, value))
    };
    let variables = [
        kept("PATH", None),
        kept("CARGO_HOME", Some(home.join(".cargo"))),
        kept("RUSTUP_HOME", Some(home.join(".rustup"))),
        // `rust-toolchain.toml` is not above the copies of the fixtures.
        kept("RUSTUP_TOOLCHAIN", None),
    ];
    variables.into_iter().flatten().collect()
}

/// The longest time that anything may take. Far more than it needs: a test that gets here has failed.
pub(crate) const DEADLINE: Duration = Duration::from_secs(3600);
