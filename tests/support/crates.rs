//! Checks that what was a workspace with dependencies is one file that crashes where nothing else is.

use super::{Case, Reduction, Running, World, check};

/// Reduces to one file, and checks that it crashes where nothing else is.
#[track_caller]
pub(crate) fn check_one_file(case: &Case) -> Reduction {
    let reduction = check(case);
    is_one_file(&reduction, case.crash);
    reduction
}

/// Checks that the file alone, in a directory of its own, crashes with the command of the summary,
/// which names nothing but the file and its flags.
#[track_caller]
pub(crate) fn is_one_file(reduction: &Reduction, crash: &[&str]) {
    let result = &reduction.summary()["result"];
    let code = reduction.code();
    assert!(reduction.is_single_file(), "{result} is left:\n{code}");
    let command = reduction.summary()["reproduce"].as_str();
    let command = command.expect("`reproduce` is a string");
    for other in ["--extern", "-L", "deps", "OUT_DIR", "CARGO_", "cargo "] {
        assert!(!command.contains(other), "`{other}` in `{command}`");
    }
    for other in ["include!", "include_str!", "env!", "extern crate", "mod "] {
        assert!(!code.contains(other), "`{other}` in\n{code}");
    }
    crashes_alone(code, command, crash);
}

#[track_caller]
pub(crate) fn crashes_alone(code: &str, command: &str, crash: &[&str]) {
    let world = World::empty();
    std::fs::write(world.work().join("reduced.rs"), code).expect("a file can be written");
    let mut shell = world.command("sh");
    shell.args(["-c", command]);
    let finished = Running::start(shell).finish();
    assert!(finished.is_crash(), "it does not crash\n{finished}\n{code}");
    for text in crash {
        assert!(finished.stderr().contains(text), "no `{text}`\n{finished}");
    }
}

/// The words of a crash that several fixtures have.
pub(crate) const FULLY_PERFORM: &[&str] = &["error performing operation: fully_perform"];

/// A call of cargo in this world.
pub(crate) fn cargo(world: &World, args: &[&str]) -> std::process::Command {
    let mut command = world.command("cargo");
    command.args(args);
    command
}
