//! Commands that are asked in place of the compiler: how a test asks them, and what holds for each
//! result.

use super::{Finished, Reduction, Running, World, read_tree};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A script that asks whether a compiler warns of a function that only calls itself.
pub(crate) const RECURSES: &str = "#!/bin/sh\n\
    rustc --edition 2021 --crate-type lib --emit metadata --out-dir \"$TMPDIR\" \"$1\" 2>&1 |\n\
    grep -q 'function cannot return without recursing'\n";

/// A script beside the user's directory.
pub(crate) fn script(world: &World, text: &str) -> String {
    let path = world.beside("interesting.sh");
    write_script(&path, text);
    path_str(&path).to_owned()
}

/// Writes a file that can be executed.
pub(crate) fn write_script(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a file can be written");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, mode).expect("it is ours");
}

pub(crate) fn path_str(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

pub(crate) fn out(world: &World) -> PathBuf {
    world.beside("out")
}

/// Makes a command without the daemon: what is checked here does not depend on it.
pub(crate) fn command(world: &World, args: &[&str]) -> Command {
    let mut command = world.program(&["--no-daemon", "--jobs", "2", "--output"]);
    command.arg(out(world)).args(args);
    command
}

pub(crate) fn run(world: &World, args: &[&str]) -> Finished {
    Running::start(command(world, args)).finish()
}

/// Reduces, and checks that at most this many tokens stay, and that the user's files are as they
/// were.
#[track_caller]
pub(crate) fn check(world: &World, args: &[&str], at_most: u64) -> Reduction {
    check_started(world, command(world, args), at_most)
}

#[track_caller]
pub(crate) fn check_started(world: &World, command: Command, at_most: u64) -> Reduction {
    let before = read_tree(world.work());
    Running::start(command).finish().expect_success();
    assert_eq!(
        read_tree(world.work()),
        before,
        "the user's files have changed"
    );
    let reduction = Reduction::read(&out(world));
    let (tokens, code) = (reduction.number("tokens_after"), reduction.code());
    assert!(
        tokens <= at_most,
        "{tokens} tokens, {at_most} allowed\n{code}"
    );
    assert_eq!(reduction.summary()["ended"], "fixpoint");
    reduction
}

/// Checks that the result's own command ends with this code, and prints these texts.
#[track_caller]
pub(crate) fn reproduces(reduction: &Reduction, world: &World, code: i32, texts: &[&str]) {
    let finished = reduction.reproduce(world);
    for text in texts {
        assert!(
            finished.everything().contains(text),
            "no `{text}`\n{finished}"
        );
    }
    finished.expect_code(code);
}

#[track_caller]
pub(crate) fn command_is(reduction: &Reduction, expected: &str) {
    let line = reduction.summary()["reproduce"].as_str().expect("a string");
    assert!(line.contains(expected), "no `{expected}` in `{line}`");
    // The readers of the report have other directories.
    let options = line.rsplit_once('/').map_or(line, |(_, rest)| rest);
    let report = reduction.report();
    assert!(report.contains(options), "no `{options}` in\n{report}");
}

/// Makes a command for which any error of what is asked is a crash.
pub(crate) fn with_errors_as_bugs(world: &World, args: &[&str]) -> Command {
    let mut command = command(world, args);
    command.args(["--edition", "2021", "--"]);
    command.args(["--crate-type", "lib", "-Ztreat-err-as-bug"]);
    command.env("RUSTC_BOOTSTRAP", "1");
    command
}
