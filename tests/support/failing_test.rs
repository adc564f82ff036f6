//! Checks a failing test: how it is asked for, and what holds for each result.

use super::{Finished, Reduction, Running, World, read_tree};
use serde_json::Value;
use std::path::Path;

/// A failing test, and what its result must be like.
pub(crate) struct Case {
    /// The target, and where several of its tests fail the name.
    pub(crate) args: &'static [&'static str],
    /// The most tokens that a result may have.
    pub(crate) at_most: u64,
    /// The exit code of the result's command, where the result does not go into the package.
    pub(crate) code: i32,
    /// The texts that the command prints.
    pub(crate) prints: &'static [&'static str],
    /// A text that the result has.
    pub(crate) has: &'static str,
    /// The words by which the report calls the failure.
    pub(crate) noun: &'static str,
}

/// A case to fill up with `..`: a test that panics, and stays one.
pub(crate) const CASE: Case = Case {
    args: &[],
    at_most: 0,
    code: 101,
    prints: &[],
    has: "#[test]",
    noun: "- Failure: ",
};

pub(crate) fn run(world: &World, args: &[&str]) -> Finished {
    let mut command = world.program(&["--no-daemon", "--no-cache", "--jobs", "2", "--output"]);
    command.arg(world.beside("out")).args(args);
    Running::start(command).finish()
}

/// Runs the command of a result in a package, as it is. It ends with this code.
#[track_caller]
pub(crate) fn run_command(
    world: &World,
    package: &Path,
    reduction: &Reduction,
    code: i32,
) -> Finished {
    let line = reduction.summary()["reproduce"].as_str();
    let mut shell = world.command("sh");
    shell.args(["-c", line.expect("it is a text")]);
    shell.current_dir(package);
    Running::start(shell).finish().expect_code(code)
}

/// Puts a result into the package, runs its command there, and has the package again as it was.
#[track_caller]
pub(crate) fn reproduce_in_package(
    world: &World,
    package: &Path,
    reduction: &Reduction,
    code: i32,
) -> Finished {
    let place = &reduction.summary()["goes_to"];
    let file = place["test-file"]["file"].as_str().expect("it is a file");
    let path = package.join(file);
    // A test that is no file of the package has no text there before.
    let before = std::fs::read_to_string(&path).ok();
    let directory = path.parent().expect("the file is in the package");
    std::fs::create_dir_all(directory).expect("it can be made");
    std::fs::write(&path, reduction.code()).expect("it can be written");
    let shown = run_command(world, package, reduction, code);
    match before {
        Some(before) => std::fs::write(path, before).expect("it can be written"),
        None => std::fs::remove_file(path).expect("it can be removed"),
    }
    shown
}

/// Runs the command of a result, in the package if that is where the result goes. It ends with this code.
#[track_caller]
pub(crate) fn reproduce(world: &World, reduction: &Reduction, code: i32) -> Finished {
    match &reduction.summary()["goes_to"] {
        Value::Null => reduction.reproduce(world).expect_code(code),
        _ => reproduce_in_package(world, world.work(), reduction, code),
    }
}

/// Reduces, and runs the command of the result, in the package if the result goes there.
#[track_caller]
pub(crate) fn check(case: &Case) -> (World, Reduction) {
    let world = World::with("failing-tests");
    let sources = read_tree(world.work());
    run(&world, case.args).expect_success();
    assert_eq!(read_tree(world.work()), sources, "the user's files changed");
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    let tokens = reduction.number("tokens_after");
    assert!(tokens <= case.at_most, "{tokens} tokens\n{code}");
    assert!(code.contains(case.has), "no `{}` in\n{code}", case.has);
    let is_linked = code.contains("ledger::");
    let may_be = reduction.summary()["fidelity"] == "test";
    assert!(may_be || !is_linked, "the library is still linked\n{code}");
    let shown = reproduce(&world, &reduction, case.code);
    for text in case.prints {
        assert!(shown.everything().contains(text), "no `{text}` in\n{shown}");
    }
    let report = reduction.report();
    assert!(report.contains(case.noun), "{report}");
    (world, reduction)
}
