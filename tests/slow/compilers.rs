//! Slices by what the compiler says of the names, with each compiler that is there: what it prints changes from version
//! to version.

use crate::support::{Reduction, Running, World, read_tree};
use std::path::{Path, PathBuf};
use std::process::Command;

/// More compilers, with `:` between their paths.
const MORE: &str = "REDUCE_TEST_COMPILERS";
/// Where a distribution puts its compiler, which may be years old.
const OF_DISTRIBUTION: &str = "/usr/bin/rustc";

#[test]
fn a_slice_by_what_the_compiler_says_is_accepted_whichever_it_is() {
    check(&of_toolchain("1.95.0").expect("rust-toolchain.toml names it"));
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

#[track_caller]
fn check(compiler: &Path) {
    let world = World::with("shared-names.rs");
    let before = read_tree(world.work());
    let (output, log) = (world.beside("out"), world.beside("log.txt"));
    let args = ["--no-daemon", "--jobs", "1", "--passes", "keep_slice"];
    let mut command = world.program(&args);
    command.arg("--rustc").arg(compiler);
    command.arg("--output").arg(&output).arg("--log").arg(&log);
    command.args(["--error", "E0502", "shared-names.rs"]);
    command.args(["--", "--edition", "2021", "--crate-type", "lib"]);
    Running::start(command).finish().expect_success();
    assert_eq!(
        read_tree(world.work()),
        before,
        "the user's files have changed"
    );
    let code = Reduction::read(&output).code().to_owned();
    for kept in [
        "impl std::ops::Add for Area",
        "impl From<Area> for u64",
        "pub fn total",
    ] {
        assert!(
            code.contains(kept),
            "{}: no `{kept}`\n{code}",
            compiler.display()
        );
    }
    // Neither what is called like something that is needed, nor bodies that may go.
    for gone in ["mod accounts", "fn describe", "self.0 + other.0"] {
        assert!(
            !code.contains(gone),
            "{}: `{gone}`\n{code}",
            compiler.display()
        );
    }
    let log = std::fs::read_to_string(&log).expect("the log is there");
    let mut slices = log.lines().filter(|line| line.contains(", slice; "));
    // Those of the marked statements come first, by spelling.
    let accepted = slices.position(|line| line.contains("accepted"));
    assert_eq!(accepted, Some(2), "{}: {log}", compiler.display());
}
