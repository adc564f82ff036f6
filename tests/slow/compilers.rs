//! Tests of slices by what the compiler says of the names, with each compiler that is there: what it prints changes from
//! version to version.

use crate::support::{Reduction, Running, World, read_tree};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable with the paths of more compilers, with `:` between them.
const MORE: &str = "REDUCE_TEST_COMPILERS";
/// The minor version of the oldest compiler for the fixture with a chain of callers: it needs `const` blocks, and `size_of`
/// without an import.
const OLDEST_WITH_CHAIN: u32 = 80;
/// The path of the compiler of a distribution, which may be years old.
const OF_DISTRIBUTION: &str = "/usr/bin/rustc";

#[test]
fn a_slice_by_what_the_compiler_says_is_accepted_whichever_it_is() {
    let pinned = of_toolchain("1.95.0").expect("rust-toolchain.toml names it");
    check(&pinned);
    check_chain(&pinned);
    let of_distribution = Some(PathBuf::from(OF_DISTRIBUTION));
    let of_distribution = of_distribution.filter(|path| path.is_file());
    if of_distribution.is_none() {
        eprintln!("skipped `{OF_DISTRIBUTION}`, which is not there");
    }
    let nightly = of_toolchain("nightly");
    if nightly.is_none() {
        eprintln!("skipped the toolchain `nightly`, which is not there");
    }
    for compiler in nightly
        .into_iter()
        .chain(of_distribution)
        .chain(more_compilers())
    {
        check(&compiler);
        match minor_version(&compiler) < OLDEST_WITH_CHAIN {
            true => eprintln!("skipped chains with `{}`: too old", compiler.display()),
            false => check_chain(&compiler),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the tests names more compilers"
)]
fn more_compilers() -> Vec<PathBuf> {
    let more = std::env::var(MORE).unwrap_or_default();
    let paths = std::env::split_paths(&more);
    paths.filter(|path| !path.as_os_str().is_empty()).collect()
}

/// The compiler of a toolchain, if rustup has it.
#[expect(
    clippy::disallowed_methods,
    reason = "the path behind rustup's proxy is wanted"
)]
fn of_toolchain(toolchain: &str) -> Option<PathBuf> {
    let mut which = Command::new("rustup");
    which.args(["which", "rustc", "--toolchain", toolchain]);
    let output = which
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

/// The second number of a compiler's version.
#[expect(
    clippy::disallowed_methods,
    reason = "whichever compilers are there are asked"
)]
fn minor_version(compiler: &Path) -> u32 {
    let output = Command::new(compiler).arg("--version").output();
    let output = output.expect("the compiler runs");
    let version = String::from_utf8(output.stdout).expect("it is a text");
    let mut numbers = version.split('.').skip(1);
    let minor = numbers.next().and_then(|number| number.parse().ok());
    minor.expect("it is `rustc 1.95.0`, or alike")
}

/// Slices a fixture by what a compiler says of its names. Returns the result and the lines of the log that are about slices.
#[track_caller]
fn slice(compiler: &Path, fixture: &str, error: &str) -> (String, Vec<String>) {
    let world = World::with(fixture);
    let before = read_tree(world.work());
    let (output, log) = (world.beside("out"), world.beside("log.txt"));
    let args = ["--no-daemon", "--jobs", "1", "--passes", "keep_slice"];
    let mut command = world.program(&args);
    command.arg("--rustc").arg(compiler);
    command.arg("--output").arg(&output).arg("--log").arg(&log);
    command.args(["--error", error, fixture]);
    command.args(["--", "--edition", "2021", "--crate-type", "lib"]);
    Running::start(command).finish().expect_success();
    assert_eq!(
        read_tree(world.work()),
        before,
        "the user's files have changed"
    );
    let code = Reduction::read(&output).code().to_owned();
    let log = std::fs::read_to_string(&log).expect("the log is there");
    let slices = log
        .lines()
        .filter(|line| line.contains("stage keep_slice, "));
    (code, slices.map(str::to_owned).collect())
}

#[track_caller]
fn check(compiler: &Path) {
    let (code, log) = slice(compiler, "shared-names.rs", "E0502");
    for kept in [
        "impl std::ops::Add for Area",
        "Default",
        "pub fn take",
        "pub fn total",
    ] {
        assert!(
            code.contains(kept),
            "{}: no `{kept}`\n{code}",
            compiler.display()
        );
    }
    // Neither what is called like something that is needed, nor statements and bodies that may go.
    for gone in [
        "mod accounts",
        "impl From<Area> for u64",
        "fn describe",
        "self.0 + other.0",
    ] {
        assert!(
            !code.contains(gone),
            "{}: `{gone}`\n{code}",
            compiler.display()
        );
    }
    let mut slices = log.iter().filter(|line| line.contains(", slice; "));
    // The first one has grown until the compiler missed nothing in it.
    let accepted = slices.position(|line| line.contains("accepted"));
    assert_eq!(accepted, Some(0), "{}: {log:#?}", compiler.display());
}

/// Checks that the chain of the one caller that matters is found, and that of what calls it nothing but the calls stay.
#[track_caller]
fn check_chain(compiler: &Path) {
    let (code, log) = slice(compiler, "called-from-afar.rs", "E0080");
    for kept in ["fn try_add", "self.try_add(node)", "fn named", "line.add("] {
        assert!(
            code.contains(kept),
            "{}: no `{kept}`\n{code}",
            compiler.display()
        );
    }
    for gone in ["mod stable", "fn numbered", "fn connect", "get_or_insert"] {
        assert!(
            !code.contains(gone),
            "{}: `{gone}`\n{code}",
            compiler.display()
        );
    }
    assert!(log.len() < 9, "{}: {log:#?}", compiler.display());
}
